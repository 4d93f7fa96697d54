import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { MjpegRecogniser } from './recogniser.ts'

/** Motion JPEG in all its wrappings that keep JPEG markers (Photo JPEG, Motion-JPEG A, AVI MJPG). */
export const mjpeg: Codec = {
  name: 'mjpeg',
  recogniser(track: TrackDescription): MjpegRecogniser {
    return new MjpegRecogniser(track.width ?? 0, track.height ?? 0)
  },
}
