import type { MendedTimes } from './mend/times.ts'
import { DROPPED, type TagTable } from './read/tag-table.ts'
import type { Stream } from './streams.ts'

/** Pictures at the end among which the one shown last is. */
const REORDERED = 64

/** How long a recording lasts. */
export interface Length {
  /** Seconds from its first unit to the end of its last. */
  readonly seconds: number
  /** Seconds of its first unit's time. */
  readonly first: number
}

/** The length by the times of its units, in the order in which they are shown. */
export function lengthOf(table: TagTable, streams: readonly Stream[], { steps }: MendedTimes): Length {
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (const stream of streams) {
    const { rows } = stream
    const isKept = (row: number): boolean => (table.flags[row] & DROPPED) === 0
    const start = rows.find(isKept)
    if (start === undefined) continue
    first = Math.min(first, table.time[start])
    const step = steps.get(stream.kind) ?? 0
    for (let i = rows.length - 1, left = REORDERED; i >= 0 && left > 0; i--) {
      if (!isKept(rows[i])) continue
      last = Math.max(last, table.time[rows[i]] + delayOf(table, rows[i]) + step)
      left--
    }
  }
  if (!Number.isFinite(first)) return { seconds: 0, first: 0 }
  return { seconds: Math.max(0, last - first) / 1000, first: first / 1000 }
}

/** Milliseconds by which a picture is shown later than it is decoded; 0 where they are no sane ones. */
export function delayOf({ delay }: TagTable, row: number): number {
  return delay[row] > 0 && delay[row] < 5000 ? delay[row] : 0
}
