import { closeSync, readSync } from 'node:fs'
import type { RepairOptions, Report, Stage, Verification } from '@mendframe/engine'
import { LOOKED_AT, likelyLead } from '@mendframe/engine/lead'
import type { EngineRunOptions } from './conversation.ts'
import { Copier } from './copier.ts'
import { copyInto } from './copy.ts'
import { type Decoding, decodedOf } from './decoding.ts'
import { syncEarly } from './early-sync.ts'
import { runEngine } from './engine-process.ts'
import { EngineCrashError, environmentError } from './errors.ts'
import { FurtherPhotos } from './further-photos.ts'
import { handed } from './handed.ts'
import { checkSample, type Input, openInput } from './inputs.ts'
import { judge } from './judge.ts'
import { PendingOutput } from './pending-output.ts'
import { printable } from './printable.ts'
import { type EngineJob, FIRST_FILE } from './protocol.ts'
import { Scratch } from './scratch.ts'
import { withTornPictures } from './torn-pictures.ts'

/** What a file is, and who listens while it is decoded. */
export interface VerifyOptions {
  readonly kind: Report['kind']
  /** What a file of its content is called, without a dot: its path may be a passing one. */
  readonly extension?: string
  readonly signal?: AbortSignal
  readonly onProgress?: (fraction: number) => void
}

/** Decodes a finished file and counts what comes out. Given by the caller, so that this package knows no decoder. */
export type Verify = (path: string, options: VerifyOptions) => Promise<Verification>

/** Changes a finished file beyond the repair, because somebody asked for it. Given by the caller like `Verify`. */
export type Enhance = (
  path: string,
  report: Report,
  options: { readonly signal?: AbortSignal; readonly onProgress?: (fraction: number) => void },
) => Promise<{
  readonly report: Report
  /** A file beside `path` that takes its place; without it the file stays as it is. */
  readonly replacement?: string
}>

export interface RunRepairRequest extends EngineRunOptions {
  /** Paths. They may be any names the system allows; nothing is read into them. */
  readonly damaged: string
  readonly sample?: string
  readonly output: string
  /** Replace a file that is at `output` already. */
  readonly overwrite?: boolean
  /**
   * Wait until the result is on the disk before it gets its name, so that no power cut can take it or leave half of it. True by
   * default; without it the system writes it out in its own time, as after `cp`.
   */
  readonly durable?: boolean
  readonly options?: Partial<RepairOptions>
  /** Save photos of their own that follow the first one beside the output as well, see `furtherPhotoPaths`. */
  readonly furtherPhotos?: boolean
  /**
   * Checks the result before it gets its name, and settles for the engine what bytes alone do not; without it the engine's word
   * stands.
   */
  readonly verify?: Verify
  /** Called with a result that plays, after `verify`. What it throws ends the run. */
  readonly enhance?: Enhance
  /** Called with the final report right before the output appears; when it throws, no output appears. */
  readonly onReport?: (report: Report) => Promise<void> | void
}

/**
 * Repairs one file into another with the engine in a process of its own. The output appears, complete, when the verdict is
 * `repaired`, `partial` or `healthy` (then it is a copy), and in no other case; with it, when they are asked for, further
 * photos beside it. `Report.seconds` is the engine's own time, without verification and without the start of the process.
 * @throws UsageError (damaged file given as its own sample, output taken, …), EnvironmentError (unreadable, disk
 * full, …), AbortedError, EngineLimitError, EngineCrashError, or what the engine or `verify` threw.
 */
export async function runRepair(request: RunRepairRequest): Promise<Report> {
  const inputs: Input[] = []
  try {
    const damaged = openInput(request.damaged)
    inputs.push(damaged)
    const sample = request.sample === undefined ? undefined : openInput(request.sample)
    if (sample) {
      inputs.push(sample)
      await checkSample(damaged, sample, request.signal)
    }
    const output = PendingOutput.create(request.output, inputs, request.overwrite ?? false)
    let further: FurtherPhotos | undefined
    try {
      const report = await produce(request, damaged, sample, output)
      further = request.furtherPhotos ? FurtherPhotos.copy(output, request.output, report) : undefined
      await request.onReport?.(report)
      if (report.verdict !== 'unrepairable') output.publish(request.durable)
      further?.publish(request.durable)
      return report
    } finally {
      further?.discard()
      output.discard()
    }
  } finally {
    for (const input of inputs) closeSync(input.descriptor)
  }
}

