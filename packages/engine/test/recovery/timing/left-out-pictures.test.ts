import { describe, expect, it } from 'vitest'
import type { Recogniser } from '../../../src/codecs/recogniser.ts'
import { SAMPLE_KEY, SAMPLE_RESTART } from '../../../src/model/sample-table.ts'
import type { Hole } from '../../../src/recovery/carving/assembler.ts'
import type { Lane } from '../../../src/recovery/carving/lane.ts'
import { timeline } from '../../../src/recovery/timing/timeline.ts'
import { hole, interleave, prior, record, setUp, times, WITH_B } from '../lanes.ts'

describe('reordered pictures of which some are left out', () => {
  const PICTURES = 56
  /** Ticks at which pictures are shown, every fifth and every eighth left out. */
  const shown = Array.from({ length: 90 }, (_, tick) => tick)
    .filter((tick) => tick % 5 !== 3 && tick % 8 !== 6)
    .slice(0, PICTURES)
  const place = (row: number): number => Math.floor(row / 7) * 7 + WITH_B[row % 7]

  /** What is timed of them where sound is written up to each picture's decoding, `AHEAD` places before it is shown. */
  function timed(ahead: number | undefined, more: { rough?: true } = {}) {
    const { video, audio } = setUp()
    const AHEAD = 2
    let offset = 0
    for (let row = 0; row < PICTURES; row++) {
      const decoded = row < AHEAD ? shown[row] - shown[AHEAD] : shown[row - AHEAD]
      for (; audio.table.length * 0.02 <= (decoded + shown[AHEAD]) / 25; offset += 100)
        audio.table.push(offset, 100, 1, 20, audio.table.length, SAMPLE_KEY)
      const flags = row % 7 === 0 ? SAMPLE_KEY | SAMPLE_RESTART : 0
      video.table.push(offset, 1000, 1, 1, WITH_B[row % 7] * 2, flags)
      offset += 1000
    }
    const variable = { constantRate: false, steady: false, onGrid: true, ahead }
    const lag = { low: -0.02, high: 0, runLow: -0.02, runHigh: 0, ...more }
    const learned = { ...interleave([{ ...prior(1, 25_000), ...variable }, prior(20, 5_000)]), lag }
    const [pictures] = timeline([video, audio], learned, [])
    return { pictures, times: times(video, pictures.compositionShift) }
  }

  it('are shown on the grid of the rate where the sample says how far decoding runs ahead', () => {
    const { pictures, times } = timed(2)
    // when the last ones are shown, no sound behind them tells
    const told = PICTURES - 4
    expect(times.slice(0, told)).toEqual(Array.from({ length: told }, (_, row) => shown[place(row)]))
    expect(pictures.untimed).toBe(false)
  })

  it('are in doubt where it does not, or sound does not time the sample’s own', () => {
    expect(timed(undefined).pictures.untimed).toBe(true)
    expect(timed(2, { rough: true }).pictures.untimed).toBe(true)
  })
})

