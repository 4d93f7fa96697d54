import { expect, it } from 'vitest'
import { SampleTable } from '../../src/model/sample-table.ts'

function filled(table: SampleTable, rows: number): SampleTable {
  for (let row = 0; row < rows; row++) table.push(row * 7, 7, 1, 1, row, 0)
  return table
}

it('a table of few rows takes room for no more', () => {
  const table = filled(new SampleTable(1), 1)
  expect(table.offset.length).toBe(1)
  expect(() => table.push(0, 1, 1, 1, 0, 0)).toThrow()
})

it('grows up to its limit and no further', () => {
  const table = filled(new SampleTable(5000), 5000)
  expect(table.offset.length).toBe(5000)
  expect(table.offset[4999]).toBe(4999 * 7)
})

it('has room for the rows that it is told of, and keeps those that it has', () => {
  const table = filled(new SampleTable(), 10)
  table.reserve(3000)
  expect(table.offset.length).toBe(3000)
  expect(table.offset[9]).toBe(63)
})
