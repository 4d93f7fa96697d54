import { BitReader } from '../../bytes/bit-reader.ts'
import { unescaped } from '../nal/rbsp.ts'
import { parseVui, type Vui } from './vui.ts'

/** A sequence parameter set, ITU-T H.264 (08/2021) §7.3.2.1.1, as far as finding and ordering pictures needs it. */
export interface Sps {
  readonly id: number
  readonly profile: number
  /** constraint_set0_flag … constraint_set5_flag and the reserved bits, as the byte after the profile. */
  readonly constraints: number
  readonly level: number
  readonly chromaFormat: number
  readonly separateColourPlanes: boolean
  readonly bitDepthLuma: number
  readonly bitDepthChroma: number
  readonly log2MaxFrameNum: number
  readonly pocType: number
  readonly log2MaxPocLsb: number
  readonly deltaPicOrderAlwaysZero: boolean
  readonly offsetForNonRefPic: number
  readonly offsetForTopToBottomField: number
  readonly offsetsForRefFrame: readonly number[]
  readonly maxNumRefFrames: number
  readonly gapsAllowed: boolean
  readonly widthInMbs: number
  /** FrameHeightInMbs. */
  readonly heightInMbs: number
  readonly heightInMapUnits: number
  readonly frameMbsOnly: boolean
  readonly mbaff: boolean
  /** direct_8x8_inference_flag. */
  readonly direct8x8: boolean
  /** Picture size after cropping, in luma samples. */
  readonly width: number
  readonly height: number
  readonly vui: Vui | undefined
  /** Where in the unescaped unit, in bits, the picture size begins, the cropping, and what follows that. */
  readonly places: { readonly size: number; readonly cropping: number; readonly rest: number }
  /** The NAL unit as it stood in the stream, header included. */
  readonly bytes: Uint8Array
}

/** Profiles whose sequence parameter sets carry the chroma format and its kin. */
const HIGH_PROFILES = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135])
const PROFILES = new Set([...HIGH_PROFILES, 66, 77, 88])
/** level_idc from level 1b to 6.2, Table A-1. */
const LEAST_LEVEL = 9
const GREATEST_LEVEL = 62

/** Whether some bytes begin as a sequence parameter set does: with its type, a profile and a level. */
export function isSpsHead(nal: Uint8Array): boolean {
  const [type, profile, , level] = nal
  return (type & 0x9f) === 7 && PROFILES.has(profile) && level >= LEAST_LEVEL && level <= GREATEST_LEVEL
}

/** Largest picture side in macroblocks: 16384 luma samples, past every level of Annex A. */
const MAX_SIDE_MBS = 1024

