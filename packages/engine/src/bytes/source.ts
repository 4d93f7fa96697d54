/**
 * Random access to the bytes of one file. Reads are synchronous: the engine runs where nobody waits for it (a
 * child process, a web worker), and synchronous reads keep parsers straight and fast.
 */
export interface ByteSource {
  /** Length in bytes; constant while the engine runs. */
  readonly size: number
  /**
   * Fills `target` from byte `offset` on. Returns the bytes read, fewer than `target.length` only at the end.
   * @throws EnvironmentError when the medium fails.
   */
  read(offset: number, target: Uint8Array): number
  /**
   * The CRC-32 of IEEE 802.3 over [from, end), an end beyond the file being the file's, where the environment has a faster one
   * than ours.
   * @throws EnvironmentError when the medium fails.
   */
  crc32?(from: number, end: number): number
  /**
   * The first place of `sought` in `bytes` from `from` on, -1 where there is none, where the environment has a faster search than
   * ours.
   */
  indexOf?(bytes: Uint8Array, sought: Uint8Array, from: number): number
}

/** Bytes in memory as a source. */
export class MemorySource implements ByteSource {
  readonly size: number
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.size = bytes.length
  }

  read(offset: number, target: Uint8Array): number {
    const from = Math.min(Math.max(offset, 0), this.size)
    const part = this.#bytes.subarray(from, from + target.length)
    target.set(part)
    return part.length
  }
}
