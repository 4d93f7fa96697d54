import { constants, copyFileSync, fchmodSync, fstatSync, ftruncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AbortedError } from '@mendframe/engine/errors'
import type { Copier } from './copier.ts'
import { environmentError } from './errors.ts'
import type { Input } from './inputs.ts'
import { passingName } from './passing-name.ts'
import type { PendingOutput } from './pending-output.ts'
import { printable } from './printable.ts'

/**
 * Makes the output a copy of the file, byte for byte: shares its blocks where the file system can, or else has the copier do it,
 * who may have begun already. @throws EnvironmentError, AbortedError
 */
export async function copyInto(
  input: Input,
  output: PendingOutput,
  copier: Copier,
  onProgress: (fraction: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  if (input.size === 0 || clone(input, output)) return
  let onAbort = (): void => {}
  await new Promise<void>((resolve, reject) => {
    onAbort = () => reject(new AbortedError('stopped'))
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    let copied = 0
    const done = (bytes: number): void => {
      copied += bytes
      onProgress(copied / input.size)
      if (copied === input.size) resolve()
    }
    copier.listen({ done, failed: reject })
    copier.addAll(input.size)
  }).finally(() => {
    copier.stop()
    signal?.removeEventListener('abort', onAbort)
  })
  try {
    // more may stand behind it that was copied ahead, and the file may have become shorter
    ftruncateSync(output.descriptor, Math.min(input.size, fstatSync(input.descriptor).size))
  } catch (error) {
    throw environmentError(`cannot write ${printable(output.target)}`, error)
  }
}

function clone(input: Input, output: PendingOutput): boolean {
  const { mode } = fstatSync(output.descriptor)
  // the system call removes what it could not fill
  const path = join(dirname(output.temporary), `.${passingName()}.clone`)
  try {
    copyFileSync(input.path, path, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL)
  } catch {
    // Most file systems cannot share blocks; the plain copy follows and reports what is really wrong.
    return false
  }
  output.adopt(path)
  // copyFile carries over the original's rights; a result has those of any new file.
  fchmodSync(output.descriptor, mode & 0o777)
  return fstatSync(output.descriptor).size === input.size
}
