import { describe, expect, it } from 'vitest'
import { type Beat, beatOf, breaksBeat, onBeat, type RunStart } from '../../../src/recovery/timing/beat.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'

/** Runs that begin with the first of `times` at or behind each `period`. */
function runsOf(times: readonly number[], period: number): RunStart[] {
  return times.flatMap((time, row) => {
    if (row === 0) return []
    const before = times[row - 1]
    const [now, then] = [time, before].map((at) => Math.floor(at / period + 1e-9))
    return now > then ? [{ row, time, before }] : []
  })
}

/** Times of pictures that come at 30 a second, some of which are left out. */
function shown(count: number, seed: number): number[] {
  const next = randomFrom(seed)
  return Array.from({ length: count }, (_, i) => i / 30).filter(() => next() > 0.3)
}

describe('the beat of runs of pictures', () => {
  it.each([0.5, 0.4, 1])(
    'is the round period that runs of different lengths begin behind: %d s',
    (period) => {
      const beat = beatOf(runsOf(shown(20 * 30 * period, 1), period))
      expect(beat?.shortest).toBeCloseTo(period, 9)
      expect(beat?.longest).toBe(beat?.shortest)
      expect(beat?.low).toBeGreaterThan(-0.003)
      expect(beat?.high).toBeLessThan(0.2)
    },
  )

  it.each([0.48048, 0.7371])('is told no closer than runs bound it where it is not round: %d s', (period) => {
    const beat = beatOf(runsOf(shown(600, 2), period))
    expect(beat?.shortest).toBeLessThanOrEqual(period)
    expect(beat?.longest).toBeGreaterThanOrEqual(period)
    expect((beat?.longest ?? 1) - (beat?.shortest ?? 0)).toBeLessThan(0.01)
  })

  it('is kept where some runs begin elsewhere', () => {
    const runs = runsOf(shown(900, 3), 0.5)
    const strayed = runs.map((run, i) =>
      i % 15 === 3 ? { ...run, time: run.time + 0.2, before: run.before + 0.2 } : run,
    )
    expect(beatOf(strayed)).toMatchObject({ shortest: expect.closeTo(0.5, 9), always: false })
  })

  it.each([
    ['where all runs are of one number of pictures and last no round time', runsOf(even(400), 0.5337)],
    ['of few runs', runsOf(shown(50, 1), 0.5)],
    ['where runs last hardly longer than a picture', runsOf(shown(900, 1), 0.04)],
    ['where there are none', []],
  ])('is not told %s', (_, runs) => {
    expect(beatOf(runs)).toBeUndefined()
  })

  it('may be a count where all runs are of one number of pictures', () => {
    const beat = beatOf(runsOf(even(400), 0.5))
    expect(beat?.shortest).toBeCloseTo(0.5, 9)
    expect(beat?.orCount).toBe(true)
    expect(beatOf(runsOf(shown(600, 1), 0.5))?.orCount).toBeUndefined()
  })

  it('is not told of runs that begin anywhere', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const next = randomFrom(seed)
      const times = shown(600, seed)
      const runs: RunStart[] = []
      for (let row = 8; row < times.length; row += 8 + Math.floor(next() * 6))
        runs.push({ row, time: times[row], before: times[row - 1] })
      expect(beatOf(runs), `seed ${seed}`).toBeUndefined()
    }
  })

  it('is told of long recordings by their first runs', () => {
    const runs = runsOf(shown(30_000, 4), 0.5)
    expect(beatOf(runs)).toEqual(beatOf(runs.slice(0, 256)))
    expect(beatOf(runs)?.shortest).toBeCloseTo(0.5, 9)
  })

  it('leaves of bounds the part behind one period: the next one, where several lie in there', () => {
    const beat = { shortest: 0.5, longest: 0.5, low: 0, high: 0.03, always: true }
    expect(onBeat(0.9, 1.1, beat, 1)).toEqual({ low: 1, high: 1.03, count: 2 })
    expect(onBeat(1.02, 1.1, beat, 1)).toEqual({ low: 1.02, high: 1.03, count: 2 })
    expect(onBeat(0.9, 1.6, beat, 2)).toEqual({ low: 1.5, high: 1.53, count: 3 })
    expect(onBeat(0.9, 1.6, beat, 1)).toEqual({ low: 1, high: 1.03, count: 2 })
    expect(onBeat(1.1, 1.4, beat, 1)).toBeUndefined()
  })

  it('leaves of bounds the more, the later, where the period is hardly known', () => {
    const beat = { shortest: 0.5, longest: 0.501, low: 0, high: 0.03, always: true }
    expect(onBeat(49.9, 50.2, beat, 99)).toEqual({ low: 50, high: expect.closeTo(50.13, 9), count: 100 })
  })
})

describe('runs of pictures at an even rate', () => {
  const UNIT = 1 / 59
  const whole = Array.from({ length: 40 * 59 }, (_, i) => i * UNIT)
  /** When the runs of `times` begin, as seen by their count alone. */
  const counted = (times: readonly number[], from = 0): number[] =>
    runsOf(times, 0.5).flatMap(({ row }) => (row >= from ? [row * UNIT] : []))
  const beat = beatOf(runsOf(whole.slice(0, 300), 0.5)) as Beat

  it('keep the beat, whenever the recording begins', () => {
    expect(beat.always).toBe(true)
    expect(breaksBeat(counted(whole), beat, UNIT)).toBe(false)
    expect(
      breaksBeat(
        counted(whole, 77).map((time) => time - 77 * UNIT),
        beat,
        UNIT,
      ),
    ).toBe(false)
  })

  it('keep it where the rate is known a little too high', () => {
    const fast = counted(whole).map((time) => time * 1.0005)
    expect(breaksBeat(fast, beat, UNIT)).toBe(false)
  })

  it.each([0, 400])('break it where a single picture was left out: counted from picture %d on', (from) => {
    const skipped = whole.filter((_, row) => row !== 1300)
    expect(breaksBeat(counted(skipped, from), beat, UNIT)).toBe(true)
  })

  it('prove nothing where the beat has exceptions', () => {
    const skipped = whole.filter((_, row) => row !== 1300)
    expect(breaksBeat(counted(skipped), { ...beat, always: false }, UNIT)).toBe(false)
  })
})

function even(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i / 30 + 0.0001)
}
