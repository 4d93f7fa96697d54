import { describe, expect, it } from 'vitest'
import { randomNumbers } from '../../src/bytes/damage.ts'
import { SampleTable } from '../../src/model/sample-table.ts'
import { delayOf, mendStamps } from '../../src/recording/mend-stamps.ts'

const STEP = 3600
/** Decoding and display of pictures with one out of order. */
const DELAYS = [STEP, 3 * STEP, STEP, 0]

interface Stamps {
  readonly table: SampleTable
  readonly displayed: (row: number) => number
}

function stamps(dts: readonly number[], pts: readonly number[]): Stamps {
  const table = new SampleTable()
  for (const [row, time] of dts.entries()) {
    table.push(row * 1000, 100, 1, 0, 0, 0)
    table.dts[row] = time
    table.cts[row] = delayOf(time, pts[row])
  }
  return { table, displayed: (row) => pts[row] }
}

function pictures(): { dts: number[]; pts: number[] } {
  const dts = Array.from({ length: 40 }, (_, i) => 90_000 + i * STEP)
  return { dts, pts: dts.map((time, i) => time + DELAYS[i % DELAYS.length]) }
}

describe('time stamps that were hit', () => {
  it('leaves a stream with a rhythm as it is', () => {
    const { dts, pts } = pictures()
    const { table, displayed } = stamps(dts, pts)
    expect(mendStamps(table, 0, displayed)).toEqual([])
  })

  it('leaves a picture that is shown more than sixteen others late, where it is missing between those shown around it', () => {
    const shown = [4, 18, 11, 7, 5, 6, 9, 8, 10, 14, 12, 13, 16, 15, 17, 19]
    const dts = shown.map((_, i) => 90_000 + i * STEP)
    const pts = shown.map((place) => 90_000 + place * STEP)
    const { table, displayed } = stamps(dts, pts)
    expect(mendStamps(table, 0, displayed)).toEqual([])
  })

  it.each([
    ['before', [4, 18, 11, 7, 5, 6, 9, 8, 10, 14, 12, 13, 16, 15, 20, 19]],
    ['behind', [4, 18, 11, 7, 5, 6, 9, 8, 10, 14, 12, 13, 16, 15, 17, 20]],
  ])('does not take one for missing there where none is shown right %s it', (_, shown) => {
    const dts = shown.map((_, i) => 90_000 + i * STEP)
    const pts = shown.map((place) => 90_000 + place * STEP)
    const late = shown.findIndex((place, i) => place - i > 16)
    const { table, displayed } = stamps(dts, pts)
    expect(mendStamps(table, 0, displayed).map(({ row }) => row)).toContain(late)
  })

  it.each([11, 16, 24, 31])('turns bit %i of a decoding time back', (bit) => {
    const { dts, pts } = pictures()
    const right = dts[20]
    dts[20] += Math.floor(right / 2 ** bit) % 2 === 1 ? -(2 ** bit) : 2 ** bit
    const { table, displayed } = stamps(dts, pts)
    expect(mendStamps(table, 0, displayed)).toEqual([{ row: 20, dts: right, pts: pts[20], sure: true }])
  })

  it('turns every fifth time back where each was hit in one bit, the first and the last among them', () => {
    const right = Array.from({ length: 41 }, (_, i) => 90_000 + i * 2880)
    const bits = [8, 25, 12, 32, 9, 21, 12, 25, 25]
    const hit = new Map(bits.map((bit, k) => [k * 5, 2 ** bit]))
    const turned = right.map((time, row) => {
      const weight = hit.get(row) ?? 0
      return weight > 0 && Math.floor(time / weight) % 2 === 1 ? time - weight : time + weight
    })
    const { table, displayed } = stamps(turned, turned)
    const fixes = mendStamps(table, 0, displayed)
    expect(fixes.map(({ row, dts, sure }) => [row, dts, sure])).toEqual(
      [...hit.keys()].map((row) => [row, right[row], true]),
    )
  })

  it('turns two times of display back that the same bit makes late by as much', () => {
    const { dts, pts } = pictures()
    const right = [...pts]
    const isSet = (time: number): boolean => (time & 256) !== 0
    const hit = [5, 9, 13, 17, 21].filter((row) => !isSet(pts[row])).slice(0, 2)
    expect(hit).toHaveLength(2)
    for (const row of hit) pts[row] += 256
    const { table, displayed } = stamps(dts, pts)
    const fixes = mendStamps(table, 0, displayed).map(({ row, pts: time }) => [row, time])
    expect(fixes).toEqual(hit.map((row) => [row, right[row]]))
  })

  it('turns the last two times back of a stream without a rhythm, where both are far', () => {
    const right = Array.from({ length: 30 }, (_, i) => 90_000 + i * STEP + (i % 3 === 1 ? 700 : 0))
    const times = right.map((time, row) => time + (row > 27 ? 2 ** 26 : 0))
    const { table, displayed } = stamps(times, times)
    expect(mendStamps(table, 0, displayed).map(({ row, dts }) => [row, dts])).toEqual([
      [28, right[28]],
      [29, right[29]],
    ])
  })

  it('is sure of none where one that was hit in two bits still leaves the rhythm', () => {
    const { dts, pts } = pictures()
    const fixesOf = (): readonly boolean[] => {
      const { table, displayed } = stamps(dts, pts)
      return mendStamps(table, 0, displayed).map(({ sure }) => sure)
    }
    dts[10] += 2 ** 24
    expect(fixesOf()).toEqual([true])
    dts[20] += 1024 + 256
    expect(fixesOf()).toEqual([false])
  })

  it('leaves a stream alone of which every third time is late by more than a bit', () => {
    const times = Array.from({ length: 40 }, (_, i) => 90_000 + i * STEP + (i % 3 === 1 ? 700 : 0))
    const { table, displayed } = stamps(times, times)
    expect(mendStamps(table, 0, displayed)).toEqual([])
  })

  it.each([17, 25, 32])('turns bit %i of a time of display back', (bit) => {
    const { dts, pts } = pictures()
    const right = pts[21]
    pts[21] += Math.floor(right / 2 ** bit) % 2 === 1 ? -(2 ** bit) : 2 ** bit
    const { table, displayed } = stamps(dts, pts)
    expect(mendStamps(table, 0, displayed)).toEqual([{ row: 21, dts: dts[21], pts: right, sure: true }])
  })

  it('turns two times of display back that are too far to be kept', () => {
    const { dts, pts } = pictures()
    const right = [...pts]
    for (const row of [13, 25]) pts[row] += 2 ** 31
    const { table, displayed } = stamps(dts, pts)
    const fixes = mendStamps(table, 0, displayed).map(({ row, pts: time }) => [row, time])
    expect(fixes).toEqual([13, 25].map((row) => [row, right[row]]))
  })

  it.each([
    ['the first time', [0, 2]],
    ['the first two times', [0, 1]],
  ])('turns %s back, whatever those next to it are', (_, rows) => {
    const { dts, pts } = pictures()
    const right = [...dts]
    for (const row of rows) dts[row] += 2 ** (29 + row)
    const { table, displayed } = stamps(dts, pts)
    const fixes = mendStamps(table, 0, displayed).map(({ row, dts: time }) => [row, time])
    expect(fixes).toEqual(rows.map((row) => [row, right[row]]))
  })

  it('takes a time that no turned bit explains from the rhythm', () => {
    const { dts, pts } = pictures()
    const right = dts[10]
    dts[10] = 7
    const { table, displayed } = stamps(dts, pts)
    expect(mendStamps(table, 0, displayed)).toEqual([{ row: 10, dts: right, pts: pts[10], sure: true }])
  })

  it('turns a bit of the last time of sound back, whose packets hold now more frames and now fewer', () => {
    const frame = 2160
    const dts = [90_000]
    for (let i = 0; i < 40; i++) dts.push(dts[i] + frame * (3 + (i % 3)))
    const right = dts[40]
    dts[40] ^= 1 << 17
    const { table, displayed } = stamps(dts, dts)
    expect(mendStamps(table, frame, displayed)).toEqual([{ row: 40, dts: right, pts: right, sure: true }])
  })

  it('turns times back of which every fifteenth was hit: each breaks two steps', () => {
    const { dts, pts } = pictures()
    const right = [...dts]
    for (const row of [7, 21, 35]) dts[row] ^= 1 << 11
    const { table, displayed } = stamps(dts, pts)
    const fixes = mendStamps(table, 0, displayed).map(({ row, dts: time }) => [row, time])
    expect(fixes).toEqual([7, 21, 35].map((row) => [row, right[row]]))
  })

  it('turns times of sound back of which every fifteenth was hit', () => {
    const frame = 2160
    const dts = [90_000]
    for (let i = 0; i < 40; i++) dts.push(dts[i] + frame * (3 + (i % 3)))
    const right = [...dts]
    for (const row of [6, 20, 34]) dts[row] ^= 1 << 9
    const { table, displayed } = stamps(dts, dts)
    const fixes = mendStamps(table, frame, displayed).map(({ row, dts: time }) => [row, time])
    expect(fixes).toEqual([6, 20, 34].map((row) => [row, right[row]]))
  })

  it.each([
    ['that is soon due', 1, 13],
    ['behind a hole', 10, 25],
  ])('turns a bit of the last time of pictures back %s', (_, steps, bit) => {
    const dts = Array.from({ length: 40 }, (_, i) => 90_000 + i * STEP)
    const right = dts[38] + steps * STEP
    dts[39] = right ^ (1 << bit)
    const { table, displayed } = stamps(dts, dts)
    expect(mendStamps(table, 0, displayed)).toEqual([{ row: 39, dts: right, pts: right, sure: true }])
  })

  it('turns two times in a row back, of which the second is hardly off', () => {
    const { dts, pts } = pictures()
    const right = [...dts]
    dts[20] += 2 ** 18
    dts[21] += 256
    const { table, displayed } = stamps(dts, pts)
    const fixes = mendStamps(table, 0, displayed).map(({ row, dts: time }) => [row, time])
    expect(fixes).toEqual([20, 21].map((row) => [row, right[row]]))
  })

  it('finds a time behind those that follow, where steps have no rhythm', () => {
    const dts = Array.from({ length: 40 }, (_, i) => 90_000 + i * STEP + ((i * i) % 7) * 400)
    const right = [...dts]
    dts[20] += 2 ** 18
    // the one in front of a time that is too early is not too late
    dts[30] -= 2 ** 13
    const { table, displayed } = stamps(dts, dts)
    const [fix, ...others] = mendStamps(table, 0, displayed)
    expect(others.map(({ row }) => row)).toEqual([30])
    expect([fix.row, fix.dts, fix.sure]).toEqual([20, right[20], true])
  })

  it('leaves a last time alone that is off its rhythm, but due', () => {
    const dts = Array.from({ length: 40 }, (_, i) => 90_000 + i * STEP)
    dts[39] += 700
    const { table, displayed } = stamps(dts, dts)
    expect(mendStamps(table, STEP, displayed)).toEqual([])
  })

  it('takes times that go on elsewhere for a cut in the film, not for hits', () => {
    const { dts, pts } = pictures()
    for (let i = 20; i < dts.length; i++) {
      dts[i] += 3600 * 90_000
      pts[i] += 3600 * 90_000
    }
    const { table, displayed } = stamps(dts, pts)
    expect(mendStamps(table, 0, displayed)).toEqual([])
  })

  it('leaves pictures of any rate as they are', () => {
    const dts = Array.from({ length: 40 }, (_, i) => 90_000 + i * 3000 + ((i * 7919) % 1700))
    const { table, displayed } = stamps(dts, dts)
    expect(mendStamps(table, 0, displayed)).toEqual([])
  })

  it('knows frames of sound by their length, whatever number a packet holds', () => {
    const counts = [2, 1, 4, 1, 2, 3, 1, 3, 1, 4]
    const dts = [90_000]
    for (let i = 0; i < 40; i++) dts.push(dts[i] + counts[i % counts.length] * 1920)
    const right = dts[6]
    dts[6] ^= 1 << 9
    const { table, displayed } = stamps(dts, dts)
    expect(mendStamps(table, 1920, displayed)).toEqual([{ row: 6, dts: right, pts: right, sure: true }])
  })

  it('is not led astray by a time that is off by less than anybody notices', () => {
    const counts = [2, 1, 4, 1, 2, 3, 1, 3, 1, 4]
    const dts = [90_000]
    for (let i = 0; i < 40; i++) dts.push(dts[i] + counts[i % counts.length] * 1920)
    const right = [...dts]
    dts[9] ^= 1 << 4
    dts[10] ^= 1 << 26
    dts[11] ^= 1 << 9
    const { table, displayed } = stamps(dts, dts)
    expect(mendStamps(table, 1920, displayed).map(({ row, dts: time }) => [row, time])).toEqual([
      [10, right[10]],
      [11, right[11]],
    ])
  })

  it('turns two times in a row back, the first of which only leaves the rhythm, also where many are hit', () => {
    const counts = [2, 1, 4, 1, 2, 3, 1, 3, 1, 4]
    const dts = [90_000]
    for (let i = 0; i < 44; i++) dts.push(dts[i] + counts[i % counts.length] * 1920)
    const right = [...dts]
    const hits = [3, 20, 21, 37]
    for (const [i, bit] of [9, 9, 26, 22].entries()) dts[hits[i]] ^= 1 << bit
    const { table, displayed } = stamps(dts, dts)
    expect(mendStamps(table, 1920, displayed).map(({ row, dts: time }) => [row, time])).toEqual(
      hits.map((row) => [row, right[row]]),
    )
  })

  it('takes a last time that is hours off, and that no turned bit explains, from the rhythm: a guess', () => {
    const { dts, pts } = pictures()
    const right = dts[39]
    dts[39] += 2 ** 31 + 2 ** 27
    const { table, displayed } = stamps(dts, pts)
    expect(mendStamps(table, 0, displayed).map(({ row, dts: time, sure }) => [row, time, sure])).toEqual([
      [39, right, false],
    ])
  })

  it('turns the same bit of two times of display with the same delay back', () => {
    const { dts, pts } = pictures()
    const right = [...pts]
    for (const row of [12, 20]) pts[row] += 2 ** 27
    const { table, displayed } = stamps(dts, pts)
    expect(mendStamps(table, 0, displayed).map(({ row, pts: time }) => [row, time])).toEqual(
      [12, 20].map((row) => [row, right[row]]),
    )
  })
})

