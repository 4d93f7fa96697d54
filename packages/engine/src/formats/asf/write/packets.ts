import type { RangeWriter } from '../../../bytes/range-writer.ts'
import type { PacketSizes } from '../read/packet.ts'
import { DROPPED, type PacketTable, type PayloadTable, REWRITTEN } from '../read/packet-table.ts'

/** Payloads of one packet that is written anew. */
const MOST_PAYLOADS = 63
/** Error correction, flags, padding, times and the count of payloads. */
const HEAD = 3 + 2 + 4 + 6 + 1
const LENGTH_BYTES = 2

/** A packet of the repaired file. */
export interface OutputPacket {
  /** Row of the damaged file's packet that it is, or whose payloads it has. */
  readonly row: number
  /** Payloads [from, to) of it; those left out are not written. */
  readonly from: number
  readonly to: number
  /** It is copied as it is. */
  readonly same: boolean
}

/** The packets of the repaired file: those of which everything is kept as they are, the others anew with what is kept of them. */
export function* outputPackets(
  packets: PacketTable,
  payloads: PayloadTable,
  { most }: PacketSizes,
): Generator<OutputPacket> {
  for (let row = 0; row < packets.length; row++) {
    const first = packets.first[row]
    const end = row + 1 < packets.length ? packets.first[row + 1] : payloads.length
    let kept = 0
    for (let i = first; i < end; i++) if ((payloads.flags[i] & DROPPED) === 0) kept++
    if (kept === 0) continue
    if (kept === end - first && (packets.flags[row] & REWRITTEN) === 0) {
      yield { row, from: first, to: end, same: true }
      continue
    }
    let from = first
    let used = HEAD
    let count = 0
    for (let i = first; i < end; i++) {
      if (payloads.flags[i] & DROPPED) continue
      const bytes = anewSize(packets, payloads, row, i)
      if (count > 0 && (used + bytes > most || count === MOST_PAYLOADS)) {
        yield { row, from, to: i, same: false }
        from = i
        used = HEAD
        count = 0
      }
      used += bytes
      count++
    }
    yield { row, from, to: end, same: false }
  }
}

function anewSize(packets: PacketTable, payloads: PayloadTable, row: number, i: number): number {
  return payloads.header[i] - packets.lengthField[row] + LENGTH_BYTES + payloads.size[i]
}

/** Writes a packet anew, filled up to the largest size. */
export async function writePacket(
  writer: RangeWriter,
  packets: PacketTable,
  payloads: PayloadTable,
  { most }: PacketSizes,
  { row, from, to }: OutputPacket,
  sendTime: number,
): Promise<void> {
  const kept: number[] = []
  let used = HEAD
  for (let i = from; i < to; i++) {
    if (payloads.flags[i] & DROPPED) continue
    kept.push(i)
    used += anewSize(packets, payloads, row, i)
  }
  const head = new Uint8Array(HEAD)
  const view = new DataView(head.buffer)
  // error correction of two zeros; several payloads, padding in four bytes
  head.set([0x82, 0, 0, 0x19, packets.properties[row]])
  view.setUint32(5, Math.max(0, most - used), true)
  view.setUint32(9, sendTime, true)
  view.setUint16(13, packets.duration[row], true)
  head[15] = 0x80 | kept.length
  writer.write(head)
  const length = new Uint8Array(LENGTH_BYTES)
  for (const i of kept) {
    const header = payloads.header[i] - packets.lengthField[row]
    await writer.copy(payloads.offset[i], header)
    new DataView(length.buffer).setUint16(0, payloads.size[i], true)
    writer.write(length)
    await writer.copy(payloads.offset[i] + payloads.header[i], payloads.size[i])
  }
  await writer.fill(0, most - used)
}
