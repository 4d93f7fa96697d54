import { NO_STAMP, PREFIX_BYTES } from '../../../syntax/pes/packet-header.ts'
import { PADDING } from '../../../syntax/pes/stream-ids.ts'

/** Bytes of the longest packet behind its start code. */
export const LONGEST_PACKET = 0xffff

/** A padding packet, ISO/IEC 13818-1:2022 §2.4.3.7 and ISO/IEC 11172-1:1993 §2.4.3.3; zeros where none has room. */
export function padding(bytes: number, mpeg1: boolean): Uint8Array {
  const packet = new Uint8Array(bytes)
  if (bytes <= PREFIX_BYTES) return packet
  packet.fill(0xff)
  packet.set([0, 0, 1, PADDING])
  packet.set(lengthField(bytes), 4)
  if (mpeg1) packet[PREFIX_BYTES] = NO_STAMP
  return packet
}

/** What a packet of `length` bytes says of its length. */
export function lengthField(length: number): Uint8Array {
  const value = length - PREFIX_BYTES
  return Uint8Array.of(value >> 8, value & 0xff)
}
