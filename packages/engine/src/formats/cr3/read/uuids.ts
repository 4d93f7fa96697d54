import type { ByteReader } from '../../../bytes/reader.ts'
import { searchBytes } from '../../../codecs/search-bytes.ts'

/** Identifiers of Canon's `uuid` boxes: Canon CR3 as described by L. Clévy, "Describing the Canon Raw v3 (CR3) file format". */
export const UUID = {
  /** In `moov`: compressor version, offsets, the four metadata directories, the thumbnail. */
  canon: '85c0b687820f11e08111f4ce462b6a48',
  xmp: 'be7acfcb97a942e89c71999491e3afac',
  preview: 'eaf42b5e1c984b88b9fbb7dc406e4d16',
} as const

export const UUID_BYTES = 16

/** The identifier at an offset in hexadecimal digits. */
export function uuidAt(reader: ByteReader, at: number): string {
  return [...reader.bytes(at, UUID_BYTES)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Where a `uuid` box of an identifier begins in [from, to); -1 where none does. */
export function findUuid(reader: ByteReader, uuid: string, from: number, to: number): number {
  const pattern = Uint8Array.from(uuid.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const end = Math.min(to, reader.size) - UUID_BYTES + 1
  for (let at = Math.max(8, from + 8); ; at++) {
    at = searchBytes(reader, at, end, pattern)
    if (at >= end) return -1
    if (reader.fourcc(at - 4) === 'uuid') return at - 8
  }
}
