import type { ByteReader } from '../../bytes/reader.ts'
import type { NalCursor } from '../nal/cursor.ts'
import { nextStartCode } from '../nal/start-code.ts'
import { UnitContent } from '../nal/unit-content.ts'
import type { AccessUnit } from './access-unit.ts'
import { OPENING_EVIDENCE, OPENS_UNIT } from './first-nal.ts'
import * as nal from './nal-types.ts'
import { pairsWith, type SliceHeader } from './slice-header.ts'

/** NAL units of one access unit: a slice for each macroblock row of the tallest picture, and as many messages. */
const MAX_NALS = 4096
/** NAL units in front of the first slice: more than any encoder writes, few enough to be cheap in hostile bytes. */
const MAX_PRELUDE = 32
/** Bytes that hold nearly every slice header; longer ones (prediction weights) are read again. */
const SLICE_HEAD = 96
const LONG_HEAD = 2048
/** Longest parameter set read: those with scaling lists reach some hundred bytes. */
const MAX_SET = 4096
/** Parameter set bytes that count as evidence. */
const MAX_SET_EVIDENCE = 96
const NEW_SPS_EVIDENCE = 16
const NEW_PPS_EVIDENCE = 4
const SEI_EVIDENCE = 12
/** primary_pic_type is free, the trailing bits behind it are not. */
const AUD_EVIDENCE = 5
const MAX_PREFIX_NAL = 64
/** Bytes behind a prefix NAL unit within which a slice must begin that is wrapped with it. */
const WRAPPED_HEAD = 2048

/** What a NAL unit behind the first slice is to the unit; numbers from 0 on are evidence that it belongs to it. */
const OTHER_UNIT = -1
/** Belongs to the unit only if a later NAL unit does. */
const UNDECIDED = -2
/** As `UNDECIDED`, and only a second field may still follow. */
const CROSSED = -3

/** Walks the NAL units of one access unit, ITU-T H.264 (08/2021) §7.4.1.2.3 and §7.4.1.2.4. */
export class UnitWalker {
  /** Types beyond the standard's that the stream was seen to put behind its slices. */
  readonly trailers = new Set<number>()
  /** Each field is a unit of its own in this container. */
  separateFields = false
  readonly #cursor: NalCursor
  readonly #content: UnitContent

  constructor(cursor: NalCursor) {
    this.#cursor = cursor
    this.#content = new UnitContent(cursor, { headerBytes: 1, head: SLICE_HEAD, longHead: LONG_HEAD })
  }

  /** The end of the unit at `offset`, its facts in `found`; -1 when none starts there. */
  walk(reader: ByteReader, offset: number, end: number, found: AccessUnit): number {
    const cursor = this.#cursor
    let { bound } = found.sets
    let prefix = 0
    let unitEnd = -1
    let position = offset
    let crossed = false
    for (let count = 0; count < MAX_NALS; count++) {
      if (!cursor.read(reader, position, end, bound)) {
        return unitEnd >= 0 && cursor.truncated && this.#continuesCut(reader, found) ? -1 : unitEnd
      }
      position = cursor.next
      const header = reader.u8(cursor.start)
      if (unitEnd < 0) {
        if (count >= MAX_PRELUDE || OPENS_UNIT[header] === 0) return -1
        const bits = this.#open(reader, header, count, found)
        if (bits < 0) return -1
        found.evidence += cursor.evidence(bound) + OPENING_EVIDENCE + bits
        if (found.slices > 0) unitEnd = position
        bound = found.sets.bound
        prefix = cursor.evidence(bound)
        continue
      }
      const bits = this.#follow(reader, header, crossed, found)
      if (bits === OTHER_UNIT) return unitEnd
      if (bits === CROSSED) crossed = true
      if (bits < 0) continue
      found.evidence += prefix + bits
      unitEnd = position
      crossed = false
    }
    return unitEnd
  }

