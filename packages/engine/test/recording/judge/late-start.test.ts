import { expect, it } from 'vitest'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { startsOutOfStep } from '../../../src/recording/judge/late-start.ts'

const RATE = 48_000

/** Samples of these durations in ticks, then even ones. */
function sound(...first: readonly number[]): SampleTable {
  const table = new SampleTable(100)
  let time = 0
  for (let row = 0; row < 100; row++) {
    const duration = first[row] ?? 1024
    table.push(row * 300, 300, 1, duration, row, 0)
    table.dts[row] = time
    time += duration
  }
  return table
}

it('sound whose first sample lasts until the others begin starts out of step with its pace, and sound whose first ones take no time', () => {
  expect(startsOutOfStep(sound(8471), RATE)).toBe(true)
  expect(startsOutOfStep(sound(1, 1, 1, 1, 1, 1, 1), RATE)).toBe(true)
  expect(startsOutOfStep(sound(), RATE)).toBe(false)
  // a moment that nobody hears
  expect(startsOutOfStep(sound(1024 + 4000), RATE)).toBe(false)
})

it('sound without a pace is in no step', () => {
  const uneven = Array.from({ length: 100 }, (_, row) => (row < 10 ? 4000 : 900 + row))
  expect(startsOutOfStep(sound(...uneven), RATE)).toBe(false)
})
