import type { Edits } from '../../../bytes/edits.ts'
import { joined } from '../../../bytes/joined.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { sniffSound, unitSeconds } from '../../../recording/sniff-stream.ts'
import { type FrameRow, frameBytes, frameRow, headerMask, isAlike } from '../../../recording/sound-frames.ts'
import { PREFIX_BYTES, packetHeader, parsePacketHeader } from '../../../syntax/pes/packet-header.ts'
import { CLOCK } from '../../../syntax/pes/time-stamp.ts'
import {
  COUNTERS,
  HEADER_BYTES,
  type Layout,
  PACKET_BYTES,
  PAYLOAD_BYTES,
  payloadStart,
} from '../read/packet.ts'
import type { Island, Tear } from '../read/stream.ts'
import { framed, packetOf, withPayload } from '../write/packets.ts'

/** Frames of one length that show that all of a stream are as long. */
const LEAST_FRAMES = 4
/** Share of a frame by which the rounding of times may be off. */
const NEARLY = 0.25

/** A PES packet of sound with a hole in it, or what is left of one whose beginning was lost. */
export interface Wound {
  readonly pid: number
  /** What frames of the stream are of, where that is known. */
  readonly codec: string | undefined
  /** A header of theirs; empty where that is not known. */
  readonly usual: Uint8Array
  readonly streamId: number
  /** Transport packets in front of the hole, the first with the header; none where it was lost. */
  readonly before: readonly number[]
  /** Where there are several holes, those between them. */
  readonly islands: readonly Island[]
  /** Those behind the last. */
  readonly behind: readonly number[]
  readonly tears: ReadonlyMap<number, Tear>
  /** Time stamp of the next PES packet, unwrapped; NaN where there is none, or something is missing in front of that too. */
  readonly next: number
  /** Where that packet begins. */
  readonly nextAt: number
  /** Earlier than this no frame is of the PES packet right before that one; NaN where that is not known. */
  readonly earliest: number
}

/** What is left of it. */
export interface Mended {
  /** Payload bytes in front of the hole that are whole frames. */
  readonly before: number
  /** The first packets that are kept behind a hole, where those frames have no header of their own. */
  readonly untimed: readonly number[]
  /** The frames behind holes, in PES packets of their own from `time` on. */
  readonly timed: readonly Timed[]
  /** Frames behind the last hole are kept. */
  readonly keeps: boolean
}

interface Timed {
  readonly offset: number
  readonly size: number
  readonly time: number
}

/** The first frame of what follows a hole: its time, and the bytes of the frame before it that stand in front. */
interface Follower {
  readonly time: number
  readonly lead: number
}

interface Part {
  readonly offset: number
  readonly bytes: Uint8Array
  /** Where its share of the payload begins in it, and in the whole. */
  readonly start: number
  readonly at: number
}

/**
 * Leaves whole frames on both sides of a hole: part of one would take the beginning of the next for its end. Those behind it get
 * a header with the time that the next one's demands. Undefined where no frames are found; nothing is changed then.
 */
export function mendSound(
  reader: ByteReader,
  layout: Layout,
  edits: Edits,
  wound: Wound,
): Mended | undefined {
  const front = collect(reader, layout, wound.before, wound, true)
  const back = collect(reader, layout, wound.behind, wound, false)
  const next = nextPayload(reader, layout, wound)
  const codec = sniffSound(front.payload) ?? sniffAnywhere(joined([back.payload, next])) ?? wound.codec
  if (!codec) return undefined
  const whole = frameRow(codec, front.payload)
  const rest = frameRow(codec, back.payload)
  const kept = whole?.end ?? endOfLast(codec, front.payload, wound.usual)
  cutFront(edits, layout, front, kept, reader, wound)
  const timed: Timed[] = []
  const untimed: number[] = []
  const keep = (part: Collected, from: number, to: number, time: number): void => {
    const offset = partAt(part.parts, from)?.offset
    if (offset !== undefined && from < to && Number.isNaN(time)) untimed.unshift(offset)
    else if (offset !== undefined && from < to) {
      insertHeader(edits, layout, wound, part, from, to, time)
      timed.unshift({ offset, size: to - from, time })
    }
    cut(edits, layout, part, from, to, reader, wound)
  }
  const time = rest ? timeOf(codec, back.payload, rest, wound.next) : Number.NaN
  let follower: Follower = { time, lead: rest?.start ?? 0 }
  if (wound.behind.length === 0)
    follower = { time: frameBytes(codec, next, 0) > 0 ? wound.next : Number.NaN, lead: 0 }
  keep(back, rest?.start ?? back.payload.length, back.payload.length, time)
  for (const { packets, lost } of [...wound.islands].reverse()) {
    const island = collect(reader, layout, packets, wound, false)
    const row = frameRow(codec, island.payload)
    const length = evenLength(codec, [front.payload, island.payload, back.payload])
    const begins =
      row && length > 0 ? timeAcross(codec, island, row, length, lost, follower, wound.earliest) : Number.NaN
    keep(island, row?.start ?? 0, row?.end ?? 0, begins)
    follower = { time: begins, lead: row?.start ?? 0 }
  }
  return { before: kept, timed, untimed, keeps: rest !== undefined }
}

