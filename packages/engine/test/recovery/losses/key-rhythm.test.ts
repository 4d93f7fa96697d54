import { expect, it } from 'vitest'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'
import { keyRhythm } from '../../../src/recovery/losses/key-rhythm.ts'
import { keysAt } from '../lanes.ts'

/** Distance of key units as found in a recording that has these, when the sample's is 30. */
function spacing(distances: readonly number[]): number {
  const table = new SampleTable()
  for (const distance of [...distances, 1])
    for (let i = 0; i < distance; i++) table.push(table.length, 1, 1, 1, 0, i === 0 ? SAMPLE_KEY : 0)
  return keyRhythm(table, table.length, keysAt(table, table.length, 30)).spacing
}

it('key units come at the distance of the recording where the sample has nearly the same', () => {
  expect(spacing([29])).toBe(29)
  expect(spacing([31, 12])).toBe(31)
  expect(spacing([30, 29, 30])).toBe(30)
})

it('the distance of the sample is no habit of a recording that never has it', () => {
  expect(spacing([12])).toBe(30)
  expect(spacing([12, 17, 9, 12, 20])).toBe(12)
})
