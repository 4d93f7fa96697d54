import { RendererError } from './errors.ts'
import { silenceLibrary } from './media/library.ts'
import type { Task } from './protocol.ts'
import type { Progress } from './serve-task.ts'
import { enhance } from './tasks/enhance.ts'
import { hashes } from './tasks/hashes.ts'
import { payload } from './tasks/payload.ts'
import { preview } from './tasks/preview.ts'
import { probe } from './tasks/probe.ts'
import { segment } from './tasks/segment.ts'
import { still } from './tasks/still.ts'
import { verify } from './tasks/verify.ts'

/** Everything that is done to recordings, in the process of the caller. @throws RendererError */
export async function perform(task: Task, progress: Progress): Promise<unknown> {
  silenceLibrary()
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
    default:
      throw new RendererError('unsupported', `nothing here does ${task.task}`)
  }
}
