import type { ByteReader } from '../../../bytes/reader.ts'
import { type PacketHeader, PREFIX_BYTES, parsePacketHeader } from '../../../syntax/pes/packet-header.ts'
import { isStreamId } from '../../../syntax/pes/stream-ids.ts'
import { readTimeStamp, WRAP, writeTimeStamp } from '../../../syntax/pes/time-stamp.ts'

/** Start codes of a program stream's own, ISO/IEC 13818-1:2022 §2.5.3. */
export const PACK = 0xba
export const SYSTEM_HEADER = 0xbb
export const PROGRAM_END = 0xb9

const MPEG1_PACK_BYTES = 12
const STAMP_BYTES = 5
const MPEG2_PACK_BYTES = 14
/** Bytes read of an item: all headers but those with much private data in them. */
const LOOK = 64

const SEQUENCE_END = 0x1b7

/** What a program stream is made of: packs, system headers, packets, the end. */
export interface Item {
  readonly code: number
  readonly offset: number
  /** Bytes of it all. */
  readonly length: number
  /** Of a packet. */
  readonly header?: PacketHeader
  /** Of a pack: its clock in 90 kHz, 33 bits. */
  readonly clock?: number
}

/**
 * Reads the item at `offset`; undefined where none is, or its header breaks the syntax. It may reach past the end of the file.
 */
export function readItem(reader: ByteReader, offset: number): Item | undefined {
  if (reader.u24(offset) !== 1) return undefined
  const code = reader.u8(offset + 3)
  if (code === PACK) return readPack(reader, offset)
  if (code === PROGRAM_END) return { code, offset, length: 4 }
  const length = PREFIX_BYTES + reader.u16(offset + 4)
  if (code === SYSTEM_HEADER) return isSystemHeader(reader, offset) ? { code, offset, length } : undefined
  if (!isStreamId(code) || length === PREFIX_BYTES) return undefined
  const place = reader.placeInBlock(offset, LOOK)
  const header =
    place < 0 ? parsePacketHeader(reader.bytes(offset, LOOK), 0) : parsePacketHeader(reader.block, place)
  return header && header.headerLength <= length ? { code, offset, length, header } : undefined
}

/** Whether a packet of MPEG pictures ends with the code that ends a sequence, ITU-T H.262 (02/2012) §6.2.2. */
export function endsSequence(reader: ByteReader, { offset, length }: Item): boolean {
  return length >= PREFIX_BYTES && reader.u32(offset + length - 4) === SEQUENCE_END
}

/** Pack header of MPEG-2, §2.5.3.3, or MPEG-1, ISO/IEC 11172-1:1993 §2.4.3.2. */
function readPack(reader: ByteReader, offset: number): Item | undefined {
  if (offset + MPEG1_PACK_BYTES > reader.size) return undefined
  // a view of each of millions would cost more than all else
  const first = reader.u32(offset + 4)
  const second = reader.u32(offset + 8)
  if (first >>> 28 === 2) {
    const clock = readTimeStamp(reader.bytes(offset + 4, STAMP_BYTES), 0)
    if (clock < 0 || !(second & 0x800000) || !(second & 1)) return undefined
    return { code: PACK, offset, length: MPEG1_PACK_BYTES, clock }
  }
  if (first >>> 30 !== 1 || offset + MPEG2_PACK_BYTES > reader.size) return undefined
  const last = reader.u16(offset + 12)
  if ((first & 0x04000400) !== 0x04000400 || (second & 0x04010000) !== 0x04010000 || (last & 0x300) !== 0x300)
    return undefined
  const high = (first >>> 27) & 7
  const middle = (first >>> 11) & 0x7fff
  const low = ((first << 5) & 0x7fe0) | (second >>> 27)
  const clock = high * 2 ** 30 + middle * 2 ** 15 + low
  return { code: PACK, offset, length: MPEG2_PACK_BYTES + (last & 7), clock }
}

/** What of a pack header does not change from pack to pack: all but its clock. */
const MPEG1_PACK_MASK = Uint8Array.of(255, 255, 255, 255, 0xf1, 0, 1, 0, 1, 255, 255, 255)
const MPEG2_PACK_MASK = Uint8Array.of(255, 255, 255, 255, 0xc4, 0, 4, 0, 4, 1, 255, 255, 255, 255)

/** The mask of a pack's header, as `HeaderHabits` takes it. */
export function packMask({ length }: Item): Uint8Array {
  return length === MPEG1_PACK_BYTES ? MPEG1_PACK_MASK : MPEG2_PACK_MASK
}

/** What a pack's header tells beside its clock: its rate, in MPEG-2 with how many bytes of stuffing follow. */
export function packRate(reader: ByteReader, { offset, length }: Item): number {
  return length === MPEG1_PACK_BYTES ? reader.u24(offset + 9) : 2 ** 32 + reader.u32(offset + 10)
}

/**
 * Where the clock of a pack header begins, and the five bytes of it with another time; of MPEG-2 the sixth, its finest part,
 * stays.
 */
export const PACK_CLOCK_AT = 4

export function packClock(head: Uint8Array, ticks: number): Uint8Array {
  const bytes = head.slice(PACK_CLOCK_AT, PACK_CLOCK_AT + 5)
  if (bytes[0] >> 4 === 2) {
    writeTimeStamp(bytes, 0, 2, ticks)
    return bytes
  }
  const value = ((ticks % WRAP) + WRAP) % WRAP
  const high = Math.floor(value / 2 ** 30)
  const rest = value % 2 ** 30
  const middle = rest >> 15
  bytes[0] = 0x44 | (high << 3) | (middle >> 13)
  bytes[1] = (middle >> 5) & 0xff
  bytes[2] = ((middle & 31) << 3) | 4 | ((rest >> 13) & 3)
  bytes[3] = (rest >> 5) & 0xff
  bytes[4] = ((rest & 31) << 3) | 4 | (bytes[4] & 3)
  return bytes
}

/** Marker bits of a system header, §2.5.3.5. */
function isSystemHeader(reader: ByteReader, offset: number): boolean {
  const length = reader.u16(offset + 4)
  return length >= 6 && (reader.u8(offset + 6) & 0x80) !== 0 && (reader.u8(offset + 8) & 1) === 1
}
