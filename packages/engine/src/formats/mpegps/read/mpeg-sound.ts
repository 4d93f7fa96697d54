import type { ByteReader } from '../../../bytes/reader.ts'
import { FIXED_BITS, parseHeader } from '../../../codecs/mp3/header.ts'

/** What every header begins with. */
const SYNC_BYTE = 0xff

/** Frames that join and reach to the end of a stretch of bytes. */
export interface FrameChain {
  readonly count: number
  /** Where the first one begins, and the last one. */
  readonly first: number
  readonly last: number
  /** Where that ends: in the stretch, or behind it. */
  readonly end: number
}

/** Finds the frames of one stream of MPEG sound, whose headers all begin alike. */
export class MpegSound {
  readonly #reader: ByteReader
  /** What headers begin with; 0 while that is unknown. */
  #fixed = 0
  /** Frames that may still be tried in a stretch: as many as it has bytes, so that noise of headers costs no more. */
  #steps = 0

  constructor(reader: ByteReader) {
    this.#reader = reader
  }

  get isKnown(): boolean {
    return this.#fixed !== 0
  }

  /** Learns from two frames that join in [start, end). */
  learn(start: number, end: number): void {
    if (this.isKnown) return
    this.#steps = end - start
    for (let at = start; at + 4 <= end; at++) {
      const word = this.#reader.u32(at)
      const header = parseHeader(word)
      if (!header || at + header.length + 4 > end) continue
      const fixed = (word & FIXED_BITS) >>> 0
      if ((this.#chain(at, end, fixed)?.count ?? 0) < 2) continue
      this.#fixed = fixed
      return
    }
  }

  /** The frames in [start, end); undefined where there are none. */
  frames(start: number, end: number): FrameChain | undefined {
    this.#steps = end - start
    for (let at = start; at + 4 <= end; at++) {
      const next = this.#reader.bytes(at, end - at - 3).indexOf(SYNC_BYTE)
      if (next < 0) return undefined
      at += next
      const found = this.#chain(at, end, this.#fixed)
      if (found) return found
    }
    return undefined
  }

  /** Whether a frame begins at `at`. */
  beginsAt(at: number): boolean {
    return (this.#reader.u32(at) & FIXED_BITS) >>> 0 === this.#fixed
  }

  /** Whether [start, end) is frames from its first bytes on, which are the end of one at most. */
  fill(start: number, end: number): boolean {
    const found = this.frames(start, end)
    return found !== undefined && found.first - start < found.end - found.last
  }

  /**
   * Where frames break off that begin at `start`, each of which leads to the next, and end in front of `end`; `start` where none
   * does.
   */
  breakIn(start: number, end: number): number {
    let at = start
    while (at + 4 <= end && this.beginsAt(at)) {
      const header = parseHeader(this.#reader.u32(at))
      if (!header || at + header.length > end) break
      at += header.length
    }
    return at
  }

  #chain(first: number, end: number, fixed: number): FrameChain | undefined {
    let count = 0
    let last = first
    let at = first
    while (at + 4 <= end) {
      if (this.#steps-- <= 0) return undefined
      const word = this.#reader.u32(at)
      const header = (word & FIXED_BITS) >>> 0 === fixed ? parseHeader(word) : undefined
      if (!header) return undefined
      last = at
      at += header.length
      count++
    }
    return { count, first, last, end: at }
  }
}
