import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import { padded } from '../../../syntax/riff/chunk.ts'
import { DAMAGED, KEY, LOST, NO_TIME, REWRITTEN, SEEN } from '../read/chunk-table.ts'
import type { AviStream } from '../read/stream.ts'
import type { Gap, Walk } from '../read/walk.ts'
import { unitsIn } from './stated-counts.ts'
import { learnedChecks, type UnitCheck } from './unit-check.ts'

/** Pictures that headers count though they were never written. */
const SPARE = 2
/** Bytes of a chunk's size in front of its payload. */
const SIZE_BYTES = 4

/**
 * Where bytes were taken out of the data and a chunk's size happens to lead to a header behind them all the same: no gap shows
 * it, but sizes of lists and counts of headers say that something is missing, and the chunk is not whole. Marks that chunk, and
 * returns the gap behind it;
 * `hidden` where something is missing, and no chunk or more than one may be it.
 */
export function findHiddenCut(
  reader: ByteReader,
  { chunks, gaps, taken }: Pick<Walk, 'chunks' | 'gaps' | 'taken'>,
  streams: readonly AviStream[],
): Gap | 'hidden' | undefined {
  if (gaps.some(({ row }) => row > 0 && row < chunks.length)) return undefined
  const main = streams.find(({ description }) => description.kind === 'video')
  const missing = main ? main.header.length - picturesOf(main, chunks) : 0
  if (missing <= 0) return undefined
  if (taken !== undefined && taken <= 0) return undefined
  const checks = learnedChecks(reader, chunks, streams)
  if (taken === undefined) {
    // what a turned bit explains that made a size larger, missing bytes explain as well
    const isOpen = missing > SPARE || shortened(reader, chunks).length > 0
    // a file is cut off, or filled up with zeros, where a chunk ends hardly ever
    return isOpen && endsWithChunk(reader, chunks, checks) ? 'hidden' : undefined
  }
  const broken = streams.map((): number[] => [])
  for (let row = 0; row < chunks.length; row++) {
    const rows = broken[chunks.stream[row]]
    // units of a stream that are never whole tell nothing
    if (!rows || rows.length > 1 || chunks.flags[row] & DAMAGED) continue
    if (checks[chunks.stream[row]].state(chunks.offset[row], chunks.size[row]) !== 'whole') rows.push(row)
  }
  const alone = broken.filter((rows) => rows.length === 1)
  if (alone.length !== 1) return 'hidden'
  const [[row]] = alone
  chunks.flags[row] = (chunks.flags[row] & ~(SEEN | KEY)) | DAMAGED | REWRITTEN
  const end = padded(chunks.offset[row] + chunks.size[row])
  return { offset: end, end, row: row + 1 }
}

/**
 * Whether bytes may have been taken out of a chunk, and of what followed it, that is shorter than its header says, by a turned
 * bit as it seems: nothing shows that it is whole. Where all of every stream is there by its count, no chunk is gone.
 */
export function hidesCut(
  reader: ByteReader,
  { chunks, taken }: Pick<Walk, 'chunks' | 'taken'>,
  streams: readonly AviStream[],
): boolean {
  const rows = taken === 0 ? [] : shortened(reader, chunks)
  if (rows.length === 0 || streams.every((stream) => unitsIn(chunks, stream) === stream.header.length))
    return false
  const checks = learnedChecks(reader, chunks, streams)
  return rows.some((row) => checks[chunks.stream[row]]?.isOne(chunks.offset[row], chunks.size[row]) === false)
}

/** Whole chunks that are shorter than their headers say, by a turned bit. */
function shortened(reader: ByteReader, { length, offset, size, flags }: Walk['chunks']): number[] {
  const rows: number[] = []
  for (let row = 0; row < length; row++) {
    const isRewritten = (flags[row] & (DAMAGED | REWRITTEN)) === REWRITTEN
    if (isRewritten && reader.u32le(offset[row] - SIZE_BYTES) > size[row]) rows.push(row)
  }
  return rows
}

/** Whether the last chunk is whole, and nothing but zeros stands behind it. */
function endsWithChunk(
  reader: ByteReader,
  { length, offset, size, stream, flags }: Walk['chunks'],
  checks: readonly UnitCheck[],
): boolean {
  const last = length - 1
  if (last < 0) return false
  const end = padded(offset[last] + size[last])
  if (end >= reader.size) return end === reader.size && !(flags[last] & DAMAGED)
  return isZero(reader, end, reader.size) && checks[stream[last]]?.state(offset[last], size[last]) === 'whole'
}

function picturesOf({ number }: AviStream, { length, stream, flags }: Walk['chunks']): number {
  let count = 0
  for (let row = 0; row < length; row++)
    if (stream[row] === number && !(flags[row] & (LOST | NO_TIME))) count++
  return count
}
