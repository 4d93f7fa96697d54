/** Where a repaired file is written, front to back. */
export interface ByteSink {
  /** Bytes written so far. */
  readonly position: number
  /** Appends `bytes`; the caller may reuse the array afterwards. @throws EnvironmentError when the medium is full or fails. */
  write(bytes: Uint8Array): void
}

/** A sink in memory, for tests and small results. */
export class MemorySink implements ByteSink {
  #bytes = new Uint8Array(1 << 16)
  #length = 0

  get position(): number {
    return this.#length
  }

  write(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
      grown.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = grown
    }
    this.#bytes.set(bytes, this.#length)
    this.#length = needed
  }

  /** All bytes written, as a view. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}
