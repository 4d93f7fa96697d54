import { constants, createReadStream, createWriteStream, fchmodSync, fstatSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { AbortedError } from '@mendframe/engine'
import { environmentError } from './errors.ts'
import type { Input } from './inputs.ts'
import type { PendingOutput } from './pending-output.ts'
import { printable } from './printable.ts'

const CHUNK_BYTES = 4 * 1024 * 1024

/** Copies a file byte for byte; shares its blocks where the file system can. @throws EnvironmentError, AbortedError */
export async function copyInto(
  input: Input,
  output: PendingOutput,
  onProgress: (fraction: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  if (await clone(input, output)) return
  // The system call removes what it could not fill.
  output.restart()
  let done = 0
  const from = createReadStream('', {
    fd: input.descriptor,
    autoClose: false,
    start: 0,
    highWaterMark: CHUNK_BYTES,
  })
  const to = createWriteStream('', { fd: output.descriptor, autoClose: false, start: 0 })
  from.on('data', (chunk) => {
    done += chunk.length
    onProgress(input.size === 0 ? 1 : Math.min(1, done / input.size))
  })
  try {
    await pipeline(from, to, signal ? { signal } : {})
  } catch (error) {
    if (signal?.aborted) throw new AbortedError('stopped')
    throw environmentError(`cannot copy to ${printable(output.target)}`, error)
  }
}

async function clone(input: Input, output: PendingOutput): Promise<boolean> {
  const { mode } = fstatSync(output.descriptor)
  try {
    await copyFile(input.path, output.temporary, constants.COPYFILE_FICLONE_FORCE)
  } catch {
    // Most file systems cannot share blocks; the plain copy follows and reports what is really wrong.
    return false
  }
  // copyFile carries over the original's rights; a result has those of any new file.
  fchmodSync(output.descriptor, mode & 0o777)
  return fstatSync(output.descriptor).size === input.size
}
