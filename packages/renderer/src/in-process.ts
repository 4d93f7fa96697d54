import { perform } from './perform.ts'
import type { RunTask } from './run.ts'

/**
 * Runs a task in the process of the caller, without limits and without a room: for measurements of files that are known, where
 * starting a child costs more than its task. What takes the media library down takes the caller along.
 */
export const runHere: RunTask = (task) => perform(task, () => {})