/** What the first transport packet of the next PES packet holds of its payload. */
function nextPayload(reader: ByteReader, layout: Layout, { nextAt }: Wound): Uint8Array {
  if (nextAt < 0) return new Uint8Array(0)
  const packet = reader.bytes(nextAt + layout.lead, PACKET_BYTES).slice()
  const payload = packet.subarray(payloadStart(packet, 0))
  const header = parsePacketHeader(payload, 0)
  return header ? payload.subarray(header.headerLength) : new Uint8Array(0)
}

/** Bytes of each frame in payloads; 0 where they are not all as long, or are few. */
function evenLength(codec: string, payloads: readonly Uint8Array[]): number {
  const lengths = new Set<number>()
  let frames = 0
  for (const payload of payloads) {
    const row = frameRow(codec, payload)
    for (let at = row?.start ?? 0; at < (row?.end ?? 0); frames++) {
      const length = frameBytes(codec, payload, at)
      lengths.add(length)
      at += length
    }
  }
  const [length = 0] = lengths
  return lengths.size === 1 && frames >= LEAST_FRAMES ? length : 0
}

/**
 * When the first frame of a row sounds that a hole separates from what follows: frames of one length fill it together with whole
 * packets, as many as the counter says, in the one way that leads to no earlier time than `earliest`. Else NaN.
 */
function timeAcross(
  codec: string,
  { parts, payload }: Collected,
  { start, count }: FrameRow,
  length: number,
  lost: number | undefined,
  follower: Follower,
  earliest: number,
): number {
  const ticks = unitSeconds(codec, payload.subarray(start)) * CLOCK
  const most = ticks > 0 ? Math.floor((follower.time - earliest) / ticks + NEARLY) : Number.NaN
  const last = parts.at(-1)
  if (lost === undefined || !last || !(most >= count)) return Number.NaN
  // a torn packet holds as much as any, of which the rest is in the hole
  const held = last.at + PACKET_BYTES - last.start - start
  const times: number[] = []
  for (let frames = count; frames <= most; frames++) {
    const missing = frames * length - held - follower.lead
    if (missing >= 0 && Math.ceil(missing / PAYLOAD_BYTES) % COUNTERS === lost)
      times.push(follower.time - Math.round(frames * ticks))
  }
  return times.length === 1 ? times[0] : Number.NaN
}

interface Collected {
  readonly parts: readonly Part[]
  readonly payload: Uint8Array
}

function collect(
  reader: ByteReader,
  layout: Layout,
  offsets: readonly number[],
  { tears }: Wound,
  headed: boolean,
): Collected {
  const parts: Part[] = []
  const pieces: Uint8Array[] = []
  let length = 0
  for (const [i, offset] of offsets.entries()) {
    const bytes = reader.bytes(offset, layout.size).slice()
    const packet = bytes.subarray(layout.lead, layout.lead + PACKET_BYTES)
    let start = payloadStart(packet, 0)
    if (headed && i === 0) start += parsePacketHeader(packet.subarray(start), 0)?.headerLength ?? 0
    const torn = tears.get(offset)
    const end = torn ? Math.max(start, torn.length - layout.lead) : PACKET_BYTES
    const piece = packet.subarray(start, end)
    parts.push({ offset, bytes, start, at: length })
    pieces.push(piece)
    length += piece.length
  }
  const payload = new Uint8Array(length)
  for (const [i, piece] of pieces.entries()) payload.set(piece, parts[i].at)
  return { parts, payload }
}

/** Codec of sound of which a frame somewhere leads to another one of the same stream; undefined where none does. */
function sniffAnywhere(bytes: Uint8Array): string | undefined {
  for (let at = 0; at + HEADER_BYTES < bytes.length; at++) {
    const codec = sniffSound(bytes.subarray(at))
    const next = codec ? at + frameBytes(codec, bytes, at) : at
    if (codec && next > at && frameBytes(codec, bytes, next) > 0 && isAlike(codec, bytes, next, bytes, at))
      return codec
  }
  return undefined
}

