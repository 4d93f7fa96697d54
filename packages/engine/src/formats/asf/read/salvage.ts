import type { ByteReader } from '../../../bytes/reader.ts'
import { zerosEnd } from '../../../bytes/zeros.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { follow, isLikely, type LastOnes, lastOfStreams, NEAR } from './last-ones.ts'
import {
  CORRECTED,
  newPayload,
  Packet,
  type PacketSizes,
  type Payload,
  readPacketHead,
  readPayload,
} from './packet.ts'
import type { PayloadTable } from './packet-table.ts'

/** What packets of the file have in common. */
export interface Habits {
  /** Property flags seen, and first bytes: flags of error correction, or of lengths where packets have none. */
  readonly properties: Set<number>
  readonly starts: Set<number>
  /** Bytes of replicated data. */
  readonly replicated: Set<number>
  /** Error correction data of all are zeros. */
  uncorrected: boolean
}

/** Bytes of a payload's length where a packet has several. */
export const LENGTH_FIELD = 2
/** Property flags that every muxer writes: one byte each for stream, object and replicated length, four for the position. */
export const USUAL_PROPERTIES = 0x5d
/** Zeros in a row that no coded data hold. */
const ZEROS = 64
/** Zeros that are passed over in one piece. */
const ZERO_PIECE = 4096
/** Bytes between two breaks for others. */
const BYTES_A_TURN = 256 * 1024
/** Bytes that are no more than the header of a packet. */
const PACKET_HEAD = 32

export interface Task {
  readonly sizes: PacketSizes
  readonly knows: (stream: number) => boolean
  readonly habits: Habits
  /** Nothing is missing or too much: what a payload says of its length holds, even where the next one was hit. */
  readonly inGrid: boolean
  /** Nothing follows. */
  readonly isOpen: boolean
  /** The packet that follows, which tells times and numbers where none stand before. */
  readonly next: Packet | undefined
  readonly payloads: PayloadTable
  /**
   * Where the last payload of a packet that bytes were put into ends by its padding, which some encoders fill with what they had
   * there.
   */
  readonly payloadsEnd?: number | undefined
}

/**
 * Takes the payloads that survive in [from, to) by their headers: a known stream, a media object whose number and time go on from
 * the last one's, a part that lies within it. Only of packets with several payloads, since others do not say how long they are.
 * Returns the bytes that nothing accounts for: no payload, no zeros, no rest of one that was hit.
 */
export async function salvage(
  reader: ByteReader,
  from: number,
  to: number,
  stretch: Task,
  monitor: Monitor,
): Promise<number> {
  const task = { ...stretch, payloadsEnd: payloadsEnd(reader, from, to, stretch) }
  const { payloads } = task
  const payload = newPayload()
  const next = newPayload()
  const last = lastOfStreams(payloads, task.next)
  let unexplained = 0
  let done = from
  const account = (until: number): void => {
    if (!isExplained(reader, done, until, task, last)) unexplained += until - done
  }
  let turn = from
  // a byte that is known to be none of zeros
  let filled = -1
  for (let at = from; at < to; ) {
    if (at >= turn) {
      turn = at + BYTES_A_TURN
      await monitor.pause()
    }
    // no payload begins in zeros, which a file that was never finished may have for gigabytes
    if (at > filled && reader.u32(at) === 0) {
      const end = zerosEnd(reader, at, at + ZERO_PIECE)
      if (end >= Math.min(at + ZERO_PIECE, reader.size)) {
        at += ZERO_PIECE
        continue
      }
      filled = end
    }
    if (task.inGrid && (at - from) % task.sizes.most === 0) {
      const end = takeFront(reader, at, to, task, last)
      if (end > at) {
        at = end
        done = end
        continue
      }
    }
    if (!isPayload(reader, at, Math.min(to, at + task.sizes.most), task, last, payload)) {
      at++
      continue
    }
    const end = payload.data + payload.length
    // where bytes are missing or too many, a part is believed only if the next one stands at its end
    const joins = task.inGrid || isFollowed(reader, end, to, task, last, next)
    if (!joins || (payload.compressed && !holdsObjects(reader, payload))) {
      at++
      continue
    }
    account(at)
    payloads.push(payload, LENGTH_FIELD)
    follow(last, payload)
    at = end
    done = end
  }
  account(to)
  return unexplained
}

/** Where the first payload stands in [from, until) at whose end another one does, or a packet ends; -1 where there is none. */
export function findJoined(reader: ByteReader, from: number, until: number, to: number, task: Task): number {
  const payload = newPayload()
  const next = newPayload()
  const last = lastOfStreams(task.payloads, task.next)
  for (let at = from; at < until; at++) {
    if (!isPayload(reader, at, Math.min(to, at + task.sizes.most), task, last, payload)) continue
    if (isFollowed(reader, payload.data + payload.length, to, task, last, next)) return at
  }
  return -1
}

function isFollowed(
  reader: ByteReader,
  end: number,
  to: number,
  task: Task,
  last: LastOnes,
  next: Payload,
): boolean {
  // bytes may be missing from the next one, so that it ends elsewhere than it says
  return endsPacket(reader, end, to, task) || isPayload(reader, end, end + task.sizes.most, task, last, next)
}

