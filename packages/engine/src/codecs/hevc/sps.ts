import { BitReader } from '../../bytes/bit-reader.ts'
import { unescaped } from '../nal/rbsp.ts'
import { SPS } from './nal-types.ts'
import { type RefPicSet, readRefPicSet } from './ref-pic-set.ts'
import { parseVui, type Vui } from './vui.ts'

/** A sequence parameter set, ITU-T H.265 (08/2021) §7.3.2.2, as far as finding and ordering pictures needs it. */
export interface Sps {
  readonly id: number
  readonly vpsId: number
  readonly maxSubLayers: number
  readonly temporalIdNesting: boolean
  /** general_profile_space … general_level_idc: the 12 bytes that an `hvcC` repeats. */
  readonly profileTierLevel: Uint8Array
  readonly chromaFormat: number
  readonly separateColourPlanes: boolean
  readonly codedWidth: number
  readonly codedHeight: number
  /** Picture size after cropping, in luma samples. */
  readonly width: number
  readonly height: number
  readonly bitDepthLuma: number
  readonly bitDepthChroma: number
  readonly log2MaxPocLsb: number
  /** sps_max_dec_pic_buffering and sps_max_num_reorder_pics of the highest sub-layer. */
  readonly heldPictures: number
  readonly reorderPictures: number
  readonly picSizeInCtbs: number
  /** Sizes of coding and transform blocks, as powers of two. */
  readonly log2MinCb: number
  readonly log2Ctb: number
  readonly log2MinTb: number
  readonly log2MaxTb: number
  /** max_transform_hierarchy_depth_intra and _inter. */
  readonly transformDepth: number
  readonly interTransformDepth: number
  /** amp_enabled_flag: blocks may be parted unevenly. */
  readonly unevenParts: boolean
  /** Bare samples: bits of luma and chroma, smallest and largest block; undefined when there are none. */
  readonly pcm:
    | { readonly luma: number; readonly chroma: number; readonly min: number; readonly max: number }
    | undefined
  readonly sao: boolean
  readonly refPicSets: readonly RefPicSet[]
  readonly longTermRefPics: boolean
  /** used_by_curr_pic_lt_sps_flag of each long-term picture named here. */
  readonly longTermUsed: readonly boolean[]
  readonly temporalMvp: boolean
  readonly vui: Vui | undefined
  /** sps_curr_pic_ref_enabled_flag or motion vector resolution control: slice headers differ. */
  readonly screenContent: { readonly currPicRef: boolean; readonly mvResolution: number }
  /** Some tool of the range extension that changes how blocks are coded is in use. */
  readonly rangeTools: boolean
  /**
   * Where in the unescaped unit, in bits, the picture size begins, what follows size and cropping, the bit depths, and how
   * pictures are held.
   */
  readonly places: {
    readonly size: number
    readonly rest: number
    readonly depths: { readonly from: number; readonly until: number }
    /** From sps_sub_layer_ordering_info_present_flag until behind the numbers that it announces. */
    readonly held: { readonly from: number; readonly until: number }
  }
  /** The NAL unit as it stood in the stream, header included. */
  readonly bytes: Uint8Array
}

/** Largest picture side in luma samples: level 7.2 allows 16888. */
const MAX_SIDE = 32_768

