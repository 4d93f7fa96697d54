import type { ByteReader } from '../../bytes/reader.ts'
import { nextStartCode } from './start-code.ts'

/** Steps over NAL units in one of their two framings. One object serves a whole scan. */
export interface NalCursor {
  /** Offset of the NAL unit's header. */
  start: number
  /** Bytes of the NAL unit, header included, without framing and trailing zeros. */
  length: number
  /** Offset one past the unit, where the next one's framing may begin. */
  next: number
  /** After a failed `read`: a unit begins here whose end lies past the limit; `start` and `length` are what there is. */
  truncated: boolean
  /** Bytes of framing in front of a unit, at most. */
  readonly framing: number
  /** Bits that a framing speaks for a NAL unit being there, when units are at most `bound` bytes. */
  evidence(bound: number): number
  /** Reads the framing at `offset`; false when no unit lies there or it runs past `end` or `bound` bytes. */
  read(reader: ByteReader, offset: number, end: number, bound: number): boolean
}

/** NAL units behind a length of 1, 2, 3 or 4 bytes, ISO/IEC 14496-15:2022 §5.3.3.1.2. */
export class LengthCursor implements NalCursor {
  start = 0
  length = 0
  next = 0
  truncated = false
  readonly framing: number

  constructor(lengthSize: number) {
    this.framing = lengthSize
  }

  evidence(bound: number): number {
    return Math.max(0, this.framing * 8 - Math.log2(bound))
  }

  read(reader: ByteReader, offset: number, end: number, bound: number): boolean {
    this.truncated = false
    const start = offset + this.framing
    if (start >= end) return false
    const length = this.#length(reader, offset)
    if (length === 0 || length > bound) return false
    this.start = start
    this.length = length
    this.next = start + length
    if (this.next <= end) return true
    this.truncated = true
    this.length = end - start
    this.next = end
    return false
  }

  #length(reader: ByteReader, offset: number): number {
    switch (this.framing) {
      case 1:
        return reader.u8(offset)
      case 2:
        return reader.u16(offset)
      case 3:
        return reader.u24(offset)
      default:
        return reader.u32(offset)
    }
  }
}

/** NAL units behind start codes, ITU-T H.264 Annex B. The zero byte before a start code counts to it. */
export class StartCodeCursor implements NalCursor {
  start = 0
  length = 0
  next = 0
  truncated = false
  readonly framing = 4

  evidence(): number {
    return 24
  }

  read(reader: ByteReader, offset: number, end: number, bound: number): boolean {
    let at = offset
    if (reader.u8(at + 2) === 0) at++
    if (at + 3 >= end || reader.u24(at) !== 1) return false
    const start = at + 3
    const limit = Math.min(end, start + bound + 4)
    const found = nextStartCode(reader, start, limit)
    let next = Math.min(found, limit)
    if (next === limit && limit < end) return false
    let stop = next
    while (stop > start && reader.u8(stop - 1) === 0) stop--
    if (found < end && next > stop) next--
    this.start = start
    this.length = stop - start
    this.next = next
    return this.length > 0
  }
}
