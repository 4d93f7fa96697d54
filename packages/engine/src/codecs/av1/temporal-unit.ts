import type { ByteReader } from '../../bytes/reader.ts'
import { readLeb128 } from '../leb128.ts'
import { emptyFrame, type FrameHeader, KEY_FRAME, readFrameHeader } from './headers/frame-header.ts'
import { parseSequenceHeader, type SequenceHeader } from './headers/sequence-header.ts'

/** obu_type, AV1 specification §6.2.2. */
export const SEQUENCE_HEADER = 1
const TEMPORAL_DELIMITER = 2
export const FRAME_HEADER = 3
export const TILE_GROUP = 4
const METADATA = 5
export const FRAME = 6
const REDUNDANT_HEADER = 7
const LAST_TYPE = 8
const PADDING = 15

/** OBUs of a unit: tile groups at most, of which a few per frame are usual. */
const MAX_OBUS = 128
const HEAD = 32
const MAX_SEQUENCE_HEADER = 256
/** Forbidden bit, size flag, reserved bit and a third of the types. */
const HEADER_EVIDENCE = 4.5
/** Bits of a frame header's beginning that have few likely values. */
const FRAME_EVIDENCE = 2
const MAX_SEQUENCE_EVIDENCE = 64
const NEW_SEQUENCE_EVIDENCE = 8

/** By first byte: an OBU with its size that may open a temporal unit. */
export const OPENS_UNIT: Uint8Array = new Uint8Array(256)
for (const type of [SEQUENCE_HEADER, TEMPORAL_DELIMITER, FRAME_HEADER, METADATA, FRAME]) {
  OPENS_UNIT[(type << 3) | 2] = 1
  OPENS_UNIT[(type << 3) | 6] = 1
}

/** By obu_type: whether it is none of those that are reserved. */
const isKnownType = (type: number): boolean =>
  (type >= SEQUENCE_HEADER && type <= LAST_TYPE) || type === PADDING

/**
 * Bytes of the OBUs in [offset, end) up to the first one that cannot be one by its header and size (AV1 specification §5.3.1 and
 * §5.3.2): a decoder gives up a unit there. One without a size reaches to the end.
 */
export function wholeObus(reader: ByteReader, offset: number, end: number): number {
  let at = offset
  for (let count = 0; count < MAX_OBUS && at < end; count++) {
    const header = reader.u8(at)
    // obu_forbidden_bit and obu_reserved_1bit
    if ((header & 0x81) !== 0 || !isKnownType((header >> 3) & 15)) break
    const sizeAt = at + ((header & 4) !== 0 ? 2 : 1)
    if ((header & 2) === 0) return sizeAt < end ? end - offset : at - offset
    const { value, bytes } = readLeb128((place) => reader.u8(place), sizeAt, end)
    const next = sizeAt + bytes + value
    if (bytes === 0 || next > end) break
    at = next
  }
  return at - offset
}

/** What was found of one temporal unit. */
export class TemporalUnit {
  owner: object | undefined
  offset = -1
  sequence: SequenceHeader | undefined
  readonly frame: FrameHeader = emptyFrame()
  key = false
  evidence = 0
  /** First header byte. */
  first = 0
}

/**
 * Walks the OBUs of one temporal unit in the low-overhead format (§5.2): up to the frame that is shown and its tile groups.
 * Returns its end, or -1 when none starts at `offset`. `sequence` is the header in force.
 */
