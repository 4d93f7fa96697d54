import { crc32 } from '../../../bytes/crc32.ts'
import type { Region } from '../../../bytes/regions.ts'
import { type Chunk, chunkCrc, u32 } from '../read/chunk.ts'

/** The table of CRC-32, PNG (Third Edition) Annex D: what a byte at the end of the data changes. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => tableEntry(byte))
/** Entries by their highest byte, which is another for each: to go back by a byte. */
const BY_HIGH = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) BY_HIGH[TABLE[byte] >>> 24] = byte

function tableEntry(byte: number): number {
  return (crc32(Uint8Array.of(byte)) ^ crc32(Uint8Array.of(0))) >>> 0
}

/** A byte of a chunk that was hit: where it stands in the file, and what it was. */
export interface HitByte {
  readonly offset: number
  readonly value: number
}

/**
 * The one byte of a chunk's data by which its checksum is wrong; undefined when several were hit, or the checksum itself. That a
 * byte is found by chance has a probability of a sixteen-millionth for each byte of the chunk.
 */
export function hitByte(bytes: Uint8Array, { type, body, length }: Chunk): HitByte | undefined {
  const end = body + length
  let difference = (chunkCrc(type, bytes.subarray(body, end)) ^ u32(bytes, end)) >>> 0
  let found: HitByte | undefined
  for (let at = end - 1; at >= body; at--) {
    // the difference that a byte here makes is an entry of the table
    const change = BY_HIGH[difference >>> 24]
    if (TABLE[change] === difference && change !== 0) {
      if (found) return undefined
      found = { offset: at, value: bytes[at] ^ change }
    }
    difference = (((difference ^ TABLE[change]) << 8) | change) >>> 0
  }
  return found
}

/** Data of a chunk among which others are looked for, for the memory it takes. */
const MOST_LOOKED = 1 << 22

/**
 * Bytes that were put in among a chunk's data, which are that many more than its length says: those without which its checksum is
 * right. From the front the sum is taken forward, from the checksum back; both meet where bytes were put in. Undefined where they
 * do not, by chance with a probability of a four-thousand-millionth for each byte.
 */
export function putIn(
  bytes: Uint8Array,
  { type, offset, body, length, crc, typeHit }: Chunk,
): Region | undefined {
  const told = u32(bytes, offset)
  const more = length - told
  if (typeHit || crc !== 'wrong' || told === 0 || told > MOST_LOOKED || more <= 0) return undefined
  const sums = new Uint32Array(told + 1)
  sums[0] = ~chunkCrc(type, new Uint8Array(0))
  for (let i = 0; i < told; i++) sums[i + 1] = (sums[i] >>> 8) ^ TABLE[(sums[i] ^ bytes[body + i]) & 255]
  let sum = ~u32(bytes, body + length) >>> 0
  for (let i = told; ; i--) {
    if (sums[i] === sum) return { offset: body + i, length: more }
    if (i === 0) return undefined
    const entry = BY_HIGH[sum >>> 24]
    sum = (((sum ^ TABLE[entry]) << 8) | (entry ^ bytes[body + more + i - 1])) >>> 0
  }
}

/** A chunk's data with the byte put right. */
export function withByte(bytes: Uint8Array, { body, length }: Chunk, { offset, value }: HitByte): Uint8Array {
  const data = bytes.slice(body, body + length)
  data[offset - body] = value
  return data
}
