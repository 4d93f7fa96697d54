import { perform } from './perform.ts'
import { serveTask } from './serve-task.ts'

/** The process around FFmpeg. */
await serveTask(perform)