/** Takes the payloads that a packet begins with, as far as they go on. Returns where they end; `at` where there are none. */
function takeFront(reader: ByteReader, at: number, to: number, task: Task, last: LastOnes): number {
  const packet = new Packet()
  const head = readPacketHead(reader, at, task.sizes, packet)
  if (head === 0 || !task.habits.properties.has(packet.properties)) return at
  const payload = newPayload()
  let end = at
  for (let i = 0, next = at + head; i < packet.count; i++) {
    if (!readPayload(reader, next, packet.end, packet.properties, packet.lengthField, payload)) break
    next = payload.data + payload.length
    if (next > to || !task.knows(payload.stream) || !isLikely(payload, last)) break
    // a payload without a length of its own gets one where its packet is written anew
    task.payloads.push(payload, packet.lengthField)
    follow(last, payload)
    end = next
  }
  return end
}

/** Whether a packet may end at `at`: the stretch does, or the next packet begins there or behind zeros that fill up. */
function endsPacket(reader: ByteReader, at: number, to: number, task: Task): boolean {
  const { sizes, habits } = task
  if (at === task.payloadsEnd) return true
  const furthest = Math.min(to, at + sizes.most)
  let end = at
  while (end < furthest && reader.u8(end) === 0) end++
  return end === to || isPacketStart(reader, end, habits)
}

/** Where payloads end in front of `to` by the padding of a packet at `from`. */
function payloadsEnd(
  reader: ByteReader,
  from: number,
  to: number,
  { sizes, habits, isOpen }: Task,
): number | undefined {
  const packet = new Packet()
  if (isOpen || readPacketHead(reader, from, sizes, packet) === 0) return undefined
  return habits.properties.has(packet.properties) ? to - (from + packet.length - packet.end) : undefined
}

function isPacketStart(reader: ByteReader, at: number, { starts, properties }: Habits): boolean {
  const first = reader.u8(at)
  if (!starts.has(first)) return false
  return first & CORRECTED ? reader.u16(at + 1) === 0 : properties.has(reader.u8(at + 1))
}

/** Whether a payload is at `at`, which says that it ends at `end` at the latest. */
function isPayload(
  reader: ByteReader,
  at: number,
  end: number,
  { knows, habits }: Task,
  last: LastOnes,
  payload: Payload,
): boolean {
  const stream = reader.u8(at) & 127
  if (stream === 0 || !knows(stream)) return false
  return readPayload(reader, at, end, propertiesOf(habits), LENGTH_FIELD, payload) && isLikely(payload, last)
}

/** Whether a compressed payload is filled by its objects, each behind a byte that tells its length, §5.2.3.3. */
function holdsObjects(reader: ByteReader, { data, length }: Payload): boolean {
  let at = data
  while (at < data + length && reader.u8(at) > 0) at += 1 + reader.u8(at)
  return at === data + length
}

/**
 * Whether bytes in which no payload was found can hold none that survives: they are few, zeros, what is left of a payload that
 * was torn, or do not begin as packets and payloads do of which a few bits were hit.
 */
function isExplained(reader: ByteReader, from: number, to: number, task: Task, last: LastOnes): boolean {
  if (to - from <= PACKET_HEAD || hasZeros(reader, from, to)) return true
  // a file whose beginning is gone begins anywhere in a packet
  if (from === 0 && to < task.sizes.most) return true
  const packet = new Packet()
  const head = readPacketHead(reader, from, task.sizes, packet)
  const starts = head > 0 && head < PACKET_HEAD
  const start = starts ? from + head : from
  if (!task.inGrid || task.isOpen) {
    const payload = newPayload()
    const field = starts ? packet.lengthField : LENGTH_FIELD
    const properties = starts ? packet.properties : propertiesOf(task.habits)
    const end = starts ? packet.end : start + task.sizes.most
    const isTorn =
      task.knows(reader.u8(start) & 127) &&
      readPayload(reader, start, end, properties, field, payload) &&
      isLikely(payload, last)
    if (isTorn) return true
  }
  return !resemblesPacket(reader, from) && !resemblesPayload(reader, start, task, last)
}

/** Bytes of a packet's beginning that are the same in all, of which so many are left where a few bits were hit. */
const LEAST_ALIKE = 3

/** Whether bytes begin as packets do, or did before some bits were hit. */
export function resemblesPacket(reader: ByteReader, at: number): boolean {
  const alike = [0x82, 0, 0, undefined, USUAL_PROPERTIES].filter((byte, i) => reader.u8(at + i) === byte)
  return alike.length >= LEAST_ALIKE
}

/** The same of payloads: a known stream, eight replicated bytes, a size and a time as usual. */
function resemblesPayload(reader: ByteReader, at: number, { knows, habits }: Task, last: LastOnes): boolean {
  if (propertiesOf(habits) !== USUAL_PROPERTIES) return true
  const time = reader.u32le(at + 11)
  const facts = [
    knows(reader.u8(at) & 127),
    reader.u8(at + 6) === 8,
    reader.u8(at + 10) === 0,
    [...last.values()].some((before) => Math.abs(before.time - time) <= NEAR),
  ]
  return facts.filter(Boolean).length >= LEAST_ALIKE
}

function propertiesOf({ properties }: Habits): number {
  const [first = USUAL_PROPERTIES] = properties
  return first
}

function hasZeros(reader: ByteReader, from: number, to: number): boolean {
  let run = 0
  for (let at = from; at < to; at++) {
    run = reader.u8(at) === 0 ? run + 1 : 0
    if (run >= ZEROS) return true
  }
  return false
}
