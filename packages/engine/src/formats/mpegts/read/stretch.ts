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

/** Packets behind one in which the next of its PID is looked for. */
const NEAR = 4096

/** Bytes of a file that are in memory: those from `offset` on. */
export interface InSight {
  readonly bytes: Uint8Array
  readonly offset: number
}

/**
 * Counter of the next packet with a payload of a PID behind the one at `offset`; -1 where the grid breaks before or there is none
 * near. A single packet may have another sync byte. What is not in sight is read.
 */
export function nextOf(
  reader: ByteReader,
  { size, lead }: Layout,
  pid: number,
  offset: number,
  sight?: InSight,
): number {
  let i = 1
  if (sight) {
    const { bytes } = sight
    let at = offset + size + lead - sight.offset
    for (; i <= NEAR && at >= 0 && at + PACKET_BYTES <= bytes.length; i++, at += size) {
      // the rest tells whether the grid goes on
      if (bytes[at] !== SYNC_BYTE) break
      const control = bytes[at + 3]
      if ((((bytes[at + 1] << 8) | bytes[at + 2]) & 0x1fff) === pid && control & 0x10) return control & 15
    }
  }
  for (; i <= NEAR; i++) {
    const at = offset + i * size + lead
    if (at + PACKET_BYTES > reader.size) return -1
    if (reader.u8(at) !== SYNC_BYTE) {
      if (at + size >= reader.size || reader.u8(at + size) !== SYNC_BYTE) return -1
      continue
    }
    const control = reader.u8(at + 3)
    if ((reader.u16(at + 1) & 0x1fff) === pid && control & 0x10) return control & 15
  }
  return -1
}