export function walkTemporalUnit(
  reader: ByteReader,
  offset: number,
  end: number,
  bound: number,
  sequence: SequenceHeader | undefined,
  found: TemporalUnit,
): number {
  found.sequence = sequence
  found.key = false
  found.evidence = 0
  found.first = reader.u8(offset)
  let unitEnd = -1
  let at = offset
  let layer = 0
  let sequences = 0
  for (let count = 0; count < MAX_OBUS && at < end; count++) {
    const header = reader.u8(at)
    if ((header & 0x83) !== 2) return unitEnd
    const type = (header >> 3) & 15
    const extended = (header & 4) !== 0
    const spatial = extended ? (reader.u8(at + 1) >> 3) & 3 : 0
    if (extended && (reader.u8(at + 1) & 7) !== 0) return unitEnd
    const sizeAt = at + (extended ? 2 : 1)
    const size = readLeb128((place) => reader.u8(place), sizeAt, end)
    const payload = sizeAt + size.bytes
    const next = payload + size.value
    if (size.bytes === 0 || size.value > bound || next > end) return unitEnd
    if (unitEnd >= 0) {
      // behind the shown frame only its own tiles, padding, or a higher spatial layer
      const isFrame = type === FRAME || type === FRAME_HEADER
      const higher = isFrame && extended && spatial > layer
      if (type !== TILE_GROUP && type !== REDUNDANT_HEADER && type !== PADDING && !higher) return unitEnd
      found.evidence += HEADER_EVIDENCE
      layer = spatial
      unitEnd = next
      at = next
      continue
    }
    if (count === 0 && OPENS_UNIT[header] === 0) return -1
    // a delimiter comes first, and one sequence header is enough (§7.5)
    if (type === TEMPORAL_DELIMITER && count > 0) return -1
    if (type === SEQUENCE_HEADER && sequences++ > 0) return -1
    const bits = readObu(reader, type, payload, size.value, found)
    if (bits < 0) return -1
    found.evidence += HEADER_EVIDENCE + bits
    layer = spatial
    if ((type === FRAME || type === FRAME_HEADER) && (found.frame.showsExisting || found.frame.shown))
      unitEnd = next
    at = next
  }
  return unitEnd
}

/** Evidence of an OBU up to the shown frame, or -1 when no unit holds it. */
function readObu(
  reader: ByteReader,
  type: number,
  payload: number,
  size: number,
  found: TemporalUnit,
): number {
  switch (type) {
    case TEMPORAL_DELIMITER:
      return size === 0 ? 8 : -1
    case SEQUENCE_HEADER: {
      if (size > MAX_SEQUENCE_HEADER) return -1
      const bytes = reader.bytes(payload, size)
      const known = found.sequence?.bytes
      if (known && known.length === size && known.every((byte, index) => byte === bytes[index])) {
        return Math.min(size * 8, MAX_SEQUENCE_EVIDENCE)
      }
      found.sequence = parseSequenceHeader(bytes)
      return found.sequence ? NEW_SEQUENCE_EVIDENCE : -1
    }
    case FRAME:
    case FRAME_HEADER: {
      if (!found.sequence || size === 0 || isOneByte(reader, payload, size)) return -1
      const bytes = reader.bytes(payload, Math.min(size, HEAD))
      if (!readFrameHeader(bytes, found.sequence, found.frame)) return -1
      // an OBU that holds tiles cannot repeat a frame
      if (type === FRAME && found.frame.showsExisting) return -1
      if (found.frame.type === KEY_FRAME && found.frame.shown && !found.frame.showsExisting) found.key = true
      return Math.max(FRAME_EVIDENCE, found.frame.fixedBits)
    }
    case TILE_GROUP:
      return size > 0 && !isOneByte(reader, payload, size) ? 0 : -1
    case METADATA:
      return size > 0 ? 0 : -1
    case REDUNDANT_HEADER:
    case PADDING:
      return 0
    default:
      return -1
  }
}

/**
 * One byte as often at a picture's beginning, or throughout one of at least so many bytes, is none: of arithmetic coding no such
 * run comes.
 */
const MOST_ALIKE = 64
const FEWEST_ALIKE = 16

/** Whether an OBU that should hold a picture begins with one byte, again and again; zeros may be damage. */
function isOneByte(reader: ByteReader, payload: number, size: number): boolean {
  if (size < FEWEST_ALIKE) return false
  const first = reader.u8(payload)
  if (first === 0) return false
  // four at a time: where bytes are alike, this is asked at each of them
  const alike = (first * 0x01010101) >>> 0
  const last = payload + Math.min(size, MOST_ALIKE) - 4
  for (let at = payload; at < last; at += 4) if (reader.u32(at) !== alike) return false
  return reader.u32(last) === alike
}
