import type { Findings } from '../../../model/finding.ts'
import { headerMended } from '../findings.ts'
import type { Fragment } from '../read/fragment-drafts.ts'
import { differByOneBit } from './bits.ts'

/**
 * Mends a flipped bit in the track id of a fragment: a track that nobody knows is the one, one bit away, that the fragment lacks.
 * @param known ids of the movie's tracks
 */
export function mendFragmentTracks(
  fragments: readonly Fragment[],
  known: ReadonlySet<number>,
  findings: Findings,
): void {
  for (const { moof, tracks } of fragments) {
    for (const part of tracks) {
      const { track } = part.header
      if (known.has(track)) continue
      const near = [...known].filter(
        (id) => differByOneBit(id, track) && !tracks.some(({ header }) => header.track === id),
      )
      if (near.length !== 1) continue
      findings.add(headerMended(moof.offset, `track ${track} of 'tfhd'`, String(near[0])))
      part.header = { ...part.header, track: near[0] }
    }
  }
}
