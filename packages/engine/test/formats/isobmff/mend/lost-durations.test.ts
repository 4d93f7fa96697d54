import { describe, expect, it } from 'vitest'
import { movieOf, repaired } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'
import { movieBoxes, times } from '../support/movie-boxes.ts'

/** A film whose table of durations, the one of its first or second track, holds these bytes over and over. */
function overwritten(healthy: Uint8Array, track: number, ...bytes: readonly number[]): Uint8Array {
  const damaged = healthy.slice()
  const { box } = movieBoxes(healthy).filter(({ path }) => path.endsWith('/stts'))[track]
  for (let at = box.offset + 8; at < box.end; at++) damaged[at] = bytes[(at - box.offset) % bytes.length]
  return damaged
}

describe('durations that no table tells any more', () => {
  const healthy = fixture('h264-aac.mp4')

  it('are those of frames where sound codes as many samples in each as the media lasts', async () => {
    const whole = await movieOf(healthy)
    for (const bytes of [[0], [0x5a, 0xc3, 0x99]]) {
      const damaged = overwritten(healthy, 1, ...bytes)
      expect((await movieOf(damaged)).tracks.map(times)).toEqual(whole.tracks.map(times))
      expect((await repaired(damaged)).report.verdict).toBe('repaired')
    }
  })

  it('of pictures share the length of the media evenly, which is a guess', async () => {
    const [pictures] = (await movieOf(healthy)).tracks
    for (const bytes of [[0], [0x5a, 0xc3, 0x99]]) {
      const [track] = (await movieOf(overwritten(healthy, 0, ...bytes))).tracks
      expect(track.tables.durationsGuessed).toBe(true)
      const { dts, duration, length } = track.samples
      expect(dts[length - 1] + duration[length - 1]).toBe(pictures.mediaHeader.duration)
      const each = [...duration.subarray(0, length)]
      expect(Math.max(...each) - Math.min(...each)).toBeLessThanOrEqual(1)
    }
  })
})
