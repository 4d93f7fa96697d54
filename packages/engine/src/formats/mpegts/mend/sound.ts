import type { Edits } from '../../../bytes/edits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { sniffSound, unitSeconds } from '../../../recording/sniff-stream.ts'
import { type FrameRow, frameBytes, frameRow, headerMask, isAlike } from '../../../recording/sound-frames.ts'
import { PREFIX_BYTES, packetHeader, parsePacketHeader } from '../../../syntax/pes/packet-header.ts'
import { CLOCK } from '../../../syntax/pes/time-stamp.ts'
import { HEADER_BYTES, type Layout, PACKET_BYTES, payloadStart } from '../read/packet.ts'
import { framed, packetOf, withPayload } from '../write/packets.ts'

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
  /** Those behind it. */
  readonly behind: readonly number[]
  /** Where the last packet in front was torn, and how many of its bytes are its own. */
  readonly tornAt: number
  readonly tornLength: number
  /** Bytes of the file that it takes. */
  readonly tornRoom: number
  /** Time stamp of the next PES packet, unwrapped; NaN where there is none, or something is missing in front of that too. */
  readonly next: number
}

/** What is left of it. */
export interface Mended {
  /** Payload bytes in front of the hole that are whole frames. */
  readonly before: number
  /** The first packet that is kept behind the hole, where those frames have no header of their own. */
  readonly resumes?: number
  /** The frames behind it, in a PES packet of their own from `time` on. */
  readonly behind?: { readonly offset: number; readonly size: number; readonly time: number }
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
  const codec = sniffSound(front.payload) ?? sniffAnywhere(back.payload) ?? wound.codec
  if (!codec) return undefined
  const whole = frameRow(codec, front.payload)
  const rest = frameRow(codec, back.payload)
  const kept = whole?.end ?? endOfLast(codec, front.payload, wound.usual)
  cutFront(edits, layout, front, kept, reader, wound)
  const time = rest ? timeOf(codec, back.payload, rest, wound.next) : Number.NaN
  const from = rest ? rest.start : back.payload.length
  if (rest && !Number.isNaN(time)) insertHeader(edits, layout, wound, back, rest, time)
  cutBack(edits, layout, back, from, reader, wound)
  if (!rest) return { before: kept }
  if (Number.isNaN(time)) return { before: kept, resumes: partAt(back.parts, from)?.offset ?? -1 }
  const offset = partAt(back.parts, from)?.offset ?? wound.behind[0]
  return { before: kept, behind: { offset, size: back.payload.length - from, time } }
}

interface Collected {
  readonly parts: readonly Part[]
  readonly payload: Uint8Array
}

function collect(
  reader: ByteReader,
  layout: Layout,
  offsets: readonly number[],
  { tornAt, tornLength }: Wound,
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
    const end = offset === tornAt ? Math.max(start, tornLength - layout.lead) : PACKET_BYTES
    const piece = packet.subarray(start, end)
    parts.push({ offset, bytes, start, at: length })
    pieces.push(piece)
    length += piece.length
  }
  const payload = new Uint8Array(length)
  for (const [i, piece] of pieces.entries()) payload.set(piece, parts[i].at)
  return { parts, payload }
}

function sniffAnywhere(bytes: Uint8Array): string | undefined {
  for (let at = 0; at + HEADER_BYTES < bytes.length; at++) {
    const codec = sniffSound(bytes.subarray(at))
    if (codec && (frameRow(codec, bytes.subarray(at))?.count ?? 0) > 1) return codec
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
function roomOf(reader: ByteReader, { size }: Layout, { tornAt, tornRoom }: Wound, offset: number): number {
  return offset === tornAt ? tornRoom : Math.min(size, reader.size - offset)
}

function insertHeader(
  edits: Edits,
  layout: Layout,
  { pid, streamId }: Wound,
  { parts, payload }: Collected,
  { start }: FrameRow,
  time: number,
): void {
  const part = partAt(parts, start)
  if (!part) return
  const header = packetHeader(streamId, payload.length - start, time, time)
  const counter = part.bytes[layout.lead + 3] & 15
  const packet = packetOf(pid, true, counter - 1, header)
  // what is in front of it is missing
  packet[HEADER_BYTES + 1] |= 0x80
  edits.insert(part.offset, framed(packet, part.bytes, layout))
}

function cutBack(
  edits: Edits,
  layout: Layout,
  { parts, payload }: Collected,
  from: number,
  reader: ByteReader,
  wound: Wound,
): void {
  const first = partAt(parts, from)
  for (const part of parts) {
    if (from >= payload.length || (first && part.at < first.at))
      edits.drop(part.offset, roomOf(reader, layout, wound, part.offset))
    else if (part === first && from > part.at) {
      const packet = part.bytes.subarray(layout.lead, layout.lead + PACKET_BYTES)
      const bytes = withPayload(part.bytes, layout, packet.slice(part.start + from - part.at))
      edits.replace(part.offset, roomOf(reader, layout, wound, part.offset), bytes)
    }
  }
}
