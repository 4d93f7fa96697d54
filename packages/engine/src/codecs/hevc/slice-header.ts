import { BitReader } from '../../bytes/bit-reader.ts'
import { isIdr, isIrap } from './nal-types.ts'
import type { Pps } from './pps.ts'
import { EMPTY_SET, type RefPicSet, readRefPicSet } from './ref-pic-set.ts'
import type { Sps } from './sps.ts'

const B = 0
const I = 2
/** Longest entry point list: a row of the smallest coding tree blocks each in the tallest picture, times tile columns. */
const MAX_ENTRY_POINTS = 22 * 1024

/** Where a slice header looks up its parameter sets. */
export interface ParameterSets {
  sps(id: number): Sps | undefined
  pps(id: number): Pps | undefined
}

/** One slice segment header, ITU-T H.265 (08/2021) §7.3.6.1. Objects are reused: `parse` overwrites every field. */
export class SliceHeader {
  nalType = 0
  temporalId = 0
  firstInPicture = false
  dependent = false
  address = 0
  /** 0 B, 1 P, 2 I. */
  type = I
  pps: Pps | undefined
  sps: Sps | undefined
  pocLsb = 0
  /** Bits of the header's syntax that chance would have missed. */
  evidence = 0
  /** Choices that encoders make once, as one number. */
  style = 0
  /** The header ended beyond the bytes that were given. */
  overrun = false
  /** SliceQpY. */
  qp = 0
  saoLuma = false
  saoChroma = false
  /**
   * num_ref_idx_active of both lists, mvd_l1_zero_flag, cabac_init_flag and MaxNumMergeCand, of slices that refer to pictures.
   */
  references0 = 0
  references1 = 0
  zeroVectors1 = false
  cabacInit = false
  mergeCandidates = 5
  /** Where the slice's blocks begin, in bytes from the NAL unit's header on. */
  dataByte = 0
  #refPicSet: RefPicSet = EMPTY_SET
  #longTermUsed = 0
  #saoOn = false
  readonly #bits = new BitReader(new Uint8Array(0))

  get intra(): boolean {
    return this.type === I
  }

  /**
   * Parses the header of a slice segment NAL unit from unescaped bytes, NAL unit header included. Returns false when a
   * field breaks its range or the parameter sets are unknown.
   */
  parse(bytes: Uint8Array, length: number, sets: ParameterSets): boolean {
    const bits = this.#bits
    bits.reset(bytes, 16, length * 8)
    this.nalType = (bytes[0] >> 1) & 63
    this.temporalId = (bytes[1] & 7) - 1
    this.evidence = 0
    const valid = this.#fields(bits, sets)
    this.overrun = bits.overrun
    return valid && !bits.overrun
  }

  #fields(bits: BitReader, sets: ParameterSets): boolean {
    this.firstInPicture = bits.bit() === 1
    if (isIrap(this.nalType)) bits.skip(1)
    const id = bits.ue()
    const pps = id <= 63 ? sets.pps(id) : undefined
    const sps = pps ? sets.sps(pps.spsId) : undefined
    if (!pps || !sps) return false
    this.pps = pps
    this.sps = sps
    this.evidence += 1
    this.dependent = false
    this.address = 0
    if (!this.firstInPicture) {
      if (pps.dependentSlices) this.dependent = bits.bit() === 1
      this.address = bits.bits(Math.ceil(Math.log2(sps.picSizeInCtbs)))
      if (this.address === 0 || this.address >= sps.picSizeInCtbs) return false
    }
    if (!this.dependent && !this.#independent(bits, pps, sps)) return false
    if (pps.entryPoints && !skipEntryPoints(bits)) return false
    if (pps.headerExtension) bits.skip(bits.ue() * 8)
    return this.#alignment(bits)
  }

  #independent(bits: BitReader, pps: Pps, sps: Sps): boolean {
    bits.skip(pps.extraSliceHeaderBits)
    this.type = bits.ue()
    if (this.type > I) return false
    if (isIrap(this.nalType) && this.type !== I && !pps.currPicRef) return false
    this.evidence += isIrap(this.nalType) ? 1.5 : 0.2
    if (pps.outputFlag) bits.skip(1)
    if (sps.separateColourPlanes && bits.bits(2) === 3) return false
    this.pocLsb = 0
    this.#refPicSet = EMPTY_SET
    this.#longTermUsed = 0
    let temporalMvp = false
    if (!isIdr(this.nalType)) {
      this.pocLsb = bits.bits(sps.log2MaxPocLsb)
      if (!this.#references(bits, sps)) return false
      temporalMvp = sps.temporalMvp && bits.bit() === 1
    }
    this.saoLuma = sps.sao && bits.bit() === 1
    this.saoChroma = sps.sao && sps.chromaFormat !== 0 && !sps.separateColourPlanes && bits.bit() === 1
    this.#saoOn = this.saoLuma || this.saoChroma
    if (this.type !== I && !this.#prediction(bits, pps, sps, temporalMvp)) return false
    return this.#filters(bits, pps, sps)
  }

  #references(bits: BitReader, sps: Sps): boolean {
    const sets = sps.refPicSets
    if (bits.bit() === 0) {
      const own = readRefPicSet(bits, sets.length, sets, true)
      if (!own) return false
      this.#refPicSet = own
    } else {
      const index = sets.length > 1 ? bits.bits(Math.ceil(Math.log2(sets.length))) : 0
      const named = sets[index]
      if (!named) return false
      this.#refPicSet = named
      this.evidence += Math.ceil(Math.log2(sets.length + 1)) - Math.log2(sets.length + 1)
    }
    return !sps.longTermRefPics || this.#longTerm(bits, sps)
  }

