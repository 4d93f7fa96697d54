import { constants, fchmodSync, fstatSync, read, write } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { AbortedError } from '@mendframe/engine/errors'
import { COPY_BYTES } from './copier.ts'
import { environmentError } from './errors.ts'
import type { Input } from './inputs.ts'
import type { PendingOutput } from './pending-output.ts'
import { printable } from './printable.ts'

const readAt = promisify(read)
const writeAt = promisify(write)

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
  const chunk = Buffer.alloc(COPY_BYTES)
  for (let position = 0; position < input.size; ) {
    if (signal?.aborted) throw new AbortedError('stopped')
    const { bytesRead } = await readAt(input.descriptor, chunk, 0, COPY_BYTES, position).catch((error) => {
      throw environmentError(`cannot read ${printable(input.path)}`, error)
    })
    if (bytesRead === 0) break
    await writeAll(output, chunk.subarray(0, bytesRead), position)
    position += bytesRead
    onProgress(Math.min(1, position / input.size))
  }
}

async function writeAll(output: PendingOutput, bytes: Buffer, position: number): Promise<void> {
  try {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await writeAt(
        output.descriptor,
        bytes,
        done,
        bytes.length - done,
        position + done,
      )
      done += bytesWritten
    }
  } catch (error) {
    throw environmentError(`cannot write ${printable(output.target)}`, error)
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
