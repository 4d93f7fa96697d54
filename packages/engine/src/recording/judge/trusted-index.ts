import type { TrackAlignment } from '../align/row-state.ts'

/** Evidence that an index's entries must show together before it is followed rather than the bytes carved. */
const TRUSTED_BITS = 60

/** A track of an index held against the bytes. */
export interface HeldTrack {
  readonly rows: number
  readonly alignment: Pick<TrackAlignment, 'fits' | 'damaged' | 'broken' | 'outside'>
  /** Bits of evidence that an entry shows which fits. */
  readonly weight: number
}

/**
 * An index is followed when entries of it fit the bytes beyond chance, or nothing in it can be checked: an entry names both
 * place and length, so that few that fit prove the whole; those that do not are damage.
 */
export function isTrusted(tracks: readonly HeldTrack[]): boolean {
  let bits = 0
  let checkable = 0
  let left = 0
  for (const { rows, alignment, weight } of tracks) {
    const { fits, damaged, broken, outside } = alignment
    bits += (fits + damaged) * weight
    checkable += fits + damaged + broken
    left += rows - broken - outside
  }
  return left > 0 && (checkable === 0 || bits >= TRUSTED_BITS)
}
