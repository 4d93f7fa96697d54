import type { ByteReader } from '../../../bytes/reader.ts'
import { type PacketHeader, PREFIX_BYTES, parsePacketHeader } from '../../../syntax/pes/packet-header.ts'
import { isStreamId } from '../../../syntax/pes/stream-ids.ts'
import { readTimeStamp } from '../../../syntax/pes/time-stamp.ts'

/** Start codes of a program stream's own, ISO/IEC 13818-1:2022 §2.5.3. */
export const PACK = 0xba
export const SYSTEM_HEADER = 0xbb
export const PROGRAM_END = 0xb9

const MPEG1_PACK_BYTES = 12
const MPEG2_PACK_BYTES = 14
/** Bytes read of an item: all headers but those with much private data in them. */
const LOOK = 64

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

/** Reads the item at `offset`; undefined where none is, or its header breaks the syntax. It may reach past the end of the file. */
export function readItem(reader: ByteReader, offset: number): Item | undefined {
  if (reader.u24(offset) !== 1) return undefined
  const code = reader.u8(offset + 3)
  if (code === PACK) return readPack(reader, offset)
  if (code === PROGRAM_END) return { code, offset, length: 4 }
  const length = PREFIX_BYTES + reader.u16(offset + 4)
  if (code === SYSTEM_HEADER) return isSystemHeader(reader, offset) ? { code, offset, length } : undefined
  if (!isStreamId(code) || length === PREFIX_BYTES) return undefined
  const header = parsePacketHeader(reader.bytes(offset, LOOK), 0)
  return header && header.headerLength <= length ? { code, offset, length, header } : undefined
}

/** Pack header of MPEG-2, §2.5.3.3, or MPEG-1, ISO/IEC 11172-1:1993 §2.4.3.2. */
function readPack(reader: ByteReader, offset: number): Item | undefined {
  const bytes = reader.bytes(offset, MPEG2_PACK_BYTES)
  if (bytes.length < MPEG1_PACK_BYTES) return undefined
  if (bytes[4] >> 4 === 2) {
    const clock = readTimeStamp(bytes, 4)
    if (clock < 0 || !(bytes[9] & 0x80) || !(bytes[11] & 1)) return undefined
    return { code: PACK, offset, length: MPEG1_PACK_BYTES, clock }
  }
  if (bytes[4] >> 6 !== 1 || bytes.length < MPEG2_PACK_BYTES) return undefined
  if (!(bytes[4] & 4) || !(bytes[6] & 4) || !(bytes[8] & 4) || !(bytes[9] & 1) || (bytes[12] & 3) !== 3)
    return undefined
  const high = (bytes[4] >> 3) & 7
  const middle = ((bytes[4] & 3) << 13) | (bytes[5] << 5) | (bytes[6] >> 3)
  const low = ((bytes[6] & 3) << 13) | (bytes[7] << 5) | (bytes[8] >> 3)
  const clock = high * 2 ** 30 + middle * 2 ** 15 + low
  return { code: PACK, offset, length: MPEG2_PACK_BYTES + (bytes[13] & 7), clock }
}

/** Marker bits of a system header, §2.5.3.5. */
function isSystemHeader(reader: ByteReader, offset: number): boolean {
  const length = reader.u16(offset + 4)
  return length >= 6 && (reader.u8(offset + 6) & 0x80) !== 0 && (reader.u8(offset + 8) & 1) === 1
}
