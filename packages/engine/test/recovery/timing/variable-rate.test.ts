import { describe, expect, it } from 'vitest'
import { SAMPLE_AFTER_HOLE, SampleTable } from '../../../src/model/sample-table.ts'
import { measureLag, variableRateTimes } from '../../../src/recovery/timing/variable-rate.ts'

/** Seconds of a run of either, and by how much sound is written ahead. */
const RUN = 0.5
const AHEAD = 2
const SOUND = 1024 / 44_100
const TICKS = 90_000

/** When pictures come at rates that change: so many seconds at so many a second. */
function pictureTimes(rates: readonly (readonly [seconds: number, rate: number])[]): number[] {
  const times: number[] = []
  let time = 0
  for (const [seconds, rate] of rates)
    for (let i = 0; i < seconds * rate; i++, time += 1 / rate) times.push(time)
  return times
}

/** Pictures and sound in runs of half a second each, the sound two seconds ahead; pictures timed by `unit` alone where it is given. */
function recorded(times: readonly number[], unit?: number): SampleTable[] {
  const pictures = new SampleTable()
  const sound = new SampleTable()
  let offset = 0
  let heard = 0
  for (let run = 1, next = 0; next < times.length; run++) {
    for (; heard < AHEAD + (run - 1) * RUN; heard += SOUND, offset += 100)
      sound.dts[sound.push(offset, 100, 1, SOUND * TICKS, 0, 0)] = heard * TICKS
    for (; next < times.length && times[next] < run * RUN; next++, offset += 1000) {
      const row = pictures.push(offset, 1000, 1, (unit ?? 1 / 15) * TICKS, next, 0)
      pictures.dts[row] = (unit === undefined ? times[next] : next * unit) * TICKS
    }
  }
  return [pictures, sound]
}

describe('pictures in runs of half a second whose rate changes', () => {
  const sample = recorded(
    pictureTimes([
      [3, 15],
      [0.3, 17],
      [1, 20],
    ]),
  )
  const timescales = [TICKS, TICKS]
  const lag = measureLag(sample, timescales, 0, 1)
  if (!lag) throw new Error('no lag')

  it.each([
    {
      name: 'for some seconds',
      rates: [
        [4, 15],
        [4, 20],
        [4, 15],
      ],
      most: 0.055,
    },
    // beyond the last run's beginning nothing tells
    {
      name: 'for good',
      rates: [
        [2, 15],
        [8, 12],
      ],
      most: 0.1,
    },
    { name: 'not at all', rates: [[10, 15]], most: 0.01 },
  ] as const)('come where it changes as seldom as the sound allows: $name', ({ rates, most }) => {
    const times = pictureTimes(rates)
    const unit = 1 / 15
    const found = variableRateTimes({
      ...{ tables: recorded(times, unit), timescales, picture: 0, sound: 1, lag, unit, jitter: 0 },
      knownVariable: true,
      start: 0,
    })
    const given = found?.times ?? Float64Array.from(times, (_, i) => i * unit)
    const off = times.map((time, i) => Math.abs(time - given[i]))
    expect(Math.max(...off)).toBeLessThan(most)
    expect(off.reduce((sum, one) => sum + one, 0) / off.length).toBeLessThan(most / 2)
  })
})

it('pictures behind a first one that lasts until the camera is under way come when their sound does', () => {
  const slow = (seconds: number, late: number): number[] =>
    pictureTimes([[seconds, 15]]).map((time, i) => (i === 0 ? 0 : time + late))
  const timescales = [TICKS, TICKS]
  const lag = measureLag(recorded(slow(6, 0.4)), timescales, 0, 1)
  if (!lag) throw new Error('no lag')
  expect(measureLag(recorded(slow(6, 0)), timescales, 0, 1)?.slowStart).toBeUndefined()
  for (const late of [0.4, 0.25]) {
    const times = slow(9, late)
    const unit = 1 / 15
    const found = variableRateTimes({
      ...{ tables: recorded(times, unit), timescales, picture: 0, sound: 1, lag, unit, jitter: 0 },
      knownVariable: true,
      start: 0,
    })
    expect(found?.times[0]).toBe(0)
    const off = times.map((time, i) => Math.abs(time - (found?.times[i] ?? 0)))
    expect(Math.max(...off), `${late} s late`).toBeLessThan(0.05)
  }
})

describe('pictures written one by one, some before any sound because they are reordered', () => {
  const unit = 1 / 15
  const timescales = [TICKS, TICKS]

  /** Pictures at times, of which some were left out, each behind all sound that begins `delay` earlier. */
  function woven(times: readonly number[], delay: number, even = false): SampleTable[] {
    const [pictures, sound] = [new SampleTable(), new SampleTable()]
    let offset = 0
    let heard = 0
    for (const [i, time] of times.entries()) {
      for (; heard < time - delay; heard += SOUND, offset += 100)
        sound.dts[sound.push(offset, 100, 1, SOUND * TICKS, 0, 0)] = heard * TICKS
      pictures.dts[pictures.push(offset, 1000, 1, unit * TICKS, i, 0)] = (even ? i * unit : time) * TICKS
      offset += 1000
    }
    return [pictures, sound]
  }
  const leftOut = (every: number, from: number): number[] =>
    Array.from({ length: 80 }, (_, i) => i * unit).filter((_, i) => i < 3 || i % every !== from)

  it.each([2, 1])('come when their sound does, %i of them before it in the sample', (before) => {
    const lag = measureLag(woven(leftOut(7, 5), before * unit + 0.001), timescales, 0, 1)
    if (!lag) throw new Error('no lag')
    expect(lag.high - lag.low).toBeLessThan(unit)
    const times = leftOut(9, 4)
    const tables = woven(times, unit * before + 0.001, true)
    const clockwork = { tables, timescales, picture: 0, sound: 1, lag, unit, jitter: 0, knownVariable: true }
    for (const start of [0, undefined]) {
      const found = variableRateTimes({ ...clockwork, start })
      expect(found?.start).toBeCloseTo(0, 1)
      const off = times.map((time, i) => Math.abs(time - (found?.times[i] ?? 0)))
      expect(Math.max(...off)).toBeLessThan(unit / 4)
    }
  })

  it.each([0.2, -0.2, 0.01])('at an even rate stay so where sound behind a hole is %d s late', (late) => {
    const times = Array.from({ length: 80 }, (_, i) => i * unit)
    const lag = measureLag(woven(times, unit), timescales, 0, 1)
    if (!lag) throw new Error('no lag')
    const tables = woven(times, unit, true)
    for (const table of tables) {
      const from = table.offset.subarray(0, table.length).findIndex((offset) => offset > 40_000)
      table.flags[from] |= SAMPLE_AFTER_HOLE
      if (table === tables[1]) for (let row = from; row < table.length; row++) table.dts[row] += late * TICKS
    }
    const clockwork = { tables, timescales, picture: 0, sound: 1, lag, unit, jitter: 0, start: 0 }
    expect(variableRateTimes({ ...clockwork, knownVariable: false })).toBeUndefined()
  })

  it('at no even rate are seen to be so though the sample had one', () => {
    const even = Array.from({ length: 80 }, (_, i) => i * unit)
    const lag = measureLag(woven(even, unit), timescales, 0, 1)
    if (!lag) throw new Error('no lag')
    const tables = woven(leftOut(4, 3), unit, true)
    const clockwork = { tables, timescales, picture: 0, sound: 1, lag, unit, jitter: 0, start: 0 }
    expect(variableRateTimes({ ...clockwork, knownVariable: false })).toBeDefined()
  })
})
