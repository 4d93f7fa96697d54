import { BitWriter, escaped } from './bit-writer.ts'

/** What a hand-made sequence parameter set says. */
export interface SpsFacts {
  readonly id?: number
  readonly pocType?: 0 | 1 | 2
  readonly offsetForNonRefPic?: number
  readonly offsetsForRefFrame?: readonly number[]
  readonly fields?: boolean
  readonly mbaff?: boolean
  readonly gapsAllowed?: boolean
  readonly widthInMbs?: number
  readonly heightInMapUnits?: number
}

/** What a hand-made slice says. */
export interface SliceFacts {
  readonly idr?: boolean
  readonly refIdc?: number
  readonly firstMb?: number
  /** slice_type: 0 P, 1 B, 2 I. */
  readonly type?: number
  readonly ppsId?: number
  readonly frameNum?: number
  readonly pocLsb?: number
  readonly bottom?: boolean
  readonly field?: boolean
  readonly mmco5?: boolean
  readonly idrPicId?: number
  /** redundant_pic_cnt, where the picture parameter set has it. */
  readonly redundant?: number
  readonly bytes?: number
  /** Writes the macroblocks, instead of filler. */
  readonly data?: (bits: BitWriter) => unknown
}

/** log2_max_frame_num and log2_max_pic_order_cnt_lsb of all hand-made sequences. */
export const FRAME_NUM_BITS = 4
export const POC_LSB_BITS = 6

/** An SPS of the Main profile, ITU-T H.264 §7.3.2.1.1. */
export function makeSps(facts: SpsFacts = {}): Uint8Array {
  const { pocType = 0, offsetsForRefFrame = [2] } = facts
  const bits = new BitWriter()
    .u(8, 0x67)
    .u(8, 77)
    .u(8, 0)
    .u(8, 30)
    .ue(facts.id ?? 0)
    .ue(FRAME_NUM_BITS - 4)
    .ue(pocType)
  if (pocType === 0) bits.ue(POC_LSB_BITS - 4)
  if (pocType === 1) {
    bits
      .u(1, 1)
      .se(facts.offsetForNonRefPic ?? -1)
      .se(1)
      .ue(offsetsForRefFrame.length)
    for (const offset of offsetsForRefFrame) bits.se(offset)
  }
  bits
    .ue(4)
    .u(1, facts.gapsAllowed ? 1 : 0)
    .ue((facts.widthInMbs ?? 8) - 1)
    .ue((facts.heightInMapUnits ?? 4) - 1)
  bits.u(1, facts.fields ? 0 : 1)
  if (facts.fields) bits.u(1, facts.mbaff ? 1 : 0)
  return escaped(bits.u(1, 1).u(1, 0).u(1, 0).trailing().bytes())
}

/** A PPS for context-adaptive variable length coding, §7.3.2.2. */
export function makePps(id = 0, spsId = 0): Uint8Array {
  const bits = new BitWriter().u(8, 0x68).ue(id).ue(spsId).u(1, 0).u(1, 0).ue(0).ue(0).ue(0).u(1, 0).u(2, 0)
  return escaped(bits.se(0).se(0).se(0).u(1, 1).u(1, 0).u(1, 0).trailing().bytes())
}

/**
 * A slice NAL unit whose header is right and whose data are filler where none are given, §7.3.3. `sps` tells how its fields are
 * laid out.
 */
export function makeSlice(facts: SliceFacts, sps: SpsFacts = {}): Uint8Array {
  const { idr = false, refIdc = 1, type = idr ? 2 : 0, pocLsb = 0 } = facts
  const bits = new BitWriter().u(8, (refIdc << 5) | (idr ? 5 : 1))
  bits
    .ue(facts.firstMb ?? 0)
    .ue(type)
    .ue(facts.ppsId ?? 0)
    .u(FRAME_NUM_BITS, facts.frameNum ?? 0)
  if (sps.fields) {
    bits.u(1, facts.field ? 1 : 0)
    if (facts.field) bits.u(1, facts.bottom ? 1 : 0)
  }
  if (idr) bits.ue(facts.idrPicId ?? 0)
  if ((sps.pocType ?? 0) === 0) bits.u(POC_LSB_BITS, pocLsb)
  if (facts.redundant !== undefined) bits.ue(facts.redundant)
  if (type === 1) bits.u(1, 1)
  if (type !== 2) bits.u(1, 0).u(1, 0)
  if (type === 1) bits.u(1, 0)
  if (refIdc !== 0) {
    if (idr) bits.u(2, 0)
    else if (facts.mmco5) bits.u(1, 1).ue(5).ue(0)
    else bits.u(1, 0)
  }
  bits.se(0).ue(1)
  const filler = facts.bytes ?? 40
  if (facts.data) facts.data(bits)
  else for (let i = 0; i < filler; i++) bits.u(8, 0x55 ^ ((i * 37) & 0xff))
  return escaped(bits.trailing().bytes())
}
