import type { Findings } from '../../../model/finding.ts'
import type { SampleToChunk } from '../boxes/stsc.ts'
import { tableMended } from '../findings.ts'
import type { TrackTables } from '../movie.ts'

/**
 * Mends a flipped bit in the chunk map of a track whose chunks do not lie end to end: a value is changed only when flipping one
 * bit of it makes the map place as many samples as there are, and no other flip does.
 */
export function mendChunkMap(track: number, tables: TrackTables, findings: Findings): void {
  const samples = sampleCount(tables)
  const map = tables.sampleToChunk
  const chunks = tables.chunkOffsets?.length ?? 0
  if (!map || samples === 0 || chunks === 0 || map.length === 0 || placed(map, chunks) === samples) return
  if (map.length > MAX_RUNS) return
  let mended: (() => void) | undefined
  for (const column of [map.firstChunk, map.samples]) {
    for (let run = 0; run < map.length; run++) {
      const was = column[run]
      for (let bit = 0; bit < 32; bit++) {
        column[run] = (was ^ (1 << bit)) >>> 0
        const is = column[run]
        const agrees = placed(map, chunks) === samples
        column[run] = was
        if (!agrees) continue
        // Two ways to make the sums agree are none.
        if (mended) return
        mended = () => {
          column[run] = is
          findings.add(tableMended(track, 'stsc', was, is))
        }
      }
    }
  }
  mended?.()
}

function sampleCount({ sizes }: TrackTables): number {
  if (!sizes) return 0
  return sizes.constant > 0 ? sizes.count : sizes.sizes.length
}

/** Runs of a chunk map that are searched for the flipped bit; more would cost more than they are worth. */
const MAX_RUNS = 256

/** Samples that a chunk map places, or -1 when its runs are out of order. */
function placed(map: SampleToChunk, chunks: number): number {
  if (map.firstChunk[0] !== 1) return -1
  let sum = 0
  for (let run = 0; run < map.length; run++) {
    const until = run + 1 < map.length ? map.firstChunk[run + 1] : chunks + 1
    if (until <= map.firstChunk[run]) return -1
    sum += (until - map.firstChunk[run]) * map.samples[run]
  }
  return sum
}
