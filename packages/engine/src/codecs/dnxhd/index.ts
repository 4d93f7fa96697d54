import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { DnxhdRecogniser } from './recogniser.ts'

/** Avid DNxHD and DNxHR, SMPTE ST 2019-1 (VC-3). */
export const dnxhd: Codec = {
  name: 'dnxhd',
  recogniser(track: TrackDescription): DnxhdRecogniser {
    return new DnxhdRecogniser(track.width ?? 0)
  },
}
