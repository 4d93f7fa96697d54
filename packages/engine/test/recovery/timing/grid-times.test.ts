import { describe, expect, it } from 'vitest'
import { randomNumbers } from '../../../src/bytes/damage.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { stepHabits } from '../../../src/recovery/learning/step-habits.ts'
import { type GridRuns, gridTimes } from '../../../src/recovery/timing/grid-times.ts'

const GRID = 1 / 60
const TICKS = 600
const PERIOD = 30
/** How a screen changes for a while: pictures come so many places apart, in turn. */
const MANNERS = [[1], [2], [1, 2], [1, 1, 2]]

/** Places of pictures, in manners drawn by lot that last from one second to five. */
function places(seed: number, count: number): number[] {
  const random = randomNumbers(seed)
  const all: number[] = []
  let place = 0
  while (all.length < count) {
    const manner = MANNERS[Math.floor(random() * MANNERS.length)]
    const until = place + 60 + random() * 240
    for (let i = 0; place < until; i++) {
      all.push(place)
      place += manner[i % manner.length]
    }
  }
  return all.slice(0, count)
}

function habitsOf(shown: readonly number[]) {
  const table = new SampleTable()
  for (const place of shown) table.dts[table.push(place * 100, 100, 1, 10, place, 0)] = place * 10
  const habits = stepHabits(table)
  if (!habits) throw new Error('no habits')
  expect(habits.grid / TICKS).toBeCloseTo(GRID, 9)
  return habits
}

/** Runs that begin with the first picture behind each half second, from the `first` picture on. */
function runsOf(shown: readonly number[], first = 0): GridRuns {
  const left = shown.slice(first)
  const bounds = left.flatMap((place, row) => {
    const period = Math.floor(place / PERIOD)
    if (row === 0 || period === Math.floor(left[row - 1] / PERIOD)) return []
    const low = (period * PERIOD - (first > 0 ? left[0] + 3 : 0)) * GRID
    return [{ row, low, high: low + GRID, begins: true, isBeat: true }]
  })
  return {
    nominal: Float64Array.from(left, (_, row) => row * GRID),
    ...{ bounds, habits: habitsOf(places(1, 1200)), grid: GRID, unit: GRID, isHeadLost: first > 0 },
    isBehindHole: () => false,
  }
}

/** Share of pictures that come half a place off at the most, where bounds count from the place at `origin`. */
function timely(times: Float64Array | undefined, shown: readonly number[], origin = shown[0]): number {
  const near = shown.filter(
    (place, row) => Math.abs(place - origin - (times?.[row] ?? Number.NaN) / GRID) < 0.51,
  )
  return near.length / shown.length
}

/** Times that are spread evenly over each run. */
function spread({ nominal, bounds }: GridRuns): Float64Array {
  const starts = [{ row: 0, low: 0 }, ...bounds]
  return nominal.map((_, row) => {
    const at = starts.findLastIndex((start) => start.row <= row)
    const [from, to] = [
      starts[at],
      starts[at + 1] ?? { row: nominal.length, low: starts[at].low + PERIOD * GRID },
    ]
    return from.low + ((to.low - from.low) * (row - from.row)) / (to.row - from.row)
  })
}

describe('pictures on a grid of which some places are empty', () => {
  const shown = places(2, 600)

  it('come where the steps of the sample and the begin of each run have them most likely', () => {
    const runs = runsOf(shown)
    const found = gridTimes(runs)
    expect(found?.late).toBe(0)
    expect(timely(found?.times, shown)).toBeGreaterThan(0.87)
    expect(timely(spread(runs), shown)).toBeLessThan(0.8)
  })

  it('do so behind a lost head, and tell how far the first one left lies from where the bounds count', () => {
    const left = shown.slice(50)
    const found = gridTimes(runsOf(shown, 50))
    const times = found?.times.map((time) => time + found.late)
    expect(timely(times, left, left[0] + 3)).toBeGreaterThan(0.8)
  })

  it('begin a run right behind the beat where the first one came a part of a place sooner', () => {
    const runs = runsOf(shown)
    const calm = Array.from({ length: 4 * PERIOD }, (_, row) => row)
    const bounds = [1, 2, 3].map((period) => {
      const low = period * PERIOD * GRID
      return { row: period * PERIOD + 1, low, high: low + 3 * GRID, begins: true, isBeat: true }
    })
    const nominal = Float64Array.from(calm, (row) => row * GRID)
    const found = gridTimes({ ...runs, nominal, bounds })
    // behind the last begin nothing tells
    expect(timely(found?.times, calm.slice(0, 3 * PERIOD + 1))).toBe(1)
  })

  it('leave room for those that a hole took', () => {
    const kept = shown.filter((_, i) => i < 100 || i >= 112)
    const runs = runsOf(kept)
    const nominal = Float64Array.from(kept, (_, row) => (row < 100 ? row : row + 12) * GRID)
    const found = gridTimes({ ...runs, nominal, isBehindHole: (row) => row === 100 })
    expect(timely(found?.times, kept)).toBeGreaterThan(0.8)
  })

  it('have no known times where runs contradict one another, or may begin anywhere', () => {
    const runs = runsOf(shown)
    const turned = runs.bounds.map((each, i) => (i % 3 === 1 ? { ...each, low: 0, high: GRID } : each))
    expect(gridTimes({ ...runs, bounds: turned })).toBeUndefined()
    const wide = runs.bounds.map((each) => ({ ...each, low: 0, high: 60, isBeat: false }))
    expect(gridTimes({ ...runs, bounds: wide })).toBeUndefined()
    expect(gridTimes({ ...runs, bounds: [] })).toBeUndefined()
    expect(gridTimes({ ...runs, nominal: new Float64Array(1 << 16) })).toBeUndefined()
  })

  it('are never squeezed into one another', () => {
    const { times } = gridTimes(runsOf(shown)) ?? { times: new Float64Array(0) }
    expect(times).toHaveLength(shown.length)
    expect(times.every((time, row) => row === 0 || time > times[row - 1])).toBe(true)
  })
})
