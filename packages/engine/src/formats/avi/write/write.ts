import { RangeWriter } from '../../../bytes/range-writer.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { type ByteSink, isSeekable } from '../../../bytes/sink.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { ByteList } from '../../../syntax/riff/byte-list.ts'
import { CHUNK_HEADER, padded } from '../../../syntax/riff/chunk.ts'
import { isPicture } from '../read/chunk-id.ts'
import { type ChunkTable, KEY, LOST, NO_TIME, REWRITTEN } from '../read/chunk-table.ts'
import { unitsOf } from '../read/clock.ts'
import type { AviHeader } from '../read/header.ts'
import type { AviStream } from '../read/stream.ts'
import { type StreamTotals, writeHead } from './head.ts'
import {
  OLD_ENTRY,
  oldIndexBytes,
  type PlacedSegment,
  place,
  SEGMENT_BYTES,
  STANDARD_ENTRY,
  segmentsOf,
  standardIndexBytes,
} from './layout.ts'

const NOT_KEY = 0x8000_0000
/** Rows of an index written in one piece. */
const PIECE = 4096
/** `movi`. */
const LIST_TYPE = 4
/** Most bytes spent to leave chunks where they were. */
const MOST_FILLING = 64 * 1024
/** Silence of 8-bit samples, which have no sign. */
const MIDDLE = 0x80

/**
 * Writes a whole file of `chunks`, those of `reader`'s file copied in runs as long as they are. @throws EnvironmentError,
 * AbortedError
 */
export async function writeAvi(
  reader: ByteReader,
  header: AviHeader,
  chunks: ChunkTable,
  sink: ByteSink,
  monitor: Monitor,
  segmentBytes = SEGMENT_BYTES,
): Promise<void> {
  const { streams } = header
  const totals = totalsOf(chunks, streams)
  const segments = segmentsOf(chunks, streams.length, segmentBytes)
  const bare = place(segments, 0)
  const length = writeHead(header, streams, totals, bare, chunks).length
  const filling = fillingChunk(placeOfData(chunks) - (bare[0].movi + LIST_TYPE + length))
  const placed = place(segments, length + filling.length)
  const head = writeHead(header, streams, totals, placed, chunks)
  if (isSeekable(sink)) await sink.hold()
  const out = new RangeWriter(reader, sink, monitor, placed.at(-1)?.end ?? 0)
  for (const [index, segment] of placed.entries()) {
    const riff = new ByteList().text('RIFF').u32(segment.end - segment.offset - CHUNK_HEADER)
    riff.text(index === 0 ? 'AVI ' : 'AVIX')
    if (index === 0) riff.bytes(head).bytes(filling)
    const old = index === 0 ? oldIndexBytes(segment) : 0
    riff
      .text('LIST')
      .u32(segment.end - old - segment.movi)
      .text('movi')
    out.write(riff.done())
    await writeChunks(out, chunks, segment, streams)
    if (placed.length > 1) await writeStandard(out, chunks, segment, totals)
    if (index === 0) await writeOld(out, chunks, segment)
  }
  await out.end()
}

/** Where the data would have to begin for its first run of chunks to lie where they do in the damaged file; -1 for nowhere. */
function placeOfData(chunks: ChunkTable): number {
  let before = 0
  for (let row = 0; row < chunks.length; row++) {
    if (!(chunks.flags[row] & (LOST | REWRITTEN))) return chunks.offset[row] - CHUNK_HEADER - before
    before += CHUNK_HEADER + padded(chunks.size[row])
  }
  return -1
}

/**
 * A chunk `JUNK` of so many bytes, none where they are too few or too many for one: chunks that stay where they are need not be
 * copied again.
 */
function fillingChunk(bytes: number): Uint8Array {
  if (bytes < CHUNK_HEADER || bytes > MOST_FILLING || bytes & 1) return new Uint8Array(0)
  return new ByteList().chunk('JUNK', new Uint8Array(bytes - CHUNK_HEADER)).done()
}

