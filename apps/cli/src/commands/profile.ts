import { writeFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { EnvironmentError, printable, runProfile } from '@mendframe/runner'
import { EXIT } from '../exit-codes.ts'
import type { Interruption } from '../interruption.ts'
import { createProgress } from '../progress.ts'
import { terminalOf } from '../terminal.ts'

export interface ProfileFlags {
  readonly name?: string
  readonly output?: string
  readonly force?: boolean
  readonly memory?: number
  readonly timeout?: number
}

/** `mendframe profile`: prints the facts of a healthy recording as a file of the camera library. Returns the exit code. */
export async function profileCommand(file: string, flags: ProfileFlags, stop: Interruption): Promise<number> {
  const progress = createProgress(
    (text) => process.stderr.write(text),
    terminalOf(process.stderr, process.env),
  )
  try {
    const made = await runProfile({
      file,
      camera: flags.name ?? basename(file, extname(file)),
      ...(flags.memory === undefined ? {} : { memoryMb: flags.memory }),
      ...(flags.timeout === undefined ? {} : { timeoutSeconds: flags.timeout }),
      onProgress: (stage, fraction) => progress.update(stage, fraction),
      signal: stop.signal,
    })
    progress.clear()
    if ('reason' in made) {
      process.stderr.write(`mendframe: no profile: ${printable(made.reason)}\n`)
      return EXIT.unrepairable
    }
    if (flags.output === undefined) process.stdout.write(made.text)
    else writeText(flags.output, made.text, flags.force ?? false)
    return 0
  } finally {
    progress.clear()
  }
}

/** @throws EnvironmentError with one clear line. */
function writeText(path: string, text: string, overwrite: boolean): void {
  try {
    writeFileSync(path, text, { flag: overwrite ? 'w' : 'wx' })
  } catch (error) {
    const why =
      error instanceof Error && 'code' in error && error.code === 'EEXIST' ? 'it exists already' : 'it failed'
    throw new EnvironmentError(`cannot write ${printable(path)}: ${why}`)
  }
}
