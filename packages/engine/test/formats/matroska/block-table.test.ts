import { expect, test } from 'vitest'
import { BlockTable } from '../../../src/formats/matroska/read/block-table.ts'
import { LimitError } from '../../../src/index.ts'

/** Rows that lie so many bytes apart. */
function filled(table: BlockTable, rows: number, apart: number): BlockTable {
  for (let row = 0; row < rows; row++) {
    table.push()
    table.offset[row] = row * apart
    table.track[row] = row % 100
  }
  return table
}

test('a table has no room for more rows than it may have', () => {
  const table = filled(new BlockTable(70_000), 70_000, 18)
  expect(table.offset.length).toBe(70_000)
  expect(() => table.push()).toThrow(LimitError)
})

test('a table has room for as many rows as a file of such rows holds, once the first tell how dense they are', () => {
  const bytes = 200_000 * 18
  const table = filled(new BlockTable(1_000_000, bytes), 70_000, 18)
  expect(table.offset.length).toBeGreaterThanOrEqual(200_000)
  expect(table.offset.length).toBeLessThan(220_000)
  for (const row of [0, 1023, 1024, 65_536, 69_999])
    expect([table.offset[row], table.track[row]]).toEqual([row * 18, row % 100])
})

test('a dense beginning of a long file makes no room for millions of rows', () => {
  const table = filled(new BlockTable(16_000_000, 10e9), 70_000, 18)
  expect(table.offset.length).toBeLessThan(600_000)
})
