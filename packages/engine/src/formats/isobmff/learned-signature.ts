import type { ByteReader } from '../../bytes/reader.ts'
import type { SampleTable } from '../../model/sample-table.ts'
import type { TrackDescription } from '../../model/track.ts'

/** Bytes at the start of a sample that are compared. */
const WIDTH = 12
/** Samples compared; spread over the track. */
const SAMPLES = 200
/** Samples that must agree. */
const MINIMUM = 5
/** Bytes other than zero that must agree at least. */
const LEAST = 2
/** Bytes other than zero that must agree in a telling signature. */
const TELLING = 5
/** Most bits a signature may speak with: equal first bytes also occur in zeros and other chance. */
const MAX_BITS = 24

/**
 * What all samples of a track begin with, for codecs without a recogniser: magic numbers of ProRes, DNxHD, DV,
 * JPEG, start codes. Learned from the index; a track whose samples agree in nothing has no signature.
 */
export class LearnedSignature {
  /** Positions and values of the bytes that agree. */
  #at: number[] = []
  #value: number[] = []
  readonly bits: number

  /** @param shifts by which parts of the index may be off; without it the samples must agree where the index has them. */
  constructor(reader: ByteReader, track: TrackDescription, table: SampleTable, shifts?: readonly number[]) {
    const usable = (track.kind === 'video' || track.kind === 'audio') && track.codec !== 'pcm'
    if (usable) {
      const quarter = Math.floor(table.length / 4)
      this.#learn(reader, table, 0, 0, table.length, LEAST)
      // Few neighbours may share what the others do not: where nothing speaks of shifts, much must agree.
      const least = shifts && shifts.length > 0 ? LEAST : TELLING
      for (const shift of shifts ? [0, ...shifts] : []) {
        this.#learn(reader, table, shift, 0, table.length, LEAST)
        this.#learn(reader, table, shift, 0, quarter, least)
        this.#learn(reader, table, shift, table.length - quarter, table.length, least)
      }
    }
    this.bits = this.#informative(this.#value) < LEAST ? 0 : Math.min(MAX_BITS, this.#at.length * 8)
  }

  /** True when enough bytes agree to believe a sample whose codec's recogniser does not know it. */
  get telling(): boolean {
    return this.#informative(this.#value) >= TELLING
  }

  /** Bytes that zeros would not have. */
  #informative(values: readonly number[]): number {
    return values.filter((value) => value !== 0).length
  }

  #learn(
    reader: ByteReader,
    table: SampleTable,
    shift: number,
    from: number,
    to: number,
    least: number,
  ): void {
    const step = Math.max(1, Math.floor((to - from) / SAMPLES))
    const counts = Array.from({ length: WIDTH }, () => new Map<number, number>())
    let seen = 0
    for (let row = from; row < to; row += step) {
      const offset = table.offset[row] + shift
      if (table.size[row] < WIDTH || offset < 0 || offset + WIDTH > reader.size) continue
      seen++
      for (let i = 0; i < WIDTH; i++) {
        const byte = reader.u8(offset + i)
        counts[i].set(byte, (counts[i].get(byte) ?? 0) + 1)
      }
    }
    if (seen < MINIMUM) return
    const at: number[] = []
    const value: number[] = []
    for (let i = 0; i < WIDTH; i++) {
      for (const [byte, count] of counts[i]) {
        if (count < seen) continue
        at.push(i)
        value.push(byte)
      }
    }
    const informative = this.#informative(value)
    if (informative < least || informative <= this.#informative(this.#value)) return
    this.#at = at
    this.#value = value
  }

  matches(reader: ByteReader, offset: number, size: number): boolean {
    if (this.bits === 0 || size < WIDTH) return false
    return this.#at.every((at, i) => reader.u8(offset + at) === this.#value[i])
  }

  search(reader: ByteReader, from: number, end: number): number {
    if (this.bits === 0) return end
    for (let at = from; at < end; at++) {
      if (reader.u8(at + this.#at[0]) === this.#value[0] && this.matches(reader, at, WIDTH)) return at
    }
    return end
  }
}
