import type { ByteReader } from '../../../bytes/reader.ts'
import { searchBytes } from '../../../codecs/search-bytes.ts'
import { isSync, SECTOR_BYTES, SYNC } from '../../../syntax/cdxa/sector.ts'

/** Bytes in each place in which sectors are looked for, and sectors that must follow each other. */
const LOOK = 256 * 1024
const ROW = 3

/** Whether rows of sectors lie at the beginning, in the middle or at the end of a file. */
export function hasSectors(reader: ByteReader): boolean {
  const last = Math.max(0, reader.size - LOOK)
  return [0, Math.floor(last / 2), last].some((from) => {
    const end = Math.min(reader.size, from + LOOK)
    return searchRow(reader, from, end) < end
  })
}

/** Whether sectors follow each other from `at` on, at the end of the file fewer. */
function isRow(reader: ByteReader, at: number): boolean {
  for (let i = 0; i < ROW; i++) {
    const next = at + i * SECTOR_BYTES
    if (next + SYNC.length > reader.size) return i > 1
    if (!syncAt(reader, next)) return false
  }
  return true
}

/** Whether a sector begins at `at`. */
export function syncAt(reader: ByteReader, at: number): boolean {
  return isSync(reader.bytes(at, SYNC.length), 0)
}

/** Where the next row of sectors in [from, end) begins; `end` when there is none. */
export function searchRow(reader: ByteReader, from: number, end: number): number {
  let at = searchBytes(reader, from, end, SYNC)
  while (at < end && !isRow(reader, at)) at = searchBytes(reader, at + 1, end, SYNC)
  return at
}
