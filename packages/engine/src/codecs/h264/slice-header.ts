import { BitReader } from '../../bytes/bit-reader.ts'
import { IDR, PARTITION_A } from './nal-types.ts'
import type { Pps } from './pps.ts'
import type { Sps } from './sps.ts'

/** slice_type modulo 5, Table 7-6. */
const P = 0
const B = 1
const I = 2
const SP = 3
const SI = 4

const EXTENDED_PROFILE = 88

/** Where a slice header looks up its parameter sets. */
export interface ParameterSets {
  sps(id: number): Sps | undefined
  pps(id: number): Pps | undefined
}

/** One slice header, §7.3.3. Objects are reused: `parse` overwrites every field. */
export class SliceHeader {
  nalType = 0
  refIdc = 0
  firstMb = 0
  /** slice_type modulo 5. */
  type = 0
  /** slice_type said that all slices of the picture are of this type. */
  uniform = false
  pps: Pps | undefined
  sps: Sps | undefined
  frameNum = 0
  field = false
  bottom = false
  idrPicId = 0
  pocLsb = 0
  deltaBottom = 0
  delta0 = 0
  delta1 = 0
  redundant = 0
  /** A memory_management_control_operation equal to 5: the picture acts as an IDR picture afterwards. */
  resets = false
  /** Bits of the header's syntax that chance would have missed. */
  evidence = 0
  /** Deblocking control and reference counts as one number, to compare with what the encoder usually writes. */
  style = 0
  /** The header ended beyond the bytes that were given. */
  overrun = false
  /** SliceQPY. */
  qp = 0
  /** References of list 0 that the slice itself counts, 0 where it leaves that to its picture parameter set. */
  ownReferences = 0
  /** num_ref_idx_active of both lists, as far as the slice has them. */
  references0 = 0
  references1 = 0
  cabacInit = 0
  /** Deblocking is controlled and left as it is: 111 in bits, which looks like alignment. */
  plainDeblocking = false
  /** Where the slice's macroblocks begin, in bits from the NAL unit's header on, alignment passed. */
  dataBit = 0
  readonly #bits = new BitReader(new Uint8Array(0))

  get idr(): boolean {
    return this.nalType === IDR
  }

  get intra(): boolean {
    return this.type === I || this.type === SI
  }

  /**
   * Parses the header of slice or partition A NAL units from unescaped bytes, NAL unit header included. Returns false when a
   * field breaks its range or the parameter sets are unknown.
   */
  parse(bytes: Uint8Array, length: number, sets: ParameterSets): boolean {
    const bits = this.#bits
    bits.reset(bytes, 8, length * 8)
    this.nalType = bytes[0] & 31
    this.refIdc = (bytes[0] >> 5) & 3
    this.evidence = 0
    this.overrun = false
    const valid = this.#fields(bits, sets)
    this.overrun = bits.overrun
    return valid && !bits.overrun
  }

