import type { AudioSpecificConfig } from './audio-specific-config.ts'
import { chanceWeights } from './statistics.ts'

const PRIOR_FRAMES = 64

export function startingWeights(_config: AudioSpecificConfig): Float64Array {
  return chanceWeights(PRIOR_FRAMES)
}
