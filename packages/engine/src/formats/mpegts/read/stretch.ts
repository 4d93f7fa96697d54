import type { ByteReader } from '../../../bytes/reader.ts'
import { type Layout, PACKET_BYTES, SYNC_BYTE } from './packet.ts'

/** Bytes that are looked through at most. */
const REACH = 64 * 1024 * 1024

export interface PlacedPacket {
  readonly pid: number
  readonly offset: number
}

/** The packets of a stretch that begins with one; `end` is where the last one ends. */
export function* walkStretch(
  reader: ByteReader,
  { size, lead }: Layout,
  from: number,
  end: number,
): Generator<PlacedPacket> {
  const stop = Math.min(end, from + REACH)
  for (let at = from; at + lead + PACKET_BYTES <= stop; ) {
    if (reader.u8(at + lead) !== SYNC_BYTE) {
      at++
      continue
    }
    yield { pid: reader.u16(at + lead + 1) & 0x1fff, offset: at }
    at += size
  }
}