  /** A NAL unit up to the first slice: evidence, or -1 when no access unit goes like this. */
  #open(reader: ByteReader, header: number, count: number, found: AccessUnit): number {
    const type = header & 31
    if (count === 0) found.firstHeader = header
    if (type === nal.SLICE || type === nal.IDR || type === nal.PARTITION_A) {
      const { first } = found
      if (!this.#content.slice(reader, first, found.sets) || first.firstMb !== 0) return -1
      this.#countSlice(reader, first, found)
      return first.evidence + 1
    }
    found.prelude = (found.prelude * 31 + type) % 0x1_0000
    if (type === nal.PREFIX && this.#isWrapped(reader)) return this.#wrapped(reader, found)
    return this.#message(reader, header, count === 0, found)
  }

  /**
   * Samsung's slow motion wraps a whole access unit into its prefix NAL unit: behind the four header bytes follow
   * start codes with messages and the slice.
   */
  #isWrapped(reader: ByteReader): boolean {
    const { start, length } = this.#cursor
    return length > 8 && (reader.u32(start + 4) === 1 || reader.u24(start + 4) === 1)
  }

  #wrapped(reader: ByteReader, found: AccessUnit): number {
    const { start, length } = this.#cursor
    const end = start + length
    const limit = start + Math.min(length, WRAPPED_HEAD)
    let code = nextStartCode(reader, start + 4, limit)
    while (code < limit) {
      const at = code + 3
      const type = reader.u8(at) & 31
      if (type === nal.SLICE || type === nal.IDR) {
        const { first } = found
        if (!this.#content.slice(reader, first, found.sets, at, end - at) || first.firstMb !== 0) return -1
        this.#countSlice(reader, first, found)
        return first.evidence + 24
      }
      code = nextStartCode(reader, at, limit)
    }
    return -1
  }

  #message(reader: ByteReader, header: number, isFirst: boolean, found: AccessUnit): number {
    const { start, length } = this.#cursor
    const standard = header >> 5 === 0
    switch (header & 31) {
      case nal.AUD: {
        // the delimiter comes first, but the x264 encoder's version message was seen put before it
        if (length === 2 && (reader.u8(start + 1) & 31) === 16)
          return AUD_EVIDENCE + Math.log2(found.sets.bound)
        return isFirst && standard && length <= 4 ? 0 : -1
      }
      case nal.SEI: {
        if (!standard && !this.#content.mayEndExactly(reader)) return -1
        const sei = this.#content.messages(reader)
        if (sei.recoveryFrames >= 0) found.recoveryFrames = sei.recoveryFrames
        if (sei.exact) return SEI_EVIDENCE
        return standard && sei.plausible ? 0 : -1
      }
      case nal.SPS:
      case nal.PPS: {
        if (length > MAX_SET) return -1
        const bytes = reader.bytes(start, length)
        const isSps = (header & 31) === nal.SPS
        const kind = isSps ? found.sets.takeSps(bytes) : found.sets.takePps(bytes)
        if (kind === 'bad') return -1
        if (kind === 'known') return Math.min(length * 8, MAX_SET_EVIDENCE)
        return isSps ? NEW_SPS_EVIDENCE : NEW_PPS_EVIDENCE
      }
      case nal.PREFIX:
        return length >= 4 && length <= MAX_PREFIX_NAL ? 0 : -1
      default:
        return length <= MAX_SET ? 0 : -1
    }
  }

