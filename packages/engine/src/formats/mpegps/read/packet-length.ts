import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import { PREFIX_BYTES } from '../../../syntax/pes/packet-header.ts'
import type { Item } from './item.ts'
import { MOST_PADDING } from './item-search.ts'
import { isOneBit } from './streams.ts'

/** The length of a packet that has `room` up to the next item: all of it, or what one turned bit explains and zeros fill up. */
export function lengthIn(reader: ByteReader, { offset, length }: Item, room: number): number {
  if (isHitLength(length, room)) return room
  for (let bit = 0x8000; bit > 0; bit >>= 1) {
    const turned = withBitTurned(length, bit)
    if (turned >= room || room - turned >= MOST_PADDING) continue
    if (isZero(reader, offset + turned, offset + room)) return turned
  }
  return room
}

/** What the length of a packet may have been before one bit of its field was turned; all count the whole packet. */
export function hitLengths(claimed: number): number[] {
  return Array.from({ length: 16 }, (_, place) => withBitTurned(claimed, 0x8000 >> place))
}

function withBitTurned(length: number, bit: number): number {
  return PREFIX_BYTES + ((length - PREFIX_BYTES) ^ bit)
}

/** Whether one turned bit in the length field makes the one of the other; both count the whole packet. */
export function isHitLength(claimed: number, length: number): boolean {
  return isOneBit((claimed - PREFIX_BYTES) ^ (length - PREFIX_BYTES))
}
