import type { BitReader } from '../../bytes/bit-reader.ts'

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
const MOST_QUANTISER = 255

/** What the segments of a frame are: those of one without segments are all alike. */
export interface Segments {
  readonly enabled: boolean
  readonly beforeSkip: boolean
  readonly last: number
  /** Of each segment the index of its quantiser, and whether its blocks are skipped. */
  readonly quantisers: readonly number[]
  readonly skipped: readonly boolean[]
}

/** Reads segmentation_params of a frame that depends on no other one. */
export function readSegments(bits: BitReader, quantiser: number): Segments {
  const enabled = bits.bit() === 1
  const quantisers = new Array<number>(SEGMENTS).fill(quantiser)
  const skipped = new Array<boolean>(SEGMENTS).fill(false)
  let beforeSkip = false
  let last = 0
  for (let segment = 0; enabled && segment < SEGMENTS; segment++) {
    for (const [feature, { bits: width, sign }] of FEATURES.entries()) {
      if (bits.bit() === 0) continue
      const raw = bits.bits(width + sign)
      const value = sign === 1 && raw >> width === 1 ? raw - (2 << width) : raw
      last = segment
      if (feature >= REFERENCE) beforeSkip = true
      if (feature === SKIP) skipped[segment] = true
      if (feature === QUANTISER)
        quantisers[segment] = Math.min(Math.max(quantiser + value, 0), MOST_QUANTISER)
    }
  }
  return { enabled, beforeSkip, last, quantisers, skipped }
}
