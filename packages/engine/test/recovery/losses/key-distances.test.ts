import { expect, it } from 'vitest'
import {
  SAMPLE_AFTER_HOLE,
  SAMPLE_KEY,
  SAMPLE_RESTART,
  SampleTable,
} from '../../../src/model/sample-table.ts'
import { KeyDistances } from '../../../src/recovery/losses/key-distances.ts'
import { keysAt } from '../lanes.ts'

const ROWS = 9000

/** Key units at ever other distances, most of them 12 apart, some behind holes. */
function table(): SampleTable {
  const rows = new SampleTable()
  let next = 0
  for (let row = 0; row < ROWS; row++) {
    const isKey = row === next
    if (isKey) next += row % 5 === 0 ? 7 + (row % 13) : row > 6000 ? 1500 : 12
    const flags = (isKey ? SAMPLE_KEY : 0) | (isKey && row % 3 === 0 ? SAMPLE_RESTART : 0)
    rows.push(row, 1, 1, 1, 0, flags | (row % 97 === 0 ? SAMPLE_AFTER_HOLE : 0))
  }
  return rows
}

it('what is around one row after another is what is around each alone', () => {
  const rows = table()
  for (const sample of [0, 12, 30]) {
    const moved = new KeyDistances(rows, sample)
    for (const row of [0, 1, 97, 500, 1100, 1101, 4000, 8990, ROWS, 300, 5000]) {
      moved.moveTo(row)
      const alone = keysAt(rows, row, sample)
      expect(moved.spacing, `${row}`).toEqual(alone.spacing)
      expect(moved.end - moved.first).toBe(alone.end - alone.first)
      expect(moved.key(moved.firstFrom(row))).toBe(alone.key(alone.firstFrom(row)))
    }
  }
})

it('key units further apart than is looked have no distance', () => {
  const rows = new SampleTable()
  for (let row = 0; row < 3000; row++) rows.push(row, 1, 1, 1, 0, row % 2400 === 0 ? SAMPLE_KEY : 0)
  const { spacing, longest, strict } = keysAt(rows, 2000).spacing
  expect({ spacing, longest, strict }).toEqual({ spacing: 0, longest: 0, strict: false })
})

it('a key unit behind a hole has no distance to the one before it', () => {
  const rows = new SampleTable()
  for (let row = 0; row < 40; row++)
    rows.push(row, 1, 1, 1, 0, (row % 10 === 0 ? SAMPLE_KEY : 0) | (row === 15 ? SAMPLE_AFTER_HOLE : 0))
  const keys = keysAt(rows, 15)
  expect(keys.spacing.spacing).toBe(10)
  expect(keys.spacing.share).toBe(2 / 3)
})
