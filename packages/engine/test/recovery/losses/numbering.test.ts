import { describe, expect, it } from 'vitest'
import { SAMPLE_KEY, SAMPLE_RESTART, SampleTable } from '../../../src/model/sample-table.ts'
import { lossesByRow } from '../../../src/recovery/losses/losses-by-row.ts'
import { isZeroBased, type Numbering, numberingAt } from '../../../src/recovery/losses/numbering.ts'

const STEP = 2
const ANEW = SAMPLE_KEY | SAMPLE_RESTART

/** A table of pictures by their numbers, in decoding order; `flags` by row. */
function tableOf(numbers: readonly number[], flags: Readonly<Record<number, number>> = {}): SampleTable {
  const table = new SampleTable(numbers.length)
  for (const [row, number] of numbers.entries()) table.push(row, 1, 1, 1, number * STEP, flags[row] ?? 0)
  return table
}

interface Facts {
  readonly flags?: Readonly<Record<number, number>>
  readonly lastHole?: number
  readonly nextHole?: number
  readonly period?: number
  readonly zeroBased?: boolean
  readonly depth?: number
  readonly leading?: number
  readonly linked?: boolean
}

function at(row: number, numbers: readonly number[], facts: Facts = {}): Numbering | undefined {
  const { flags = {}, lastHole = -100, nextHole = 1000, period = 0, zeroBased = true } = facts
  const { depth = 0, leading = 0, linked = false } = facts
  return numberingAt(tableOf(numbers, flags), row, {
    step: STEP,
    period: period * STEP,
    ...{ lastHole, nextHole, zeroBased, depth, leading, linked },
  })
}

const upTo = (count: number, first = 0): number[] => Array.from({ length: count }, (_, i) => first + i)

describe('numbers that a hole took', () => {
  it.each<[string, number, readonly number[], Facts, number]>([
    ['are none where they go on', 3, upTo(12), {}, 0],
    ['are those between both sides', 3, [0, 1, 2, ...upTo(10, 6)], {}, 3],
    ['are less than none where they went back', 4, [4, 5, 6, 7, 6, 7, 8], {}, -2],
    [
      'are told by all around, whatever the order of display',
      4,
      [0, 3, 1, 2, 9, 7, 8, 10, 13, 11, 12],
      {},
      3,
    ],
    ['are told by the rows behind the last hole alone', 5, [90, 90, 2, 3, 4, 6, 7, 8], { lastHole: 2 }, 1],
    ['are told by the rows before the next hole alone', 3, [0, 1, 2, 4, 5, 90], { nextHole: 5 }, 1],
    ['are told by the rows behind a new beginning alone', 4, [90, 0, 1, 2, 4], { flags: { 1: ANEW } }, 1],
    ['are told by the rows before a new beginning alone', 3, [0, 1, 2, 4, 5, 0], { flags: { 5: ANEW } }, 1],
    ['are not asked of those far away', 30, [900, ...upTo(29, 1), ...upTo(24, 31), 900], {}, 1],
    ['are none where the numbering begins anew', 3, [0, 1, 2, 9, 10], { flags: { 3: ANEW } }, 0],
  ])('%s', (_, row, numbers, facts, missing) => {
    expect(at(row, numbers, facts)?.missing).toBe(missing)
  })

  it('may be more where other key pictures have some shown before them, and the one before the hole has none', () => {
    const numbers = [0, 2, 1, 4, 3, 10, 12, 11, 14, 13, 16, 15]
    const flags = { 5: ANEW }
    expect(at(6, numbers, { flags, leading: 1 })?.beyond).toBe(1)
    expect(at(6, numbers.with(6, 9), { flags, leading: 1 })?.beyond).toBe(0)
    expect(at(6, numbers, { flags })?.beyond).toBe(0)
    // pictures shown before the key picture are decoded in front of those shown behind it
    expect(at(8, numbers, { flags, leading: 1 })?.beyond).toBe(0)
  })

  it('are not told in front of the first row, behind the last, and without a step', () => {
    expect(at(0, upTo(4))).toBeUndefined()
    expect(at(4, upTo(4))).toBeUndefined()
    expect(
      numberingAt(tableOf(upTo(4)), 2, {
        ...{ step: 0, period: 0, lastHole: 0, nextHole: 4 },
        ...{ zeroBased: true, depth: 0, leading: 0, linked: false },
      }),
    ).toBeUndefined()
  })

  it.each<[string, readonly number[], number, boolean]>([
    ['a few that are shown before one decoded earlier', [5, 3, 4, 2, 0, 1, 8, 6, 7], 2, true],
    ['further back than pictures are decoded ahead', [5, 3, 4, 2, 0, 1, 8, 6, 7], 1, false],
    ['a number that was there before', [0, 1, 5, 2, 2, 1, 8, 6, 7], 4, false],
    ['pictures that are shown as they are decoded', [0, 1, 2, 3, 4, 5, 6], 0, false],
  ])('go on behind a hole: %s: %j', (_, numbers, depth, goesOn) => {
    expect(at(4, numbers, { depth, lastHole: 3, nextHole: 6 })?.goesOn).toBe(goesOn)
  })
})

