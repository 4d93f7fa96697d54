import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, deliverMail, type Handlers, loseRepair, sweep } from '@mendframe/backend'
import type { Host } from '@mendframe/confined'
import { checkContainment } from './containment.ts'
import { type MediaTools, mediaTools } from './media-tools.ts'
import { runRepairJob } from './repair-job.ts'

/** Age at which scratch of a worker that is not known to live is deleted. */
const OLD_SCRATCH_MS = 2 * 86_400_000
/** Retention looks for objects without an owner in its first run of an hour. */
const ORPHAN_MINUTES = 5

export interface WorkerOptions {
  readonly tools?: MediaTools
  /** The machine, as a test pretends it to be. */
  readonly host?: Host
}

export interface Worker {
  /** Takes no more jobs, hands repairs in work back to the queue, and waits until all is quiet. */
  close(): Promise<void>
}

/** Starts taking jobs of every kind. @throws SetupError where strangers' files are not contained and have to be. */
export async function startWorker(context: Context, options: WorkerOptions = {}): Promise<Worker> {
  await checkContainment(context, options.host)
  const tools = options.tools ?? mediaTools
  const scratch = await prepareScratch(context)
  const stop = new AbortController()
  const handlers: Handlers = {
    repair: (job) => runRepairJob({ context, tools, scratch, stopping: stop.signal }, job),
    'repair-lost': (job) => loseRepair(context, job.data.repairId),
    mail: (job) => deliverMail(context, job.data),
    retention: async () => {
      await sweep(context, { orphans: context.clock.now().getUTCMinutes() < ORPHAN_MINUTES })
    },
  }
  await context.queue.work(handlers)
  return {
    close: async () => {
      stop.abort()
      await context.queue.stopWork()
      await rm(scratch, { recursive: true, force: true })
    },
  }
}

/** A folder of this process. What dead workers left is deleted: at once where no other can live, else when it is old. */
async function prepareScratch(context: Context): Promise<string> {
  await mkdir(context.scratchFolder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(context.scratchFolder)) {
    const path = join(context.scratchFolder, name)
    const { mtimeMs } = await stat(path)
    if (context.embedded || Date.now() - mtimeMs > OLD_SCRATCH_MS)
      await rm(path, { recursive: true, force: true })
  }
  const own = join(context.scratchFolder, `${process.pid}-${Date.now().toString(36)}`)
  await mkdir(own, { recursive: true, mode: 0o700 })
  return own
}
