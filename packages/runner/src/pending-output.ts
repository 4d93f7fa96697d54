import {
  type BigIntStats,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { UsageError } from '@mendframe/engine/errors'
import { environmentError, systemCode } from './errors.ts'
import { identityOf } from './inputs.ts'
import { passingName } from './passing-name.ts'
import { printable } from './printable.ts'

/** Longest part of the output's name kept in the temporary one: file systems allow 255 bytes in all. */
const NAME_PART = 40
/** Answers of file systems that know no hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'EXDEV', 'EACCES'])

/**
 * A file that has no name yet: it is written under a temporary name beside its place and appears there only when it
 * is complete. Until `publish` it is removed by `discard`, at the latest when this process exits.
 */
export class PendingOutput {
  readonly target: string
  readonly temporary: string
  #descriptor: number
  readonly #replace: boolean
  readonly #onExit = (): void => this.discard()
  #open = true

  private constructor(target: string, replace: boolean) {
    this.target = target
    this.#replace = replace
    const name = basename(target).slice(0, NAME_PART)
    this.temporary = join(dirname(target), `.${name}.${passingName()}.partial`)
    this.#descriptor = this.#create()
    process.on('exit', this.#onExit)
  }

  /** The open temporary file, for reading and writing. */
  get descriptor(): number {
    return this.#descriptor
  }

  /**
   * Prepares the output at `path`. A file that is there already is replaced only with `overwrite`, or when it is
   * empty and so holds nothing to lose; an input is never replaced.
   * @throws UsageError when the place is taken, EnvironmentError when nothing can be written there.
   */
  static create(
    path: string,
    inputs: readonly { readonly identity: string }[],
    overwrite: boolean,
  ): PendingOutput {
    const shown = printable(path)
    if (path === '' || /[/\\]$/.test(path)) throw new UsageError(`the output ${shown || '""'} names no file`)
    const existing = statOutput(path)
    if (!existing) return new PendingOutput(resolve(path), false)
    const identity = identityOf(existing)
    if (inputs.some((input) => input.identity === identity)) {
      throw new UsageError(`the output ${shown} is one of the inputs: inputs are never changed`)
    }
    if (existing.isDirectory())
      throw new UsageError(`the output ${shown} is a folder: give the name of a file`)
    if (!existing.isFile())
      throw new UsageError(`the output ${shown} is there already and is no regular file`)
    if (existing.size > 0n && !overwrite) throw new UsageError(`the output ${shown} exists already`)
    return new PendingOutput(realpathSync(path), true)
  }

  /** Lets another finished file beside this one take its place. @throws EnvironmentError */
  adopt(path: string): void {
    try {
      const descriptor = openSync(path, 'r+')
      closeSync(this.#descriptor)
      this.#descriptor = descriptor
      renameSync(path, this.temporary)
    } catch (error) {
      throw environmentError(`cannot write ${printable(this.target)}`, error)
    }
  }

  /**
   * Gives the finished file its name, in one step for everybody who looks; when `durable`, not before it is on the disk.
   * @throws EnvironmentError
   */
  publish(durable = true): void {
    try {
      if (durable) fsyncSync(this.#descriptor)
      if (this.#replace) renameSync(this.temporary, this.target)
      else this.#claim()
    } catch (error) {
      throw environmentError(`cannot write ${printable(this.target)}`, error)
    }
    this.#close()
    if (durable) syncFolder(dirname(this.target))
  }

  /** Removes the unfinished file. Harmless after `publish` and when called again. */
  discard(): void {
    if (!this.#open) return
    this.#close()
    rmSync(this.temporary, { force: true })
  }

  /** Takes the name only if nobody else has taken it meanwhile. */
  #claim(): void {
    try {
      linkSync(this.temporary, this.target)
      rmSync(this.temporary)
    } catch (error) {
      if (!NO_LINKS.has(systemCode(error) ?? '')) throw error
      closeSync(openSync(this.target, 'wx'))
      renameSync(this.temporary, this.target)
    }
  }

  #create(): number {
    try {
      return openSync(this.temporary, 'wx+')
    } catch (error) {
      throw environmentError(`cannot write ${printable(this.target)}`, error)
    }
  }

  #close(): void {
    this.#open = false
    process.off('exit', this.#onExit)
    closeSync(this.#descriptor)
  }
}

function statOutput(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true })
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw environmentError(`cannot write ${printable(path)}`, error)
  }
  if (lstatSync(path, { throwIfNoEntry: false })) {
    throw new UsageError(`the output ${printable(path)} is a link to nothing`)
  }
  return undefined
}

/** Makes the new name itself durable, where the system can. */
function syncFolder(folder: string): void {
  let descriptor: number
  try {
    descriptor = openSync(folder, 'r')
  } catch {
    // Windows opens no folders; the file itself is safe already.
    return
  }
  try {
    fsyncSync(descriptor)
  } catch {
    // Some network file systems refuse; the file itself is safe already.
  } finally {
    closeSync(descriptor)
  }
}
