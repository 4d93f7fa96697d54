import type { ByteReader } from '../../../bytes/reader.ts'
import { type ChunkTable, DAMAGED, REWRITTEN } from '../read/chunk-table.ts'

/** Bytes of a chunk's size in front of its payload. */
const SIZE_BYTES = 4
const TORN = DAMAGED | REWRITTEN

/**
 * Bytes that a chunk of sound had: of one that lacks some as many as its header tells, if the stream's `last` whole one had as
 * many.
 */
export function wholeSize(
  reader: ByteReader,
  { offset, size, flags }: ChunkTable,
  row: number,
  last: number,
): number {
  const isTorn = (flags[row] & TORN) === TORN && size[row] < last
  return isTorn && reader.u32le(offset[row] - SIZE_BYTES) === last ? last : size[row]
}
