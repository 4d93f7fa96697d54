import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { Vp9Recogniser } from './recogniser.ts'

/** Google VP9. Frames carry no length: their container does. */
export const vp9: Codec = {
  name: 'vp9',
  recogniser: ({ width = 0, height = 0 }: TrackDescription) => new Vp9Recogniser(width, height),
}
