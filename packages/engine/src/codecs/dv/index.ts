import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { DvRecogniser } from './recogniser.ts'

/** DV, DVCPRO, DVCPRO50 and DVCPRO HD: IEC 61834-2, SMPTE 314M and 370M. */
export const dv: Codec = {
  name: 'dv',
  recogniser(_track: TrackDescription): DvRecogniser {
    return new DvRecogniser(0)
  },
}
