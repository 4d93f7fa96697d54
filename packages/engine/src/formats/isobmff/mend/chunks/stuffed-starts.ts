import type { ByteReader } from '../../../../bytes/reader.ts'
import { isZero } from '../../../../bytes/zeros.ts'
import { Allowance } from '../../../../model/allowance.ts'
import { countBelow } from '../../../../model/bisect.ts'
import type { Lane } from './track-chunks.ts'

/** Bytes of zeros that writers leave between two chunks: what fills a constant rate up, or a block. */
const MOST_STUFFING = 1 << 16
/** How often the looks of one track may go through the file: twice, as editors write some chunks out of order. */
const PASSES = 2
/** So many chunks a recording of a day has that writes twelve a second; a set of them takes some fifty bytes each. */
const MOST_FOUND = 1 << 20

/**
 * Offsets of chunks before which nothing but zeros lies behind the end of another, by the tables as they are: stuffing that the
 * sizes of samples do not count. `starts` are those of all chunks, sorted. Every chunk is a step of `work`. Ends with
 * `MOST_FOUND`, and where the looks of all tracks have gone further than `PASSES` times through the file for each: chunks of a
 * sound one lie in order.
 */
export function stuffedStarts(
  reader: ByteReader,
  lanes: readonly Lane[],
  starts: Float64Array,
  work: Allowance,
): Set<number> {
  const found = new Set<number>()
  const way = new Allowance(reader.size * PASSES * lanes.length, reader.work)
  for (const lane of lanes) {
    let sample = 0
    let last = 0
    for (let chunk = 0; chunk < lane.chunks && found.size < MOST_FOUND && work.take(); chunk++) {
      const bytes = lane.bytes(sample, lane.counts[chunk])
      if (bytes < 0) break
      sample += lane.counts[chunk]
      const end = lane.offsets[chunk] + bytes
      const start = starts[countBelow(starts, end)] ?? end
      if (start <= end || start - end > MOST_STUFFING) continue
      if (!way.take(start - end + Math.abs(end - last))) return found
      last = start
      if (isZero(reader, end, start)) found.add(start)
    }
  }
  return found
}
