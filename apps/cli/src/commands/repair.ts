import { type DamagedFrames, furtherPhotoPaths, printable, type Report, runRepair } from '@mendframe/runner'
import { createEnhance, type Enhancement } from '@mendframe/worker/enhancements'
import { EXIT, exitCodeOf } from '../exit-codes.ts'
import type { Interruption } from '../interruption.ts'
import { createProgress, type ProgressStyle } from '../progress.ts'
import { ReportFile } from '../report-file.ts'
import { summarise } from '../summary.ts'
import { terminalOf } from '../terminal.ts'

export interface RepairFlags {
  readonly sample?: string
  readonly output: string
  readonly report?: string
  readonly verify: boolean
  readonly damagedFrames: DamagedFrames
  readonly enhance?: readonly Enhancement[]
  readonly force?: boolean
  readonly memory?: number
  readonly timeout?: number
  readonly progress?: ProgressStyle
}

/** Seconds a decoding check may take when no bound is given: a day of recording on a slow machine. */
const VERIFY_TIMEOUT = 86_400

/** `mendframe repair`: returns the exit code; failures are thrown. */
export async function repairCommand(
  damaged: string,
  flags: RepairFlags,
  stop: Interruption,
): Promise<number> {
  const others = [damaged, flags.output, ...(flags.sample === undefined ? [] : [flags.sample])]
  using reportFile =
    flags.report === undefined ? undefined : ReportFile.prepare(flags.report, others, !!flags.force)
  const progress = createProgress(
    (text) => process.stderr.write(text),
    terminalOf(process.stderr, process.env),
    flags.progress,
  )
  let verifySeconds: number | undefined
  const timeoutSeconds = flags.timeout ?? VERIFY_TIMEOUT
  let report: Report
  try {
    report = await runRepair({
      damaged,
      ...(flags.sample === undefined ? {} : { sample: flags.sample }),
      output: flags.output,
      overwrite: flags.force ?? false,
      durable: flags.verify,
      options: { damagedFrames: flags.damagedFrames },
      furtherPhotos: true,
      ...(flags.memory === undefined ? {} : { memoryMb: flags.memory }),
      ...(flags.timeout === undefined ? {} : { timeoutSeconds: flags.timeout }),
      ...(flags.verify
        ? {
            verify: async (path, options) => {
              const { verify } = await import('@mendframe/renderer')
              const started = performance.now()
              const verification = await verify(path, { ...options, timeoutSeconds })
              verifySeconds = (performance.now() - started) / 1000
              return verification
            },
          }
        : {}),
      ...(flags.enhance === undefined
        ? {}
        : { enhance: createEnhance(flags.enhance, { timeoutSeconds, check: flags.verify }) }),
      onReport: (final) => reportFile?.write(final, furtherPhotoPaths(flags.output, final)),
      onProgress: (stage, fraction) => progress.update(stage, fraction),
      signal: stop.signal,
    })
  } finally {
    progress.clear()
  }
  reportFile?.publish(flags.verify)
  const exitCode = exitCodeOf(report)
  if (exitCode === EXIT.unrepairable) {
    const reason = report.reason ?? 'nothing could be recovered'
    process.stderr.write(`mendframe: not repairable: ${printable(reason)}\n`)
  } else {
    process.stdout.write(summarise(report, flags.output, verifySeconds))
  }
  return exitCode
}
