import { Findings } from '../../../../model/finding.ts'
import type { RepairJob } from '../../../format.ts'
import type { HeldIndex } from '../../assess.ts'
import type { Movie, MovieTrack } from '../../read/movie.ts'
import type { FileReading } from '../../read/read.ts'
import { readFragments } from '../../read/read-fragments.ts'
import { withoutPersonal, withRemnant } from '../descriptions/track-facts.ts'
import { fragmentsWithSample } from './fragments-with-sample.ts'

/**
 * Gives fragments whose movie box lost some of its tracks, or their defaults (ISO/IEC 14496-12:2022 §8.8.3), those of another
 * movie under the same ids: what the movie box still has of a track stays. Undefined where it has all that the fragments name.
 */
export async function withLostTracks(
  job: RepairJob,
  reading: FileReading,
  own: Movie,
  other: Movie,
): Promise<HeldIndex | undefined> {
  if (own.whole || own.tracks.some(({ tables }) => (tables.sizes?.count ?? 0) > 0)) return undefined
  const { unknownTracks: named } = readFragments(job.damaged.reader, reading.fragments, [], new Findings(0))
  const theirs = new Map(other.tracks.map((track) => [track.description.id, track]))
  let completed = false
  const tracks = own.tracks.map((track) => {
    const lent = theirs.get(track.description.id)
    if (!lent || !named.has(track.description.id)) return track
    const whole = completedBy(track, lent)
    if (whole !== track) completed = true
    return whole
  })
  const known = new Set(own.tracks.map(({ description }) => description.id))
  for (const [id, track] of theirs) {
    if (known.has(id) || !named.has(id)) continue
    tracks.push(withoutPersonal(track))
    completed = true
  }
  if (!completed) return undefined
  return fragmentsWithSample(job, reading, { ...own, tracks }, new Findings(0))
}

/** A track with the description and the defaults of another where its own are lost. */
function completedBy(track: MovieTrack, lent: MovieTrack): MovieTrack {
  const described = track.entries.length > 0 && track.entries.every(({ whole }) => whole)
  if (!described) return withRemnant(lent, track)
  return track.extends || !lent.extends ? track : { ...track, extends: lent.extends }
}
