import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SAMPLE_RESTART, SampleTable } from '../../../src/model/sample-table.ts'
import {
  codedSequences,
  displayOrder,
  gridStep,
  missingPictures,
  orderStep,
  parted,
  reorderDepth,
  skipsNumbers,
} from '../../../src/recovery/timing/picture-order.ts'

function stepOf(orders: readonly number[]): number {
  const table = new SampleTable()
  for (const order of orders) table.push(0, 1, 1, 1, order, 0)
  return gridStep(table, [{ first: 0, end: orders.length }])
}

it('times lie on a grid where pictures are whole steps apart, some left out', () => {
  expect(stepOf([0, 40, 80, 200, 240, 360, 400])).toBe(40)
  expect(stepOf([0, 80, 40, 120])).toBe(40)
})

it('times that are no whole steps apart lie on none', () => {
  expect(stepOf([0, 40, 80, 130, 170, 215, 255])).toBe(0)
  expect(stepOf([7])).toBe(0)
})

it('numbers missing between the first pictures of a recording without its head went with that, not with the next hole', () => {
  const table = new SampleTable()
  for (const order of [2, 4, 10, 8, 6, 7, 9, 15, 12, 11, 14]) table.push(0, 1, 1, 1, order, 0)
  const missing = (holes: readonly number[]): unknown => [
    ...missingPictures(table, [{ first: 0, end: table.length }], 1, holes),
  ]
  expect(missing([0, 8])).toEqual([
    [0, 2],
    [8, 1],
  ])
  expect(missing([8])).toEqual([[8, 3]])
})

/** Rows with these numbers; order starts anew at some. */
function tableOf(orders: readonly number[], restarts: readonly number[] = []): SampleTable {
  const table = new SampleTable()
  for (const [row, order] of orders.entries())
    table.push(0, 1, 1, 1, order, restarts.includes(row) ? SAMPLE_RESTART : 0)
  return table
}

it('numbers are left out where no hole is: neither beside holes, nor where a recording breaks off, nor as a habit', () => {
  const numbers = (left: readonly number[]) =>
    Array.from({ length: 40 }, (_, i) => 2 * i).filter((n) => !left.includes(n))
  const skips = (orders: readonly number[], holes: readonly number[] = []) =>
    skipsNumbers(tableOf(orders, [0]), holes)
  expect(skips(numbers([]))).toBe(false)
  expect(skips(numbers([40]))).toBe(true)
  expect(skips(numbers([40]), [20])).toBe(false)
  expect(skips(numbers([40]), [30])).toBe(true)
  // shown between its last ones
  expect(skips([...numbers([]), 88, 84, 82], [43])).toBe(false)
  expect(skips(numbers([4, 12, 16, 22, 30, 36, 44, 50, 52, 64]))).toBe(false)
})

const whole = (orders: readonly number[]) => [{ first: 0, end: orders.length }]

it('rows are cut where order starts anew, and where pictures were lost, none left out and none twice', () => {
  const cuts = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 8 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 25 }), cuts, cuts, (length, restarts, holes) => {
      const rows = Array.from({ length }, (_, row) => row)
      const startsOf = (all: readonly { first: number; end: number }[]) => {
        for (const [i, { first, end }] of all.entries())
          expect([end > first, end]).toEqual([true, all[i + 1]?.first ?? length])
        return all.map(({ first }) => first)
      }
      const sequences = codedSequences(tableOf(rows, restarts))
      const begun = (places: readonly number[]) => rows.filter((row) => row === 0 || places.includes(row))
      expect(startsOf(sequences)).toEqual(begun(restarts))
      const sorted = holes.toSorted((a, b) => a - b)
      expect(startsOf(parted(sequences, sorted))).toEqual(begun([...restarts, ...holes]))
    }),
  )
})

it.each([
  ['pictures are counted one by one', [0, 2, 1, 3, 4], 1],
  ['or by two, as fields are', [0, 4, 2, 8, 6, 10], 2],
  [
    'nine in ten are one step apart',
    [...Array(37).keys()].map((i) => i + (i > 20 ? 1 : 0) + (i > 30 ? 1 : 0)),
    1,
  ],
  ['and two more where the recording broke off', [0, 1, 2, 4, 6, 7, 8, 9], 1],
  ['a third that is another is too much', [0, 1, 2, 4, 6, 8, 9, 10], 0],
  ['of few, more than half have to agree', [0, 1, 3], 0],
  ['times that are not even count nothing', [0, 33, 70, 100, 141], 0],
  ['pictures with the same number count nothing', [5, 5, 5, 5], 0],
  ['one picture says nothing', [5], 0],
])('the step of a count: %s', (_, orders, step) => {
  expect(orderStep(tableOf(orders), whole(orders))).toBe(step)
})