/** Parses an SPS NAL unit (header included, emulation prevention in place); undefined when it breaks the syntax or its ranges. */
export function parseSps(nal: Uint8Array): Sps | undefined {
  if (nal.length < 5 || (nal[0] & 0x9f) !== 7 || !PROFILES.has(nal[1])) return undefined
  const bits = new BitReader(unescaped(nal), 8)
  const profile = bits.bits(8)
  const constraints = bits.bits(8)
  const level = bits.bits(8)
  const id = bits.ue()
  if (id > 31) return undefined
  let chromaFormat = 1
  let separateColourPlanes = false
  let bitDepthLuma = 8
  let bitDepthChroma = 8
  if (HIGH_PROFILES.has(profile)) {
    chromaFormat = bits.ue()
    if (chromaFormat > 3) return undefined
    if (chromaFormat === 3) separateColourPlanes = bits.bit() === 1
    bitDepthLuma = 8 + bits.ue()
    bitDepthChroma = 8 + bits.ue()
    if (bitDepthLuma > 14 || bitDepthChroma > 14) return undefined
    bits.skip(1)
    if (bits.bit() === 1) skipScalingLists(bits, chromaFormat === 3 ? 12 : 8)
  }
  const log2MaxFrameNum = 4 + bits.ue()
  const pocType = bits.ue()
  if (log2MaxFrameNum > 16 || pocType > 2) return undefined
  let log2MaxPocLsb = 4
  let deltaPicOrderAlwaysZero = false
  let offsetForNonRefPic = 0
  let offsetForTopToBottomField = 0
  const offsetsForRefFrame: number[] = []
  if (pocType === 0) {
    log2MaxPocLsb = 4 + bits.ue()
    if (log2MaxPocLsb > 16) return undefined
  } else if (pocType === 1) {
    deltaPicOrderAlwaysZero = bits.bit() === 1
    offsetForNonRefPic = bits.se()
    offsetForTopToBottomField = bits.se()
    const cycle = bits.ue()
    if (cycle > 255) return undefined
    for (let i = 0; i < cycle; i++) offsetsForRefFrame.push(bits.se())
  }
  const maxNumRefFrames = bits.ue()
  const gapsAllowed = bits.bit() === 1
  const sizeAt = bits.position
  const widthInMbs = bits.ue() + 1
  const heightInMapUnits = bits.ue() + 1
  const frameMbsOnly = bits.bit() === 1
  const mbaff = frameMbsOnly ? false : bits.bit() === 1
  const direct8x8 = bits.bit() === 1
  const heightInMbs = heightInMapUnits * (frameMbsOnly ? 1 : 2)
  if (maxNumRefFrames > 32 || widthInMbs > MAX_SIDE_MBS || heightInMbs > MAX_SIDE_MBS) return undefined
  const croppingAt = bits.position
  const crop = bits.bit() === 1 ? [bits.ue(), bits.ue(), bits.ue(), bits.ue()] : [0, 0, 0, 0]
  const planes = separateColourPlanes ? 0 : chromaFormat
  const unitX = planes === 1 || planes === 2 ? 2 : 1
  const unitY = (planes === 1 ? 2 : 1) * (frameMbsOnly ? 1 : 2)
  const width = widthInMbs * 16 - (crop[0] + crop[1]) * unitX
  const height = heightInMbs * 16 - (crop[2] + crop[3]) * unitY
  const places = { size: sizeAt, cropping: croppingAt, rest: bits.position }
  const hasVui = bits.bit() === 1
  if (bits.overrun || width <= 0 || height <= 0) return undefined
  const vui = hasVui ? parseVui(bits) : undefined
  return {
    id,
    profile,
    constraints,
    level,
    chromaFormat,
    separateColourPlanes,
    bitDepthLuma,
    bitDepthChroma,
    log2MaxFrameNum,
    pocType,
    log2MaxPocLsb,
    deltaPicOrderAlwaysZero,
    offsetForNonRefPic,
    offsetForTopToBottomField,
    offsetsForRefFrame,
    maxNumRefFrames,
    gapsAllowed,
    widthInMbs,
    heightInMbs,
    heightInMapUnits,
    frameMbsOnly,
    mbaff,
    direct8x8,
    width,
    height,
    vui,
    places,
    bytes: nal.slice(),
  }
}

function skipScalingLists(bits: BitReader, lists: number): void {
  for (let i = 0; i < lists; i++) {
    if (bits.bit() === 0) continue
    const size = i < 6 ? 16 : 64
    let last = 8
    let next = 8
    for (let j = 0; j < size && !bits.overrun; j++) {
      if (next !== 0) next = (last + bits.se() + 256) & 255
      if (next !== 0) last = next
    }
  }
}

/** Bytes that a coded picture of this sequence cannot exceed: all its macroblocks as raw samples, with room for headers. */
export function pictureBound(sps: Sps): number {
  const chroma = [0, 128, 256, 512][sps.chromaFormat] ?? 512
  const bits = 256 * sps.bitDepthLuma + chroma * sps.bitDepthChroma
  return Math.ceil(sps.widthInMbs * sps.heightInMbs * (bits / 8 + 16) * 1.2) + 65_536
}
