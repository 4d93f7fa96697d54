import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import type { Allowance } from '../../../model/allowance.ts'
import type { SampleChecker } from '../../../recording/align/sample-checker.ts'
import type { MovieTrack } from '../read/movie.ts'

/** Bytes of a region in which units must show. */
const WINDOW = 4 * 1024 * 1024
/**
 * Adjoining units that show a recording goes on, where their evidence is beyond what so many places have by chance, and so many
 * bits more.
 */
const CHAIN = 3
const BEYOND_CHANCE = 10
/** Units that are looked at for such evidence. */
const LONGEST_CHAIN = 256
/** Steps that reading a unit stands for; a byte that is passed over is one. */
const UNIT = 32

/** Says of regions whether coded units of some track lie in them. */
export class RegionUnits {
  readonly #reader: ByteReader
  readonly #checkers: readonly SampleChecker[]
  readonly #steps: Allowance

  /** `steps`: bytes that may be looked at in all regions together, by each checker. */
  constructor(
    reader: ByteReader,
    tracks: readonly MovieTrack[],
    checkers: readonly SampleChecker[],
    steps: Allowance,
  ) {
    this.#reader = reader
    this.#checkers = distinct(tracks, checkers)
    this.#steps = steps
  }

  /** True as well when the steps are used up: nobody knows then that the region holds none. */
  areIn(region: Region): boolean {
    const end = Math.min(region.offset + region.length, this.#reader.size)
    const window = Math.min(end, region.offset + WINDOW)
    const needed = Math.log2(Math.max(1, window - region.offset)) + BEYOND_CHANCE
    for (const checker of this.#checkers) {
      for (let at = region.offset; at < window; ) {
        if (!this.#steps.take(0)) return true
        const start = checker.search(at, window)
        this.#steps.take(start - at + UNIT)
        if (start >= window) break
        if (this.#areChained(checker, start, end, needed)) return true
        at = start + 1
      }
    }
    return false
  }

  /** True when units join from `start` on, of whichever track, that are together no chance by so many bits. */
  #areChained(own: SampleChecker, start: number, end: number, needed: number): boolean {
    let at = start
    let bits = 0
    for (let i = 0; i < LONGEST_CHAIN; i++) {
      if (i >= CHAIN && bits >= needed) return true
      let length = 0
      for (const checker of i === 0 ? [own] : this.#checkers) {
        length = checker.measure(at, end)
        bits += length > 0 ? checker.measuredBits : 0
        if (length > 0) break
      }
      if (length === 0) return false
      if (i >= CHAIN) this.#steps.take(UNIT)
      at += length
    }
    return false
  }
}

/** The checkers that look for something; of tracks of the same description, whose units are told by their syntax alone, one. */
function distinct(tracks: readonly MovieTrack[], checkers: readonly SampleChecker[]): SampleChecker[] {
  const seen: Uint8Array[] = []
  return checkers.filter(({ bits, certain, exact }, i) => {
    if (bits === 0) return false
    const { sampleDescription } = tracks[i]
    if (sampleDescription.length === 0 || !(certain || exact)) return true
    if (seen.some((other) => areEqual(other, sampleDescription))) return false
    seen.push(sampleDescription)
    return true
  })
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
