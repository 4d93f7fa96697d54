import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import { PREFIX_BYTES } from '../../../syntax/pes/packet-header.ts'
import type { Item } from './item.ts'
import { MOST_PADDING } from './item-search.ts'
import { isOneBit } from './streams.ts'

/** The length of a packet that has `room` up to the next item: all of it, or what one turned bit explains and zeros fill up. */
export function lengthIn(reader: ByteReader, { offset, length }: Item, room: number): number {
  if (isHitLength(length, room)) return room
  for (let bit = 15; bit >= 0; bit--) {
    const turned = PREFIX_BYTES + ((length - PREFIX_BYTES) ^ (1 << bit))
    const isFilledUp = turned < room && room - turned < MOST_PADDING
    if (isFilledUp && isZero(reader, offset + turned, offset + room)) return turned
  }
  return room
}

/** Whether one turned bit in the length field makes the one of the other; both count the whole packet. */
export function isHitLength(claimed: number, length: number): boolean {
  return isOneBit((claimed - PREFIX_BYTES) ^ (length - PREFIX_BYTES))
}
