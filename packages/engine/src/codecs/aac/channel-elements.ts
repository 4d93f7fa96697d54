import { type ChannelElement, LFE, PAIR, SINGLE } from './program-config.ts'

/** Channel elements by channelConfiguration, ISO/IEC 14496-3:2019 Table 1.19; 13 is 22.2 channels. */
export const CHANNEL_ELEMENTS: readonly (readonly ChannelElement[])[] = [
  [],
  [SINGLE],
  [PAIR],
  [SINGLE, PAIR],
  [SINGLE, PAIR, SINGLE],
  [SINGLE, PAIR, PAIR],
  [SINGLE, PAIR, PAIR, LFE],
  [SINGLE, PAIR, PAIR, PAIR, LFE],
  [],
  [],
  [],
  [SINGLE, PAIR, PAIR, SINGLE, LFE],
  [SINGLE, PAIR, PAIR, PAIR, LFE],
  [SINGLE, PAIR, PAIR, PAIR, PAIR, SINGLE, LFE, LFE, SINGLE, PAIR, PAIR, SINGLE, PAIR, SINGLE, SINGLE, PAIR],
  [SINGLE, PAIR, PAIR, LFE, PAIR],
]

export function channelCount(elements: readonly ChannelElement[]): number {
  return elements.reduce<number>((sum, element) => sum + (element === PAIR ? 2 : 1), 0)
}
