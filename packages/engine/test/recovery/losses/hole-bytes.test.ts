import { expect, it } from 'vitest'
import { Allowance } from '../../../src/model/allowance.ts'
import { SAMPLE_AFTER_HOLE, SAMPLE_KEY, SAMPLE_RESTART } from '../../../src/model/sample-table.ts'
import { HoleBytes } from '../../../src/recovery/losses/hole-bytes.ts'
import { type HoleEvidence, type LostUnits, likeliestLoss } from '../../../src/recovery/losses/hole-loss.ts'
import { Interplay } from '../../../src/recovery/losses/interplay.ts'
import type { Numbering } from '../../../src/recovery/losses/numbering.ts'
import { Turns } from '../../../src/recovery/losses/turns.ts'
import { keysAt, lane } from '../lanes.ts'

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
  const bytes = new HoleBytes(
    hole,
    { lane: pictures, unitSeconds: 1 / 25, row },
    undefined,
    [],
    keysAt(table, row),
  )
  const cost = (count: number): number => bytes.cost(count, 0, 0)
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
  const bytes = new HoleBytes(
    hole,
    { lane: pictures, unitSeconds: 1 / 25, row: 20 },
    undefined,
    [],
    keysAt(table, 20),
  )
  const cost = (count: number): number => bytes.cost(count, 0, 'due')
  for (const count of [1, 2, 4]) expect(cost(3), `${count}`).toBeLessThan(cost(count) - 4)
})

/** What a hole of `length` bytes took behind 20 pictures of 1000 bytes, when numbers repeat after 8 and one is missing. */
function lossIn(length: number, guesses = 1e6, told: Partial<Numbering> = {}, counted = 1): LostUnits {
  const pictures = lane(0, 'video', 25)
  const { table } = pictures
  // where key pictures are numbered, each fifth one begins a sequence
  const isKeyed = told.sinceKey !== undefined
  for (let i = 0; i < 20; i++) {
    const flags = isKeyed && i % 5 === 0 ? SAMPLE_KEY | SAMPLE_RESTART : i === 0 ? SAMPLE_KEY : 0
    table.push(i * PICTURE, PICTURE, 1, 1, i * 2, flags)
  }
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
    goesOn: false,
    halves: false,
    anew: false,
    linked: false,
    ...told,
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
    keys: keysAt(table, 20),
    soundChunk: undefined,
    spread: 0,
    numbers: { numbering, counted },
  }
  return likeliestLoss(evidence, new Allowance(guesses))
}

it('a hole longer than what it took holds foreign bytes: no more are lost than the numbering misses', () => {
  expect(lossIn(PICTURE).pictures).toBe(1)
  for (const foreign of [600, 2000, 3300]) expect(lossIn(PICTURE + foreign).pictures, `${foreign}`).toBe(1)
  expect(lossIn(9 * PICTURE).pictures).toBe(9)
  expect(lossIn(9 * PICTURE - 512).pictures).toBe(9)
})

it('numbers that go back as pictures are decoded lack those counted; else the sequence began anew', () => {
  const torn = { missing: -3, period: 0, crowded: true }
  expect(lossIn(1, 1e6, { ...torn, goesOn: true }, 0)).toMatchObject({ pictures: 0, link: 'told' })
  expect(lossIn(1, 1e6, torn, 0)).toMatchObject({ pictures: 1, link: 'anew' })
})

it('a lost key picture does not part numbers that go on over them', () => {
  const keyed = { missing: 2, period: 15, sinceKey: 7 }
  const told = (linked: boolean): LostUnits => lossIn(8 * PICTURE, 1e6, { ...keyed, linked }, 2)
  expect(told(true)).toMatchObject({ pictures: 2, link: 'told' })
  expect(told(false)).toMatchObject({ pictures: 8, link: 'anew' })
})

it('a count is told by numbers where all ways of reading them name it, but for whole periods', () => {
  const numbered = (counted: number, period: number): boolean =>
    lossIn(PICTURE, 1e6, { period, missing: 1 }, counted).numbered
  expect(numbered(1, 0)).toBe(true)
  expect(numbered(9, 8)).toBe(true)
  expect(numbered(2, 8)).toBe(false)
  expect(numbered(2, 0)).toBe(false)
})

