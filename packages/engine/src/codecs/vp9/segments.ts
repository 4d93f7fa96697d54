import type { BitReader } from '../../bytes/bit-reader.ts'

export const SEGMENTS = 8
/**
 * segmentation_feature_bits and segmentation_feature_signed, VP9 specification v0.6 §10.3; the last two are reference and skip.
 */
const FEATURE_BITS = [8, 6, 2, 0]
const FEATURE_SIGNED = [1, 1, 0, 0]
const REFERENCE_FEATURE = 2
const SKIP_FEATURE = 3
const NEVER = 255

/** What of a segment's features decides how its blocks are coded, by segment. */
export interface SegmentFeatures {
  /** The reference of all its blocks (0 intra); -1 where they choose. */
  readonly references: Int8Array
  /** 1 where its blocks have no coefficients and no vectors. */
  readonly skips: Uint8Array
}

/** segmentation_params, §7.2.10. */
export interface Segments {
  readonly enabled: boolean
  /** Each block says its segment, or, where `temporal`, whether it is the one of the frame before. */
  readonly mapped: boolean
  readonly temporal: boolean
  readonly treeProbabilities: Uint8Array
  readonly predictionProbabilities: Uint8Array
  /** Undefined where those before stay. */
  readonly features: SegmentFeatures | undefined
}

const NONE = new Uint8Array(0)
export const NO_SEGMENTS: Segments = {
  ...{ enabled: false, mapped: false, temporal: false },
  ...{ treeProbabilities: NONE, predictionProbabilities: NONE, features: undefined },
}
export const NO_FEATURES: SegmentFeatures = {
  references: new Int8Array(SEGMENTS).fill(-1),
  skips: new Uint8Array(SEGMENTS),
}

/** §6.2.11, behind segmentation_enabled. */
export function readSegments(bits: BitReader): Segments {
  const mapped = bits.bit() === 1
  const treeProbabilities = new Uint8Array(SEGMENTS - 1).fill(NEVER)
  const predictionProbabilities = new Uint8Array(3).fill(NEVER)
  let temporal = false
  if (mapped) {
    for (let i = 0; i < treeProbabilities.length; i++)
      if (bits.bit() === 1) treeProbabilities[i] = bits.bits(8)
    temporal = bits.bit() === 1
    for (let i = 0; temporal && i < 3; i++) if (bits.bit() === 1) predictionProbabilities[i] = bits.bits(8)
  }
  const features = bits.bit() === 1 ? readFeatures(bits) : undefined
  return { enabled: true, mapped, temporal, treeProbabilities, predictionProbabilities, features }
}

function readFeatures(bits: BitReader): SegmentFeatures {
  const references = new Int8Array(SEGMENTS).fill(-1)
  const skips = new Uint8Array(SEGMENTS)
  // whether the values are instead of the frame's or added to them
  bits.skip(1)
  for (let segment = 0; segment < SEGMENTS; segment++)
    for (const [feature, width] of FEATURE_BITS.entries()) {
      if (bits.bit() === 0) continue
      const value = width > 0 ? bits.bits(width) : 0
      bits.skip(FEATURE_SIGNED[feature])
      if (feature === REFERENCE_FEATURE) references[segment] = value
      else if (feature === SKIP_FEATURE) skips[segment] = 1
    }
  return { references, skips }
}
