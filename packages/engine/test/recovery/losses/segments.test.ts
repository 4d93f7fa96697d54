import { expect, it } from 'vitest'
import { segments } from '../../../src/recovery/losses/segments.ts'
import { lane } from '../lanes.ts'

it('a hole that begins where a unit does lies before it: a torn unit reached up to there', () => {
  const { table } = lane(0, 'video', 25)
  for (let row = 0; row < 9; row++) table.push(row * 1000, 1000, 1, 1, row, 0)
  const hole = { offset: 5000, length: 800, rows: [5] }
  const parts = segments([table], () => 0.04, [hole], 0, -1)
  expect(parts.map((part) => part.firstRow)).toEqual([[0], [5]])
})