it('a count of forty may miss four steps and two more at its end', () => {
  const orders = (gaps: number) => [...Array(41).keys()].map((i) => i + Math.min(gaps, Math.floor(i / 6)))
  expect([5, 6, 7].map((gaps) => orderStep(tableOf(orders(gaps)), whole(orders(gaps))))).toEqual([1, 1, 1])
  const more = [...Array(41).keys()].map((i) => i + Math.min(7, Math.floor(i / 5)))
  expect(orderStep(tableOf(more), whole(more))).toBe(0)
})

it('of a grid one picture in fifty may lie beside', () => {
  const beside = (count: number) =>
    [...Array(101).keys()].map((i) => i * 40 + (i > 100 - count ? 7 * (i - 100 + count) : 0))
  expect([0, 2, 3].map((count) => gridStep(tableOf(beside(count)), whole(beside(count))))).toEqual([
    40, 40, 0,
  ])
})

it('pictures are shown by their numbers, those with the same as they were decoded', () => {
  expect([...displayOrder(tableOf([9, 4, 2, 4, 8]), { first: 1, end: 5 })]).toEqual([2, 1, 3, 4])
})

it('what is missing goes to the hole nearest to where its neighbours were decoded, and leaps are none', () => {
  const missing = (orders: readonly number[], holes: readonly number[], restarts: readonly number[] = []) => {
    const table = tableOf(orders, restarts)
    return [...missingPictures(table, codedSequences(table), 2, holes)]
  }
  const orders = [0, 2, 4, 10, 12, 14, 20, 22, 24]
  expect(missing(orders, [3, 6])).toEqual([
    [3, 2],
    [6, 2],
  ])
  expect(missing(orders, [])).toEqual([])
  expect(missing(orders, [2])).toEqual([[2, 4]])
  expect(missing(orders, [4, 5])).toEqual([
    [4, 2],
    [5, 2],
  ])
  // the hole at the end of a sequence took its last pictures, one at its first row those of the sequence before
  expect(missing([0, 6, 8, 0, 2, 6], [3], [3])).toEqual([[3, 2]])
  expect(missing([0, 2, 4, 0, 6, 8], [3], [3])).toEqual([])
  const leap = (pictures: number) => missing([0, 2 * (pictures + 1)], [1])
  expect([leap(100_000), leap(100_001)]).toEqual([[[1, 100_000]], []])
})

it('what comes between the last pictures of a recording that breaks off was not written: no hole far from there took it', () => {
  const orders = [0, 1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26]
  const missing = (behind: number) => {
    const table = tableOf(orders.slice(0, behind))
    return [...missingPictures(table, codedSequences(table), 1, [3])]
  }
  expect(missing(orders.length - 1)).toEqual([[3, 2]])
  expect(missing(orders.length)).toEqual([[3, 2]])
  // near the end the hole may have taken it
  const near = tableOf([...orders.slice(0, 10), 13])
  expect([...missingPictures(near, codedSequences(near), 1, [3])]).toEqual([[3, 3]])
})

it('numbers next to a hole that it took say nothing of the step', () => {
  const table = tableOf([0, 1, 5, 3, 4, 8, 6, 7, 11, 9, 10, 14, 12])
  const pieces = [
    { first: 0, end: 7 },
    { first: 7, end: 13 },
  ]
  expect(orderStep(table, pieces)).toBe(0)
  expect(orderStep(table, pieces, [0, 7])).toBe(1)
  // more of them than holes explain do
  expect(orderStep(tableOf([0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 15, 16, 18, 19]), pieces, [0, 7])).toBe(0)
})

it('the depth of reordering is that of the picture which comes furthest behind one decoded before it', () => {
  const table = tableOf([4, 0, 2, 12, 8, 6, 10, 0, 40])
  expect(reorderDepth(table, whole([4, 0, 2, 12, 8, 6, 10]), 2)).toBe(3)
  expect(reorderDepth(table, [{ first: 0, end: 3 }], 2)).toBe(2)
  expect(reorderDepth(table, [{ first: 7, end: 9 }], 2)).toBe(0)
  expect(reorderDepth(table, whole([4, 0]), 0)).toBe(0)
})
