import { readFileSync, writeSync } from 'node:fs'
import { RendererError } from './errors.ts'
import type { Message, Task } from './protocol.ts'

export type Progress = (fraction: number) => void

const PROGRESS_INTERVAL_MS = 200
const STANDARD_INPUT = 0
const STANDARD_OUTPUT = 1

function say(message: Message): void {
  writeSync(STANDARD_OUTPUT, `${JSON.stringify(message)}\n`)
}

function throttledProgress(): Progress {
  let last = 0
  return (fraction) => {
    const now = Date.now()
    if (now - last < PROGRESS_INTERVAL_MS) return
    last = now
    say({ type: 'progress', fraction })
  }
}

/** A child process: one task from standard input, JSON lines on standard output, then it ends. */
export async function serveTask(
  perform: (task: Task, progress: Progress) => Promise<unknown>,
): Promise<void> {
  try {
    // The parent writes exactly one `Task`; both ends are this package.
    const task: Task = JSON.parse(readFileSync(STANDARD_INPUT, 'utf8'))
    say({ type: 'result', value: await perform(task, throttledProgress()) })
  } catch (error) {
    if (error instanceof RendererError) say({ type: 'error', kind: error.kind, message: error.message })
    else
      say({
        type: 'error',
        kind: 'crashed',
        message: error instanceof Error ? error.message : String(error),
      })
    process.exitCode = 1
  }
}
