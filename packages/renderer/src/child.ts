import { readFileSync, writeSync } from 'node:fs'
import { RendererError } from './errors.ts'
import { silenceLibrary } from './media/library.ts'
import type { Message, Task } from './protocol.ts'
import { enhance } from './tasks/enhance.ts'
import { hashes } from './tasks/hashes.ts'
import { payload } from './tasks/payload.ts'
import { preview } from './tasks/preview.ts'
import { probe } from './tasks/probe.ts'
import { segment } from './tasks/segment.ts'
import { still } from './tasks/still.ts'
import { verify } from './tasks/verify.ts'

/** The child process: one task from standard input, JSON lines on standard output, then it ends. */
type Progress = (fraction: number) => void

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

async function perform(task: Task, progress: Progress): Promise<unknown> {
  switch (task.task) {
    case 'verify':
      return verify(task.input, progress)
    case 'probe':
      return probe(task.input)
    case 'hashes':
      return hashes(task, progress)
    case 'payload':
      return payload(task, progress)
    case 'preview':
      return preview(task, progress)
    case 'segment':
      return segment(task, progress)
    case 'enhance':
      return enhance(task, progress)
    case 'still':
      return still(task)
  }
}

try {
  silenceLibrary()
  // The parent writes exactly one `Task`; both ends are this package.
  const task: Task = JSON.parse(readFileSync(STANDARD_INPUT, 'utf8'))
  say({ type: 'result', value: await perform(task, throttledProgress()) })
} catch (error) {
  if (error instanceof RendererError) say({ type: 'error', kind: error.kind, message: error.message })
  else
    say({ type: 'error', kind: 'crashed', message: error instanceof Error ? error.message : String(error) })
  process.exitCode = 1
}
