import type { ChunkTable } from '../read/chunk-table.ts'
import type { AviStream } from '../read/stream.ts'
import type { Gap } from '../read/walk.ts'

/** Rows [from, until) without a hole. */
export interface Stretch {
  readonly from: number
  readonly until: number
}

/**
 * Chunks that the beginning has at the least, and of each stream of pictures and sound, to be learned from however long others
 * are.
 */
const ENOUGH = 48
const OF_EACH = 3

/**
 * The stretch that a recording's layout is learned from: its beginning, where pictures and sound start together, if that shows
 * how they take turns, else the longest one.
 */
export function healthyStretch(
  { length, stream }: ChunkTable,
  gaps: readonly Gap[],
  streams: readonly AviStream[],
): Stretch {
  const stretches = [{ row: 0 }, ...gaps].map(({ row }, index) => ({
    from: row,
    until: gaps[index]?.row ?? length,
  }))
  const [start] = stretches
  const counts = streams.map(() => 0)
  for (let row = start.from; row < start.until; row++) counts[stream[row]]++
  const isEnough = streams.every(
    ({ description: { kind } }, number) =>
      (kind !== 'video' && kind !== 'audio') || counts[number] >= OF_EACH,
  )
  if (isEnough && start.until >= ENOUGH) return start
  return stretches.reduce((best, other) => (other.until - other.from > best.until - best.from ? other : best))
}
