import { describe, expect, it } from 'vitest'
import { SAMPLE_KEY, SAMPLE_RESTART } from '../../../src/model/sample-table.ts'
import { Turns } from '../../../src/recovery/losses/turns.ts'
import { timeline } from '../../../src/recovery/timing/timeline.ts'
import { hole, interleave, prior, record, setUp, WITH_B } from '../lanes.ts'

describe('a timeline whose head is lost', () => {
  it('counts sound as lost at the start only beyond what a healthy recording wanders', () => {
    const delay = (wanders: number): number => {
      const { video, audio } = setUp()
      record(video, audio, [0], 40, (kind, unit) => unit < (kind === 'video' ? 4 : 8))
      const lanes = [video, audio]
      // sound is written behind its picture, here by so many seconds more or less than in the sample
      const sample = { ...interleave([prior(1, 25_000), prior(20, 5_000)]), lead: [0, wanders - 0.04] }
      const [pictures, sound] = timeline(lanes, sample, [hole(lanes, 0, 4 * 1200)])
      expect(Math.min(pictures.startDelay, sound.startDelay)).toBe(0)
      return sound.startDelay - pictures.startDelay * 40
    }
    expect([-0.01, 0, 0.01].map(delay)).toEqual([0, 0, 0])
    expect([0.12, -0.12].map(delay)).toEqual([120, -120])
  })

  it.each([
    [0.05, false],
    [0.4, true],
  ])(
    'does not know when sound was behind a lost head where that of a healthy recording wanders, by %d s',
    (wander, untimed) => {
      const { video, audio } = setUp()
      record(video, audio, WITH_B, 42, (_, unit) => unit < 7)
      const head = hole([video, audio], 0, 7 * 1000)
      const layout = { ...interleave([prior(1, 25_000), prior(20, 5_000)]), spread: [0, wander] }
      const [, sound] = timeline([video, audio], layout, [head])
      expect(sound.untimed).toBe(untimed)
      const [, whole] = timeline([video, audio], layout, [])
      expect(whole.untimed).toBe(false)
    },
  )

  it('does not know it where sound wanders in the recording itself, of which the sample shows too little', () => {
    const { video, audio } = setUp()
    let offset = 1000
    // so many pictures, and units of sound behind them
    for (const [shown, heard] of [
      [5, 10],
      [15, 10],
      [2, 26],
      [13, 20],
      [8, 10],
    ]) {
      for (let unit = 0; unit < shown; unit++, offset += 1000)
        video.table.push(offset, 1000, 1, 1, video.table.length * 2, SAMPLE_KEY | SAMPLE_RESTART)
      for (let unit = 0; unit < heard; unit++, offset += 100)
        audio.table.push(offset, 100, 1, 20, audio.table.length, SAMPLE_KEY)
    }
    const layout = { ...interleave([prior(1, 25_000), prior(20, 5_000)]), spread: [0, 0] }
    const head = { offset: 0, length: 1000, rows: [0, 0] }
    expect(timeline([video, audio], layout, [head])[1].untimed).toBe(true)
  })

  it.each([
    [0.05, false],
    [1.5, true],
  ])('does not know it by one turn of the sample behind sound that lasts %d s', (heard, untimed) => {
    const { video, audio } = setUp()
    record(video, audio, WITH_B, 42, (_, unit) => unit < 7)
    const turns = new Turns()
    turns.soundUnit(0, heard)
    turns.picture(0, 0.04)
    const layout = { ...interleave([prior(1, 25_000), prior(20, 5_000)]), spread: [0, 0.4], turns }
    const [, sound] = timeline([video, audio], layout, [hole([video, audio], 0, 7 * 1000)])
    expect(sound.untimed).toBe(untimed)
  })
})
