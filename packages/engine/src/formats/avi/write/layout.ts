import { CHUNK_HEADER, LIST_HEADER, padded } from '../../../syntax/riff/chunk.ts'
import type { ChunkTable } from '../read/chunk-table.ts'

/** Bytes of data after which a further `RIFF` begins (OpenDML AVI 1.02, §4): players of old lose nothing up to there. */
export const SEGMENT_BYTES = 1_000_000_000

/** Rows [from, to) that lie in one `RIFF`. */
export interface Segment {
  readonly from: number
  readonly to: number
  /** Bytes of their chunks, headers and filling bytes included. */
  readonly bytes: number
  /** Chunks of each stream. */
  readonly counts: readonly number[]
}

/** Deals the chunks out to segments of at most `most` bytes. */
export function segmentsOf(chunks: ChunkTable, streams: number, most: number): Segment[] {
  const segments: Segment[] = []
  let from = 0
  let bytes = 0
  let counts = new Array<number>(streams).fill(0)
  for (let row = 0; row < chunks.length; row++) {
    const length = CHUNK_HEADER + padded(chunks.size[row])
    if (bytes + length > most && row > from) {
      segments.push({ from, to: row, bytes, counts })
      from = row
      bytes = 0
      counts = new Array<number>(streams).fill(0)
    }
    bytes += length
    counts[chunks.stream[row]]++
  }
  segments.push({ from, to: chunks.length, bytes, counts })
  return segments
}

/** Bytes of an entry of `idx1`, AVIOLDINDEX. */
export const OLD_ENTRY = 16
const STANDARD_HEADER = 32
/** Bytes of an entry of `ix##`, AVISTDINDEX. */
export const STANDARD_ENTRY = 8

/** Bytes of the chunk `idx1` of a segment. */
export function oldIndexBytes({ from, to }: Segment): number {
  return CHUNK_HEADER + OLD_ENTRY * (to - from)
}

/** Bytes of the chunk `ix##` of one stream of a segment. */
export function standardIndexBytes(count: number): number {
  return STANDARD_HEADER + STANDARD_ENTRY * count
}

/** Where things of a segment lie in the result. */
export interface PlacedSegment extends Segment {
  /** First byte of its `RIFF`. */
  readonly offset: number
  readonly end: number
  /** The four characters `movi`. */
  readonly movi: number
  /** Its `ix##` by stream, behind the data. */
  readonly standard: readonly number[]
}

/** Lays segments out behind `head` bytes of the first one's headers. */
export function place(segments: readonly Segment[], head: number): PlacedSegment[] {
  let offset = 0
  const extended = segments.length > 1
  return segments.map((segment, index) => {
    const list = offset + LIST_HEADER + (index === 0 ? head : 0)
    const movi = list + CHUNK_HEADER
    let at = movi + 4 + segment.bytes
    const standard = segment.counts.map((count) => {
      const start = at
      if (extended && count > 0) at += standardIndexBytes(count)
      return start
    })
    const end = at + (index === 0 ? oldIndexBytes(segment) : 0)
    const placed = { ...segment, offset, end, movi, standard }
    offset = end
    return placed
  })
}
