import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { Vp9Recogniser } from './recogniser.ts'
import { StreamReader } from './stream-reader.ts'

/** Google VP9. Frames carry no length: their container does. */
export const vp9: Codec = {
  name: 'vp9',
  recogniser: ({ width = 0, height = 0 }: TrackDescription) => new Vp9Recogniser(width, height),
  pictureReader: ({ width = 0, height = 0 }: TrackDescription) => new StreamReader(width, height),
}
