import { BitReader } from '../../bytes/bit-reader.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { NOT_VALID, parseGrowing, TOO_SHORT } from '../growing-window.ts'
import { nextStartCode } from '../nal/start-code.ts'
import { groupPicture } from './group-times.ts'
import {
  emptyPicture,
  extendPicture,
  extendSequence,
  FRAME,
  type Picture,
  parseSequence,
  readPicture,
  rowsOf,
  type Sequence,
} from './headers.ts'
import { readSlice, TALL } from './slice.ts'

/** Start code values, ITU-T H.262 (02/2012) Table 6-1. */
export const PICTURE = 0x00
export const LAST_SLICE = 0xaf
export const USER_DATA = 0xb2
export const SEQUENCE = 0xb3
export const EXTENSION = 0xb5
const SEQUENCE_END = 0xb7
export const GROUP = 0xb8
/** extension_start_code_identifier, Table 6-2. */
export const SEQUENCE_EXTENSION = 1
export const PICTURE_EXTENSION = 8

const MAX_CODES = 4096
/** Headers, extensions and user data of one frame. */
const MAX_HEADERS = 64
/** Headers and user data between pictures; a slice is bounded by the picture. */
const HEAD = 64
const CODE_EVIDENCE = 24
const MAX_EVIDENCE = 160
const LAST_SLICE_EVIDENCE = 24
/** Zeros behind the last slice that are looked through for a start code. */
const MAX_STUFFING = 1 << 20

/** What `UnitWalker` found. */
export class PictureUnit {
  owner: object | undefined
  offset = -1
  sequence: Sequence | undefined
  hasGroup = false
  closedGroup = false
  /** Number of the group's first picture by its time code, -1 for none. */
  groupPicture = -1
  hasSequence = false
  readonly first: Picture = emptyPicture()
  readonly second: Picture = emptyPicture()
  pictures = 0
  slices = 0
  /** Macroblock row of the last slice, from 1. */
  row = 0
  evidence = 0
  /** The last row was read to its end, so that the unit's own bits give its length. */
  exact = false
  /** Where the coded bits end, in front of stuffing. */
  dataEnd = 0
  damaged = false
}

