import { expect, it } from 'vitest'
import { LimitError } from '../../src/model/errors.ts'
import { ClockTable } from '../../src/recording/clock-table.ts'

it('keeps clocks and their places up to its limit, and no second time of them', () => {
  const table = new ClockTable(3000, 30_000)
  for (let row = 0; row < 3000; row++) expect(table.push(row * 10, row * 3 + 0.5)).toBe(row)
  expect(() => table.push(30_000, 1)).toThrow(LimitError)
  expect(table.length).toBe(3000)
  for (const row of [0, 1023, 1024, 2047, 2048, 2999])
    expect([table.offset[row], table.dts[row], table.cts[row]]).toEqual([row * 10, row * 3 + 0.5, 0])
})