/** Parses an SPS NAL unit of the base layer; undefined when it breaks the syntax or its ranges. */
export function parseSps(nal: Uint8Array): Sps | undefined {
  if (nal.length < 18 || nal[0] >> 1 !== SPS || (nal[0] & 1) !== 0 || nal[1] >> 3 !== 0) return undefined
  const payload = unescaped(nal)
  const bits = new BitReader(payload, 16)
  const vpsId = bits.bits(4)
  const maxSubLayers = bits.bits(3) + 1
  const temporalIdNesting = bits.bit() === 1
  if (maxSubLayers > 7) return undefined
  const profileTierLevel = payload.slice(3, 15)
  skipProfileTierLevel(bits, maxSubLayers)
  const id = bits.ue()
  const chromaFormat = bits.ue()
  if (id > 15 || chromaFormat > 3) return undefined
  const separateColourPlanes = chromaFormat === 3 && bits.bit() === 1
  const sizeAt = bits.position
  const codedWidth = bits.ue()
  const codedHeight = bits.ue()
  if (codedWidth === 0 || codedHeight === 0 || codedWidth > MAX_SIDE || codedHeight > MAX_SIDE)
    return undefined
  const crop = bits.bit() === 1 ? [bits.ue(), bits.ue(), bits.ue(), bits.ue()] : [0, 0, 0, 0]
  const rest = bits.position
  const unitX = chromaFormat === 1 || chromaFormat === 2 ? 2 : 1
  const unitY = chromaFormat === 1 ? 2 : 1
  const width = codedWidth - (crop[0] + crop[1]) * unitX
  const height = codedHeight - (crop[2] + crop[3]) * unitY
  const bitDepthLuma = 8 + bits.ue()
  const bitDepthChroma = 8 + bits.ue()
  const depths = { from: rest, until: bits.position }
  const log2MaxPocLsb = 4 + bits.ue()
  if (width <= 0 || height <= 0 || bitDepthLuma > 16 || bitDepthChroma > 16 || log2MaxPocLsb > 16)
    return undefined
  let reorderPictures = 0
  let heldPictures = 0
  const heldFrom = bits.position
  for (let i = bits.bit() === 1 ? 0 : maxSubLayers - 1; i < maxSubLayers; i++) {
    heldPictures = bits.ue() + 1
    reorderPictures = bits.ue()
    bits.ue()
  }
  const places = { size: sizeAt, rest, depths, held: { from: heldFrom, until: bits.position } }
  const log2MinCb = 3 + bits.ue()
  const log2Ctb = log2MinCb + bits.ue()
  if (reorderPictures > 16 || log2Ctb > 6 || log2Ctb < 4) return undefined
  const log2MinTb = 2 + bits.ue()
  const log2MaxTb = log2MinTb + bits.ue()
  const interTransformDepth = bits.ue()
  const transformDepth = bits.ue()
  if (bits.bit() === 1 && bits.bit() === 1) skipScalingLists(bits)
  const unevenParts = bits.bit() === 1
  const sao = bits.bit() === 1
  let pcm: Sps['pcm']
  if (bits.bit() === 1) {
    const [luma, chroma] = [bits.bits(4) + 1, bits.bits(4) + 1]
    const min = 3 + bits.ue()
    pcm = { luma, chroma, min, max: min + bits.ue() }
    bits.skip(1)
  }
  const sets = bits.ue()
  if (sets > 64 || bits.overrun) return undefined
  const refPicSets: RefPicSet[] = []
  for (let i = 0; i < sets; i++) {
    const set = readRefPicSet(bits, i, refPicSets, false)
    if (!set) return undefined
    refPicSets.push(set)
  }
  const longTermRefPics = bits.bit() === 1
  const longTermUsed: boolean[] = []
  if (longTermRefPics) {
    const count = bits.ue()
    if (count > 32) return undefined
    for (let i = 0; i < count; i++) {
      bits.skip(log2MaxPocLsb)
      longTermUsed.push(bits.bit() === 1)
    }
  }
  const temporalMvp = bits.bit() === 1
  bits.skip(1)
  if (bits.overrun) return undefined
  const vui = bits.bit() === 1 ? parseVui(bits, maxSubLayers) : undefined
  const ctb = 2 ** log2Ctb
  return {
    id,
    vpsId,
    maxSubLayers,
    temporalIdNesting,
    profileTierLevel,
    chromaFormat,
    separateColourPlanes,
    codedWidth,
    codedHeight,
    width,
    height,
    bitDepthLuma,
    bitDepthChroma,
    log2MaxPocLsb,
    heldPictures,
    reorderPictures,
    picSizeInCtbs: Math.ceil(codedWidth / ctb) * Math.ceil(codedHeight / ctb),
    ...{ log2MinCb, log2Ctb, log2MinTb, log2MaxTb, transformDepth, pcm, places },
    interTransformDepth,
    unevenParts,
    sao,
    refPicSets,
    longTermRefPics,
    longTermUsed,
    temporalMvp,
    vui,
    ...readExtensions(bits, chromaFormat, bitDepthLuma, bitDepthChroma),
    bytes: nal.slice(),
  }
}

/** §7.3.3 */
export function skipProfileTierLevel(bits: BitReader, maxSubLayers: number): void {
  bits.skip(96)
  if (maxSubLayers === 1) return
  let skip = 0
  for (let i = 0; i < 8; i++) {
    const profile = bits.bit() === 1 && i < maxSubLayers - 1
    const level = bits.bit() === 1 && i < maxSubLayers - 1
    skip += (profile ? 88 : 0) + (level ? 8 : 0)
  }
  bits.skip(skip)
}

/** §7.3.4 */
export function skipScalingLists(bits: BitReader): void {
  for (let size = 0; size < 4; size++) {
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (bits.bit() === 0) {
        bits.ue()
        continue
      }
      const coefficients = Math.min(64, 16 << (2 * size))
      if (size > 1) bits.se()
      for (let i = 0; i < coefficients && !bits.overrun; i++) bits.se()
    }
  }
}

/** Flags of the range extension's tools (§7.3.2.2.2). */
const RANGE_FLAGS = 9
/**
 * Those that only change how samples are predicted: transform_skip_rotation, intra_smoothing_disabled, high_precision_offsets.
 */
const PREDICTION_FLAGS = 0b100_001_100

/** Of the extensions, what slice headers and blocks depend on (§7.3.2.2.1 to §7.3.2.2.3). */
function readExtensions(
  bits: BitReader,
  chromaFormat: number,
  luma: number,
  chroma: number,
): Pick<Sps, 'screenContent' | 'rangeTools'> {
  const plain = { currPicRef: false, mvResolution: 0 }
  if (bits.overrun || bits.bit() === 0) return { screenContent: plain, rangeTools: false }
  const range = bits.bit() === 1
  const multilayer = bits.bit() === 1
  const depth = bits.bit() === 1
  const screen = bits.bit() === 1
  bits.skip(4)
  const rangeTools = range && (bits.bits(RANGE_FLAGS) & ~PREDICTION_FLAGS) !== 0
  if (multilayer) bits.skip(1)
  const none = { screenContent: plain, rangeTools: rangeTools && !bits.overrun }
  if (depth || !screen) return none
  const currPicRef = bits.bit() === 1
  if (bits.bit() === 1) {
    bits.ue()
    bits.ue()
    if (bits.bit() === 1) {
      const entries = bits.ue() + 1
      const components = chromaFormat === 0 ? [luma] : [luma, chroma, chroma]
      for (const depthOf of components) bits.skip(Math.min(entries, 128) * depthOf)
    }
  }
  const mvResolution = bits.bits(2)
  return bits.overrun ? none : { screenContent: { currPicRef, mvResolution }, rangeTools }
}

/** Bytes that a coded picture of this sequence cannot exceed: its raw samples, with room for headers. */
export function pictureBound(sps: Sps): number {
  const chroma = [0, 0.5, 1, 2][sps.chromaFormat] ?? 2
  const bits = sps.codedWidth * sps.codedHeight * (sps.bitDepthLuma + chroma * sps.bitDepthChroma)
  return Math.ceil((bits / 8) * 1.25) + 65_536
}
