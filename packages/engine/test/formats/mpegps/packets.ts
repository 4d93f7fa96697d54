import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { type Item, readItem } from '../../../src/formats/mpegps/read/item.ts'
import { mpeg1PacketHeader, packetHeader } from '../../../src/syntax/pes/packet-header.ts'

/** A frame of MP2 of 384 bytes at 48 kHz, ISO/IEC 11172-3:1993 §2.4.1.3. */
export const FRAME_BYTES = 384

/** Frames of MP2 one behind the other. */
export function frames(count: number): Uint8Array {
  const bytes = new Uint8Array(count * FRAME_BYTES).fill(0x55)
  for (let i = 0; i < count; i++) bytes.set([0xff, 0xfd, 0x84, 0], i * FRAME_BYTES)
  return bytes
}

/** A packet with a payload; of MPEG-2 where that is asked for. */
export function packet(code: number, payload: Uint8Array, pts = -1, mpeg2 = false): Uint8Array {
  const header = (mpeg2 ? packetHeader : mpeg1PacketHeader)(code, payload.length, pts, pts)
  return new Uint8Array([...header, ...payload])
}

/** Packets one behind the other, as a reader and as items. */
export function streamOf(packets: readonly Uint8Array[]): {
  reader: ByteReader
  items: Item[]
  bytes: Uint8Array
} {
  const bytes = new Uint8Array(Buffer.concat(packets))
  const reader = new ByteReader(new MemorySource(bytes))
  let at = 0
  const items = packets.map(({ length }) => {
    const item = readItem(reader, at)
    if (item?.length !== length) throw new Error(`no packet of ${length} bytes at ${at}`)
    at += length
    return item
  })
  return { reader, items, bytes }
}