/** Where the frame ends that a payload without a whole one begins in: at the header of the next. 0 where there is none. */
function endOfLast(codec: string, payload: Uint8Array, usual: Uint8Array): number {
  if (usual.length === 0) return 0
  for (let at = 0; at < payload.length; at++)
    if (frameBytes(codec, payload, at) > 0 && isAlike(codec, payload, at, usual, 0)) return at
  return 0
}

/**
 * When the first frame of a row sounds that leads to the next PES packet: the last one ends where that begins, or within it,
 * since a time is that of the first frame which begins in a packet, ISO/IEC 13818-1:2022 §2.4.3.7. NaN where that is not known.
 */
function timeOf(codec: string, payload: Uint8Array, row: FrameRow, next: number): number {
  const ticks = unitSeconds(codec, payload.subarray(row.start)) * CLOCK
  const isOpen = row.end < payload.length
  if (ticks === 0 || (isOpen && !beginsFrame(codec, payload, row))) return Number.NaN
  return next - Math.round((row.count + (isOpen ? 1 : 0)) * ticks)
}

/** Whether the bytes behind a row of frames are the first of another one, whose end they do not hold. */
function beginsFrame(codec: string, payload: Uint8Array, { start, end }: FrameRow): boolean {
  const rest = payload.length - end
  const isHeader = headerMask(codec)
    .slice(0, rest)
    .every((mask, i) => ((payload[end + i] ^ payload[start + i]) & mask) === 0)
  const length = frameBytes(codec, payload, end)
  return isHeader && (length === 0 || length > rest)
}

function partAt(parts: readonly Part[], at: number): Part | undefined {
  return parts.findLast((part) => part.at <= at)
}

/** Keeps the first bytes of the payload in front of a hole, and says in the header how many they are; no header without any. */
function cutFront(
  edits: Edits,
  layout: Layout,
  { parts, payload }: Collected,
  kept: number,
  reader: ByteReader,
  wound: Wound,
): void {
  for (const [i, part] of parts.entries()) {
    const end = parts[i + 1]?.at ?? payload.length
    const room = roomOf(reader, layout, wound, part.offset)
    if (part.at >= kept) {
      edits.drop(part.offset, room)
      continue
    }
    const packet = part.bytes.subarray(layout.lead, layout.lead + PACKET_BYTES)
    const first = payloadStart(packet, 0)
    if (i === 0) {
      const length = kept + part.start - first - PREFIX_BYTES
      const claimed = (packet[first + 4] << 8) | packet[first + 5]
      if (claimed > 0) packet.set([length >> 8, length & 0xff], first + 4)
    }
    const last = Math.min(kept, end) - part.at
    edits.replace(part.offset, room, withPayload(part.bytes, layout, packet.slice(first, part.start + last)))
  }
}

/** Bytes of the file that a packet takes: a torn one ends early, and so may the file's last. */
function roomOf(reader: ByteReader, { size }: Layout, { tears }: Wound, offset: number): number {
  return tears.get(offset)?.room ?? Math.min(size, reader.size - offset)
}

function insertHeader(
  edits: Edits,
  layout: Layout,
  { pid, streamId }: Wound,
  { parts }: Collected,
  from: number,
  to: number,
  time: number,
): void {
  const part = partAt(parts, from)
  if (!part) return
  const header = packetHeader(streamId, to - from, time, time)
  const counter = part.bytes[layout.lead + 3] & 15
  const packet = packetOf(pid, true, counter - 1, header)
  // what is in front of it is missing
  packet[HEADER_BYTES + 1] |= 0x80
  edits.insert(part.offset, framed(packet, part.bytes, layout))
}

/** Keeps the bytes from `from` to `to` of the payload behind a hole. */
function cut(
  edits: Edits,
  layout: Layout,
  { parts, payload }: Collected,
  from: number,
  to: number,
  reader: ByteReader,
  wound: Wound,
): void {
  for (const [i, part] of parts.entries()) {
    const own = (parts[i + 1]?.at ?? payload.length) - part.at
    const first = Math.max(0, from - part.at)
    const end = Math.min(own, to - part.at)
    const room = roomOf(reader, layout, wound, part.offset)
    if (first >= end) edits.drop(part.offset, room)
    else if (first > 0 || end < own) {
      const packet = part.bytes.subarray(layout.lead, layout.lead + PACKET_BYTES)
      const bytes = withPayload(part.bytes, layout, packet.slice(part.start + first, part.start + end))
      edits.replace(part.offset, room, bytes)
    }
  }
}
