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

it('has room for as many rows as a file of such rows holds, once the first tell how dense they are', () => {
  const table = filled(new SampleTable(1_000_000, 200_000 * 7), 70_000)
  expect(table.offset.length).toBeGreaterThanOrEqual(200_000)
  expect(table.offset.length).toBeLessThan(220_000)
  // a dense beginning of a long file is no promise of millions
  expect(filled(new SampleTable(16_000_000, 10e9), 70_000).offset.length).toBeLessThan(600_000)
})

it('has room for the rows that it is told of, and keeps those that it has', () => {
  const table = filled(new SampleTable(), 10)
  table.reserve(3000)
  expect(table.offset.length).toBe(3000)
  expect(table.offset[9]).toBe(63)
})

it('keeps every column as it grows: twofold, and by half once it is large', () => {
  const table = new SampleTable(2_000_000)
  const sizes = new Set<number>()
  for (let row = 0; row < 600_000; row++) {
    if (table.push(row, row + 1, row + 2, row + 3, row + 4, row & 255) !== row) expect.fail(`row ${row}`)
    table.dts[row] = row + 5
    table.cts[row] = row + 6
    sizes.add(table.offset.length)
  }
  expect([...sizes]).toEqual([...Array.from({ length: 10 }, (_, i) => 1024 << i), 786_432])
  for (const row of [0, 1023, 1024, 524_287, 599_999]) {
    const { offset, size, count, duration, order, flags, dts, cts } = table
    const columns = [offset, size, count, duration, order, flags, dts, cts].map((column) => column[row])
    expect(columns).toEqual([row, row + 1, row + 2, row + 3, row + 4, row & 255, row + 5, row + 6])
  }
  table.truncate(700_000)
  expect(table.length).toBe(600_000)
  table.truncate(3)
  expect(table.length).toBe(3)
  table.push(1, 1, 1, 0, 0, 0)
  const { dts, cts, duration, order, flags } = table
  expect([dts, cts, duration, order, flags].map((column) => column[3])).toEqual([0, 0, 0, 0, 0])
})
