import type { ByteReader } from '../../bytes/reader.ts'
import type { MendedTimes } from './mend/times.ts'
import { DROPPED, TAG_HEADER, type TagTable, VIDEO } from './read/tag-table.ts'
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
export function lengthOf(
  reader: ByteReader,
  table: TagTable,
  streams: readonly Stream[],
  { steps }: MendedTimes,
): Length {
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (const stream of streams) {
    const rows = stream.rows.filter((row) => (table.flags[row] & DROPPED) === 0)
    if (rows.length === 0) continue
    first = Math.min(first, table.time[rows[0]])
    const step = steps.get(stream.kind) ?? 0
    for (const row of rows.subarray(-REORDERED))
      last = Math.max(last, table.time[row] + delayOf(reader, table, row) + step)
  }
  if (!Number.isFinite(first)) return { seconds: 0, first: 0 }
  return { seconds: Math.max(0, last - first) / 1000, first: first / 1000 }
}

/** CompositionTime of H.264 and HEVC pictures in milliseconds, Annex E.4.3.1; 0 where there is none, or no sane one. */
export function delayOf(reader: ByteReader, table: TagTable, row: number): number {
  const codec = table.codecName(row)
  if (table.kind[row] !== VIDEO || (codec !== 'h264' && codec !== 'hevc')) return 0
  const at = table.offset[row] + TAG_HEADER
  const head = reader.u8(at)
  if (head & 0x80 && (head & 15) !== 1) return 0
  const delay = (reader.u24(at + (head & 0x80 ? 5 : 2)) << 8) >> 8
  return delay > 0 && delay < 5000 ? delay : 0
}
