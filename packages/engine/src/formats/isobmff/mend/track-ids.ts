import type { Findings } from '../../../model/finding.ts'
import { tableMended } from '../findings.ts'
import type { TrackDraft } from '../read/read-track.ts'
import { differByOneBit } from './bits.ts'

/**
 * Gives tracks whose id is one bit away from their number that number: writers number tracks from 1 on. An id that the movie's
 * defaults for fragments name as well is right.
 */
export function mendTrackIds(tracks: readonly TrackDraft[], findings: Findings): readonly TrackDraft[] {
  const ids = new Set(tracks.map(({ header }) => header.id))
  return tracks.map((track, i) => {
    const { id } = track.header
    const number = i + 1
    if (id === number || track.extends || ids.has(number) || !differByOneBit(id, number)) return track
    findings.add(tableMended(number, 'tkhd', id, number))
    return {
      ...track,
      header: { ...track.header, id: number },
      description: { ...track.description, id: number },
    }
  })
}
