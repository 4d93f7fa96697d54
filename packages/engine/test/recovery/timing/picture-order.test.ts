import { expect, it } from 'vitest'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { gridStep } from '../../../src/recovery/timing/picture-order.ts'

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
