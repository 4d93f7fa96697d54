import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Attempt,
  type Context,
  checkSpace,
  completeRepair,
  countCrash,
  endHealthy,
  failRepair,
  requeueRepair,
  ServiceFailure,
  type TakenJob,
  takeRepair,
} from '@mendframe/backend'
import { type RepairReport, TEXTS } from '@mendframe/contract'
import { RendererError } from '@mendframe/renderer'
import {
  AbortedError,
  EngineLimitError,
  LimitError,
  type Report,
  type RunRepairRequest,
  UnsupportedError,
  UsageError,
} from '@mendframe/runner'
import { boundedReport } from './bounded-report.ts'
import { createEnhance } from './enhancements.ts'
import type { MediaTools } from './media-tools.ts'
import { makePhotoPreviews } from './photo-previews.ts'
import { makePreviews } from './previews.ts'
import { ProgressWriter } from './progress-writer.ts'
import { discardEarlier, ProductStore } from './store-products.ts'
import { isOwnCrash, MOST_TAKEN, waitAfterFault } from './tries.ts'

const BYTES_PER_MB = 2 ** 20
const NO_ROOM =
  'There was no room left for this repair here. Please try again in a while; it did not count against your plan.'

export interface RepairJobParts {
  readonly context: Context
  readonly tools: MediaTools
  /** Folder of this worker for files in work. */
  readonly scratch: string
  /** Aborted when the worker stops: repairs in work go back to the queue. */
  readonly stopping: AbortSignal
}

/**
 * One attempt at a repair, from taking it to its end in one transaction. What would fail again is ended here; whatever else is
 * thrown leaves the repair to a next attempt.
 */
