import { expect, it } from 'vitest'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { gridStep, missingPictures } from '../../../src/recovery/timing/picture-order.ts'

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
