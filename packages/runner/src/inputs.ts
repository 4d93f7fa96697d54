import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { AbortedError, EnvironmentError, UsageError } from '@mendframe/engine/errors'
import { environmentError } from './errors.ts'
import { printable } from './printable.ts'

/** A file opened for reading and what identifies it on this system. */
export interface Input {
  readonly path: string
  readonly name: string
  readonly descriptor: number
  readonly size: number
  /** Device and inode: the same for every name of one file. */
  readonly identity: string
}

/** Identity of a file that two paths can be compared by. */
export function identityOf(stats: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${stats.dev}:${stats.ino}`
}

/** Opens a regular file for reading; the caller closes the descriptor. @throws EnvironmentError with one clear line. */
export function openInput(path: string): Input {
  const shown = printable(path)
  let descriptor: number
  try {
    // Without O_NONBLOCK a named pipe would hold us until somebody writes into it.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    throw environmentError(`cannot read ${shown}`, error)
  }
  const stats = fstatSync(descriptor, { bigint: true })
  if (!stats.isFile()) {
    closeSync(descriptor)
    const what = stats.isDirectory() ? 'it is a folder' : 'it is not a regular file'
    throw new EnvironmentError(`cannot read ${shown}: ${what}`)
  }
  return { path, name: basename(path), descriptor, size: Number(stats.size), identity: identityOf(stats) }
}

/** Refuses a sample that cannot help: the damaged file itself, its copy, or nothing. @throws UsageError */
export async function checkSample(damaged: Input, sample: Input, signal?: AbortSignal): Promise<void> {
  if (sample.identity === damaged.identity) {
    throw new UsageError(
      'the sample is the damaged file itself: give a healthy recording from the same camera',
    )
  }
  if (sample.size === 0) throw new UsageError(`the sample ${printable(sample.path)} is empty`)
  if (sample.size === damaged.size && (await sameBytes(damaged.path, sample.path, signal))) {
    throw new UsageError(
      'the sample is a copy of the damaged file: give a healthy recording from the same camera',
    )
  }
}

/** Bytes compared at a time. */
const COMPARE_BYTES = 1 << 20

async function sameBytes(first: string, second: string, signal?: AbortSignal): Promise<boolean> {
  await using one = await open(first)
  await using other = await open(second)
  const a = Buffer.alloc(COMPARE_BYTES)
  const b = Buffer.alloc(COMPARE_BYTES)
  for (let position = 0; ; ) {
    if (signal?.aborted) throw new AbortedError('stopped')
    const [left, right] = await Promise.all([
      one.read(a, 0, COMPARE_BYTES, position),
      other.read(b, 0, COMPARE_BYTES, position),
    ])
    const common = Math.min(left.bytesRead, right.bytesRead)
    if (common === 0) return left.bytesRead === right.bytesRead
    if (!a.subarray(0, common).equals(b.subarray(0, common))) return false
    position += common
  }
}
