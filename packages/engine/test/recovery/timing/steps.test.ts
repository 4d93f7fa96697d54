import { describe, expect, it } from 'vitest'
import type { Bounds } from '../../../src/recovery/timing/run-bounds.ts'
import { steppedTimes } from '../../../src/recovery/timing/steps.ts'

const UNIT = 1 / 60
const PERIOD = 0.5
const BEAT = { shortest: PERIOD, longest: PERIOD, low: 0, high: UNIT, always: true }
const COUNT = 1200
/** The picture behind which so many others are missing: in the first half of a run, or in its second. */
const LEFT_OUT = new Map([
  [130, 3],
  [401, 1],
  [402, 1],
  [880, 12],
])

/** Times of pictures at 60 a second, of which some are missing, from the `first` on. */
function shown(first = 0): Float64Array {
  const times: number[] = []
  for (let slot = 0, row = 0; row < COUNT; row++) {
    times.push(slot * UNIT)
    slot += 1 + (LEFT_OUT.get(row) ?? 0)
  }
  return Float64Array.from(times.slice(first), (time) => time - times[first])
}

/** Where runs of pictures begin that a writer starts each half second, and what sound that is `late` tells of their times. */
function runs(first = 0, late = 0): Bounds[] {
  const all = shown()
  const bounds: Bounds[] = []
  for (let row = first + 1; row < COUNT; row++) {
    const [period, before] = [all[row], all[row - 1]].map((time) => Math.floor(time / PERIOD + 1e-6))
    if (period === before) continue
    const time = all[row] - all[first] + late
    bounds.push({ row: row - first, low: time - 0.2, high: time + 0.2, begins: true })
  }
  return bounds
}

function stepped(
  first: number,
  bounds: readonly Bounds[],
  isHeadLost: boolean,
  holes: readonly number[] = [],
) {
  const nominal = Float64Array.from({ length: COUNT - first }, (_, row) => row * UNIT)
  const isBehindHole = (row: number): boolean => holes.includes(row)
  return steppedTimes({ nominal, bounds, beat: BEAT, unit: UNIT, isHeadLost, isBehindHole })
}

/** Share of pictures that are within half a picture of their times. */
function timely(times: ReturnType<typeof stepped>, first = 0): number {
  if (typeof times !== 'object') return 0
  return shown(first).filter((time, row) => Math.abs(time - times[row]) < UNIT / 2).length / (COUNT - first)
}

describe('pictures of an even rate of which some are left out, in runs that begin each half second', () => {
  it('come at whole multiples of their distance, but for those of a run that may lie on either side of what is missing', () => {
    expect(timely(stepped(0, runs(), false))).toBeGreaterThan(0.97)
  })

  it('come so behind a lost head, though sound tells their start wrong by a part of a run', () => {
    expect(timely(stepped(47, runs(47, 0.15), true), 47)).toBeGreaterThan(0.97)
  })

  it('are missing at a hole, where a run has one', () => {
    const times = stepped(0, runs(), false, [131, 403, 881])
    expect(timely(times)).toBeGreaterThan(0.997)
  })

  it('need no step where one run alone begins late', () => {
    const even = Array.from({ length: 30 }, (_, i) => {
      const time = (i + 1) * PERIOD
      return { row: (i + 1) * 30 + (i === 7 ? 3 : 0), low: time - 0.2, high: time + 0.2, begins: true }
    })
    expect(stepped(0, even, false)).toBe('none')
  })

  it('have another rate where one run after another lacks some, or none where runs begin anywhere', () => {
    const slow = runs().map((bound, i) => ({ ...bound, row: (i + 1) * 24 }))
    expect(stepped(0, slow.slice(0, 40), false)).toBeUndefined()
    const any = runs().map((bound, i) => ({ ...bound, row: bound.row + ((i * 7) % 11) }))
    expect(stepped(0, any, false)).toBeUndefined()
  })

  it('are a whole number, never one too few, where a period is none of pictures', () => {
    const unit = 1 / 25
    const left = new Map([
      [50, 3],
      [130, 2],
      [205, 5],
      [290, 1],
      [377, 4],
    ])
    const shown: number[] = []
    for (let slot = 0, row = 0; row < 480; row++) {
      shown.push(slot * unit)
      slot += 1 + (left.get(row) ?? 0)
    }
    const periodOf = (time: number): number => Math.floor(time / PERIOD + 1e-6)
    const bounds = shown.flatMap((time, row) =>
      row === 0 || periodOf(time) === periodOf(shown[row - 1])
        ? []
        : [{ row, low: time - 0.2, high: time + 0.2, begins: true }],
    )
    const times = steppedTimes({
      ...{ nominal: Float64Array.from(shown, (_, row) => row * unit), bounds, unit, isHeadLost: false },
      beat: { ...BEAT, high: unit },
      isBehindHole: () => false,
    })
    const late = bounds.map(
      ({ row }) => (typeof times === 'object' ? times[row] - shown[row] : Number.NaN) / unit,
    )
    expect(Math.max(...late.map((each) => Math.abs(each - Math.round(each))))).toBeLessThan(0.1)
  })
})
