import type { ByteReader } from './reader.ts'

/** Bytes read at a time: less than a block of the reader, so that they are no copy. */
const PIECE = 1 << 18
/** Bytes taken in one step. */
const SLICES = 8

const TABLES: readonly Uint32Array[] = makeTables()

function makeTables(): Uint32Array[] {
  const tables = Array.from({ length: SLICES }, () => new Uint32Array(256))
  for (let i = 0; i < 256; i++) {
    let value = i
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
    tables[0][i] = value
  }
  for (let slice = 1; slice < SLICES; slice++)
    for (let i = 0; i < 256; i++) {
      const before = tables[slice - 1][i]
      tables[slice][i] = (before >>> 8) ^ tables[0][before & 255]
    }
  return tables
}

/**
 * The CRC-32 of RFC 8794 §11.3.1 (that of IEEE 802.3) over more bytes; `crc` is that of the bytes before, 0 at the start. Takes eight
 * bytes at a step.
 */
export function crc32(bytes: Uint8Array, crc = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES
  let value = ~crc
  let at = 0
  for (const last = bytes.length - SLICES; at <= last; at += SLICES) {
    const low = value ^ (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24))
    value =
      t7[low & 255] ^
      t6[(low >>> 8) & 255] ^
      t5[(low >>> 16) & 255] ^
      t4[low >>> 24] ^
      t3[bytes[at + 4]] ^
      t2[bytes[at + 5]] ^
      t1[bytes[at + 6]] ^
      t0[bytes[at + 7]]
  }
  for (; at < bytes.length; at++) value = (value >>> 8) ^ t0[(value ^ bytes[at]) & 255]
  return ~value >>> 0
}

/** The CRC-32 of [from, end) of a file. */
export function crc32Of(reader: ByteReader, from: number, end: number): number {
  let crc = 0
  for (let at = from; at < end; ) {
    const bytes = reader.bytes(at, Math.min(PIECE - (at % PIECE), end - at))
    if (bytes.length === 0) break
    crc = crc32(bytes, crc)
    at += bytes.length
  }
  return crc
}
