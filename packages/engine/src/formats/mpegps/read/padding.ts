import type { ByteReader } from '../../../bytes/reader.ts'
import { NO_STAMP, PREFIX_BYTES } from '../../../syntax/pes/packet-header.ts'
import { isBare, PADDING } from '../../../syntax/pes/stream-ids.ts'
import type { Item } from './item.ts'
import { isOneBit } from './streams.ts'

/** Bytes of the longest packet behind its start code. */
export const LONGEST_PACKET = 0xffff

/** What padding consists of, and bytes of a packet from which that is no chance. */
const STUFFING = 0xff
const SHORTEST_PADDING = PREFIX_BYTES + 8

/** A padding packet, ISO/IEC 13818-1:2022 §2.4.3.7 and ISO/IEC 11172-1:1993 §2.4.3.3; zeros where none has room. */
export function padding(bytes: number, mpeg1: boolean): Uint8Array {
  const packet = new Uint8Array(bytes)
  if (bytes <= PREFIX_BYTES) return packet
  packet.fill(STUFFING)
  packet.set([0, 0, 1, PADDING])
  packet.set(lengthField(bytes), 4)
  if (mpeg1) packet[PREFIX_BYTES] = NO_STAMP
  return packet
}

/**
 * Whether a packet with no header of its own holds nothing but what fills up, though its id is one turned bit off: no map nor
 * data are like that.
 */
export function isPadding(reader: ByteReader, { code, offset, length }: Item): boolean {
  if (!isBare(code) || !isOneBit(code ^ PADDING) || length < SHORTEST_PADDING) return false
  for (let at = offset + PREFIX_BYTES; at < Math.min(offset + length, reader.size); at++)
    if (reader.u8(at) !== STUFFING && !(at === offset + PREFIX_BYTES && reader.u8(at) === NO_STAMP))
      return false
  return true
}

/** What a packet of `length` bytes says of its length. */
export function lengthField(length: number): Uint8Array {
  const value = length - PREFIX_BYTES
  return Uint8Array.of(value >> 8, value & 0xff)
}
