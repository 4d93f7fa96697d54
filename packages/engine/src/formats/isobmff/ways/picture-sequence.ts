import { type Doubt, doubtsThat } from '../../../model/doubt.ts'
import type { Movie, MovieTrack } from '../read/movie.ts'
import type { RecoveredTrack } from './index/surviving-index.ts'

/** Handlers of pictures that are a photo's, and of what belongs to them, such as transparency: ISO/IEC 23008-12:2022 §7.2.2. */
const PICTURES = 'pict'
const BESIDE: ReadonlySet<string> = new Set([PICTURES, 'auxv'])

/** True for a movie whose pictures are a photo stored as a sequence, none of a film. */
export function isPictureSequence({ tracks }: Pick<Movie, 'tracks'>): boolean {
  return tracks.some(({ handlerType }) => handlerType === PICTURES)
}

/**
 * What a sequence of pictures lacks. Where a film is repaired when all that survives plays, a photo is not while pictures of it
 * are gone or hit, be it those of a whole track.
 */
export function sequenceDoubts(movie: Movie, found: readonly RecoveredTrack[]): Doubt[] {
  if (!isPictureSequence(movie)) return []
  const belongs = ({ handlerType }: MovieTrack): boolean => BESIDE.has(handlerType)
  const named = movie.tracks.filter((track) => belongs(track) && track.samples.length > 0)
  const outcomes = found.filter(({ plan }) => belongs(plan.template)).map(({ outcome }) => outcome)
  return doubtsThat({
    frames: outcomes.length < named.length || outcomes.some(({ lost }) => lost > 0),
    areasLost: outcomes.some(({ damaged }) => damaged > 0),
  })
}
