import type { Lane } from './track-chunks.ts'

/** Sizes of blocks of disks and file systems that writers begin their chunks at. */
const LARGEST = 1 << 17
const SMALLEST = 1 << 9
/** Share of chunks that must start at blocks, bits flipped in their offsets apart, and that must end within one. */
const STARTING = 0.75
const ENDING = 0.5
/** Fewer chunks show no habit. */
const FEWEST = 6

/**
 * Bytes of the blocks that a writer begins each chunk at, filling up what the chunk before leaves of one; 1 where chunks are laid
 * end to end, or only happen to be as long as blocks.
 */
export function chunkBlock(lanes: readonly Lane[]): number {
  const starts = lanes.reduce((sum, { offsets }) => sum + offsets.length, 0)
  if (starts < FEWEST) return 1
  for (let block = LARGEST; block >= SMALLEST; block /= 2) {
    if (startsAt(lanes, block) < starts * STARTING) continue
    return endsWithin(lanes, block) >= starts * ENDING ? block : 1
  }
  return 1
}

/** Chunks that start where a block does. */
function startsAt(lanes: readonly Lane[], block: number): number {
  let at = 0
  for (const { offsets } of lanes)
    for (let chunk = 0; chunk < offsets.length; chunk++) if (offsets[chunk] % block === 0) at++
  return at
}

/** Chunks that, by their samples' sizes, do not end where a block does. */
function endsWithin(lanes: readonly Lane[], block: number): number {
  let within = 0
  for (const lane of lanes) {
    let sample = 0
    for (let chunk = 0; chunk < lane.chunks; chunk++) {
      const bytes = lane.bytes(sample, lane.counts[chunk])
      sample += lane.counts[chunk]
      if (bytes > 0 && (lane.offsets[chunk] + bytes) % block !== 0) within++
    }
  }
  return within
}
