import { describe, expect, it } from 'vitest'
import { repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { movieBoxes } from './support/movie-boxes.ts'
import { contents, seen } from './support/packets.ts'

/** The recording whose edit list shows its sound from tick `from` on, and the same without the sound's sample description. */
function undescribed(original: Uint8Array, from: number): { whole: Uint8Array; hit: Uint8Array } {
  const whole = original.slice()
  const boxes = movieBoxes(whole)
  const last = (type: string): number =>
    boxes.findLast(({ box }) => box.type === type)?.box.offset ?? Number.NaN
  const view = new DataView(whole.buffer)
  const [duration, mediaTime] = [last('elst') + 16, last('elst') + 20]
  view.setUint32(duration, view.getUint32(duration) - from + view.getUint32(mediaTime))
  view.setUint32(mediaTime, from)
  const hit = whole.slice()
  hit.set(new TextEncoder().encode('free'), last('stsd') + 4)
  return { whole, hit }
}

describe('sound whose samples an index names, though not what they are', () => {
  it.each([undefined, 'h264-aac-twin.mp4'] as const)(
    'keeps its times, with %s as a sample',
    async (sample) => {
      const { whole, hit } = undescribed(fixture('h264-aac.mp4'), 3000)
      const { report, bytes } = await repaired(hit, sample && fixture(sample))
      const [, sound] = await seen(bytes)
      const [, original] = await seen(whole)
      expect(contents(sound)).toEqual(contents(original))
      expect(report.tracks.map(({ times }) => times)).toEqual(['exact', 'exact'])
    },
  )
})