function totalsOf(chunks: ChunkTable, streams: readonly AviStream[]): StreamTotals[] {
  const totals = streams.map(() => ({ units: 0, largest: 0, id: 0 }))
  for (let row = 0; row < chunks.length; row++) {
    const total = totals[chunks.stream[row]]
    if (!(chunks.flags[row] & NO_TIME)) total.units += unitsOf(streams[chunks.stream[row]], chunks.size[row])
    total.largest = Math.max(total.largest, chunks.size[row])
    if (total.id === 0 || isPicture(chunks.id[row] >>> 16)) total.id = chunks.id[row]
  }
  return totals
}

async function writeChunks(
  out: RangeWriter,
  chunks: ChunkTable,
  { from, to }: PlacedSegment,
  streams: readonly AviStream[],
): Promise<void> {
  let start = 0
  let end = 0
  for (let row = from; row < to; row++) {
    const offset = chunks.offset[row]
    const size = chunks.size[row]
    const flags = chunks.flags[row]
    if (!(flags & (LOST | REWRITTEN))) {
      // as it lies in the file, with its header and the byte behind it, in one run with its neighbours
      if (offset - CHUNK_HEADER !== end || end === start) {
        await out.copy(start, end - start)
        start = offset - CHUNK_HEADER
      }
      end = offset + size
      const next = row + 1 < to ? chunks.offset[row + 1] - CHUNK_HEADER : -1
      if (size & 1 && next === end + 1) end++
      else if (size & 1) {
        await out.copy(start, end - start)
        out.write(Uint8Array.of(0))
        start = end
      }
      continue
    }
    await out.copy(start, end - start)
    start = 0
    end = 0
    out.write(new ByteList(CHUNK_HEADER).u32(chunks.id[row]).u32(size).done())
    if (offset >= 0) await out.copy(offset, size)
    else await out.fill(streams[chunks.stream[row]].wave?.bitsPerSample === 8 ? MIDDLE : 0, size)
    if (padded(size) > size) out.write(Uint8Array.of(0))
  }
  await out.copy(start, end - start)
}

/** `idx1` of the first segment, offsets from `movi` on. */
async function writeOld(out: RangeWriter, chunks: ChunkTable, { from, to }: PlacedSegment): Promise<void> {
  out.write(
    new ByteList()
      .text('idx1')
      .u32(OLD_ENTRY * (to - from))
      .done(),
  )
  let offset = 4
  const list = new ByteList(PIECE * OLD_ENTRY)
  for (let at = from; at < to; at += PIECE) {
    list.clear()
    for (let row = at; row < Math.min(to, at + PIECE); row++) {
      const flags = (chunks.flags[row] & KEY ? 0x10 : 0) | (chunks.flags[row] & NO_TIME ? 0x100 : 0)
      list.u32(chunks.id[row]).u32(flags).u32(offset).u32(chunks.size[row])
      offset += CHUNK_HEADER + padded(chunks.size[row])
    }
    out.write(list.view)
  }
}

/** The `ix##` of each stream, offsets of payloads from `movi` on. */
async function writeStandard(
  out: RangeWriter,
  chunks: ChunkTable,
  { from, to, movi, counts }: PlacedSegment,
  totals: readonly StreamTotals[],
): Promise<void> {
  for (const [stream, count] of counts.entries()) {
    if (count === 0) continue
    const list = new ByteList().text('ix').text(String(stream).padStart(2, '0'))
    list
      .u32(standardIndexBytes(count) - CHUNK_HEADER)
      .u16(2)
      .u8(0)
      .u8(1)
      .u32(count)
    list.u32(totals[stream].id).u64(movi).u32(0)
    out.write(list.done())
    let offset = 4
    const entries = new ByteList(PIECE * STANDARD_ENTRY)
    for (let row = from; row < to; row++) {
      const size = chunks.size[row]
      if (chunks.stream[row] === stream)
        entries.u32(offset + CHUNK_HEADER).u32(size + (chunks.flags[row] & KEY ? 0 : NOT_KEY))
      offset += CHUNK_HEADER + padded(size)
      if (entries.length < PIECE * STANDARD_ENTRY) continue
      out.write(entries.view)
      entries.clear()
    }
    out.write(entries.view)
  }
}
