import type { BitReader } from '../../../bytes/bit-reader.ts'

/** Features of a segment, AV1 specification (2019-01-08) §5.9.14: bits of a value, and whether it has a sign. */
const FEATURES = [
  ...[
    { bits: 8, sign: 1 },
    { bits: 6, sign: 1 },
    { bits: 6, sign: 1 },
    { bits: 6, sign: 1 },
    { bits: 6, sign: 1 },
  ],
  ...[
    { bits: 3, sign: 0 },
    { bits: 0, sign: 0 },
    { bits: 0, sign: 0 },
  ],
]
const SEGMENTS = 8
const QUANTISER = 0
/** From this feature on segments are told before blocks tell whether they are skipped. */
const REFERENCE = 5
const SKIP = 6
const GLOBAL = 7
const MOST_QUANTISER = 255

/** Of each segment the values of its features, undefined for those that it has not. */
export type SegmentFeatures = readonly (readonly (number | undefined)[])[]

const NO_FEATURES: SegmentFeatures = new Array(SEGMENTS).fill(new Array(FEATURES.length).fill(undefined))

/** What the segments of a frame are: those of one without segments are all alike. */
export interface Segments {
  readonly enabled: boolean
  /** Blocks tell which segment they are of; else it is that of the same place in the frame before. */
  readonly mapped: boolean
  /** They may tell that it is that one. */
  readonly predicted: boolean
  readonly beforeSkip: boolean
  readonly last: number
  /**
   * Of each segment the index of its quantiser, whether its blocks are skipped, the frame they refer to, and whether they move as
   * all.
   */
  readonly quantisers: readonly number[]
  readonly skipped: readonly boolean[]
  readonly references: readonly (number | undefined)[]
  readonly global: readonly boolean[]
  readonly features: SegmentFeatures
}

/**
 * Reads segmentation_params; `before` are the features of the frame that this one's distributions are taken from, if it is of
 * such.
 */
export function readSegments(bits: BitReader, quantiser: number, before?: SegmentFeatures): Segments {
  const enabled = bits.bit() === 1
  const mapped = enabled && (!before || bits.bit() === 1)
  const predicted = mapped && before !== undefined && bits.bit() === 1
  const updated = enabled && (!before || bits.bit() === 1)
  const features = updated ? readFeatures(bits) : enabled && before ? before : NO_FEATURES
  const has = (feature: number): boolean[] => features.map((values) => values[feature] !== undefined)
  return {
    ...{ enabled, mapped, predicted, features },
    beforeSkip: features.some((values) => values.some((value, i) => i >= REFERENCE && value !== undefined)),
    last: Math.max(
      0,
      features.findLastIndex((values) => values.some((value) => value !== undefined)),
    ),
    quantisers: features.map((values) =>
      Math.min(Math.max(quantiser + (values[QUANTISER] ?? 0), 0), MOST_QUANTISER),
    ),
    ...{ skipped: has(SKIP), references: features.map((values) => values[REFERENCE]), global: has(GLOBAL) },
  }
}

function readFeatures(bits: BitReader): SegmentFeatures {
  return Array.from({ length: SEGMENTS }, () =>
    FEATURES.map(({ bits: width, sign }) => {
      if (bits.bit() === 0) return undefined
      const raw = bits.bits(width + sign)
      return sign === 1 && raw >> width === 1 ? raw - (2 << width) : raw
    }),
  )
}
