import type { ByteReader } from '../../../bytes/reader.ts'
import { type PacketTable, REWRITTEN } from '../read/packet-table.ts'
import { findJoined, type Task } from '../read/salvage.ts'

/**
 * Where bytes are missing from a packet's last payload, it takes in by its length what follows it, up to whole payloads. Where
 * one of those begins inside it, at whose end another one stands, it is made to end there. Returns where payloads go on: there,
 * or at `at`, where the packet ends.
 */
export function cutSwallowing(
  reader: ByteReader,
  at: number,
  to: number,
  task: Task,
  packets: PacketTable,
): number {
  const { payloads } = task
  const row = payloads.length - 1
  const packet = packets.length - 1
  if (packet < 0 || packets.first[packet] > row) return at
  const data = payloads.offset[row] + payloads.header[row]
  // of a payload that is whole none begins with its data
  const found = findJoined(reader, data + 1, data + payloads.size[row], to, task)
  if (found < 0) return at
  payloads.shorten(row, found - data)
  packets.flags[packet] |= REWRITTEN
  return found
}
