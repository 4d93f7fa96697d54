import { runDiagnose } from '@mendframe/runner'
import type { Interruption } from '../interruption.ts'
import { createProgress } from '../progress.ts'
import { summariseDiagnosis } from '../summary.ts'
import { terminalOf } from '../terminal.ts'

export interface DiagnoseFlags {
  readonly json?: boolean
  readonly memory?: number
  readonly timeout?: number
}

/** `mendframe diagnose`: prints what is wrong. Returns 0 whatever it found: the command did what it was asked. */
export async function diagnoseCommand(
  file: string,
  flags: DiagnoseFlags,
  stop: Interruption,
): Promise<number> {
  const progress = createProgress(
    (text) => process.stderr.write(text),
    terminalOf(process.stderr, process.env),
  )
  try {
    const diagnosis = await runDiagnose({
      file,
      ...(flags.memory === undefined ? {} : { memoryMb: flags.memory }),
      ...(flags.timeout === undefined ? {} : { timeoutSeconds: flags.timeout }),
      onProgress: (stage, fraction) => progress.update(stage, fraction),
      signal: stop.signal,
    })
    progress.clear()
    process.stdout.write(
      flags.json ? `${JSON.stringify(diagnosis, null, 2)}\n` : summariseDiagnosis(diagnosis, file),
    )
    return 0
  } finally {
    progress.clear()
  }
}
