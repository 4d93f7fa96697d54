import type { ByteReader } from '../../bytes/reader.ts'
import { type Region, regionAt } from '../../bytes/regions.ts'
import type { SampleChecker } from './sample-checker.ts'

/** What became of one index entry. */
export const ROW_UNCHECKED = 0
/** Its bytes are a unit of its codec. */
export const ROW_FITS = 1
/** Its bytes are no unit of its codec. */
export const ROW_BROKEN = 2
/** It fits, but something inside is impossible. */
export const ROW_DAMAGED = 3
/** It lies, wholly or partly, past the end of the file or before its start. */
export const ROW_OUTSIDE = 4

/** The index of one track held against the bytes. */
export interface TrackAlignment {
  readonly state: Uint8Array
  /** Bytes to add to each row's offset to find it. */
  readonly shift: Float64Array
  fits: number
  broken: number
  damaged: number
  outside: number
}

/** Where samples can lie. */
export interface Ground {
  readonly reader: ByteReader
  readonly payload: readonly Region[]
}

/** Counts `by` rows of a state. */
export function count(track: TrackAlignment, state: number, by: number): void {
  if (state === ROW_FITS) track.fits += by
  else if (state === ROW_BROKEN) track.broken += by
  else if (state === ROW_DAMAGED) track.damaged += by
  else if (state === ROW_OUTSIDE) track.outside += by
}

/** What the bytes at a place say of a row of this size. */
export function judge(ground: Ground, checker: SampleChecker, offset: number, size: number): number {
  const { reader, payload } = ground
  if (offset < 0 || offset + size > reader.size) return ROW_OUTSIDE
  if (size === 0) return ROW_UNCHECKED
  if (checker.bits > 0) {
    if (!checker.fits(offset, size)) return ROW_BROKEN
    return checker.intact(offset, size) ? ROW_FITS : ROW_DAMAGED
  }
  // What cannot be checked must at least lie where samples can lie.
  return regionAt(payload, offset) === undefined ? ROW_OUTSIDE : ROW_UNCHECKED
}