it('a count is uncertain where numbers that never repeat went back', () => {
  const uncertain = (told: Partial<Numbering>): boolean =>
    lossIn(3 * PICTURE, 1e6, { missing: -7, period: 0, ...told }, 0).uncertain
  expect(uncertain({})).toBe(true)
  expect(uncertain({ goesOn: true })).toBe(false)
})

/** Pictures, sound and data around a hole that took `pictures` of them, key pictures every fifth one, a new scene behind. */
function heard(hit: 'between' | 'within', scene: number): string {
  const lanes = [lane(0, 'video', 25), lane(1, 'audio', 50), lane(2, 'data', 25)]
  const [video, audio, data] = lanes.map(({ table }) => table)
  let offset = 0
  const push = (table: typeof video, size: number, flags = 0): void => {
    table.push(offset, size, 1, 1, table.length * 2, flags)
    offset += size
  }
  const group = (picture: number, calm: number): void => {
    const isKey = picture % 5 === 0
    push(
      video,
      Math.round((isKey ? 2600 : 900 + (picture % 3) * 60) * calm),
      isKey ? SAMPLE_KEY | SAMPLE_RESTART : 0,
    )
    push(audio, 110 + (picture % 2) * 10)
    push(audio, 115)
    push(data, 40)
  }
  for (let picture = 0; picture < 22; picture++) group(picture, 1)
  if (hit === 'within') push(video, 400)
  const rows = lanes.map(({ table }) => table.length)
  const hole = { offset, length: 3700, rows }
  offset += hole.length
  if (hit === 'within') push(video, 300, SAMPLE_AFTER_HOLE)
  for (let picture = 26; picture < 48; picture++) group(picture, scene)
  const [pictures, sound, others] = [1 / 25, 1 / 50, 1 / 25].map((unitSeconds, i) => ({
    lane: lanes[i],
    unitSeconds,
    row: rows[i],
  }))
  const bytes = new HoleBytes(hole, pictures, sound, [others], keysAt(video, rows[0]))
  const costs = ([0, 1, 3, 5] as const).map((count) =>
    (['none', 'due', 1] as const).map((key) => bytes.cost(count, count * 2, key).toFixed(1)).join(' '),
  )
  return [bytes.room.toFixed(2), bytes.soundBytes.toFixed(0), bytes.costWithin(4).toFixed(1), ...costs].join(
    ' | ',
  )
}

// room, bytes of sound, cost of a hole within a picture, and of 0, 1, 3 and 5 pictures: without a key picture, with those due,
// with one before the last
it('what a hole costs for each guess is as it was recorded', () => {
  expect([
    heard('between', 1),
    heard('between', 0.6),
    heard('within', 1),
    heard('within', 1.5),
  ]).toMatchInlineSnapshot(`
    [
      "2.37 | 115 | 1184.9 | 17.0 17.0 20.1 | 24.9 16.9 16.5 | 14.7 6.7 17.6 | 23.6 15.8 15.8",
      "2.77 | 115 | 1605.0 | 17.7 17.7 20.8 | 23.3 15.3 13.4 | 16.8 8.8 12.2 | 19.3 16.7 16.5",
      "2.46 | 115 | 119.9 | 27.8 19.8 23.5 | 26.5 18.5 14.5 | 18.0 18.0 21.7 | 26.6 18.9 22.6",
      "2.12 | 115 | 41.4 | 27.2 19.2 22.9 | 21.7 13.7 14.1 | 18.6 14.9 18.7 | 24.8 19.9 24.0",
    ]
  `)
})

it('where no guesses are left to weigh, a hole took what the numbering misses, and that is uncertain', () => {
  expect(lossIn(9 * PICTURE, 1)).toMatchObject({ pictures: 1, estimated: true, uncertain: true })
  expect(lossIn(PICTURE).uncertain).toBe(false)
})