/** Walks the start codes of one frame: headers, the picture, its slices, and the second field of a frame. */
export class UnitWalker {
  /** The end of the unit at `offset`, its facts in `found`; -1 when none starts there. `sequence` is the one in force. */
  walk(
    reader: ByteReader,
    offset: number,
    end: number,
    sequence: Sequence | undefined,
    found: PictureUnit,
  ): number {
    found.sequence = sequence
    found.hasGroup = false
    found.groupPicture = -1
    found.hasSequence = false
    found.pictures = 0
    found.slices = 0
    found.evidence = 0
    found.exact = false
    found.damaged = false
    let at = offset
    let unitEnd = -1
    let headers = 0
    for (let count = 0; count < MAX_CODES && at + 4 <= end; count++) {
      if (reader.u24(at) !== 1) return count === 0 ? -1 : unitEnd
      const value = reader.u8(at + 3)
      if (count === 0 && value !== PICTURE && value !== SEQUENCE && value !== GROUP) return -1
      const isSlice = value > PICTURE && value <= LAST_SLICE
      if (found.slices > 0 && !isSlice) {
        if (value === SEQUENCE_END) return at + 4
        if (!this.#isSecondField(reader, at, end, found)) return unitEnd
      }
      found.evidence = Math.min(MAX_EVIDENCE, found.evidence + CODE_EVIDENCE)
      if (isSlice) {
        if (found.pictures === 0) return -1
        found.slices++
        const next = this.#slice(reader, at, value, end, found)
        unitEnd = next
        if (found.exact && (this.#isComplete(found) || next + 4 > end || reader.u24(next) !== 1)) {
          return withEndCode(reader, next, end)
        }
        at = next
        continue
      }
      if (++headers > MAX_HEADERS) return unitEnd
      const next = nextStartCode(reader, at + 4, end)
      if (!this.#header(reader.bytes(at + 4, Math.min(next - at - 4, HEAD)), value, found)) return unitEnd
      at = next
    }
    return found.slices > 0 ? unitEnd : -1
  }

  /** A header in front of or between pictures; false when it is none. */
  #header(body: Uint8Array, value: number, found: PictureUnit): boolean {
    switch (value) {
      case SEQUENCE:
        // one sequence header to a frame, ISO/IEC 13818-2 §6.2.2
        if (found.hasSequence) return false
        found.sequence = parseSequence(body)
        found.hasSequence = true
        return found.sequence !== undefined
      case GROUP:
        // one to a frame as well, §6.2.2.6
        if (found.hasGroup) return false
        found.hasGroup = true
        found.closedGroup = ((body[3] ?? 0) & 0x40) !== 0
        found.groupPicture = groupPicture(body, found.sequence?.frameRateCode ?? 0)
        return true
      case PICTURE: {
        if (!found.sequence) return false
        const picture = found.pictures === 0 ? found.first : found.second
        found.pictures++
        found.slices = 0
        found.row = 0
        return found.pictures <= 2 && readPicture(body, picture)
      }
      case EXTENSION:
        return this.#extension(body, found)
      case USER_DATA:
        return true
      default:
        return false
    }
  }

  #extension(body: Uint8Array, found: PictureUnit): boolean {
    const kind = (body[0] ?? 0) >> 4
    if (kind === SEQUENCE_EXTENSION && found.pictures === 0 && found.sequence) {
      found.sequence = extendSequence(found.sequence, body)
    }
    if (kind !== PICTURE_EXTENSION || found.pictures === 0) return true
    return extendPicture(body, found.pictures === 1 ? found.first : found.second)
  }

  /** The end of the slice at `at`. Only slices that may be the last are read; others end at the next start code. */
  #slice(reader: ByteReader, at: number, value: number, end: number, found: PictureUnit): number {
    const { sequence } = found
    found.exact = false
    if (!sequence) return end
    const picture = found.pictures === 1 ? found.first : found.second
    const rows = rowsOf(sequence, picture)
    const row = value + (sequence.height > TALL ? (reader.u8(at + 4) >> 5) * 128 : 0)
    // rows follow one another, §6.1.2.2; slices of MPEG-1 go on over rows
    if (row > rows || row < found.row || (!sequence.mpeg1 && row > found.row + 1)) found.damaged = true
    found.row = row
    // slices of MPEG-1 may go on over rows, so that any may be the last, and sound behind it looks like a start code by chance
    if (row !== rows && !sequence.mpeg1) return nextStartCode(reader, at + 4, end)
    const columns = Math.ceil(sequence.width / 16)
    const macroblocks = sequence.mpeg1 ? columns * Math.max(1, rows - row + 1) : columns
    let last = -1
    const used = parseGrowing(reader, at + 4, end, macroblocks * 1024, (bytes) => {
      const bits = new BitReader(bytes)
      last = readSlice(bits, sequence, picture, macroblocks)
      if (bits.overrun) return TOO_SHORT
      return last < 0 ? NOT_VALID : Math.ceil(bits.position / 8)
    })
    if (used < 0) found.damaged = true
    if (used < 0 || last < macroblocks - 1) return nextStartCode(reader, at + 4 + Math.max(0, used), end)
    found.exact = true
    found.evidence = Math.min(MAX_EVIDENCE, found.evidence + LAST_SLICE_EVIDENCE)
    found.dataEnd = at + 4 + used
    return skipStuffing(reader, found.dataEnd, end)
  }

  /** A frame in one picture, or both fields, is there. */
  #isComplete(found: PictureUnit): boolean {
    return found.first.structure === FRAME || found.pictures === 2
  }

  /** Headers at `at` lead to the other field of the same frame. */
  #isSecondField(reader: ByteReader, at: number, end: number, found: PictureUnit): boolean {
    if (found.first.structure === FRAME || found.pictures !== 1 || reader.u8(at + 3) !== PICTURE) return false
    const { second } = found
    const next = nextStartCode(reader, at + 4, Math.min(end, at + HEAD))
    if (!readPicture(reader.bytes(at + 4, next - at - 4), second)) return false
    if (reader.u32(next) !== 0x100 + EXTENSION || !extendPicture(reader.bytes(next + 4, HEAD), second))
      return false
    return (
      second.temporalReference === found.first.temporalReference &&
      second.structure === FRAME - found.first.structure
    )
  }
}

/** Zeros before a start code are stuffing of what precedes it; other zeros belong to whatever comes next. */
function skipStuffing(reader: ByteReader, at: number, end: number): number {
  const limit = Math.min(end, at + MAX_STUFFING)
  let stop = at
  while (stop < limit && reader.u8(stop) === 0) stop++
  if (stop === limit && limit === end) return end
  return stop - at >= 2 && reader.u8(stop) === 1 ? stop - 2 : at
}

function withEndCode(reader: ByteReader, at: number, end: number): number {
  return at + 4 <= end && reader.u32(at) === 0x100 + SEQUENCE_END ? at + 4 : at
}