  #fields(bits: BitReader, sets: ParameterSets): boolean {
    this.firstMb = bits.ue()
    const type = bits.ue()
    if (type > 9) return false
    this.type = type % 5
    this.uniform = type >= 5
    const id = bits.ue()
    const pps = id <= 255 ? sets.pps(id) : undefined
    const sps = pps ? sets.sps(pps.spsId) : undefined
    if (!pps || !sps) return false
    this.pps = pps
    this.sps = sps
    this.evidence += 1
    if (this.idr && !this.intra) return false
    if (this.type >= SP && sps.profile !== EXTENDED_PROFILE) return false
    if (this.type === B && sps.profile === 66) return false
    if (!this.intra && sps.maxNumRefFrames === 0) return false
    if (sps.separateColourPlanes && bits.bits(2) === 3) return false
    this.frameNum = bits.bits(sps.log2MaxFrameNum)
    this.field = !sps.frameMbsOnly && bits.bit() === 1
    this.bottom = this.field && bits.bit() === 1
    const mbs = sps.widthInMbs * sps.heightInMbs
    if (this.firstMb >= (this.field || sps.mbaff ? mbs / 2 : mbs)) return false
    this.idrPicId = 0
    if (this.idr) {
      if (this.frameNum !== 0) return false
      this.evidence += sps.log2MaxFrameNum
      this.idrPicId = bits.ue()
      if (this.idrPicId > 65_535) return false
    }
    this.#order(bits, pps, sps)
    this.redundant = pps.redundantPicCnt ? bits.ue() : 0
    if (this.redundant > 127) return false
    if (this.type === B) bits.skip(1)
    this.ownReferences = 0
    let l0 = pps.refIdxL0
    let l1 = pps.refIdxL1
    let override = 0
    if (!this.intra) {
      override = bits.bit()
      if (override === 1) {
        l0 = bits.ue() + 1
        this.ownReferences = l0
        if (this.type === B) l1 = bits.ue() + 1
      }
      const most = this.field ? 32 : 16
      if (l0 > most || (this.type === B && l1 > most)) return false
      if (override === 1) this.evidence += 0.5
    }
    this.references0 = this.intra ? 0 : l0
    this.references1 = this.type === B ? l1 : 0
    if (!this.intra && !this.#modification(bits)) return false
    if (this.type === B && !this.#modification(bits)) return false
    const weighted =
      (pps.weightedPred && (this.type === P || this.type === SP)) ||
      (pps.weightedBipred === 1 && this.type === B)
    if (weighted && !this.#weights(bits, sps, l0, this.type === B ? l1 : 0)) return false
    this.resets = false
    if (this.refIdc !== 0 && !this.#marking(bits)) return false
    let cabacInit = 0
    if (pps.cabac && !this.intra) {
      cabacInit = bits.ue()
      if (cabacInit > 2) return false
      this.evidence += 0.4
    }
    const qp = pps.initQp + bits.se()
    if (qp > 51 || qp < -6 * (sps.bitDepthLuma - 8)) return false
    this.qp = qp
    if (this.type >= SP) {
      if (this.type === SP) bits.skip(1)
      const qs = bits.se()
      if (Math.abs(qs) > 52) return false
    }
    let deblocking = 0
    this.plainDeblocking = false
    if (pps.deblockingControl) {
      deblocking = bits.ue()
      if (deblocking > 2) return false
      this.evidence += 0.4
      if (deblocking !== 1) {
        const alpha = bits.se()
        const beta = bits.se()
        if (Math.abs(alpha) > 6 || Math.abs(beta) > 6) return false
        this.evidence += 0.2
        this.plainDeblocking = deblocking === 0 && alpha === 0 && beta === 0
        deblocking += 3 * (alpha + 6 + 13 * (beta + 6))
      }
    }
    if (pps.sliceGroups > 1 && pps.sliceGroupMapType >= 3 && pps.sliceGroupMapType <= 5) {
      bits.skip(
        Math.ceil(
          Math.log2(Math.ceil((sps.widthInMbs * sps.heightInMapUnits) / pps.sliceGroupChangeRate) + 1),
        ),
      )
    }
    if (this.nalType === PARTITION_A) bits.ue()
    if (pps.cabac) {
      while (bits.position % 8 !== 0 && !bits.overrun) {
        if (bits.bit() === 0) return false
        this.evidence += 1
      }
    }
    this.dataBit = bits.position
    this.cabacInit = cabacInit
    this.style = ((deblocking * 2 + override) * 3 + cabacInit) * 10 + type
    return true
  }

  #order(bits: BitReader, pps: Pps, sps: Sps): void {
    this.pocLsb = 0
    this.deltaBottom = 0
    this.delta0 = 0
    this.delta1 = 0
    if (sps.pocType === 0) {
      this.pocLsb = bits.bits(sps.log2MaxPocLsb)
      if (pps.bottomFieldPicOrder && !this.field) this.deltaBottom = bits.se()
    } else if (sps.pocType === 1 && !sps.deltaPicOrderAlwaysZero) {
      this.delta0 = bits.se()
      if (pps.bottomFieldPicOrder && !this.field) this.delta1 = bits.se()
    }
  }

  /** ref_pic_list_modification of one list, §7.3.3.1. */
  #modification(bits: BitReader): boolean {
    if (bits.bit() === 0) return true
    for (let i = 0; i <= 66; i++) {
      const operation = bits.ue()
      if (operation === 3) return true
      if (operation > 5 || bits.overrun) return false
      bits.ue()
      this.evidence += 0.3
    }
    return false
  }

  /** pred_weight_table, §7.3.3.2. */
  #weights(bits: BitReader, sps: Sps, l0: number, l1: number): boolean {
    const chroma = !sps.separateColourPlanes && sps.chromaFormat !== 0
    if (bits.ue() > 7) return false
    if (chroma && bits.ue() > 7) return false
    for (let i = 0; i < l0 + l1; i++) {
      for (let values = bits.bit() === 1 ? 2 : 0; values > 0; values--) if (!isWeight(bits.se())) return false
      if (!chroma) continue
      for (let values = bits.bit() === 1 ? 4 : 0; values > 0; values--) if (!isWeight(bits.se())) return false
    }
    return true
  }

  /** dec_ref_pic_marking, §7.3.3.3. */
  #marking(bits: BitReader): boolean {
    if (this.idr) {
      bits.skip(2)
      return true
    }
    if (bits.bit() === 0) return true
    for (let i = 0; i <= 66; i++) {
      const operation = bits.ue()
      if (operation === 0) return true
      if (operation > 6 || bits.overrun) return false
      if (operation === 5) this.resets = true
      else bits.ue()
      if (operation === 3) bits.ue()
      this.evidence += 0.3
    }
    return false
  }

  /** Do both slices belong to one primary coded picture (§7.4.1.2.4)? */
  samePicture(other: SliceHeader): boolean {
    return (
      this.frameNum === other.frameNum &&
      this.pps?.id === other.pps?.id &&
      this.field === other.field &&
      this.bottom === other.bottom &&
      (this.refIdc === 0) === (other.refIdc === 0) &&
      this.idr === other.idr &&
      this.idrPicId === other.idrPicId &&
      this.pocLsb === other.pocLsb &&
      this.deltaBottom === other.deltaBottom &&
      this.delta0 === other.delta0 &&
      this.delta1 === other.delta1
    )
  }
}

/** What tells whether two fields make one frame. */
export type FieldFacts = Pick<SliceHeader, 'field' | 'bottom' | 'frameNum' | 'refIdc' | 'idr' | 'sps'>

/** Is `second` the second field of the frame whose first field is `first` (complementary pair, §3.30 and §3.31)? */
export function pairsWith(first: FieldFacts, second: SliceHeader): boolean {
  return (
    first.field &&
    second.field &&
    first.bottom !== second.bottom &&
    first.frameNum === second.frameNum &&
    !second.resets &&
    (first.refIdc === 0) === (second.refIdc === 0) &&
    (!second.idr || first.idr) &&
    first.sps?.id === second.sps?.id
  )
}

function isWeight(value: number): boolean {
  return value >= -128 && value <= 127
}
