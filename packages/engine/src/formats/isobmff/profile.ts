import type { Limits } from '../../bytes/limits.ts'
import type { Monitor } from '../../model/monitor.ts'
import { profileFileName, renderProfile } from '../../recording/cameras/render-profile.ts'
import type { InputFile, ProfileText } from '../format.ts'
import { assess } from './assess.ts'
import { makeProfile } from './ways/make-profile.ts'

/** Makes the text of a camera profile out of a healthy recording; see `CameraProfile`. */
export async function profile(
  file: InputFile,
  name: string,
  limits: Limits,
  monitor: Monitor,
): Promise<ProfileText | { readonly reason: string }> {
  const { reading, healthy } = await assess(file.reader, limits, monitor)
  const { movie } = reading
  if (!movie) return { reason: 'The file has no index: a profile is made of a healthy recording.' }
  if (!healthy) return { reason: 'The file is damaged: a profile is made of a healthy recording.' }
  const made = makeProfile(file.reader, movie, name, limits)
  if (!made) return { reason: 'The file has no track with samples.' }
  return { fileName: profileFileName(made), text: renderProfile(made) }
}
