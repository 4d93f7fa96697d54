import { isBare, isStreamId } from './stream-ids.ts'
import { readTimeStamp, STAMP_BYTES, writeTimeStamps } from './time-stamp.ts'

/** What stands in front of a PES packet's payload, ISO/IEC 13818-1:2022 §2.4.3.6 and ISO/IEC 11172-1:1993 §2.4.3.3. */
export interface PacketHeader {
  readonly streamId: number
  /** Bytes behind the length field; 0 where it is left open, which transport streams allow for video. */
  readonly length: number
  /** Bytes from the start code to the payload. */
  readonly headerLength: number
  /** 90 kHz, 33 bits; -1 when there is none. */
  readonly pts: number
  /** As `pts`; equal to it where only that is written. */
  readonly dts: number
  readonly scrambled: boolean
  readonly mpeg1: boolean
}

/** Bytes of start code and length field. */
export const PREFIX_BYTES = 6
/** Enough for every header: three bytes of flags and 255 of header data, or MPEG-1's 16 of stuffing. */
export const LONGEST_HEADER = PREFIX_BYTES + 3 + 255
/** What stands in a header of MPEG-1 without a time stamp, ISO/IEC 11172-1:1993 §2.4.3.3. */
export const NO_STAMP = 0x0f
/** PES_scrambling_control in the first byte behind the length. */
export const SCRAMBLING = 0x30
/** Stuffing bytes that MPEG-1 allows. */
const MPEG1_STUFFING = 16

/** True where a packet's start code stands. */
export function isPacketStart(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0 && bytes[at + 1] === 0 && bytes[at + 2] === 1 && isStreamId(bytes[at + 3])
}

/** Reads the header at `at`; undefined where there is none, or it breaks the syntax or reaches past the bytes. */
export function parsePacketHeader(bytes: Uint8Array, at: number): PacketHeader | undefined {
  if (at + PREFIX_BYTES > bytes.length || !isPacketStart(bytes, at)) return undefined
  const streamId = bytes[at + 3]
  const length = (bytes[at + 4] << 8) | bytes[at + 5]
  if (isBare(streamId)) return headerOf(streamId, length, PREFIX_BYTES, -1, -1, false, false)
  if (at + PREFIX_BYTES >= bytes.length) return undefined
  const isMpeg2 = bytes[at + PREFIX_BYTES] >> 6 === 2
  return (isMpeg2 ? mpeg2Header : mpeg1Header)(bytes, at, streamId, length)
}

/** One shape for all headers: millions of them are read. */
function headerOf(
  streamId: number,
  length: number,
  headerLength: number,
  pts: number,
  dts: number,
  scrambled: boolean,
  mpeg1: boolean,
): PacketHeader {
  return { streamId, length, headerLength, pts, dts, scrambled, mpeg1 }
}

function mpeg2Header(
  bytes: Uint8Array,
  at: number,
  streamId: number,
  length: number,
): PacketHeader | undefined {
  if (at + 9 > bytes.length) return undefined
  const stamps = bytes[at + 7] >> 6
  const headerData = bytes[at + 8]
  const headerLength = PREFIX_BYTES + 3 + headerData
  if (stamps === 1 || headerData < (stamps === 3 ? 10 : stamps === 2 ? 5 : 0)) return undefined
  if (length > 0 && headerLength - PREFIX_BYTES > length) return undefined
  const scrambled = (bytes[at + PREFIX_BYTES] & SCRAMBLING) !== 0
  if (stamps === 0) return headerOf(streamId, length, headerLength, -1, -1, scrambled, false)
  const pts = bytes[at + 9] >> 4 === stamps ? readTimeStamp(bytes, at + 9) : -1
  const dts = stamps === 3 ? (bytes[at + 14] >> 4 === 1 ? readTimeStamp(bytes, at + 14) : -1) : pts
  if (pts < 0 || dts < 0) return undefined
  return headerOf(streamId, length, headerLength, pts, dts, scrambled, false)
}

function mpeg1Header(
  bytes: Uint8Array,
  at: number,
  streamId: number,
  length: number,
): PacketHeader | undefined {
  let next = at + PREFIX_BYTES
  while (bytes[next] === 0xff && next - at - PREFIX_BYTES < MPEG1_STUFFING) next++
  if (bytes[next] >> 6 === 1) next += 2
  if (next >= bytes.length) return undefined
  const kind = bytes[next] >> 4
  let pts = -1
  let dts = -1
  if (kind === 2 || kind === 3) {
    pts = readTimeStamp(bytes, next)
    dts = kind === 3 ? (bytes[next + 5] >> 4 === 1 ? readTimeStamp(bytes, next + 5) : -1) : pts
    if (pts < 0 || dts < 0) return undefined
    next += kind === 3 ? 10 : 5
  } else if (bytes[next] === NO_STAMP) next++
  else return undefined
  if (length > 0 && next - at - PREFIX_BYTES > length) return undefined
  return headerOf(streamId, length, next - at, pts, dts, false, true)
}

/**
 * A header of MPEG-2 with time stamps, `payload` bytes to follow; the length is left open (0) where it has no room. A `dts` equal
 * to `pts` is not written; -1 for neither.
 */
export function packetHeader(streamId: number, payload: number, pts: number, dts: number): Uint8Array {
  const both = pts >= 0 && dts !== pts
  const data = pts < 0 ? 0 : both ? 2 * STAMP_BYTES : STAMP_BYTES
  const bytes = new Uint8Array(PREFIX_BYTES + 3 + data)
  const length = payload + 3 + data
  bytes.set([0, 0, 1, streamId])
  if (length <= 0xffff) bytes.set([length >> 8, length & 0xff], 4)
  bytes.set([0x80, pts < 0 ? 0 : both ? 0xc0 : 0x80, data], 6)
  if (pts >= 0) writeTimeStamps(bytes, PREFIX_BYTES + 3, pts, both ? dts : undefined)
  return bytes
}

/** The same of MPEG-1, which leaves no length open. */
export function mpeg1PacketHeader(streamId: number, payload: number, pts: number, dts: number): Uint8Array {
  const both = pts >= 0 && dts !== pts
  const data = pts < 0 ? 1 : both ? 2 * STAMP_BYTES : STAMP_BYTES
  const bytes = new Uint8Array(PREFIX_BYTES + data)
  const length = payload + data
  bytes.set([0, 0, 1, streamId, length >> 8, length & 0xff, NO_STAMP])
  if (pts >= 0) writeTimeStamps(bytes, PREFIX_BYTES, pts, both ? dts : undefined)
  return bytes
}
