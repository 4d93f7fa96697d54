import { startsLike, type Teacher } from './taught-lane.ts'
import type { UnframedTracks } from './unframed-tracks.ts'

/** First bytes that may open a unit, as bits. */
export const SOUND_STARTS = 1
export const PICTURE_STARTS = 2
export const EXTRA_STARTS = 4

/** By each of the 256 bytes, whose units it may open, by the sample: sums of the bits above. */
export function unitStarts({ picture, sound, extras }: UnframedTracks, sample: Teacher): Uint8Array {
  const starts = new Uint8Array(256)
  const probe = sample.tracks[picture.lane.index].table
  for (let byte = 0; byte < 256; byte++) {
    if (sound?.habits.begins(byte)) starts[byte] |= SOUND_STARTS
    if (probe.length === 0 || startsLike(picture.habits, byte)) starts[byte] |= PICTURE_STARTS
    if (extras.some(({ habits, vague }) => !vague && habits.begins(byte))) starts[byte] |= EXTRA_STARTS
  }
  return starts
}
