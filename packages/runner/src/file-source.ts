import { closeSync, constants, fstatSync, openSync, read, readSync } from 'node:fs'
import type { ByteSource } from '@mendframe/engine'
import { EnvironmentError } from '@mendframe/engine/errors'
import { environmentError } from './errors.ts'

/** A file as the engine's source of bytes, read synchronously through an open descriptor. */
export class FileSource implements ByteSource {
  readonly size: number
  readonly #descriptor: number
  readonly #label: string

  /** `size` in bytes is what the file had when it was opened: growth is ignored. `label` names the file in errors. */
  constructor(descriptor: number, size: number, label: string) {
    this.#descriptor = descriptor
    this.size = size
    this.#label = label
  }

  /** Opens a regular file. The caller closes the source. @throws EnvironmentError when it cannot be read. */
  static open(path: string): FileSource {
    let descriptor: number
    try {
      descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    } catch (error) {
      throw environmentError(`cannot read ${path}`, error)
    }
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) {
      closeSync(descriptor)
      throw new EnvironmentError(`cannot read ${path}: it is not a file`)
    }
    return new FileSource(descriptor, stats.size, path)
  }

  read(offset: number, target: Uint8Array): number {
    const wanted = Math.min(target.length, Math.max(0, this.size - offset))
    let done = 0
    try {
      while (done < wanted) {
        const got = readSync(this.#descriptor, target, done, wanted - done, offset + done)
        if (got === 0) break
        done += got
      }
    } catch (error) {
      throw environmentError(`cannot read ${this.#label}`, error)
    }
    return done
  }

  /** As `read`, while the program goes on; `target` must be left alone until `done` is called. */
  readInBackground(
    offset: number,
    target: Uint8Array,
    done: (error: EnvironmentError | undefined, got: number) => void,
  ): void {
    const wanted = Math.min(target.length, Math.max(0, this.size - offset))
    let got = 0
    const step = (): void =>
      read(this.#descriptor, target, got, wanted - got, offset + got, (error, bytes) => {
        if (error) return done(environmentError(`cannot read ${this.#label}`, error), got)
        got += bytes
        if (bytes === 0 || got === wanted) done(undefined, got)
        else step()
      })
    step()
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
