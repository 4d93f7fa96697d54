import type { ByteReader } from '../../bytes/reader.ts'
import type { NalCursor } from '../nal/cursor.ts'
import { UnitContent } from '../nal/unit-content.ts'
import type { AccessUnit } from './access-unit.ts'
import { isBaseLayer, OPENING_EVIDENCE, OPENS_UNIT } from './first-nal.ts'
import * as nal from './nal-types.ts'
import type { SetKind } from './parameter-sets.ts'
import type { SliceHeader } from './slice-header.ts'

/** NAL units of one access unit: level 6.2 allows 600 slice segments, and as many messages and layers. */
const MAX_NALS = 4096
/** NAL units in front of the first slice: more than any encoder writes, few enough to be cheap in hostile bytes. */
const MAX_PRELUDE = 32
/** Bytes that hold nearly every slice segment header; longer ones (entry points, weights) are read again. */
const SLICE_HEAD = 128
const LONG_HEAD = 8192
/** Longest parameter set read. */
const MAX_SET = 8192
/** Parameter set bytes that count as evidence. */
const MAX_SET_EVIDENCE = 96
const NEW_SPS_EVIDENCE = 16
const NEW_SET_EVIDENCE = 6
const SEI_EVIDENCE = 12
/** pic_type is free, the trailing bits behind it are not. */
const AUD_EVIDENCE = 5

/** What a NAL unit behind the first slice segment is to the unit; numbers from 0 on are evidence that it belongs to it. */
const OTHER_UNIT = -1
/** Belongs to the unit only if a later NAL unit does. */
const UNDECIDED = -2

/** Walks the NAL units of one access unit, ITU-T H.265 (08/2021) §7.4.2.4.4. */
export class UnitWalker {
  /** Types beyond the standard's that the stream was seen to put behind its slices. */
  readonly trailers = new Set<number>([nal.DOLBY_METADATA, nal.DOLBY_LAYER])
  readonly #cursor: NalCursor
  readonly #content: UnitContent

  constructor(cursor: NalCursor) {
    this.#cursor = cursor
    this.#content = new UnitContent(cursor, { headerBytes: 2, head: SLICE_HEAD, longHead: LONG_HEAD })
  }

  /** The end of the unit at `offset`, its facts in `found`; -1 when none starts there. */
  walk(reader: ByteReader, offset: number, end: number, found: AccessUnit): number {
    const cursor = this.#cursor
    let { bound } = found.sets
    let prefix = 0
    let unitEnd = -1
    let position = offset
    for (let count = 0; count < MAX_NALS; count++) {
      if (!cursor.read(reader, position, end, bound)) {
        return unitEnd >= 0 && cursor.truncated && this.#continuesCut(reader, found) ? -1 : unitEnd
      }
      position = cursor.next
      const header = reader.u16(cursor.start)
      if (unitEnd < 0) {
        if (
          count >= MAX_PRELUDE ||
          OPENS_UNIT[header >> 8] === 0 ||
          !isBaseLayer(header & 255) ||
          cursor.length < 3
        )
          return -1
        const bits = this.#open(reader, header >> 9, count, found)
        if (bits < 0) return -1
        found.evidence += cursor.evidence(bound) + OPENING_EVIDENCE + bits
        if (found.segments > 0) unitEnd = position
        bound = found.sets.bound
        prefix = cursor.evidence(bound)
        continue
      }
      const bits = this.#follow(reader, header, found)
      if (bits === OTHER_UNIT) return unitEnd
      if (bits === UNDECIDED) continue
      found.evidence += prefix + bits
      unitEnd = position
    }
    return unitEnd
  }

  /** A NAL unit up to the first slice segment: evidence, or -1 when no access unit goes like this. */
  #open(reader: ByteReader, type: number, count: number, found: AccessUnit): number {
    if (count === 0) found.firstHeader = type
    if (nal.isSlice(type)) {
      const { first } = found
      if (!this.#content.slice(reader, first, found.sets) || !first.firstInPicture) return -1
      this.#countSegment(reader, first, found)
      return first.evidence + 1
    }
    found.prelude = (found.prelude * 67 + type) % 0x1_0000
    const { start, length } = this.#cursor
    if (type === nal.AUD) {
      if (length === 3 && (reader.u8(start + 2) & 31) === 16)
        return AUD_EVIDENCE + Math.log2(found.sets.bound)
      return count === 0 && length <= 5 ? 0 : -1
    }
    if (type === nal.PREFIX_SEI) {
      const sei = this.#content.messages(reader)
      if (sei.exact) return SEI_EVIDENCE
      return sei.plausible ? 0 : -1
    }
    return this.#parameterSet(reader, type, found)
  }

