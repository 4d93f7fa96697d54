import { parseAudioSpecificConfig } from '../../../../codecs/aac/audio-specific-config.ts'
import type { TrackDescription } from '../../../../model/track.ts'

/** Seconds that every frame of sound lasts by its configuration, 0 where that does not tell. */
export function frameSeconds({ codec, config, sampleRate = 0 }: TrackDescription): number {
  if (codec === 'pcm') return sampleRate > 0 ? 1 / sampleRate : 0
  const aac = codec === 'aac' ? parseAudioSpecificConfig(config) : undefined
  return aac ? aac.frameLength / aac.coreSampleRate : 0
}
