import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'

/** A place in the store. */
export interface Stored {
  readonly offset: number
  readonly size: number
}

/** Encoded samples kept in a passing file until all are known. */
export class SampleStore {
  readonly #path: string
  readonly #file: number
  #size = 0

  constructor(path: string) {
    this.#path = path
    this.#file = openSync(path, 'w+')
  }

  add(bytes: Buffer): Stored {
    const offset = this.#size
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.#file, bytes, done, bytes.length - done, offset + done)
    this.#size += bytes.length
    return { offset, size: bytes.length }
  }

  read({ offset, size }: Stored): Buffer {
    const bytes = Buffer.alloc(size)
    for (let done = 0; done < size; ) {
      const got = readSync(this.#file, bytes, done, size - done, offset + done)
      if (got === 0) throw new Error('the passing file was cut off')
      done += got
    }
    return bytes
  }

  close(): void {
    closeSync(this.#file)
    rmSync(this.#path, { force: true })
  }
}
