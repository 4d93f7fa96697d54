import { ByteReader } from '../../../bytes/reader.ts'
import { MemorySource } from '../../../bytes/source.ts'
import { continuity, isJoined, type LastOnes } from '../read/last-ones.ts'
import { Packet, type PacketSizes, readPacket } from '../read/packet.ts'
import { type Habits, resemblesPacket } from '../read/salvage.ts'

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
 * where no bit does, or several do as well. A packet that can be read as it is has to be
 * one of which every payload joins to those before.
 */
export function mendPacket(
  reader: ByteReader,
  at: number,
  sizes: PacketSizes,
  knows: (stream: number) => boolean,
  last: LastOnes,
  habits: Habits,
): MendedPacket | undefined {
  if (!resemblesPacket(reader, at)) return undefined
  const bytes = reader.bytes(at, sizes.most).slice()
  if (bytes.length < sizes.most) return undefined
  const packet = new Packet()
  // where the next packet does not follow, bytes are missing or too many
  const end = at + sizes.most
  if (end < reader.size && !readPacket(reader, end, sizes, knows, packet) && !resemblesPacket(reader, end))
    return undefined
  const isReadable = read(bytes, sizes, knows, packet)
  let best = 0
  let rivals = 0
  let bit = -1
  for (const byte of suspects(bytes, sizes, knows, packet)) {
    for (let i = 0; i < 8; i++) {
      bytes[byte] ^= 1 << i
      const fits = read(bytes, sizes, knows, packet) && (!isReadable || isSound(packet, last, habits))
      const score = fits ? continuity(packet, last) : 0
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

/** Whether a packet goes on from those before, is full, and has error correction and replicated data as they: else it may have been hit. */
export function isSound(packet: Packet, last: LastOnes, { replicated, uncorrected }: Habits): boolean {
  if (uncorrected && !packet.uncorrected) return false
  const { data, length } = packet.payloads[packet.count - 1]
  if (data + length !== packet.end) return false
  for (let i = 0; i < packet.count; i++)
    if (replicated.size > 0 && !replicated.has(packet.payloads[i].replicated)) return false
  return isJoined(packet, last)
}
