import { describe, expect, it } from 'vitest'
import { SAMPLE_AFTER_HOLE, SampleTable } from '../../../src/model/sample-table.ts'
import { measureLag, timesItself, variableRateTimes } from '../../../src/recovery/timing/variable-rate.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'

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

/**
 * Pictures and sound in runs of half a second each, the sound two seconds ahead; pictures timed by `unit` alone where it is
 * given, and all that are left written at once where the sound ends, at `end`.
 */
function recorded(times: readonly number[], unit?: number, end = Number.POSITIVE_INFINITY): SampleTable[] {
  const pictures = new SampleTable()
  const sound = new SampleTable()
  let offset = 0
  let heard = 0
  for (let run = 1, next = 0; next < times.length; run++) {
    for (; heard < Math.min(end, AHEAD + (run - 1) * RUN); heard += SOUND, offset += 100)
      sound.dts[sound.push(offset, 100, 1, SOUND * TICKS, 0, 0)] = heard * TICKS
    for (; next < times.length && (times[next] < run * RUN || heard >= end); next++, offset += 1000) {
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

describe('a recording whose sound breaks off before its pictures do', () => {
  const timescales = [TICKS, TICKS]
  /** Every other picture of twenty a second lasts twice as long as the one before. */
  const alternating = (seconds: number): number[] =>
    Array.from({ length: seconds * 20 }, (_, i) => (i >> 1) / 10 + (i % 2) / 30)
  const even = (seconds: number): number[] => pictureTimes([[seconds, 15]])

  it.each([
    ['as often as in the mean where hardly one duration is the usual', alternating, 1 / 30, 1 / 20, 0.15],
    ['at their own rate', even, 1 / 15, 1 / 15, 0],
  ] as const)('has pictures come %s, to the last', (_, times, unit, pace, room) => {
    const lag = measureLag(recorded(times(4)), timescales, 0, 1)
    if (!lag) throw new Error('no lag')
    const shown = times(6)
    const found = variableRateTimes({
      ...{ tables: recorded(shown, unit, 5.7), timescales, picture: 0, sound: 1, unit, pace, jitter: 0 },
      lag: { ...lag, low: lag.low - room, runLow: lag.runLow - room },
      knownVariable: true,
      start: 0,
    })
    const given = found?.times ?? Float64Array.from(shown, (_, i) => i * unit)
    expect(Math.max(...shown.map((time, i) => Math.abs(time - given[i])))).toBeLessThan(0.03)
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

  it('are timed by the sound where they come at multiples of a unit, not where they come anyhow', () => {
    const [short, count] = [1 / 40, 200]
    const itself = (times: readonly number[]): boolean => {
      const tables = woven(times, short)
      const lag = measureLag(tables, timescales, 0, 1)
      if (!lag) throw new Error('no lag')
      expect(lag.high - lag.low).toBeLessThan(short)
      return timesItself({ tables, timescales, picture: 0, sound: 1, lag, unit: short, jitter: 0 })
    }
    const next = randomFrom(5)
    const anyhow = [0]
    while (anyhow.length < count) anyhow.push((anyhow.at(-1) ?? 0) + short * (0.6 + next() * 1.3))
    expect(itself(Array.from({ length: count }, (_, i) => short * (i + Math.floor(i / 9))))).toBe(true)
    expect(itself(anyhow)).toBe(false)
  })

  it('come within what the sound leaves where they stray from their usual distance', () => {
    const straying = (seed: number): number[] => {
      const next = randomFrom(seed)
      const times = [0]
      while (times.length < 120) times.push((times.at(-1) ?? 0) + unit * (0.6 + next() * 0.9))
      return times
    }
    const lag = measureLag(woven(straying(1), unit), timescales, 0, 1)
    if (!lag) throw new Error('no lag')
    const times = straying(2)
    const tables = woven(times, unit, true)
    const jitter = unit * 0.2
    const clockwork = { tables, timescales, picture: 0, sound: 1, lag, unit, jitter, knownVariable: true }
    const found = variableRateTimes({ ...clockwork, start: 0 })
    const off = times.map((time, i) => Math.abs(time - (found?.times[i] ?? 0)))
    expect(Math.max(...off)).toBeLessThan(lag.high - lag.low + unit * 0.1)
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

/**
 * A recording drawn by lot: at some rates, with jitter, pictures left out, sound ahead or not, and a hole; and what becomes of
 * its times.
 */
function drawn(seed: number): string {
  const next = randomFrom(seed)
  const among = <Value>(...values: readonly Value[]): Value => values[Math.floor(next() * values.length)]
  const base = among(15, 24, 30)
  const rates = Array.from({ length: 4 }, () => [1 + next() * 2, base * among(1, 1, 0.8, 1.25)] as const)
  const jitter = among(0, 0, 0.02, 0.1, 0.2) / base
  const skipped = among(0, 0, 0.1, 0.3)
  const write = (plan: readonly (readonly [number, number])[], even: boolean): SampleTable[] => {
    const kept = pictureTimes(plan).filter((_, i) => i < 3 || next() >= skipped)
    const times = kept.map((time, i) => Math.max(0, i === 0 ? 0 : time + (next() - 0.5) * jitter))
    const [pictures, sound] = [new SampleTable(), new SampleTable()]
    let [offset, heard] = [0, 0]
    for (const [i, time] of times.entries()) {
      while (heard < time - delay && (heard < time - delay - run || i % 5 === 0)) {
        sound.dts[sound.push(offset, 100, 1, SOUND * TICKS, 0, 0)] = heard * TICKS
        ;[heard, offset] = [heard + SOUND, offset + 100]
      }
      pictures.dts[pictures.push(offset, 1000, 1, TICKS / base, i, 0)] = (even ? i / base : time) * TICKS
      offset += 1000
    }
    return [pictures, sound]
  }
  const delay = among(0, 0.07, -0.5)
  const run = among(0, 0.3)
  const lag = measureLag(write([[6, base]], false), [TICKS, TICKS], 0, 1)
  if (!lag) return `${seed} no lag`
  const tables = write(rates, true)
  const hole = among(0, 50_000)
  for (const table of hole > 0 ? tables : []) {
    const row = table.offset.subarray(0, table.length).findIndex((offset) => offset > hole)
    if (row > 0) table.flags[row] |= SAMPLE_AFTER_HOLE
  }
  const found = variableRateTimes({
    ...{ tables, timescales: [TICKS, TICKS], picture: 0, sound: 1, lag, unit: 1 / base, jitter },
    ...{ knownVariable: among(true, false), start: among(0, undefined, 0.3) },
  })
  const told = [lag.low, lag.high, lag.runLow, lag.runHigh].map((time) => Math.round(time * 1e4))
  if (!found) return `${seed} ${told} even`
  const sum = found.times.reduce((total, time, i) => total + time * ((i % 7) + 1), 0)
  const { start, loose } = found
  return `${seed} ${told} ${Math.round(start * 1e4)} ${Math.round(sum * 100)}${loose ? ' loose' : ''}`
}

// for each recording: lags in tenths of milliseconds, then the start and a sum of times
it('times of recordings drawn by lot are what they were', () => {
  expect(Array.from({ length: 60 }, (_, seed) => drawn(seed + 1)).join('\n')).toMatchInlineSnapshot(`
    "1 474,699,474,699 3000 286683
    2 -228,-2,-228,-2 3000 268545
    3 -225,1325,-227,-7 -338 194118 loose
    4 473,3271,470,692 0 218527 loose
    5 -5215,-2102,-5224,-2097 1450 362022 loose
    6 468,698,468,698 0 157053
    7 -226,2693,-226,-1 0 125210 loose
    8 -224,2998,-224,2998 795 167092 loose
    9 475,699,475,699 0 308679
    10 -231,-2,-231,-2 3000 244012
    11 -5231,-5007,-5231,-5007 -11 328213
    12 -5227,-5010,-5227,-5010 3000 132174
    13 -5232,-5002,-5232,-5002 -9 123030
    14 -196,1663,-231,-2 699 191184 loose
    15 -231,-5,-231,-5 -5 202716
    16 -229,-4,-229,-4 -3251 215246
    17 -223,-7,-223,-7 -7 237707
    18 469,691,469,691 0 233189
    19 478,3439,478,674 -1745 179866 loose
    20 -231,-3,-231,-3 -3 320391
    21 526,2362,501,698 3000 330137 loose
    22 -230,-4,-230,-4 -4 284075
    23 -231,-5,-231,-5 0 156717
    24 -232,0,-232,0 0 149092
    25 -174,1654,-181,-6 3000 306758 loose
    26 -220,1650,-227,-19 687 379195 loose
    27 469,695,469,695 -1705 142551
    28 -5219,-2048,-5232,-2046 3000 207853 loose
    29 -230,2974,-230,2974 375 98370 loose
    30 473,3146,468,3581 0 309426 loose
    31 -5225,-3680,-5228,-5004 0 470851 loose
    32 -231,-4,-231,-4 -33 449540
    33 -5229,-5002,-5229,-5002 0 373831
    34 -230,-6,-230,-6 3000 317451
    35 -5212,-2007,-5212,-2007 3000 217033 loose
    36 469,698,469,698 0 541405
    37 -5225,-5001,-5225,-5001 3000 436374
    38 -213,1974,-215,-10 3000 413891 loose
    39 -5215,-2005,-5215,-2005 3000 110104 loose
    40 471,698,471,698 -21 357652
    41 -230,-2,-230,-2 0 308045
    42 -5228,-3347,-5230,-5002 3000 374366 loose
    43 -5222,-3677,-5227,-5005 0 259235 loose
    44 -226,1299,-230,-12 -9 288160 loose
    45 -5229,-5006,-5229,-5006 -121 212944
    46 -231,2704,-231,-6 even
    47 -229,-4,-229,-4 3000 251419
    48 -230,1311,-232,-12 0 400212 loose
    49 476,2969,469,690 3000 242991 loose
    50 -230,-4,-230,-4 3000 233954
    51 -5226,-2367,-5226,-5034 3000 98398 loose
    52 495,3696,495,3696 1411 123539 loose
    53 -5231,-2014,-5231,-2014 428 260588 loose
    54 -5224,-2343,-5224,-5017 3000 251899 loose
    55 469,698,469,698 329 248433
    56 -217,2668,-217,-11 3000 194147 loose
    57 470,699,470,699 3000 322973
    58 -5226,-5000,-5226,-5000 -5 259748
    59 -5230,-5003,-5230,-5003 3000 276678
    60 472,699,472,699 10 287059"
  `)
})

describe('pictures whose sound ends long before them', () => {
  it.each([
    { sampled: 1, beat: undefined, most: 0.6 },
    { sampled: 3, beat: 0.5, most: 0.5 },
  ])('go on at the rate of the last runs: beat $beat', ({ sampled, beat, most }) => {
    const timescales = [TICKS, TICKS]
    const sample = recorded(
      pictureTimes([
        [3, 15],
        [0.3, 17],
        [sampled, 20],
      ]),
    )
    const lag = measureLag(sample, timescales, 0, 1)
    if (!lag) throw new Error('no lag')
    expect(lag.beat?.shortest).toBe(beat)
    const times = pictureTimes([
      [4, 15],
      [12, 12],
    ])
    const tables = recorded(times, 1 / 15)
    tables[1].truncate(Math.round(9 / SOUND))
    const found = variableRateTimes({
      ...{ tables, timescales, picture: 0, sound: 1, lag, unit: 1 / 15, jitter: 0 },
      knownVariable: true,
      start: 0,
    })
    const late = Array.from(found?.times ?? [], (time, row) => Math.abs(time - times[row]))
    expect(late).toHaveLength(times.length)
    expect(Math.max(...late)).toBeLessThan(most)
    expect(found?.loose).toBe(true)
  })
})

describe('pictures of an even rate of which some are left out now and then', () => {
  const even = Array.from({ length: 1800 }, (_, slot) => slot / 60)
  const without = (...left: number[]): number[] =>
    even.filter((_, slot) => !left.some((each) => slot >= each && slot < each + 3))
  const found = (sampled: readonly number[], times: readonly number[], isHeadLost: boolean) => {
    const lag = measureLag(recorded(sampled), [TICKS, TICKS], 0, 1)
    if (!lag) throw new Error('no lag')
    const heard = { tables: recorded(times, 1 / 60), timescales: [TICKS, TICKS], picture: 0, sound: 1, lag }
    const rest = { unit: 1 / 60, jitter: 0, knownVariable: false, start: 0 }
    return variableRateTimes({ ...heard, ...rest, isHeadLost })
  }

  it.each([
    { of: 'as the sample is', sampled: without(40, 250, 460), isHeadLost: false },
    { of: 'as the sample is, whose head is lost', sampled: without(40, 250, 460), isHeadLost: true },
    { of: 'unlike the sample', sampled: even.slice(0, 600), isHeadLost: false },
  ])('come at multiples of their distance in a recording $of', ({ sampled, isHeadLost }) => {
    const times = without(220, 520, 845, 1210, 1388)
    const result = found(sampled, times, isHeadLost)
    const timely = times.filter((time, row) => Math.abs(time - (result?.times[row] ?? 0)) < 1 / 120)
    expect(timely.length / times.length).toBeGreaterThan(0.97)
    expect(result?.loose).toBe(true)
  })

  it('are not of a constant rate where their last ones alone come at half of it', () => {
    const times = [...even, ...Array.from({ length: 120 }, (_, i) => 30 + i / 30)]
    const lag = measureLag(recorded(even.slice(0, 600)), [TICKS, TICKS], 0, 1)
    if (!lag) throw new Error('no lag')
    const result = variableRateTimes({
      ...{ tables: recorded(times, 1 / 60), timescales: [TICKS, TICKS], picture: 0, sound: 1 },
      ...{ lag: { ...lag, beat: undefined }, unit: 1 / 60, jitter: 0, knownVariable: false, start: 0 },
    })
    const last = result?.times.at(-1) ?? 0
    expect(Math.abs(last - (times.at(-1) ?? 0))).toBeLessThan(0.3)
  })

  it('are of a constant rate where none is', () => {
    expect(found(without(40, 250, 460), even, false)).toBeUndefined()
    expect(found(even.slice(0, 600), even, false)).toBeUndefined()
  })
})