/**
 * Streams with times hit by lot: how many, how many of these are right again, wrong though called sure, and rows changed that
 * were whole.
 */
function drawn(unit: number, steps: readonly number[], delays: readonly number[]) {
  const told = { hit: 0, right: 0, wronglySure: 0, whole: 0 }
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomNumbers(seed)
    const below = (limit: number): number => Math.floor(random() * limit)
    const dts = [below(2 ** 33)]
    for (let i = 0; i < 40; i++) dts.push(dts[i] + steps[i % steps.length])
    const pts = dts.map((time, i) => time + delays[i % delays.length])
    const right = dts.map((time, row) => [time, pts[row]])
    const hit = new Set<number>()
    for (let i = 0; i <= seed % 5; i++) {
      const row = below(dts.length)
      const times = random() < 0.5 || delays.length === 1 ? dts : pts
      const bit = 2 ** (7 + below(26))
      times[row] += Math.floor(times[row] / bit) % 2 === 1 ? -bit : bit
      if (delays.length === 1) pts[row] = dts[row]
      hit.add(row)
    }
    const { table, displayed } = stamps(dts, pts)
    const fixes = mendStamps(table, unit, displayed)
    told.hit += hit.size
    for (const { row, dts, pts, sure } of fixes) {
      // the table holds what was found
      expect([table.dts[row], table.cts[row]]).toEqual([dts, delayOf(dts, pts)])
      const isRight = dts === right[row][0] && (pts - right[row][1]) % 2 ** 33 === 0
      if (!hit.has(row)) told.whole++
      else if (isRight) told.right++
      else if (sure) told.wronglySure++
    }
  }
  return told
}

it('times hit by lot are turned back, wherever and however many', () => {
  const counts = [2, 1, 4, 1, 2, 3, 1, 3, 1, 4].map((count) => count * 1920)
  const told = [
    drawn(0, [STEP], DELAYS),
    drawn(0, [3003, 3003, 3004], [0]),
    drawn(1920, counts, [0]),
    drawn(0, [2900, 3700, 3100, 5200, 2500], [0]),
  ]
  expect(told).toMatchInlineSnapshot(`
    [
      {
        "hit": 175,
        "right": 124,
        "whole": 0,
        "wronglySure": 0,
      },
      {
        "hit": 175,
        "right": 169,
        "whole": 0,
        "wronglySure": 1,
      },
      {
        "hit": 175,
        "right": 150,
        "whole": 3,
        "wronglySure": 0,
      },
      {
        "hit": 175,
        "right": 121,
        "whole": 6,
        "wronglySure": 2,
      },
    ]
  `)
})
