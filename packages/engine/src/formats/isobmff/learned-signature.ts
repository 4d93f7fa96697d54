import type { ByteReader } from '../../bytes/reader.ts'
import type { SampleTable } from '../../model/sample-table.ts'
import type { TrackDescription } from '../../model/track.ts'

/** Bytes at the start of a sample that are compared. */
const WIDTH = 12
/** Samples compared; spread over the track. */
const SAMPLES = 200
/** Share of samples that must agree in a byte. */
const AGREEMENT = 0.97
/** Most bits a signature may speak with: equal first bytes also occur in zeros and other chance. */
const MAX_BITS = 24

/**
 * What nearly all samples of a track begin with, for codecs without a recogniser: magic numbers of ProRes, DNxHD, DV,
 * JPEG, start codes. Learned from the index; a track whose samples agree in nothing has no signature.
 */
export class LearnedSignature {
  /** Positions and values of the bytes that agree. */
  readonly #at: number[] = []
  readonly #value: number[] = []
  readonly bits: number

  constructor(reader: ByteReader, track: TrackDescription, table: SampleTable) {
    const usable = track.kind === 'video' || track.kind === 'audio'
    if (usable && track.codec !== 'pcm' && table.length >= 8) this.#learn(reader, table)
    const informative = this.#value.filter((value) => value !== 0).length
    this.bits = informative < 2 ? 0 : Math.min(MAX_BITS, this.#at.length * 8)
  }

  #learn(reader: ByteReader, table: SampleTable): void {
    const step = Math.max(1, Math.floor(table.length / SAMPLES))
    const counts = Array.from({ length: WIDTH }, () => new Map<number, number>())
    let seen = 0
    for (let row = 0; row < table.length; row += step) {
      const offset = table.offset[row]
      if (table.size[row] < WIDTH || offset + WIDTH > reader.size) continue
      seen++
      for (let i = 0; i < WIDTH; i++) {
        const byte = reader.u8(offset + i)
        counts[i].set(byte, (counts[i].get(byte) ?? 0) + 1)
      }
    }
    for (let i = 0; i < WIDTH; i++) {
      for (const [value, count] of counts[i]) {
        if (seen >= 8 && count >= seen * AGREEMENT) {
          this.#at.push(i)
          this.#value.push(value)
        }
      }
    }
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
