import type { CompressedHeader } from './compressed-header.ts'
import { type CompoundReferences, compoundReferences } from './reference-contexts.ts'
import type { SegmentFeatures } from './segments.ts'
import type { Colours, UncompressedHeader } from './uncompressed-header.ts'

/** What the reading of a frame's tiles needs to know of it. */
export interface Frame {
  readonly header: UncompressedHeader
  readonly compressed: CompressedHeader
  readonly colours: Colours
  readonly features: SegmentFeatures
  readonly compound: CompoundReferences
  /** MiCols and MiRows, VP9 specification v0.6 §7.2.6: places of 8 by 8 samples across and down. */
  readonly columns: number
  readonly rows: number
}

/** Units of 8 samples that hold `samples`. */
export function placesOf(samples: number): number {
  return (samples + 7) >> 3
}

export function frameOf(
  header: UncompressedHeader,
  compressed: CompressedHeader,
  colours: Colours,
  features: SegmentFeatures,
): Frame {
  return {
    ...{ header, compressed, colours, features },
    compound: compoundReferences(header.signBias.length > 0 ? header.signBias : [0, 0, 0, 0]),
    columns: placesOf(header.width),
    rows: placesOf(header.height),
  }
}
