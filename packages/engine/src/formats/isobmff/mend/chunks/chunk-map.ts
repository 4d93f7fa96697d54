import type { Findings } from '../../../../model/finding.ts'
import type { SampleToChunk } from '../../boxes/stsc.ts'
import { tableMended } from '../../findings.ts'
import type { TrackTables } from '../../read/movie.ts'
import { flip } from '../bits.ts'

/**
 * Mends a flipped bit in the chunk map of a track whose chunks do not lie end to end: a value is changed only when flipping one
 * bit of it makes the map place as many samples as there are, and no other flip does.
 */
export function mendChunkMap(track: number, tables: TrackTables, findings: Findings): void {
  const samples = sampleCount(tables)
  const map = tables.sampleToChunk
  const chunks = tables.chunkOffsets?.length ?? 0
  if (!map || samples === 0 || chunks === 0 || map.length === 0) return
  const sum = new PlacedSum(map, chunks)
  if (sum.placed === samples) return
  let mended: { column: Uint32Array; run: number; was: number; is: number } | undefined
  for (const column of [map.firstChunk, map.samples]) {
    for (let run = 0; run < map.length; run++) {
      const was = column[run]
      for (let bit = 0; bit < 32; bit++) {
        const is = flip(was, bit)
        if (sum.placedWith(column, run, is) !== samples) continue
        // Two ways to make the sums agree are none.
        if (mended) return
        mended = { column, run, was, is }
      }
    }
  }
  if (!mended) return
  mended.column[mended.run] = mended.is
  findings.add(tableMended(track, 'stsc', mended.was, mended.is))
}

function sampleCount({ sizes }: TrackTables): number {
  if (!sizes) return 0
  return sizes.constant > 0 ? sizes.count : sizes.sizes.length
}

/** Samples that a chunk map places, as it is and with single values of it changed, each in a moment. */
class PlacedSum {
  readonly #map: SampleToChunk
  readonly #chunks: number
  readonly #sum: number
  /** Runs that do not end behind their start. */
  readonly #disordered: number

  constructor(map: SampleToChunk, chunks: number) {
    this.#map = map
    this.#chunks = chunks
    let sum = 0
    let disordered = 0
    for (let run = 0; run < map.length; run++) {
      sum += this.#chunksOf(run) * map.samples[run]
      if (this.#chunksOf(run) <= 0) disordered++
    }
    this.#sum = sum
    this.#disordered = disordered
  }

  /** The samples, or −1 when runs are out of order. */
  get placed(): number {
    return this.#placed(this.#sum, this.#disordered)
  }

  /** The same if a value of a column were another. */
  placedWith(column: Uint32Array, run: number, value: number): number {
    const { samples } = this.#map
    const was = column[run]
    let sum = this.#sum
    let disordered = this.#disordered
    for (const sign of [-1, 1]) {
      if (sign === 1) column[run] = value
      // a run ends where the next one starts
      for (let i = Math.max(0, run - 1); i <= run; i++) {
        sum += sign * this.#chunksOf(i) * samples[i]
        if (this.#chunksOf(i) <= 0) disordered += sign
      }
    }
    const placed = this.#placed(sum, disordered)
    column[run] = was
    return placed
  }

  #placed(sum: number, disordered: number): number {
    return disordered > 0 || this.#map.firstChunk[0] !== 1 ? -1 : sum
  }

  #chunksOf(run: number): number {
    const { firstChunk, length } = this.#map
    return (run + 1 < length ? firstChunk[run + 1] : this.#chunks + 1) - firstChunk[run]
  }
}
