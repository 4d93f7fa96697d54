import { ByteReader } from '../../../bytes/reader.ts'
import { MemorySource } from '../../../bytes/source.ts'
import { Packet, type PacketSizes, readPacket } from '../read/packet.ts'
import type { PayloadTable } from '../read/packet-table.ts'
import { isLikely, type LastOnes, lastOfStreams, resemblesPacket } from '../read/salvage.ts'

/** Bytes of a packet's own header, and of a payload's, in which a bit may have been hit. */
const PACKET_HEAD = 24
const PAYLOAD_HEAD = 17

/** A packet of which one bit was turned back. */
export interface MendedPacket {
  /** Its offsets count from the packet's beginning. */
  readonly packet: Packet
  readonly bytes: Uint8Array
}

/**
 * The packet at `at` with that one bit of its headers turned back that makes it one whose payloads go on from those before. Undefined
 * where no bit does, or several do as well.
 */
export function mendPacket(
  reader: ByteReader,
  at: number,
  sizes: PacketSizes,
  knows: (stream: number) => boolean,
  payloads: PayloadTable,
): MendedPacket | undefined {
  if (!resemblesPacket(reader, at)) return undefined
  const bytes = reader.bytes(at, sizes.most).slice()
  if (bytes.length < sizes.most) return undefined
  const packet = new Packet()
  // where the next packet does not follow, bytes are missing or too many
  const end = at + sizes.most
  if (end < reader.size && !readPacket(reader, end, sizes, knows, packet) && !resemblesPacket(reader, end))
    return undefined
  const last = lastOfStreams({ payloads, next: undefined })
  let best = 0
  let rivals = 0
  let bit = -1
  for (const byte of suspects(bytes, sizes, knows, packet)) {
    for (let i = 0; i < 8; i++) {
      bytes[byte] ^= 1 << i
      const score = read(bytes, sizes, knows, packet) ? continuity(packet, last) : 0
      bytes[byte] ^= 1 << i
      if (score === 0 || score < best) continue
      rivals = score === best ? rivals + 1 : 0
      best = score
      bit = byte * 8 + i
    }
  }
  if (best === 0 || rivals > 0) return undefined
  bytes[bit >> 3] ^= 1 << (bit & 7)
  return read(bytes, sizes, knows, packet) ? { packet, bytes } : undefined
}

function read(
  bytes: Uint8Array,
  sizes: PacketSizes,
  knows: (stream: number) => boolean,
  packet: Packet,
): boolean {
  if (!readPacket(new ByteReader(new MemorySource(bytes)), 0, sizes, knows, packet)) return false
  const { data, length } = packet.payloads[packet.count - 1]
  // a packet is full up to its padding, and that is empty
  return data + length === packet.end && bytes.subarray(packet.end).every((byte) => byte === 0)
}

/** Bytes of the packet's header and of the payload headers around the place where reading fails. */
function suspects(
  bytes: Uint8Array,
  sizes: PacketSizes,
  knows: (stream: number) => boolean,
  packet: Packet,
): number[] {
  const places = new Set(Array.from({ length: PACKET_HEAD }, (_, i) => i))
  for (const payload of packet.payloads) payload.offset = -1
  readPacket(new ByteReader(new MemorySource(bytes)), 0, sizes, () => true, packet)
  const reached = packet.payloads.filter(({ offset }) => offset >= 0)
  const unknown = reached.findIndex(({ stream }) => !knows(stream))
  const last = unknown < 0 ? reached.length - 1 : unknown
  for (const { offset } of reached.slice(Math.max(0, last - 2), last + 1))
    for (let i = 0; i < PAYLOAD_HEAD && offset + i < bytes.length; i++) places.add(offset + i)
  return [...places]
}

/** Payloads that go on from those before, by stream; 0 where one of them does not lie near. */
function continuity(packet: Packet, before: LastOnes): number {
  const last = new Map(before)
  let score = 0
  for (let i = 0; i < packet.count; i++) {
    const payload = packet.payloads[i]
    if (!payload.compressed && !isLikely(payload, last)) return 0
    const known = last.get(payload.stream)
    const next = payload.position === 0 ? 1 : 0
    score += known && ((payload.number - known.number) & 255) === next ? 2 : 1
    last.set(payload.stream, { time: payload.time, number: payload.number })
  }
  return score
}
