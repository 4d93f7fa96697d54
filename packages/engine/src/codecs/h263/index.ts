import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { UnitPictureReader } from '../unit-picture-reader.ts'
import { H263Recogniser } from './recogniser.ts'

/** ITU-T H.263 as phones recorded it. */
export const h263: Codec = {
  name: 'h263',
  recogniser: recogniserOf,
  pictureReader: (track: TrackDescription) => new UnitPictureReader(recogniserOf(track)),
}

function recogniserOf(track: TrackDescription): H263Recogniser {
  return new H263Recogniser(track.width ?? 0, track.height ?? 0)
}