describe('of pictures behind a lost key picture', () => {
  it('the lowest number tells how many are gone, modulo the period', () => {
    expect(at(2, [0, 1, ...upTo(10, 5)])?.sinceKey).toBe(4)
    expect(at(2, [0, 1, ...upTo(10, 5)], { period: 4 })).toMatchObject({ sinceKey: 0, period: 4 })
    expect(at(2, [0, 1, ...upTo(10, 5)], { zeroBased: false })?.sinceKey).toBeUndefined()
  })

  it('the highest number tells it where the sequence ends', () => {
    expect(at(2, [0, 1, 5, 3, 4, 0], { flags: { 5: ANEW } })?.sinceKey).toBe(2)
  })

  it('few of them that are shown in another turn may mislead', () => {
    const reordered = [0, 3, 1, 2, 9, 7, 8, 0]
    expect(at(4, reordered, { flags: { 7: ANEW } })).toMatchObject({ slack: 2, beyond: 2 })
    expect(at(4, reordered.slice(0, 7))).toMatchObject({ slack: 2, beyond: 0 })
    expect(at(4, reordered, { flags: { 4: ANEW, 7: ANEW } })).toMatchObject({
      slack: 2,
      beyond: 0,
      anew: true,
    })
    expect(at(4, [0, 3, 1, 2, ...upTo(8, 5)])).toMatchObject({ slack: 0 })
    expect(at(4, [...upTo(4), 9, 7, 8])).toMatchObject({ slack: 0 })
  })
})

it('a hole is in a crowd where fewer than eight pictures part it from another', () => {
  const crowded = (lastHole: number, nextHole: number) => at(20, upTo(40), { lastHole, nextHole })?.crowded
  expect([crowded(12, 28), crowded(13, 28), crowded(12, 27)]).toEqual([false, true, true])
})

it('one number on both sides is one picture in two pieces, but not where a new sequence begins', () => {
  expect(at(3, [0, 1, 2, 2, 3])?.halves).toBe(true)
  expect(at(3, [0, 1, 2, 3])?.halves).toBe(false)
  expect(at(3, [0, 1, 0, 0, 1], { flags: { 3: ANEW } })?.halves).toBe(false)
  expect(at(3, [0, 1, 0, 0, 1], { flags: { 2: ANEW, 3: ANEW } })?.halves).toBe(true)
  expect(at(3, [0, 1, 2, 2, 3], { flags: { 3: SAMPLE_RESTART } })?.anew).toBe(false)
})

it('sequences are numbered from zero where nine in ten are', () => {
  const zeroBased = (numbers: readonly number[], flag = ANEW) =>
    isZeroBased(tableOf(numbers, Object.fromEntries(numbers.map((_, row) => [row, flag]))))
  expect(zeroBased([...Array(9).fill(0), 5])).toBe(true)
  expect(zeroBased([...Array(8).fill(0), 5, 5])).toBe(false)
  expect(zeroBased([0], SAMPLE_RESTART)).toBe(false)
  expect(zeroBased([0], SAMPLE_KEY)).toBe(false)
  expect(zeroBased([...Array(256).fill(0), ...Array(999).fill(5)])).toBe(true)
})

it('losses before one row are added, and keep what was lost behind a key picture', () => {
  const hole = { offset: 0, length: 0, rows: [] }
  const loss = { estimated: false, numbered: false, uncertain: false, link: 'told', hole } as const
  const rows = lossesByRow([
    { ...loss, row: 3, seconds: 1, behindKey: 7 },
    { ...loss, row: 3, seconds: 2 },
    { ...loss, row: 9, seconds: 4 },
  ])
  expect([...rows]).toEqual([
    [3, { seconds: 3, behindKey: 7 }],
    [9, { seconds: 4 }],
  ])
})
