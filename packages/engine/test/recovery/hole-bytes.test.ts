import { expect, it } from 'vitest'
import { SAMPLE_AFTER_HOLE, SAMPLE_KEY, SAMPLE_RESTART } from '../../src/model/sample-table.ts'
import { HoleBytes } from '../../src/recovery/hole-bytes.ts'
import { lane } from './lanes.ts'

const PICTURE = 1000
const KEY = 2000

it('a lost key picture is one where key pictures that were due before it did not come', () => {
  const pictures = lane(0, 'video', 25)
  const { table } = pictures
  let offset = 0
  const push = (isKey: boolean, size: number, flags = 0): void => {
    table.push(offset, size, 1, 1, table.length * 2, flags | (isKey ? SAMPLE_KEY | SAMPLE_RESTART : 0))
    offset += size
  }
  // key pictures every third one, sizes a little apart
  for (let i = 0; i < 15; i++) push(i % 3 === 0, i % 3 === 0 ? KEY + (i % 2) * 9 : PICTURE + (i % 4) * 3)
  push(true, KEY)
  for (let i = 0; i < 6; i++) push(false, PICTURE + i * 2)
  const hole = { offset, length: KEY, rows: [table.length] }
  offset += KEY
  const row = table.length
  push(false, PICTURE, SAMPLE_AFTER_HOLE)
  push(false, PICTURE + 5)
  for (let i = 0; i < 15; i++) push(i % 3 === 0, i % 3 === 0 ? KEY + (i % 2) * 9 : PICTURE + (i % 4) * 3)
  const bytes = new HoleBytes(hole, { lane: pictures, unitSeconds: 1 / 25, row }, undefined, [], 0)
  const cost = (count: number): number => bytes.cost({ pictures: count, sound: 0, key: 0 })
  for (const count of [2, 3, 4, 5, 6]) expect(cost(1), `${count}`).toBeLessThan(cost(count) - 4)
})
