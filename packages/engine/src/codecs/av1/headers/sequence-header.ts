import { BitReader } from '../../../bytes/bit-reader.ts'

/** A sequence header, AV1 Bitstream & Decoding Process Specification (2019-01-08) §5.5, up to what frame headers need. */
export interface SequenceHeader {
  readonly profile: number
  /** seq_level_idx and seq_tier of the first operating point. */
  readonly level: number
  readonly tier: number
  /** Bit at which enable_superres stands: what follows says how samples look (`readSampleFormat`). */
  readonly rest: number
  readonly reduced: boolean
  readonly width: number
  readonly height: number
  /** Bits in which frames tell sizes of their own. */
  readonly widthBits: number
  readonly heightBits: number
  /** use_128x128_superblock and enable_filter_intra. */
  readonly largeBlocks: boolean
  readonly filtersIntra: boolean
  readonly equalPictureInterval: boolean
  readonly decoderModel: boolean
  readonly presentationTimeBits: number
  /** Bits of frame ids, 0 when there are none. */
  readonly frameIdBits: number
  /** Bits of order hints, 0 when there are none. */
  readonly orderHintBits: number
  /** seq_force_screen_content_tools and seq_force_integer_mv; 2 leaves it to each frame. */
  readonly screenContent: number
  readonly integerVectors: number
  readonly bytes: Uint8Array
  /** delta_frame_id_length_minus_2 + 2. */
  readonly deltaIdBits: number
  /**
   * enable_interintra_compound, enable_masked_compound, enable_warped_motion, enable_dual_filter, enable_jnt_comp,
   * enable_ref_frame_mvs.
   */
  readonly mixes: boolean
  readonly masks: boolean
  readonly warps: boolean
  readonly filtersTwice: boolean
  readonly weighsDistances: boolean
  readonly projectsVectors: boolean
}

const EACH_FRAME = 2

/** Parses the payload of a sequence header OBU; undefined when it breaks the syntax. */
export function parseSequenceHeader(payload: Uint8Array): SequenceHeader | undefined {
  const bits = new BitReader(payload)
  const profile = bits.bits(3)
  if (profile > 2) return undefined
  const still = bits.bit() === 1
  const reduced = bits.bit() === 1
  if (reduced && !still) return undefined
  let equalPictureInterval = false
  let decoderModel = false
  let presentationTimeBits = 0
  let level = 0
  let tier = 0
  if (reduced) level = bits.bits(5)
  else {
    let delayBits = 0
    if (bits.bit() === 1) {
      bits.skip(64)
      equalPictureInterval = bits.bit() === 1
      if (equalPictureInterval) bits.ue()
      decoderModel = bits.bit() === 1
      if (decoderModel) {
        delayBits = bits.bits(5) + 1
        bits.skip(32 + 5)
        presentationTimeBits = bits.bits(5) + 1
      }
    }
    const displayDelay = bits.bit() === 1
    const points = bits.bits(5) + 1
    for (let i = 0; i < points; i++) {
      bits.skip(12)
      const pointLevel = bits.bits(5)
      const pointTier = pointLevel > 7 ? bits.bit() : 0
      if (i === 0) {
        level = pointLevel
        tier = pointTier
      }
      if (decoderModel && bits.bit() === 1) bits.skip(2 * delayBits + 1)
      if (displayDelay && bits.bit() === 1) bits.skip(4)
    }
  }
  const widthBits = bits.bits(4) + 1
  const heightBits = bits.bits(4) + 1
  const width = bits.bits(widthBits) + 1
  const height = bits.bits(heightBits) + 1
  let frameIdBits = 0
  let deltaIdBits = 0
  if (!reduced && bits.bit() === 1) {
    deltaIdBits = bits.bits(4) + 2
    frameIdBits = bits.bits(3) + deltaIdBits + 1
  }
  const largeBlocks = bits.bit() === 1
  const filtersIntra = bits.bit() === 1
  // enable_intra_edge_filter
  bits.skip(1)
  let orderHintBits = 0
  let tools = {
    mixes: false,
    masks: false,
    warps: false,
    filtersTwice: false,
    weighsDistances: false,
    projectsVectors: false,
  }
  let screenContent = EACH_FRAME
  let integerVectors = EACH_FRAME
  if (!reduced) {
    const flag = (): boolean => bits.bit() === 1
    tools = { ...tools, mixes: flag(), masks: flag(), warps: flag(), filtersTwice: flag() }
    const hints = flag()
    if (hints) tools = { ...tools, weighsDistances: flag(), projectsVectors: flag() }
    if (bits.bit() === 0) screenContent = bits.bit()
    if (screenContent > 0 && bits.bit() === 0) integerVectors = bits.bit()
    if (hints) orderHintBits = bits.bits(3) + 1
  }
  if (bits.overrun || frameIdBits > 16) return undefined
  return {
    ...{ profile, level, tier, rest: bits.position },
    ...{ reduced, width, height, widthBits, heightBits, largeBlocks, filtersIntra },
    ...{ equalPictureInterval, decoderModel, presentationTimeBits },
    ...{ deltaIdBits, ...tools },
    ...{ frameIdBits, orderHintBits, screenContent, integerVectors, bytes: payload.slice() },
  }
}