  #longTerm(bits: BitReader, sps: Sps): boolean {
    const named = sps.longTermUsed.length
    const fromSps = named > 0 ? bits.ue() : 0
    const total = fromSps + bits.ue()
    if (total > 16) return false
    for (let i = 0; i < total; i++) {
      if (i < fromSps) {
        const index = named > 1 ? bits.bits(Math.ceil(Math.log2(named))) : 0
        if (sps.longTermUsed[index]) this.#longTermUsed++
      } else {
        bits.skip(sps.log2MaxPocLsb)
        this.#longTermUsed += bits.bit()
      }
      if (bits.bit() === 1) bits.ue()
    }
    return true
  }

  #prediction(bits: BitReader, pps: Pps, sps: Sps, temporalMvp: boolean): boolean {
    let l0 = pps.refIdxL0
    let l1 = this.type === B ? pps.refIdxL1 : 0
    if (bits.bit() === 1) {
      l0 = bits.ue() + 1
      if (this.type === B) l1 = bits.ue() + 1
    }
    if (l0 > 15 || l1 > 15) return false
    const pictures =
      this.#refPicSet.used.reduce((sum, used) => sum + (used ? 1 : 0), 0) +
      this.#longTermUsed +
      (pps.currPicRef ? 1 : 0)
    if (pictures === 0) return false
    if (pps.listsModification && pictures > 1) {
      const width = Math.ceil(Math.log2(pictures))
      if (bits.bit() === 1) bits.skip(l0 * width)
      if (this.type === B && bits.bit() === 1) bits.skip(l1 * width)
    }
    this.references0 = l0
    this.references1 = l1
    this.zeroVectors1 = this.type === B && bits.bit() === 1
    this.cabacInit = pps.cabacInit && bits.bit() === 1
    if (temporalMvp) {
      const fromL0 = this.type !== B || bits.bit() === 1
      const most = fromL0 ? l0 : l1
      if (most > 1 && bits.ue() >= most) return false
    }
    const weighted = this.type === B ? pps.weightedBipred : pps.weightedPred
    if (weighted && !skipWeights(bits, sps, l0, l1)) return false
    this.mergeCandidates = 5 - bits.ue()
    if (this.mergeCandidates < 1) return false
    this.evidence += 0.3
    if (sps.screenContent.mvResolution === 2) bits.skip(1)
    return true
  }

  #filters(bits: BitReader, pps: Pps, sps: Sps): boolean {
    const qp = pps.initQp + bits.se()
    if (qp > 51 || qp < -6 * (sps.bitDepthLuma - 8)) return false
    this.qp = qp
    if (pps.chromaQpOffsets && (Math.abs(bits.se()) > 12 || Math.abs(bits.se()) > 12)) return false
    if (pps.actQpOffsets) for (let i = 0; i < 3; i++) if (Math.abs(bits.se()) > 12) return false
    if (pps.chromaQpOffsetList) bits.skip(1)
    let disabled = pps.deblockingDisabled
    let override = 0
    if (pps.deblockingOverride) override = bits.bit()
    if (override === 1) {
      disabled = bits.bit() === 1
      if (!disabled && (Math.abs(bits.se()) > 6 || Math.abs(bits.se()) > 6)) return false
    }
    if (pps.loopFilterAcrossSlices && (this.#saoOn || !disabled)) bits.skip(1)
    this.style = (((this.#saoOn ? 1 : 0) * 2 + override) * 2 + (disabled ? 1 : 0)) * 3 + this.type
    return true
  }

  /** byte_alignment(), §7.3.2.5: a one, then zeros. */
  #alignment(bits: BitReader): boolean {
    if (bits.bit() === 0) return false
    this.evidence += 1
    while (bits.position % 8 !== 0 && !bits.overrun) {
      if (bits.bit() === 1) return false
      this.evidence += 1
    }
    this.dataByte = bits.position / 8
    return true
  }
}

/** pred_weight_table, §7.3.6.3, of pictures that are all of this layer and of other times. */
function skipWeights(bits: BitReader, sps: Sps, l0: number, l1: number): boolean {
  const chroma = sps.chromaFormat !== 0 && !sps.separateColourPlanes
  if (bits.ue() > 7) return false
  if (chroma && Math.abs(bits.se()) > 7) return false
  for (const count of [l0, l1]) {
    const luma = count > 0 ? bits.bits(count) : 0
    const colours = chroma && count > 0 ? bits.bits(count) : 0
    for (let i = count - 1; i >= 0; i--) {
      if (((luma >> i) & 1) === 1) {
        if (Math.abs(bits.se()) > 128) return false
        bits.se()
      }
      if (((colours >> i) & 1) === 0) continue
      for (let plane = 0; plane < 2; plane++) {
        if (Math.abs(bits.se()) > 128) return false
        bits.se()
      }
    }
  }
  return !bits.overrun
}

function skipEntryPoints(bits: BitReader): boolean {
  const count = bits.ue()
  if (count > MAX_ENTRY_POINTS) return false
  if (count === 0) return true
  const width = bits.ue() + 1
  if (width > 32) return false
  bits.skip(count * width)
  return true
}
