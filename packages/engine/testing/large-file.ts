import type { SeekableSink } from '../src/bytes/sink.ts'
import type { ByteSource } from '../src/bytes/source.ts'

const NOISE = 0x55

/**
 * A file too large to lie in memory: a head, and behind it `count` pieces of `pieceBytes`, each of which begins with bytes of
 * its own and is noise from there on. `missing` bytes are cut off its end.
 */
export class LargeSource implements ByteSource {
  readonly size: number
  readonly #head: Uint8Array
  readonly #pieceBytes: number
  readonly #pieceAt: (index: number) => Uint8Array

  constructor(
    head: Uint8Array,
    { count, pieceBytes, missing }: { count: number; pieceBytes: number; missing: number },
    pieceAt: (index: number) => Uint8Array,
  ) {
    this.size = head.length + count * pieceBytes - missing
    this.#head = head
    this.#pieceBytes = pieceBytes
    this.#pieceAt = pieceAt
  }

  read(offset: number, target: Uint8Array): number {
    const end = Math.min(offset + target.length, this.size)
    target.fill(NOISE, 0, end - offset)
    const put = (bytes: Uint8Array, at: number): void => {
      for (let i = Math.max(0, offset - at); i < bytes.length && at + i < end; i++)
        target[at + i - offset] = bytes[i]
    }
    put(this.#head, 0)
    const start = this.#head.length
    let index = Math.max(0, Math.floor((offset - start) / this.#pieceBytes))
    for (; start + index * this.#pieceBytes < end; index++)
      put(this.#pieceAt(index), start + index * this.#pieceBytes)
    return end - offset
  }
}

/** Bytes of a file, and where in the result they come to lie. */
export interface Copied {
  readonly offset: number
  readonly at: number
  readonly length: number
}

/** Keeps nothing of a result but what is foretold of it, and what is ordered to be copied. */
export class ForetoldSink implements SeekableSink {
  readonly pending = 0
  position = 0
  readonly told: Copied[] = []
  readonly ordered: Copied[] = []

  expect(_source: ByteSource, offset: number, at: number, length: number): void {
    this.told.push({ offset, at, length })
  }

  write(bytes: Uint8Array): void {
    this.position += bytes.length
  }

  copy(_source: ByteSource, offset: number, length: number): boolean {
    if (length > 0) this.ordered.push({ offset, at: this.position, length })
    this.position += length
    return true
  }

  /** Bytes ordered that the first `count` stretches told named at their places, where these do not overlap. */
  foretold(count = this.told.length): number {
    let bytes = 0
    for (const { offset, at, length } of this.ordered)
      for (const told of this.told.slice(0, count)) {
        if (told.at - told.offset !== at - offset) continue
        bytes += Math.max(0, Math.min(at + length, told.at + told.length) - Math.max(at, told.at))
      }
    return bytes
  }

  async hold(): Promise<void> {}
  async settled(): Promise<void> {}
  async seek(): Promise<void> {}
}
