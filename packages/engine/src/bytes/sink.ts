import type { ByteSource } from './source.ts'

/** Where a repaired file is written, front to back. */
export interface ByteSink {
  /** Bytes written so far. */
  readonly position: number
  /** Appends `bytes`; the caller may reuse the array afterwards. @throws EnvironmentError when the medium is full or fails. */
  write(bytes: Uint8Array): void
}

/** A sink that also copies in the background and takes bytes out of order. */
export interface SeekableSink extends ByteSink {
  /** Bytes that are still to be written in the background. */
  readonly pending: number
  /**
   * Where the sink copies ahead of what it is told to: byte `n` of what it copies from comes to lie at `lead + n`, until `hold`.
   * What is to lie there costs nothing more. Undefined when it does not.
   */
  readonly lead?: number | undefined
  /**
   * Stretches of zeros of 512 bytes and more in what has been copied, in no order and some told twice: who copies has every byte
   * at hand. Undefined when it does not look, or there are too many.
   */
  readonly zeros?: readonly { readonly offset: number; readonly length: number }[] | undefined
  /**
   * Says that `length` bytes of `source` from `offset` on are likely to come to lie at `at`: they may be copied there ahead,
   * until `hold`. To be told in the order of the places in the result; what is told does not count as written.
   */
  expect?(source: ByteSource, offset: number, at: number, length: number): void
  /**
   * Ends copying ahead. To be awaited before the first `write`: what is written later must not be copied over. @throws
   * EnvironmentError
   */
  hold(): Promise<void>
  /**
   * Appends `length` bytes of `source` from `offset` on, zeros beyond its end; they are copied while the caller goes on.
   * False when it cannot be done with this source: then nothing has happened. @throws EnvironmentError
   */
  copy(source: ByteSource, offset: number, length: number): boolean
  /** Resolves when at most `most` bytes are pending. @throws EnvironmentError when what was under way failed. */
  settled(most?: number): Promise<void>
  /** Waits for everything under way; what is written next goes to `position`. The file ends where the last call left it. */
  seek(position: number): Promise<void>
}

export function isSeekable(sink: ByteSink): sink is SeekableSink {
  return 'copy' in sink && 'seek' in sink && 'settled' in sink
}

/** Ends copying ahead, where a sink does so: to be awaited before the first `write`. @throws EnvironmentError */
export async function endAhead(sink: ByteSink): Promise<void> {
  if (isSeekable(sink)) await sink.hold()
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
