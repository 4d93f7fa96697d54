import { expect, test } from 'vitest'
import { ChunkTable } from '../../../src/formats/avi/read/chunk-table.ts'
import { LimitError } from '../../../src/model/errors.ts'

test('a table takes as many chunks as its limit says, whatever was expected', () => {
  for (const expected of [undefined, 0, 3, 2000, 1e12]) {
    const table = new ChunkTable(2500, expected)
    for (let row = 0; row < 2500; row++) table.push(row * 5e9, row * 3, row * 7, row & 7, row & 31)
    expect(() => table.push(0, 0, 0, 0, 0)).toThrow(LimitError)
    for (const row of [0, 1, 1024, 2499]) {
      const { offset, size, id, stream, flags } = table
      expect([offset[row], size[row], id[row], stream[row], flags[row]]).toEqual([
        row * 5e9,
        row * 3,
        row * 7,
        row & 7,
        row & 31,
      ])
    }
  }
})

test('a table has the room that it is expected to need, and grows no more before it needs it', () => {
  const table = new ChunkTable(1e6, 5000)
  const { offset } = table
  for (let row = 0; row < 5000; row++) table.push(row, 0, 0, 0, 0)
  expect(table.offset).toBe(offset)
  expect(new ChunkTable(100, 1e12).offset).toHaveLength(100)
})
