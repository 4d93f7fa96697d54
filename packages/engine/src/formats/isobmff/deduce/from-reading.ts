import { PROFILES } from '../profiles/library/index.ts'
import type { CameraProfile } from '../profiles/profile.ts'
import type { FileReading } from '../read/read.ts'
import { type Deduction, deduce } from './deduce.ts'
import { remainingTracks } from './described-tracks.ts'
import type { Ground } from './trial.ts'

/**
 * Works out what a file without a usable index consists of; `nearest` are cameras to be tried before those known. Undefined when
 * its payload does not tell.
 */
export async function deduceReading(
  ground: Ground,
  reading: FileReading,
  nearest: readonly CameraProfile[] = [],
): Promise<Deduction | undefined> {
  const { survey, fileType, movie, remnant } = reading
  const remains = remainingTracks(movie ?? remnant)
  const library = [...nearest, ...PROFILES]
  const found = await deduce(ground, survey.payload, { fileType, library, remains })
  // any bytes can be taken for PCM: alone it proves no recording
  const proven = found?.tracks.some(({ description }) => description.blockAlign === undefined)
  return proven ? found : undefined
}