export async function runRepairJob(parts: RepairJobParts, job: TakenJob<'repair'>): Promise<void> {
  const { context } = parts
  const attempt = await takeRepair(context, job.data.repairId)
  if (!attempt) return
  const log = context.log.child({
    job: String(attempt.upload.timestamp),
    repair: attempt.repair.id,
    attempt: attempt.repair.attempt,
  })
  const lost = new AbortController()
  const progress = new ProgressWriter(context, attempt, () => lost.abort())
  const signal = AbortSignal.any([job.signal, lost.signal, parts.stopping])
  const folder = join(parts.scratch, `${attempt.repair.id}-${attempt.repair.attempt}`)
  const store = new ProductStore(context, attempt)
  log.info('repair begins')
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await discardEarlier(context, attempt)
    const outcome = await work(parts, attempt, folder, progress, signal)
    await progress.stop()
    const ended = await outcome(store)
    if (!ended) await store.discard()
    log.info({ ended }, 'repair ends')
  } catch (error) {
    await progress.stop()
    await store.discard()
    if (parts.stopping.aborted && !lost.signal.aborted) {
      await requeueRepair(context, attempt)
      log.info('repair goes back to the queue')
      return
    }
    if (signal.aborted) {
      log.info('repair was taken from this worker')
      return
    }
    const message = finalMessage(error)
    if (message === undefined && !(await isLast(context, attempt, error))) {
      const waitSeconds = isOwnCrash(error) ? 0 : waitAfterFault(attempt.repair.attempt)
      log.warn({ err: error, waitSeconds }, 'repair broke off and is tried again')
      await requeueRepair(context, attempt, waitSeconds)
      return
    }
    log.warn({ err: error }, 'repair failed for good')
    await failRepair(context, attempt, { message: message ?? TEXTS.repairThrew })
  } finally {
    await progress.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** How a repair ends; answers whether it was this attempt that ended it. */
type Outcome = (store: ProductStore) => Promise<boolean>

async function work(
  parts: RepairJobParts,
  attempt: Attempt,
  folder: string,
  progress: ProgressWriter,
  signal: AbortSignal,
): Promise<Outcome> {
  const { context, tools } = parts
  const { upload } = attempt
  if (upload.storedKey === null) throw new ServiceFailure('upload.missing')
  await checkSpace(context, spaceOf(context, upload))
  const damaged = await context.storage.materialise(upload.storedKey, folder, signal)
  const sample =
    upload.sampleStoredKey === null
      ? undefined
      : await context.storage.materialise(upload.sampleStoredKey, folder, signal)
  const output = join(folder, `repaired.${upload.extension}`)
  const limits = context.config.worker
  const request: RunRepairRequest = {
    damaged,
    ...(sample === undefined ? {} : { sample }),
    output,
    memoryMb: limits.memoryMb,
    timeoutSeconds: limits.timeoutSeconds,
    signal,
    onProgress: (stage, fraction) => progress.set(stage, fraction),
    verify: verifier(parts),
    ...(upload.product === 'video' ? enhancer(parts, attempt) : {}),
  }
  const engineReport: Report = await tools.runRepair(request)
  const report = boundedReport(engineReport)
  const improved = report.enhancements?.some(({ outcome }) => outcome === 'applied') ?? false
  if (report.verdict === 'healthy' && !improved) return () => endHealthy(context, attempt, report)
  if (report.verdict === 'unrepairable') {
    return () => failRepair(context, attempt, { message: report.reason ?? TEXTS.repairFailed, report })
  }
  // a file may come under the extension of another family: the result has its own
  const extension = report.extension ?? upload.extension
  progress.set('preview', 0)
  const previewing = { signal, onProgress: (fraction: number) => progress.set('preview', fraction) }
  const previews =
    upload.product === 'video'
      ? await makePreviews(context, tools, output, folder, extension, previewing)
      : await makePhotoPreviews(
          context,
          tools,
          { damaged, repaired: output, folder, extension },
          { ...previewing, memoryBytes: decoding(parts).memoryBytes },
        )
  progress.set('store', 0)
  return async (store) => {
    const products = await store.store(output, extension, previews)
    return completeRepair(context, attempt, improved ? asRepaired(report) : report, products)
  }
}

/** A film in which nothing was broken is worth handing out once it looks better. */
function asRepaired(report: RepairReport): RepairReport {
  return report.verdict === 'healthy' ? { ...report, verdict: 'repaired' } : report
}

function enhancer(parts: RepairJobParts, { repair }: Attempt): Pick<RunRepairRequest, 'enhance'> {
  if (repair.enhancements.length === 0) return {}
  return { enhance: createEnhance(repair.enhancements, { ...decoding(parts), check: true }) }
}

/** Bounds of the processes that decode. */
function decoding(parts: RepairJobParts): { timeoutSeconds: number; memoryBytes: number } {
  const { memoryMb, timeoutSeconds } = parts.context.config.worker
  return { timeoutSeconds, memoryBytes: Math.max(memoryMb, 1536) * BYTES_PER_MB }
}

function verifier(parts: RepairJobParts): NonNullable<RunRepairRequest['verify']> {
  return (path, options) => parts.tools.verify(path, { ...options, ...decoding(parts) })
}

/** Bytes that a repair takes while it is in work: a result as long as the input, and the inputs where the store is elsewhere. */
function spaceOf({ storage }: Context, { size, sampleSize }: Attempt['upload']): number {
  const result = size ?? 0
  return storage.kind === 'folder' ? result : 2 * result + (sampleSize ?? 0)
}

/** What systems, the runner and the renderer say when a disk is full. */
const FULL = /ENOSPC|EDQUOT|the disk is full|the disk quota|No space left/

function isFull(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (FULL.test(at.message) || ('code' in at && FULL.test(String(at.code)))) return true
  }
  return error instanceof ServiceFailure && error.code === 'server.storage-full'
}

/** Whether a repair that broke off is not tried again: its own process did so too often, or it was taken without end. */
async function isLast(context: Context, attempt: Attempt, error: unknown): Promise<boolean> {
  if (attempt.repair.attempt >= MOST_TAKEN) return true
  return isOwnCrash(error) && countCrash(context, attempt)
}

/** A line for the visitor when trying again at once cannot help; `undefined` when it may. */
function finalMessage(error: unknown): string | undefined {
  if (error instanceof AbortedError) return undefined
  if (isFull(error)) return NO_ROOM
  if (error instanceof UsageError || error instanceof UnsupportedError) return sentence(error.message)
  if (error instanceof EngineLimitError || error instanceof LimitError) {
    return 'The file needs more memory or time than a repair here may take.'
  }
  if (error instanceof RendererError && (error.kind === 'timeout' || error.kind === 'memory')) {
    return 'The result needs more memory or time to be checked than a repair here may take.'
  }
  return error instanceof ServiceFailure ? error.message : undefined
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
