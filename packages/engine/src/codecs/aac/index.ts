import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import type { Recogniser } from '../recogniser.ts'
import { AAC_LC, AAC_LTP, AAC_MAIN, parseAudioSpecificConfig, plainConfig } from './audio-specific-config.ts'
import { AacRecogniser } from './recogniser.ts'

/**
 * AAC as `raw_data_block()` without a header: MP4, QuickTime, Matroska, FLV. `TrackDescription.config` is the
 * AudioSpecificConfig; when it is empty, an AAC-LC one is made of the track's rate and channels. Scalable, error
 * resilient, low delay and SSR streams have other syntax and no recogniser.
 */
export const aac: Codec = {
  name: 'aac',
  recogniser(track: TrackDescription): Recogniser | undefined {
    const bytes =
      track.config.length > 0
        ? track.config
        : plainConfig(track.sampleRate ?? track.timescale, track.channels ?? 2)
    const config = bytes && parseAudioSpecificConfig(bytes)
    if (config === undefined || ![AAC_MAIN, AAC_LC, AAC_LTP].includes(config.objectType)) return undefined
    return new AacRecogniser(config)
  },
}
