import { expect, it } from 'vitest'
import { goesOn } from '../../../../src/formats/isobmff/ways/index/goes-on.ts'
import { SampleTable } from '../../../../src/model/sample-table.ts'

/** Display places of the pictures of a film, four by four, each decoded behind one that is shown after it. */
const PYRAMID = [0, 4, 2, 1, 3, 8, 6, 5, 7, 12, 10, 9, 11, 16, 14, 13, 15]

/** Where rows found behind the first `known` go on, in steps from the first picture's time. */
function goesOnAt(shown: readonly number[], known: number, step = 10): number {
  const table = new SampleTable()
  for (const [row, place] of shown.entries()) {
    table.push(row, 1, 1, step, 0, 0)
    table.dts[row] = row * step
    // those found count from the first of them on
    table.cts[row] = (row < known ? place + 2 : place + 500) * step - row * step
  }
  return goesOn(table, known) / step - 2
}

it('pictures go on where the ones before them end', () => {
  expect(goesOnAt([0, 1, 2, 3, 4, 5, 6, 7], 4)).toBe(4)
  expect(goesOnAt(PYRAMID, 5)).toBe(5)
  expect(goesOnAt(PYRAMID, 9)).toBe(9)
})

it('pictures that are decoded behind others shown after them come between those', () => {
  expect(goesOnAt(PYRAMID, 4)).toBe(3)
  expect(goesOnAt(PYRAMID, 8)).toBe(7)
  expect(goesOnAt(PYRAMID, 7)).toBe(5)
})

it('a picture that was left out before is no place for others', () => {
  expect(goesOnAt([0, 1, 3, 4, 5, 6, 7, 8], 4)).toBe(5)
})

it('nothing goes on from nothing', () => {
  const table = new SampleTable()
  table.push(0, 1, 1, 10, 0, 0)
  expect(goesOn(table, 0)).toBe(-1)
})
