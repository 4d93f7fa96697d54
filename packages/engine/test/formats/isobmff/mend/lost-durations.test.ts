import { describe, expect, it } from 'vitest'
import { RunBuilder } from '../../../../src/formats/isobmff/boxes/stts.ts'
import { lostDurations } from '../../../../src/formats/isobmff/mend/times/lost-durations.ts'
import type { TrackDraft } from '../../../../src/formats/isobmff/read/read-track.ts'
import { Allowance } from '../../../../src/model/allowance.ts'
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

describe('durations of pictures of which a table tells some', () => {
  const SAMPLES = 100
  const LENGTH = 4000
  const track = {
    tables: { sizes: { constant: 500, count: SAMPLES } },
    mediaHeader: { duration: LENGTH, timescale: 1000 },
    description: { codec: 'h264' },
  } as unknown as TrackDraft

  /** What becomes of runs, each a duration and for how many samples. */
  function found(...left: readonly (readonly [value: number, count: number])[]) {
    const runs = new RunBuilder()
    for (const [value, count] of left) runs.add(value, count)
    return lostDurations(track, runs, new Allowance(1e6))
  }
  const even = { guessed: true, runs: { length: 1, values: { 0: LENGTH / SAMPLES }, counts: { 0: SAMPLES } } }

  it.each([
    ['lasts a little more than half as long as the media', 40, 52, undefined],
    ['lasts less than half as long', 40, 48, even],
    ['lasts a little less than twice as long', 80, 96, undefined],
    ['lasts more than twice as long', 80, 104, even],
  ])('are worth more than even ones where what is left is near: it %s', (_what, value, count, expected) => {
    // each run on its own no longer than the media
    const each = count / 4
    const result = found([value - 1, each], [value + 1, each], [value - 1, each], [value + 1, each])
    if (expected) expect(result).toMatchObject(expected)
    else expect(result).toBeUndefined()
  })

  it('do not count what alone lasts longer than the media', () => {
    expect(found([40, 90], [5000, 1])).toBeUndefined()
    expect(found([40, 20], [5000, 1])).toMatchObject(even)
  })

  it('are left where the table counts as many samples as there are', () => {
    expect(found([1, SAMPLES])).toBeUndefined()
  })
})
