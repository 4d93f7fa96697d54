import { type CameraProfile, hexOf } from '../../../recording/cameras/camera-profile.ts'
import { PROFILES } from '../../../recording/cameras/library/index.ts'
import { type Deduction, deduce } from '../../../recording/deduce/deduce.ts'
import { QUICKTIME_RATES, SOUND_ALIKE } from '../../../recording/deduce/draft-clocks.ts'
import type { Place } from '../../../recording/deduce/trial.ts'
import type { Movie, MovieTrack } from '../read/movie.ts'
import type { FileReading } from '../read/read.ts'
import { draftMovie } from '../write/draft-movie.ts'
import { ISO_DRAFTS } from '../write/iso-drafts.ts'
import { remainingTracks } from './described-tracks.ts'

/** What was deduced, as a movie. */
export interface DeducedMovie extends Deduction {
  readonly movie: Movie
  readonly tracks: readonly MovieTrack[]
}

/**
 * Works out what a file without a usable index consists of; `nearest` are cameras to be tried before those known. Undefined when
 * its payload does not tell.
 */
export async function deduceReading(
  place: Place,
  reading: FileReading,
  nearest: readonly CameraProfile[] = [],
): Promise<DeducedMovie | undefined> {
  const { survey, fileType, movie, remnant } = reading
  const remains = remainingTracks(movie ?? remnant)
  const library = [...nearest, ...PROFILES]
  const found = await deduce({ ...place, family: ISO_DRAFTS }, survey.payload, {
    soundRates: isQuickTime(fileType) ? QUICKTIME_RATES : SOUND_ALIKE[0],
    isWrittenLike: ({ isobmff }) => isobmff.fileType === (fileType ? hexOf(fileType) : ''),
    library,
    remains,
  })
  // any bytes can be taken for PCM: alone it proves no recording
  const proven = found?.tracks.some(({ description }) => description.blockAlign === undefined)
  const made = found && proven ? draftMovie(found.draft)?.movie : undefined
  if (!found || !made) return undefined
  return { ...found, movie: made, tracks: made.tracks.map((track, i) => ({ ...track, ...found.tracks[i] })) }
}

/** Major brand `qt  `, QuickTime File Format. */
function isQuickTime(fileType: Uint8Array | undefined): boolean {
  return fileType !== undefined && fileType[8] === 0x71 && fileType[9] === 0x74
}
