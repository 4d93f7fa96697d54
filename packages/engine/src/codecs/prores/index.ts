import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { ProresRecogniser } from './recogniser.ts'

/** Formats of ProRes RAW. */
const RAW_FORMATS: ReadonlySet<unknown> = new Set(['aprn', 'aprh'])

/** Apple ProRes, SMPTE RDD 36. */
export const prores: Codec = {
  name: 'prores',
  recogniser(track: TrackDescription): ProresRecogniser {
    return new ProresRecogniser(track.width ?? 0, track.height ?? 0, RAW_FORMATS.has(track.facts?.format))
  },
}