/** Fills the output and says what it is worth. */
async function produce(
  request: RunRepairRequest,
  damaged: Input,
  sample: Input | undefined,
  output: PendingOutput,
): Promise<Report> {
  const scratch = request.verify && new Scratch(output.temporary)
  let report: Report
  try {
    report = await filled(request, damaged, sample, output, scratch)
  } finally {
    scratch?.discard()
  }
  if (report.verdict === 'unrepairable') return report
  return enhanced(request, await verified(request, report, output), output)
}

async function verified(request: RunRepairRequest, report: Report, output: PendingOutput): Promise<Report> {
  if (!request.verify) return report
  const progress = (fraction: number): void => request.onProgress?.('verify' satisfies Stage, fraction)
  progress(0)
  const verification = await request.verify(output.temporary, {
    kind: report.kind,
    ...(report.extension === undefined ? {} : { extension: report.extension }),
    ...(request.signal ? { signal: request.signal } : {}),
    onProgress: progress,
  })
  const read = await withTornPictures(output.temporary, verification, engineOptions(request))
  progress(1)
  return judge(report, read)
}

/** Bounds of the engine where it does not repair: whoever waits hears of the check as one. */
function engineOptions({ memoryMb, timeoutSeconds, signal }: RunRepairRequest): EngineRunOptions {
  return {
    ...(memoryMb === undefined ? {} : { memoryMb }),
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    ...(signal ? { signal } : {}),
  }
}

async function enhanced(request: RunRepairRequest, report: Report, output: PendingOutput): Promise<Report> {
  if (!request.enhance || report.verdict === 'unrepairable') return report
  const { report: final, replacement } = await request.enhance(output.temporary, report, {
    ...(request.signal ? { signal: request.signal } : {}),
    onProgress: (fraction) => request.onProgress?.('verify' satisfies Stage, fraction),
  })
  if (replacement !== undefined) output.adopt(replacement)
  return final
}

/** Has the engine fill the output, or fills it with a copy where there is nothing to repair. */
async function filled(
  request: RunRepairRequest,
  damaged: Input,
  sample: Input | undefined,
  output: PendingOutput,
  scratch: Scratch | undefined,
): Promise<Report> {
  const files = [damaged.descriptor, output.descriptor]
  const lead = leadOf(damaged, sample !== undefined)
  if (sample) files.push(sample.descriptor)
  if (scratch) files.push(scratch.descriptor)
  const job: EngineJob = {
    kind: 'repair',
    damaged: handed(damaged, 0),
    output: FIRST_FILE + 1,
    ...(sample ? { sample: handed(sample, 2) } : {}),
    ...(lead === undefined ? {} : { lead }),
    ...(scratch ? { scratch: FIRST_FILE + files.length - 1 } : {}),
    options: request.options ?? {},
  }
  const label = printable(output.target)
  const copier = new Copier(damaged.descriptor, output.descriptor, label)
  if (lead !== undefined) copier.ahead(lead, damaged.size)
  const stopSync = (request.durable ?? true) ? syncEarly(output.descriptor, label) : undefined
  try {
    const message = await runEngine(job, files, request, copier, decodingOf(request, scratch)).finally(
      stopSync,
    )
    if (message.type !== 'repaired') throw new EngineCrashError('the engine answered something else', '')
    const { report } = message
    if (report.verdict !== 'healthy') return report
    const progress = (fraction: number): void => request.onProgress?.('write', fraction)
    await copyInto(damaged, output, copier, progress, request.signal)
    return { ...report, output: { size: damaged.size } }
  } finally {
    copier.stop()
  }
}

/** Decodes for the engine by the caller's check. */
function decodingOf(
  { damaged, verify, signal }: RunRepairRequest,
  scratch: Scratch | undefined,
): Decoding | undefined {
  if (!verify || !scratch) return undefined
  const options: VerifyOptions = { kind: 'recording', ...(signal ? { signal } : {}) }
  return async (target) => decodedOf(await verify(target === 'damaged' ? damaged : scratch.path, options))
}

/**
 * Where a copy of the damaged file that is begun before anything is known of it puts its first byte; undefined when it is not
 * worth it.
 */
function leadOf({ descriptor, size }: Input, hasSample: boolean): number | undefined {
  const start = new Uint8Array(LOOKED_AT)
  try {
    readSync(descriptor, start, 0, LOOKED_AT, 0)
  } catch (error) {
    throw environmentError('cannot read the damaged file', error)
  }
  return likelyLead(start, size, hasSample)
}
