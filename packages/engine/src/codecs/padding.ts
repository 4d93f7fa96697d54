import type { ByteReader } from '../bytes/reader.ts'

const ALIGNMENTS = [4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2]
/** Units that must share an alignment before it is believed. */
const MINIMUM = 4
/** Blocks of filler behind the one that fills up the last: cameras reserve a little more than they need. */
const MAX_BLOCKS = 4096

/** Filler that a camera puts behind its pictures so that their sizes are multiples of something. */
export class Padding {
  readonly #fillers: readonly number[]
  #units = 0
  /** Longest padding seen. */
  #longest = 0
  /** Largest of the alignments that all sizes are multiples of; 1 for none. */
  #alignment = ALIGNMENTS[0]

  /** `fillers` are the byte values that padding consists of. */
  constructor(fillers: readonly number[]) {
    this.#fillers = fillers
  }

  /** A unit of `size` bytes ended with `padding` bytes of filler. */
  learn(size: number, padding: number): void {
    this.#units++
    this.#longest = Math.max(this.#longest, padding)
    while (this.#alignment > 1 && size % this.#alignment !== 0) this.#alignment /= 2
  }

  /** Where the unit ends whose picture began at `offset` and ended at `at`. */
  end(reader: ByteReader, offset: number, at: number, limit: number): number {
    if (this.#units < MINIMUM || this.#longest === 0 || this.#alignment === 1) return at
    const step = this.#alignment
    let stop = offset + Math.ceil((at - offset) / step) * step
    if (!this.#isFiller(reader, at, stop)) return at
    if (this.#longest < step) return Math.min(stop, limit)
    for (let block = 0; block < MAX_BLOCKS && stop + step <= limit; block++) {
      if (!this.#isFiller(reader, stop, stop + step)) break
      stop += step
    }
    return Math.min(stop, limit)
  }

  #isFiller(reader: ByteReader, from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (!this.#fillers.includes(reader.u8(at))) return false
    return true
  }
}
