import { countBelow } from '../../../../model/bisect.ts'
import type { Lane } from './track-chunks.ts'

/** Fewer gaps than these may be flipped bits. */
const FEWEST = 8

/**
 * Whether most chunks, by the tables as they are, leave bytes between their end and the next chunk's start: a recorder that
 * writes boxes between them, as one that gives each its own media data box. Flipped bits are not in so many. `starts` are those
 * of all chunks, sorted.
 */
export function arePartedByHabit(lanes: readonly Lane[], starts: Float64Array): boolean {
  let parted = 0
  let others = 0
  for (const lane of lanes) {
    let sample = 0
    for (let chunk = 0; chunk < lane.chunks; chunk++) {
      const bytes = lane.bytes(sample, lane.counts[chunk])
      const next = starts[countBelow(starts, lane.offsets[chunk] + 1)]
      sample += lane.counts[chunk]
      if (next === undefined) continue
      if (bytes > 0 && lane.offsets[chunk] + bytes < next) parted++
      else others++
    }
  }
  return parted >= FEWEST && parted > others
}
