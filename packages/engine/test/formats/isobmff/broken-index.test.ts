import { describe, expect, it } from 'vitest'
import { bodyOf, readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { movieOf, readerOf, repaired } from './support/engine.ts'
import { type FixtureName, fixture } from './support/fixtures.ts'

/** A recording whose index is zeroed from where its first track begins to say which samples its chunks hold. */
function withoutPlaces(name: FixtureName): Uint8Array {
  const bytes = fixture(name)
  const moov = readChildren(readerOf(bytes), 0, bytes.length).boxes.find(({ type }) => type === 'moov')
  if (!moov) throw new Error('no movie box')
  const at = Buffer.from(bytes).indexOf('stsc', bodyOf(moov), 'latin1')
  return bytes.fill(0, at - 4, moov.end)
}

describe('an index that says what its pictures are, though not where', () => {
  it.each(['h264-aac.mp4', 'hevc-aac.mp4', 'h264-pcm.mov'] as const)(
    'describes them in %s without a sample',
    async (name) => {
      const whole = (await movieOf(fixture(name))).tracks[0]
      const { bytes, report } = await repaired(withoutPlaces(name))
      expect(report.verdict).not.toBe('failed')
      const [track] = (await movieOf(bytes)).tracks
      expect(track.entries[0].bytes).toEqual(whole.entries[0].bytes)
      expect([...track.samples.size.subarray(0, track.samples.length)]).toEqual([
        ...whole.samples.size.subarray(0, whole.samples.length),
      ])
      const seconds = (row: number): number => track.samples.dts[row] / track.description.timescale
      const last = whole.samples.length - 1
      expect(seconds(last)).toBeCloseTo(whole.samples.dts[last] / whole.description.timescale, 3)
    },
  )
})
