import { ByteList } from '../../../syntax/riff/byte-list.ts'
import { type ChunkTable, NO_TIME } from '../read/chunk-table.ts'
import { unitsOf } from '../read/clock.ts'
import type { AviHeader } from '../read/header.ts'
import type { AviStream } from '../read/stream.ts'
import { type PlacedSegment, standardIndexBytes } from './layout.ts'

/** AVIF_HASINDEX. */
const HAS_INDEX = 0x10
/** Parts of a stream's list that are written anew. */
const REPLACED: ReadonlySet<string> = new Set(['indx', 'JUNK'])
const SUPER_ENTRY = 16
const SUPER_HEADER = 24
const MAIN_BYTES = 56

/** Figures of a result's stream. */
export interface StreamTotals {
  /** Units as the stream's header counts them. */
  readonly units: number
  readonly largest: number
  /** The name of its chunks. */
  readonly id: number
}

/** The list `hdrl` and what is kept behind it; the same length wherever the segments lie. */
export function writeHead(
  header: AviHeader,
  streams: readonly AviStream[],
  totals: readonly StreamTotals[],
  segments: readonly PlacedSegment[],
  chunks: ChunkTable,
): Uint8Array {
  const extended = segments.length > 1
  const body = new ByteList()
  body.chunk('avih', mainHeader(header, streams, totals, segments, chunks))
  for (const [index, stream] of streams.entries()) {
    const parts = new ByteList()
    for (const { id, bytes } of stream.parts) {
      if (REPLACED.has(id)) continue
      parts.chunk(id, id === 'strh' ? streamHeader(bytes, totals[index]) : bytes)
    }
    if (extended) parts.chunk('indx', superIndex(stream, totals[index].id, segments, chunks))
    body.list('LIST', 'strl', parts.done())
  }
  if (extended) {
    const main = mainStream(streams)
    const all = new ByteList().chunk('dmlh', new ByteList().u32(main < 0 ? 0 : totals[main].units).done())
    body.list('LIST', 'odml', all.done())
  }
  const head = new ByteList().list('LIST', 'hdrl', body.done())
  for (const other of header.others) head.bytes(other)
  return head.done()
}

function mainStream(streams: readonly AviStream[]): number {
  return streams.findIndex(({ description }) => description.kind === 'video')
}

function mainHeader(
  header: AviHeader,
  streams: readonly AviStream[],
  totals: readonly StreamTotals[],
  segments: readonly PlacedSegment[],
  chunks: ChunkTable,
): Uint8Array {
  const bytes = new Uint8Array(Math.max(MAIN_BYTES, header.main.length))
  bytes.set(header.main)
  const view = new DataView(bytes.buffer)
  const main = mainStream(streams)
  if (main >= 0) {
    const { scale, rate } = streams[main].header
    if (view.getUint32(0, true) === 0 && rate > 0) view.setUint32(0, Math.round((scale / rate) * 1e6), true)
    const [first] = segments
    const { units } = totals[main]
    view.setUint32(16, segments.length > 1 ? unitsIn(chunks, first, streams[main]) : units, true)
  }
  view.setUint32(12, view.getUint32(12, true) | HAS_INDEX, true)
  view.setUint32(24, streams.length, true)
  const largest = Math.max(0, ...totals.map((total) => total.largest)) + 8
  view.setUint32(28, Math.max(view.getUint32(28, true), largest), true)
  return bytes
}

function unitsIn(chunks: ChunkTable, { from, to }: PlacedSegment, stream: AviStream): number {
  let units = 0
  for (let row = from; row < to; row++)
    if (chunks.stream[row] === stream.number && !(chunks.flags[row] & NO_TIME))
      units += unitsOf(stream, chunks.size[row])
  return Math.round(units)
}

function streamHeader(healthy: Uint8Array, { units, largest }: StreamTotals): Uint8Array {
  const bytes = Uint8Array.from(healthy)
  const view = new DataView(bytes.buffer)
  view.setUint32(32, Math.min(0xffff_ffff, Math.round(units)), true)
  view.setUint32(36, Math.max(view.getUint32(36, true), largest), true)
  return bytes
}

/** An index of indexes, AVISUPERINDEX: what each takes of the stream is told in the stream's own units. */
function superIndex(
  stream: AviStream,
  id: number,
  segments: readonly PlacedSegment[],
  chunks: ChunkTable,
): Uint8Array {
  const { number } = stream
  const used = segments.filter(({ counts }) => counts[number] > 0)
  const list = new ByteList().u16(4).u8(0).u8(0).u32(used.length).u32(id).u32(0).u32(0).u32(0)
  for (const segment of used)
    list
      .u64(segment.standard[number])
      .u32(standardIndexBytes(segment.counts[number]))
      .u32(unitsIn(chunks, segment, stream))
  const bytes = new Uint8Array(SUPER_HEADER + SUPER_ENTRY * segments.length)
  bytes.set(list.done())
  return bytes
}
