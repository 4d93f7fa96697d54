import { RendererError } from './errors.ts'
import { renderPhoto, verifyPhoto } from './photo/tasks.ts'
import { serveTask } from './serve-task.ts'

/** The process around the photo decoders. */
await serveTask(async (task) => {
  switch (task.task) {
    case 'verify-photo':
      return verifyPhoto(task.input, task.extension)
    case 'render-photo':
      return renderPhoto(task)
    default:
      throw new RendererError('unsupported', `nothing here does ${task.task}`)
  }
})
