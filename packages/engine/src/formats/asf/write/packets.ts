import type { ResultWriter } from '../../../bytes/range-writer.ts'
import type { PacketSizes } from '../read/packet.ts'
import { DROPPED, type PacketTable, type PayloadTable, REWRITTEN } from '../read/packet-table.ts'

/** Payloads of one packet that is written anew. */
const MOST_PAYLOADS = 63
/** Error correction, flags, padding, times and the count of payloads. */
const HEAD = 3 + 2 + 4 + 6 + 1
const LENGTH_BYTES = 2
/**
 * Milliseconds between two payloads of a packet from which bytes were lost between them: players that seek by packets start at
 * a packet's first payload, and those behind the loss begin one of their own.
 */
const LOSS = 150

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
    let last = first
    let isSplit = false
    for (let i = first; i < end; i++) {
      if (payloads.flags[i] & DROPPED) continue
      const bytes = anewSize(payloads, i)
      const isBehindLoss: boolean = !isSplit && payloads.time[i] > payloads.time[last] + LOSS
      if (count > 0 && (isBehindLoss || used + bytes > most || count === MOST_PAYLOADS)) {
        yield { row, from, to: i, same: false }
        isSplit ||= isBehindLoss
        from = i
        used = HEAD
        count = 0
      }
      used += bytes
      count++
      last = i
    }
    yield { row, from, to: end, same: false }
  }
}

function anewSize(payloads: PayloadTable, i: number): number {
  return payloads.header[i] - payloads.lengthField[i] + LENGTH_BYTES + payloads.size[i]
}

/** Writes a packet anew, filled up to the largest size. */
export async function writePacket(
  writer: ResultWriter,
  packets: PacketTable,
  payloads: PayloadTable,
  { most }: PacketSizes,
  { row, from, to }: OutputPacket,
  sendTime: number,
): Promise<void> {
  const start = writer.position
  const kept: number[] = []
  let used = HEAD
  for (let i = from; i < to; i++) {
    if (payloads.flags[i] & DROPPED) continue
    kept.push(i)
    used += anewSize(payloads, i)
  }
  writer.write(
    kept.length === 1
      ? singleHead(packets, payloads, most, row, kept[0], sendTime)
      : manyHead(packets, row, kept.length, most - used, sendTime),
  )
  const length = new Uint8Array(LENGTH_BYTES)
  for (const i of kept) {
    const header = payloads.header[i] - payloads.lengthField[i]
    const own = payloads.headers.get(i)
    if (own) writer.write(own.subarray(0, header))
    else await writer.copy(payloads.offset[i], header)
    if (kept.length > 1) {
      new DataView(length.buffer).setUint16(0, payloads.size[i], true)
      writer.write(length)
    }
    await writer.copy(payloads.offset[i] + payloads.header[i], payloads.size[i])
  }
  await writer.fill(0, start + most - writer.position)
}

/** What stands in front of several payloads: error correction of two zeros, padding, times, how many there are. */
function manyHead(
  packets: PacketTable,
  row: number,
  count: number,
  padding: number,
  sendTime: number,
): Uint8Array {
  const head = new Uint8Array(HEAD)
  const view = new DataView(head.buffer)
  head.set([0x82, 0, 0, 0x19, packets.properties[row]])
  view.setUint32(5, Math.max(0, padding), true)
  view.setUint32(9, sendTime, true)
  view.setUint16(13, packets.duration[row], true)
  head[15] = 0x80 | count
  return head
}

/** Bytes in front of the only payload of a packet without padding, but for error correction. */
const LEAST_HEAD = 2 + 6
const CORRECTION = 3

/** What stands in front of a packet's only payload: error correction only where it leaves room. */
function singleHead(
  packets: PacketTable,
  payloads: PayloadTable,
  most: number,
  row: number,
  i: number,
  sendTime: number,
): Uint8Array {
  const body = payloads.header[i] - payloads.lengthField[i] + payloads.size[i]
  const correction = most - body >= LEAST_HEAD + CORRECTION ? CORRECTION : 0
  const left = Math.max(0, most - body - LEAST_HEAD - correction)
  const paddingBytes = left === 0 ? 0 : left <= 256 ? 1 : 2
  const head = new Uint8Array(correction + LEAST_HEAD + paddingBytes)
  const view = new DataView(head.buffer)
  if (correction > 0) head[0] = 0x82
  head.set([paddingBytes << 3, packets.properties[row]], correction)
  if (paddingBytes === 1) view.setUint8(correction + 2, left - 1)
  if (paddingBytes === 2) view.setUint16(correction + 2, left - 2, true)
  view.setUint32(correction + 2 + paddingBytes, sendTime, true)
  view.setUint16(correction + 6 + paddingBytes, packets.duration[row], true)
  return head
}