  /** A NAL unit behind the first slice. */
  #follow(reader: ByteReader, header: number, crossed: boolean, found: AccessUnit): number {
    if (header > 127) return OTHER_UNIT
    const { start, length } = this.#cursor
    const { first, current } = found
    const type = header & 31
    switch (type) {
      case nal.SLICE:
      case nal.IDR:
      case nal.PARTITION_A:
        return this.#followingSlice(reader, crossed, found)
      case nal.PARTITION_B:
      case nal.PARTITION_C:
        return first.nalType === nal.PARTITION_A ? 3 : OTHER_UNIT
      case nal.END_OF_SEQUENCE:
      case nal.END_OF_STREAM:
        return length === 1 ? Math.log2(found.sets.bound) : OTHER_UNIT
      case nal.FILLER:
        return this.#content.isFiller(reader) ? 16 : OTHER_UNIT
      case nal.AUXILIARY:
        return this.#content.slice(reader, found.next, found.sets) && found.next.frameNum === current.frameNum
          ? 8
          : OTHER_UNIT
      case nal.EXTENSION:
      case nal.EXTENSION_3D:
        return length > 4 && (header >> 5 === 0) === (current.refIdc === 0) ? 4 : OTHER_UNIT
      case nal.PREFIX:
        return length >= 4 && length <= MAX_PREFIX_NAL ? UNDECIDED : OTHER_UNIT
      case nal.SEI:
      case nal.SPS:
      case nal.PPS:
      case nal.AUD: {
        // only the second field of a frame may follow in the same unit
        const open = first.field && !found.hasSecond && !this.separateFields
        if (!open || OPENS_UNIT[header] === 0) return OTHER_UNIT
        return reader.u8(start + length - 1) !== 0 ? CROSSED : OTHER_UNIT
      }
      default:
        return this.trailers.has(type) ? 4 : OTHER_UNIT
    }
  }

  #followingSlice(reader: ByteReader, crossed: boolean, found: AccessUnit): number {
    const { first, current } = found
    const { next } = found
    const startsPicture = reader.u8(this.#cursor.start + 1) > 127
    // redundant slices and separate colour planes begin at the first macroblock again
    const mayRepeat = first.pps?.redundantPicCnt || first.sps?.separateColourPlanes
    if (startsPicture && !first.field && !mayRepeat) return OTHER_UNIT
    if (!this.#content.slice(reader, next, found.sets)) return OTHER_UNIT
    const shared =
      (first.sps?.log2MaxFrameNum ?? 0) + (first.sps?.pocType === 0 ? first.sps.log2MaxPocLsb : 0)
    if (next.redundant > 0) return next.frameNum === current.frameNum ? shared : OTHER_UNIT
    if (!crossed && this.#continues(found)) {
      this.#countSlice(reader, next, found)
      return next.evidence + shared + 6
    }
    if (found.hasSecond || this.separateFields || next.firstMb !== 0 || !pairsWith(first, next))
      return OTHER_UNIT
    this.#countSlice(reader, next, found)
    found.takeSecond()
    found.lastMb = 0
    return found.second.evidence + shared
  }

  /** Is `found.next` a further slice of the picture (arbitrary slice order exists in two profiles only)? */
  #continues(found: AccessUnit): boolean {
    const { next, current, lastMb } = found
    if (!next.samePicture(current)) return false
    if (next.sps?.separateColourPlanes) return true
    const anyOrder = next.sps?.profile === 66 || next.sps?.profile === 88 || (next.pps?.sliceGroups ?? 1) > 1
    return next.firstMb > lastMb || (anyOrder && next.firstMb !== 0 && next.firstMb !== lastMb)
  }

  /** The cut off NAL unit under the cursor is a further slice of the picture: the unit is not whole. */
  #continuesCut(reader: ByteReader, found: AccessUnit): boolean {
    const { start, length } = this.#cursor
    const { current, next } = found
    if ((reader.u8(start) & 31) !== current.nalType) return false
    if (this.#content.slice(reader, next, found.sets)) return this.#continues(found)
    return next.overrun && length > 1 && reader.u8(start + 1) < 128
  }

  #countSlice(reader: ByteReader, slice: SliceHeader, found: AccessUnit): void {
    found.slices++
    found.lastMb = slice.firstMb
    if (!slice.intra) found.intra = false
    found.zeroTail ||= this.#content.endsInZeros(reader)
  }
}
