export { containment } from './containment.ts'
export { type MediaTools, mediaTools } from './media-tools.ts'
export { startWorker, type Worker, type WorkerOptions } from './worker.ts'
