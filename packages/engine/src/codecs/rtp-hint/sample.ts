import type { ByteReader } from '../../bytes/reader.ts'

const SAMPLE_HEADER = 4
const PACKET_HEADER = 12
/** Bytes of an entry, of whatever kind. */
export const ENTRY_BYTES = 16
/** Packets of a sample, and entries of a packet: a large picture in small packets stays below. */
const MOST_PACKETS = 1024
const MOST_ENTRIES = 1024
/** Ticks by which a packet is sent early or late: seconds at the usual 90 kHz. */
const MOST_RELATIVE_TIME = 1 << 22

/** Kinds of entries, ISO/IEC 14496-12:2022 §9.1.3.3. */
const IMMEDIATE = 1
const FROM_SAMPLE = 2
const FROM_DESCRIPTION = 3
const IMMEDIATE_BYTES = 14
/** Track reference of an entry that means the hint track itself. */
const ITSELF = 0xff

/** Bits that chance seldom offers: of a sample's head, of a packet's, of an entry's kind, and of one that refers to a sample. */
const SAMPLE_EVIDENCE = 22
const PACKET_EVIDENCE = 36
const PAYLOAD_TYPE_EVIDENCE = 7
const ENTRY_EVIDENCE = 6
const REFERENCE_EVIDENCE = 24

/** What the head of a hint sample tells. */
export interface HintSample {
  /** Bytes with the data behind the packets that the entries refer to. */
  readonly length: number
  readonly evidence: number
  /** RTP payload type of its packets. */
  readonly payloadType: number
}

/**
 * Reads the sample of an RTP hint track at `offset`, ISO/IEC 14496-12:2022 §9.1.3: packets of entries, and data of its own behind
 * them. `payloadType`: that of the track, or -1. Undefined when none stands there before `end`.
 */
export function hintSampleAt(
  reader: ByteReader,
  offset: number,
  end: number,
  payloadType: number,
): HintSample | undefined {
  if (offset + SAMPLE_HEADER + PACKET_HEADER > end) return undefined
  const packets = reader.u16(offset)
  if (packets === 0 || packets > MOST_PACKETS || reader.u16(offset + 2) !== 0) return undefined
  const type = reader.u8(offset + SAMPLE_HEADER + 5) & 0x7f
  if (payloadType >= 0 && type !== payloadType) return undefined
  const own = { first: Number.POSITIVE_INFINITY, end: 0 }
  let evidence = SAMPLE_EVIDENCE
  let at = offset + SAMPLE_HEADER
  for (let packet = 0; packet < packets; packet++) {
    const entries = packetAt(reader, at, end, type)
    if (!entries) return undefined
    at = entries.start
    for (let entry = 0; entry < entries.count; entry++, at += ENTRY_BYTES) {
      const bits = entryEvidence(reader, at, end, own)
      if (bits === undefined) return undefined
      evidence += bits
    }
    evidence += PACKET_EVIDENCE + (payloadType >= 0 ? PAYLOAD_TYPE_EVIDENCE : 0)
  }
  // an entry that refers to what lies before the data means another sample's
  const length = Math.max(at - offset, own.first >= at - offset ? own.end : 0)
  return offset + length > end ? undefined : { length, evidence, payloadType: type }
}

/** Where the entries of the packet at `at` start, and how many there are. */
function packetAt(
  reader: ByteReader,
  at: number,
  end: number,
  payloadType: number,
): { start: number; count: number } | undefined {
  if (at + PACKET_HEADER > end) return undefined
  const time = reader.u32(at) | 0
  // bits of the RTP header: version as written by QuickTime or none, then padding and extension, then four zeros
  const head = reader.u8(at + 4)
  const flags = reader.u16(at + 8)
  const count = reader.u16(at + 10)
  if (Math.abs(time) > MOST_RELATIVE_TIME || (head & 0x4f) !== 0 || flags > 7) return undefined
  if ((reader.u8(at + 5) & 0x7f) !== payloadType || count > MOST_ENTRIES) return undefined
  const hasExtra = (flags & 4) !== 0
  if (!hasExtra) return { start: at + PACKET_HEADER, count }
  if (at + PACKET_HEADER + 4 > end) return undefined
  const extra = reader.u32(at + PACKET_HEADER)
  const start = at + PACKET_HEADER + extra
  return extra < 4 || start > end ? undefined : { start, count }
}

/** Bits that the entry at `at` shows, undefined when it is none; widens the range of the sample's own data it refers to. */
function entryEvidence(
  reader: ByteReader,
  at: number,
  end: number,
  own: { first: number; end: number },
): number | undefined {
  if (at + ENTRY_BYTES > end) return undefined
  const kind = reader.u8(at)
  if (kind === IMMEDIATE) return reader.u8(at + 1) > IMMEDIATE_BYTES ? undefined : ENTRY_EVIDENCE
  if (kind !== FROM_SAMPLE && kind !== FROM_DESCRIPTION) return kind === 0 ? 0 : undefined
  const length = reader.u16(at + 2)
  const from = reader.u32(at + 8)
  if (length === 0 || reader.u32(at + 4) === 0) return undefined
  // bytes and samples of a block where the media are compressed: one, or none by older writers; reserved in a description's entry
  if ((reader.u32(at + 12) & ~(kind === FROM_SAMPLE ? 0x0001_0001 : 0)) !== 0) return undefined
  if (kind === FROM_SAMPLE && reader.u8(at + 1) === ITSELF) {
    own.first = Math.min(own.first, from)
    own.end = Math.max(own.end, from + length)
  }
  return ENTRY_EVIDENCE + REFERENCE_EVIDENCE
}