  #parameterSet(reader: ByteReader, type: number, found: AccessUnit): number {
    const { start, length } = this.#cursor
    if (length > MAX_SET) return -1
    const bytes = reader.bytes(start, length)
    let kind: SetKind
    if (type === nal.VPS) kind = found.sets.takeVps(bytes)
    else if (type === nal.SPS) kind = found.sets.takeSps(bytes)
    else kind = found.sets.takePps(bytes)
    if (kind === 'bad') return -1
    if (kind === 'known') return Math.min(length * 8, MAX_SET_EVIDENCE)
    return type === nal.SPS ? NEW_SPS_EVIDENCE : NEW_SET_EVIDENCE
  }

  /** A NAL unit behind the first slice segment. */
  #follow(reader: ByteReader, header: number, found: AccessUnit): number {
    const { length } = this.#cursor
    const type = header >> 9
    if (header > 0x7fff || (header & 7) === 0 || length < 2) return OTHER_UNIT
    const layer = (header >> 3) & 63
    if (layer > 0) {
      // enhancement layers (MV-HEVC, SHVC) belong to the base layer's access unit
      if (type <= nal.VCL_LAST) return nal.isSlice(type) && length > 4 ? 4 : OTHER_UNIT
      return type <= nal.SUFFIX_SEI ? UNDECIDED : OTHER_UNIT
    }
    if (nal.isSlice(type)) return this.#followingSegment(reader, found)
    switch (type) {
      case nal.END_OF_SEQUENCE:
      case nal.END_OF_BITSTREAM:
        if (length !== 2) return OTHER_UNIT
        found.ends = true
        return Math.log2(found.sets.bound)
      case nal.FILLER:
        return this.#content.isFiller(reader) ? 16 : OTHER_UNIT
      case nal.SUFFIX_SEI: {
        const sei = this.#content.messages(reader)
        if (sei.exact) return SEI_EVIDENCE
        return sei.plausible ? 0 : OTHER_UNIT
      }
      default:
        return this.trailers.has(type) ? 8 : OTHER_UNIT
    }
  }

  #followingSegment(reader: ByteReader, found: AccessUnit): number {
    const { first, next } = found
    if (reader.u8(this.#cursor.start + 2) > 127) return OTHER_UNIT
    if (!this.#content.slice(reader, next, found.sets) || !this.#continues(found)) return OTHER_UNIT
    this.#countSegment(reader, next, found)
    const lsb = next.dependent ? 0 : (first.sps?.log2MaxPocLsb ?? 0)
    return OPENING_EVIDENCE + next.evidence + lsb
  }

  /** Is `found.next` a further segment of the picture? Addresses rise, other facts agree (§7.4.7.1). */
  #continues(found: AccessUnit): boolean {
    const { first, next, lastAddress } = found
    if (next.firstInPicture || next.nalType !== first.nalType || next.temporalId !== first.temporalId)
      return false
    if (next.pps?.id !== first.pps?.id || next.address <= lastAddress) return false
    return next.dependent || next.pocLsb === first.pocLsb
  }

  /** The cut off NAL unit under the cursor is a further segment of the picture: the unit is not whole. */
  #continuesCut(reader: ByteReader, found: AccessUnit): boolean {
    const { start, length } = this.#cursor
    const { first, next } = found
    const header = reader.u16(start)
    if (header >> 9 !== first.nalType || (header & 7) !== first.temporalId + 1) return false
    if (this.#content.slice(reader, next, found.sets)) return this.#continues(found)
    return next.overrun && length > 2 && reader.u8(start + 2) < 128
  }

  #countSegment(reader: ByteReader, slice: SliceHeader, found: AccessUnit): void {
    found.segments++
    found.lastAddress = slice.address
    found.zeroTail ||= this.#content.endsInZeros(reader)
  }
}
