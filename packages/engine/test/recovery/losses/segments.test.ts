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

it('how far sound is ahead shows where its runs begin among pictures, not where it begins or a hole parted it', () => {
  const pictures = lane(0, 'video', 25).table
  const sound = lane(1, 'audio', 25).table
  const tables = [pictures, sound]
  let offset = 0
  const write = (lane: number, count: number): void => {
    for (let unit = 0; unit < count; unit++, offset += 10) tables[lane].push(offset, 10, 1, 1, 0, 0)
  }
  // a recorder begins with all the sound that it has
  for (const [heard, shown] of [
    [50, 10],
    [10, 10],
    [10, 10],
  ]) {
    write(1, heard)
    write(0, shown)
  }
  const whole = segments(tables, () => 0.04, [], 0, 1)
  expect(whole[0].leads[1].seconds.map((seconds) => Math.round(seconds * 25))).toEqual([40, 40])
  const hole = { offset: 830, length: 0, rows: [20, 63] }
  const [, behind] = segments(tables, () => 0.04, [hole], 0, 1)
  expect(behind.leads[1].seconds).toEqual([0])
})
