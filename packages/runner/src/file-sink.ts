import { writeSync } from 'node:fs'
import type { ByteSink } from '@mendframe/engine'
import { environmentError } from './errors.ts'

/** Bytes gathered before a system call: samples are a few kilobytes, the disk likes megabytes. */
const BUFFER_BYTES = 1 << 20

/** A file as the engine's sink, written front to back through an open descriptor. Call `flush` at the end. */
export class FileSink implements ByteSink {
  position = 0
  readonly #descriptor: number
  readonly #label: string
  readonly #buffer = new Uint8Array(BUFFER_BYTES)
  #used = 0

  constructor(descriptor: number, label: string) {
    this.#descriptor = descriptor
    this.#label = label
  }

  write(bytes: Uint8Array): void {
    if (this.#used + bytes.length > BUFFER_BYTES) this.flush()
    if (bytes.length >= BUFFER_BYTES) this.#writeAll(bytes)
    else {
      this.#buffer.set(bytes, this.#used)
      this.#used += bytes.length
    }
    this.position += bytes.length
  }

  /** Hands the gathered bytes to the system. @throws EnvironmentError when it does not take them. */
  flush(): void {
    const part = this.#buffer.subarray(0, this.#used)
    this.#used = 0
    this.#writeAll(part)
  }

  #writeAll(bytes: Uint8Array): void {
    let done = 0
    try {
      while (done < bytes.length) done += writeSync(this.#descriptor, bytes, done, bytes.length - done)
    } catch (error) {
      throw environmentError(`cannot write ${this.#label}`, error)
    }
  }
}
