import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { newPayload, Packet, type PacketSizes, type Payload, readPacketHead, readPayload } from './packet.ts'
import type { PayloadTable } from './packet-table.ts'

/** What packets of the file have in common. */
export interface Habits {
  /** Property flags and first bytes seen. */
  readonly properties: Set<number>
  readonly corrections: Set<number>
}

/** Bytes of a payload's length where a packet has several. */
export const LENGTH_FIELD = 2
/** Property flags that every muxer writes: one byte each for stream, object and replicated length, four for the position. */
export const USUAL_PROPERTIES = 0x5d
/** Largest media object believed, and how far, in milliseconds, its time may be from the last one's of the stream. */
const LARGEST_OBJECT = 16 * 1024 * 1024
const NEAR = 30_000
/** Numbers of media objects that the next one may be ahead of the last one. */
const AHEAD = 40
/** Payloads looked back over for the last ones of each stream. */
const LOOK_BACK = 512
/** Zeros in a row that no coded data hold. */
const ZEROS = 64
/** Zeros that are passed over in one piece. */
const ZERO_PIECE = 4096
/** Bytes between two breaks for others. */
const BYTES_A_TURN = 256 * 1024
/** Bytes that are no more than the header of a packet. */
const PACKET_HEAD = 32

interface Task {
  readonly sizes: PacketSizes
  readonly knows: (stream: number) => boolean
  readonly habits: Habits
  /** Nothing is missing or too much: what a payload says of its length holds, even where the next one was hit. */
  readonly inGrid: boolean
  readonly payloads: PayloadTable
}

type LastOnes = Map<number, { readonly time: number; readonly number: number }>

/**
 * Takes the payloads that survive in [from, to) by their headers: a known stream, a media object whose number and time go on from the last
 * one's, a part that lies within it. Only of packets with several payloads, since others do not say how long they are. Returns the bytes
 * that nothing accounts for: no payload, no zeros, no rest of one that was hit.
 */
export async function salvage(
  reader: ByteReader,
  from: number,
  to: number,
  task: Task,
  monitor: Monitor,
): Promise<number> {
  const { payloads } = task
  const payload = newPayload()
  const next = newPayload()
  const last = lastOfStreams(payloads)
  let unexplained = 0
  let done = from
  const account = (until: number): void => {
    if (!isExplained(reader, done, until, task, last)) unexplained += until - done
  }
  let turn = from
  for (let at = from; at < to; ) {
    if (at >= turn) {
      turn = at + BYTES_A_TURN
      await monitor.pause()
    }
    // no payload begins in zeros, which a file that was never finished may have for gigabytes
    if (reader.u32(at) === 0 && isZero(reader, at, at + ZERO_PIECE)) {
      at += ZERO_PIECE
      continue
    }
    if (!isPayload(reader, at, to, task, last, payload)) {
      at++
      continue
    }
    const end = payload.data + payload.length
    const joins =
      end === to || isPacketStart(reader, end, task.habits) || isPayload(reader, end, to, task, last, next)
    // where bytes are missing or too many, a part is believed only if the next one stands at its end
    if (!task.inGrid && !joins) {
      at++
      continue
    }
    account(at)
    payloads.push(payload)
    last.set(payload.stream, { time: payload.time, number: payload.number })
    at = end
    done = end
  }
  account(to)
  return unexplained
}

function lastOfStreams(payloads: PayloadTable): LastOnes {
  const last: LastOnes = new Map()
  for (let row = Math.max(0, payloads.length - LOOK_BACK); row < payloads.length; row++)
    last.set(payloads.stream[row], { time: payloads.time[row], number: payloads.number[row] })
  return last
}

function isPacketStart(reader: ByteReader, at: number, { corrections }: Habits): boolean {
  return corrections.has(reader.u8(at)) && reader.u16(at + 1) === 0
}

function isPayload(
  reader: ByteReader,
  at: number,
  to: number,
  { sizes, knows, habits }: Task,
  last: LastOnes,
  payload: Payload,
): boolean {
  const stream = reader.u8(at) & 127
  if (stream === 0 || !knows(stream)) return false
  const [properties = USUAL_PROPERTIES] = habits.properties
  return (
    readPayload(reader, at, Math.min(to, at + sizes.most), properties, LENGTH_FIELD, payload) &&
    isLikely(payload, last)
  )
}

function isLikely(payload: Payload, last: LastOnes): boolean {
  if (payload.compressed || payload.size > LARGEST_OBJECT || payload.size === 0) return false
  const before = last.get(payload.stream)
  if (!before) return last.size === 0 && payload.position === 0 && payload.number < 256
  const ahead = (payload.number - before.number) & 255
  return Math.abs(payload.time - before.time) <= NEAR && ahead <= AHEAD
}

/** Whether bytes in which no payload was found are zeros, the rest of a payload that was hit, or too few to be one. */
function isExplained(reader: ByteReader, from: number, to: number, task: Task, last: LastOnes): boolean {
  if (to - from <= PACKET_HEAD || hasZeros(reader, from, to)) return true
  if (task.inGrid) return false
  const head = new Packet()
  const length = readPacketHead(reader, from, task.sizes, head)
  const start = length > 0 && length < PACKET_HEAD ? from + length : from
  const payload = newPayload()
  const stream = reader.u8(start) & 127
  if (!task.knows(stream)) return false
  const multiple = (head.lengths & 1) === 1 || start === from
  const field = multiple ? LENGTH_FIELD : 0
  const [properties = USUAL_PROPERTIES] = task.habits.properties
  return (
    readPayload(reader, start, start + task.sizes.most, properties, field, payload) && isLikely(payload, last)
  )
}

function hasZeros(reader: ByteReader, from: number, to: number): boolean {
  let run = 0
  for (let at = from; at < to; at++) {
    run = reader.u8(at) === 0 ? run + 1 : 0
    if (run >= ZEROS) return true
  }
  return false
}
