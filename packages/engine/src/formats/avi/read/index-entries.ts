import type { ByteReader } from '../../../bytes/reader.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { streamOf } from './chunk-id.ts'
import { ChunkTable, KEY } from './chunk-table.ts'
import type { Walk } from './walk.ts'

const ENTRY = 16
/** Flags of an entry, AVIOLDINDEX. */
const IS_KEY = 0x10
const IS_LIST = 0x1
/** Header of an index of a stream's chunks, AVISTDINDEX. */
const STANDARD_HEADER = 24
const STANDARD_ENTRY = 8
const NOT_KEY = 0x8000_0000

/** What a file's indexes name, by offset: those of OpenDML, one a stream, where they name more than the old one. */
export async function readIndexes(
  reader: ByteReader,
  found: Walk,
  limit: number,
  monitor: Monitor,
): Promise<ChunkTable> {
  const old = new ChunkTable(limit)
  const standard = new ChunkTable(limit)
  for (const { offset, end, stream } of found.indexes) {
    if (stream < 0) readOld(reader, offset, end, Math.max(0, found.movi), old)
    else readStandard(reader, offset, end, stream, standard)
    await monitor.pause()
  }
  const best = standard.length >= old.length ? standard : old
  return byOffset(best, limit)
}

function readOld(reader: ByteReader, from: number, to: number, movi: number, table: ChunkTable): void {
  // offsets count from `movi`, by some writers from the start of the file
  let base = movi
  for (let at = from; at + ENTRY <= to; at += ENTRY) {
    const id = reader.u32le(at)
    const stream = streamOf(id)
    const flags = reader.u32le(at + 4)
    if (stream < 0 || flags & IS_LIST) continue
    const offset = reader.u32le(at + 8)
    if (table.length === 0 && reader.u32le(base + offset) !== id && reader.u32le(offset) === id) base = 0
    table.push(base + offset + 8, reader.u32le(at + 12), id, stream, flags & IS_KEY ? KEY : 0)
  }
}

function readStandard(reader: ByteReader, from: number, to: number, stream: number, table: ChunkTable): void {
  const perEntry = reader.u16le(from)
  const count = Math.min(reader.u32le(from + 4), Math.floor((to - from - STANDARD_HEADER) / STANDARD_ENTRY))
  const id = reader.u32le(from + 8)
  const base = reader.u64le(from + 12)
  if (perEntry !== 2 || streamOf(id) !== stream) return
  for (let i = 0; i < count; i++) {
    const at = from + STANDARD_HEADER + i * STANDARD_ENTRY
    const size = reader.u32le(at + 4)
    table.push(base + reader.u32le(at), size & ~NOT_KEY, id, stream, size >= NOT_KEY ? 0 : KEY)
  }
}

/** The rows in the order of their offsets. */
function byOffset(table: ChunkTable, limit: number): ChunkTable {
  let sorted = true
  for (let row = 1; row < table.length && sorted; row++) sorted = table.offset[row] >= table.offset[row - 1]
  if (sorted) return table
  const order = Uint32Array.from({ length: table.length }, (_, row) => row)
  order.sort((a, b) => table.offset[a] - table.offset[b])
  const result = new ChunkTable(limit, table.length)
  for (const row of order)
    result.push(table.offset[row], table.size[row], table.id[row], table.stream[row], table.flags[row])
  return result
}
