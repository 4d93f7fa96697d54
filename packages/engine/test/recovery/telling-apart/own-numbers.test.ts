import { expect, it } from 'vitest'
import { SAMPLE_RESTART, SampleTable } from '../../../src/model/sample-table.ts'
import type { Hole } from '../../../src/recovery/carving/assembler.ts'
import type { Lane } from '../../../src/recovery/carving/lane.ts'
import { numberedApart } from '../../../src/recovery/telling-apart/own-numbers.ts'
import { readerOf } from '../../../testing/video/replay.ts'

/** Whether pictures of these numbers, taken for one track's, are found to be several tracks'. */
function isMixed(numbers: readonly number[], { restart = -1, hole = -1 } = {}): boolean {
  const table = new SampleTable()
  for (const [row, number] of numbers.entries())
    table.push(row * 10, 10, 1, 0, number, row === restart ? SAMPLE_RESTART : 0)
  const lane = { index: 0, description: { kind: 'video', codec: 'h264' }, table } as unknown as Lane
  const holes = hole < 0 ? [] : [{ rows: [hole] } as unknown as Hole]
  const reader = readerOf(new Uint8Array(numbers.length * 10))
  const { mixed } = numberedApart(
    reader,
    [lane],
    holes,
    () => false,
    () => undefined,
  )
  return mixed.has(0)
}

it('pictures whose numbers come twice, but not behind a hole or in a new sequence, are those of two tracks', () => {
  const once = Array.from({ length: 24 }, (_, row) => row)
  const twice = once.map((row) => row >> 1)
  const again = once.map((row) => row % 12)
  expect(isMixed(once)).toBe(false)
  expect(isMixed(twice)).toBe(true)
  expect(isMixed(again)).toBe(true)
  expect(isMixed(again, { restart: 12 })).toBe(false)
  expect(isMixed(again, { hole: 12 })).toBe(false)
  expect(isMixed(once.map((row) => (row === 5 ? 4 : row)))).toBe(false)
  expect(isMixed(twice.slice(0, 12))).toBe(false)
})
