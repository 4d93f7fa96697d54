import { expect, it } from 'vitest'
import { SAMPLE_AFTER_HOLE, SAMPLE_KEY, SAMPLE_RESTART } from '../../../src/model/sample-table.ts'
import { HoleBytes } from '../../../src/recovery/losses/hole-bytes.ts'
import { type HoleEvidence, likeliestLoss } from '../../../src/recovery/losses/hole-loss.ts'
import { Interplay } from '../../../src/recovery/losses/interplay.ts'
import { Turns } from '../../../src/recovery/losses/turns.ts'
import { lane } from '../lanes.ts'

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

it('where every picture is a key picture those of the same scene tell what was lost, not all around', () => {
  const pictures = lane(0, 'video', 25)
  const { table } = pictures
  for (let i = 0, offset = 0; i < 40; i++) {
    const size = (i < 12 ? 2 * PICTURE : PICTURE) + (i % 4) * 5
    if (i === 20) offset += 3 * PICTURE
    table.push(offset, size, 1, 1, i * 2, SAMPLE_KEY | SAMPLE_RESTART | (i === 20 ? SAMPLE_AFTER_HOLE : 0))
    offset += size
  }
  const end = table.offset[19] + table.size[19]
  const hole = { offset: end, length: 3 * PICTURE, rows: [20] }
  const bytes = new HoleBytes(hole, { lane: pictures, unitSeconds: 1 / 25, row: 20 }, undefined, [], 0)
  const cost = (count: number): number => bytes.cost({ pictures: count, sound: 0, key: 'due' })
  for (const count of [1, 2, 4]) expect(cost(3), `${count}`).toBeLessThan(cost(count) - 4)
})

/** What a hole of `length` bytes took behind 20 pictures of 1000 bytes, when numbers repeat after 8 and one is missing. */
function lossIn(length: number): number {
  const pictures = lane(0, 'video', 25)
  const { table } = pictures
  for (let i = 0; i < 20; i++) table.push(i * PICTURE, PICTURE, 1, 1, i * 2, i === 0 ? SAMPLE_KEY : 0)
  const offset = 20 * PICTURE
  for (let i = 0; i < 20; i++)
    table.push(offset + length + i * PICTURE, PICTURE, 1, 1, (21 + i) * 2, i === 0 ? SAMPLE_AFTER_HOLE : 0)
  const numbering = {
    missing: 1,
    period: 8,
    sinceKey: undefined,
    slack: 0,
    beyond: 0,
    crowded: false,
    halves: false,
    anew: false,
  }
  const evidence: HoleEvidence = {
    hole: { offset, length, rows: [20] },
    pictures: { lane: pictures, unitSeconds: 1 / 25, row: 20, clock: 20 / 25 },
    sound: undefined,
    others: [],
    turns: new Turns(),
    interplay: new Interplay(),
    steady: true,
    onGrid: false,
    pictureSeconds: 1 / 25,
    keySpacing: 0,
    soundChunk: undefined,
    spread: 0,
    numbers: { numbering, counted: 1 },
  }
  return likeliestLoss(evidence).pictures
}

it('a hole longer than what it took holds foreign bytes: no more are lost than the numbering misses', () => {
  expect(lossIn(PICTURE)).toBe(1)
  for (const foreign of [600, 2000, 3300]) expect(lossIn(PICTURE + foreign), `${foreign}`).toBe(1)
  expect(lossIn(9 * PICTURE)).toBe(9)
  expect(lossIn(9 * PICTURE - 512)).toBe(9)
})
