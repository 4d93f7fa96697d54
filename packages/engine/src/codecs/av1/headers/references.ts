import type { SegmentFeatures } from './segments.ts'

/**
 * What is kept of a frame for those that build on it: the reference frame update process, AV1 specification (2019-01-08) §7.20.
 */
export interface SavedFrame {
  /** It depends on no others; and is a key frame. */
  readonly intra: boolean
  readonly key: boolean
  readonly orderHint: number
  /** By reference, from 1 on. */
  readonly orderHints: readonly number[]
  readonly upscaledWidth: number
  readonly height: number
  readonly columns: number
  readonly rows: number
  readonly distributions: Uint16Array
  /** By place of four samples, and what segments are; the map is empty where there are none. */
  readonly segmentMap: Uint8Array
  readonly segments: SegmentFeatures
  readonly globals: readonly (readonly number[])[]
  /** By place of eight samples: references of vectors, 0 for none, and the vectors. */
  readonly fieldReferences: Uint8Array
  readonly fieldVectors: Int16Array
}

/** get_relative_dist, §5.9.3; `bits` of an order hint. */
export function distance(a: number, b: number, bits: number): number {
  if (bits === 0) return 0
  const half = 1 << (bits - 1)
  const difference = a - b
  return (difference & (half - 1)) - (difference & half)
}
