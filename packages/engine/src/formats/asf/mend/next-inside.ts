import type { ByteReader } from '../../../bytes/reader.ts'
import { continuity, isJoined, type LastOnes } from '../read/last-ones.ts'
import { Packet, type PacketSizes, readPacket } from '../read/packet.ts'
import { type PacketTable, type PayloadTable, REWRITTEN } from '../read/packet-table.ts'
import type { Habits } from '../read/salvage.ts'

export interface NextTask {
  readonly sizes: PacketSizes
  readonly knows: (stream: number) => boolean
  readonly habits: Habits
  /** Whether an index begins at a place. */
  readonly isIndex: (at: number) => boolean
  /** Whether packets go on there, or the data end. */
  readonly goesOn: (at: number) => boolean
}

/**
 * Where bytes are missing from the end of a packet, what it says of its size takes in the beginning of the next one. Returns
 * where that stands in front of `at`, in the last packet's last payload or its padding: a packet that goes on from those before,
 * or behind which another one stands. -1 where none does.
 */
export function nextInside(
  reader: ByteReader,
  at: number,
  packets: PacketTable,
  payloads: PayloadTable,
  last: LastOnes,
  { sizes, knows, habits, isIndex, goesOn }: NextTask,
): number {
  const row = payloads.length - 1
  if (packets.length === 0 || packets.first[packets.length - 1] > row) return -1
  const packet = new Packet()
  for (let from = payloads.offset[row] + payloads.header[row]; from < at; from++) {
    if (isIndex(from)) return from
    if (!habits.starts.has(reader.u8(from))) continue
    if (!readPacket(reader, from, sizes, knows, packet) || !habits.properties.has(packet.properties)) continue
    if (continuity(packet, last) === 0) continue
    if (goesOn(from + packet.length) || isJoined(packet, last)) return from
  }
  return -1
}

/** Makes the last packet end at `end`, and its last payload there at the latest. */
export function endLast(packets: PacketTable, payloads: PayloadTable, end: number): void {
  const row = payloads.length - 1
  const packet = packets.length - 1
  const data = payloads.offset[row] + payloads.header[row]
  payloads.shorten(row, Math.min(payloads.size[row], end - data))
  packets.size[packet] = end - packets.offset[packet]
  packets.flags[packet] |= REWRITTEN
}