describe('pictures that say when they are shown, of which some are left out', () => {
  const ticks = Array.from({ length: 60 }, (_, i) => i * 100).filter((_, i) => i % 6 !== 2)

  function timed(orderIsTime: boolean, { anew = -1, pause = 0 } = {}) {
    const { video, audio } = setUp()
    const told = {
      ...video,
      recogniser: { ...video.recogniser, orderIsTime } as NonNullable<Lane['recogniser']>,
    }
    let offset = 0
    for (const [row, order] of ticks.entries()) {
      const shown = order / 100 + (row >= 25 ? pause : 0)
      for (; audio.table.length * 0.02 <= shown / 25; offset += 100)
        audio.table.push(offset, 100, 1, 20, audio.table.length, SAMPLE_KEY)
      const flags = row === 0 || row === anew ? SAMPLE_KEY | SAMPLE_RESTART : 0
      video.table.push(offset, 1000, 1, 1, row >= anew && anew > 0 ? order - ticks[anew] : order, flags)
      offset += 1000
    }
    const variable = { constantRate: false, steady: false, onGrid: true, ahead: 0 }
    const lag = { low: -0.02, high: 0, runLow: -0.02, runHigh: 0 }
    const learned = {
      ...interleave([{ ...prior(1, 25_000), ...variable }, prior(20, 5_000)]),
      ...(pause > 0 && { lag }),
    }
    const [pictures] = timeline([told, audio], learned, [])
    return { pictures, times: times(video, pictures.compositionShift) }
  }

  it('are shown then, and no doubt of it is left', () => {
    const { pictures, times } = timed(true)
    expect(times).toEqual(ticks.map((tick) => tick / 100))
    expect(pictures).toMatchObject({ estimated: false, untimed: false })
  })

  it('are in doubt where the sound around them says otherwise', () => {
    expect(timed(true, { pause: 12 }).pictures.untimed).toBe(true)
  })

  it('are in doubt where their times begin anew, which hides how long nothing was recorded', () => {
    expect(timed(true, { anew: 30 }).pictures.untimed).toBe(true)
  })

  it('are in doubt where what they say is a count', () => {
    expect(timed(false).pictures.untimed).toBe(true)
  })
})

describe.each(['by nothing', 'by how others began'])(
  'pictures of a codec that nobody reads, found %s',
  (found) => {
    const of = (ahead: number, holes: readonly Hole[]): boolean => {
      const { video, audio } = setUp()
      record(video, audio, [0], 40, () => false)
      const { orderPeriod: _, ...unnumbered } = video.recogniser ?? {}
      const recogniser = found === 'by nothing' ? undefined : (unnumbered as Recogniser)
      const blind = { ...video, description: { ...video.description, codec: 'unread' }, recogniser }
      const learned = interleave([{ ...prior(1, 25_000), ahead }, prior(20, 5_000)])
      return timeline([blind, audio], learned, holes)[0].untimed
    }

    it('are in doubt where they are shown in another order, or some are lost', () => {
      const { video, audio } = setUp()
      record(video, audio, [0], 40, () => false)
      expect(of(2, [])).toBe(true)
      expect(of(0, [hole([video, audio], 11 * 1200, 13 * 1200)])).toBe(true)
    })

    it('are timed as they come where they are shown so', () => {
      expect(of(0, [])).toBe(false)
    })
  },
)

describe('pictures of a rate that is even in the sample, in runs of half a second between runs of sound', () => {
  const RATE = 59

  /** What is timed of them where the picture that is to come at `leftOut` never came. */
  function timed(leftOut: number) {
    const { video: other, audio } = setUp()
    const video = { ...other, description: { ...other.description, timescale: RATE } }
    let offset = 0
    let run = -1
    for (let turn = 0; turn < RATE * 5; turn++) {
      if (turn === leftOut) continue
      if (Math.floor((turn * 2) / RATE) > run) {
        run++
        // the sound of this half second lies in front of its pictures
        for (let i = 0; i < 25; i++, offset += 100)
          audio.table.push(offset, 100, 1, 20, audio.table.length, SAMPLE_KEY)
      }
      const flags = video.table.length === 0 ? SAMPLE_KEY | SAMPLE_RESTART : 0
      video.table.push(offset, 1000, 1, 1, video.table.length * 2, flags)
      offset += 1000
    }
    const beat = { shortest: 0.5, longest: 0.5, low: 0, high: 0.5 / RATE, always: true }
    const lag = { low: -0.5, high: 0, runLow: -0.5, runHigh: -0.48, beat }
    const learned = { ...interleave([prior(1, 59_000), prior(20, 5_000)]), lag }
    return timeline([video, audio], learned, [])[0].untimed
  }

  it('are in doubt where a run begins before its time is due: one of them was left out', () => {
    expect(timed(Number.POSITIVE_INFINITY)).toBe(false)
    expect(timed(100)).toBe(true)
  })
})
