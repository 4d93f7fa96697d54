import { expect, it } from 'vitest'
import { SAMPLE_DAMAGED, SampleTable } from '../../../src/model/sample-table.ts'
import { liesWithin } from '../../../src/recording/judge/same-places.ts'

/** A table of samples, each given as offset, size and flags. */
function table(...rows: readonly (readonly [number, number, number?])[]): SampleTable {
  const samples = new SampleTable(rows.length)
  for (const [offset, size, flags] of rows) samples.push(offset, size, 1, 1, 0, flags ?? 0)
  return samples
}

it('samples that are cut otherwise still lie where the other way has them', () => {
  expect(liesWithin(table([0, 100], [100, 50], [300, 80]), table([0, 70], [70, 80], [300, 80]))).toBe(true)
})

it('samples where the other way has none do not, unless they are damaged or hardly any', () => {
  const other = table([0, 1000], [2000, 1000])
  expect(liesWithin(table([0, 1000], [1200, 1000]), other)).toBe(false)
  expect(liesWithin(table([0, 1000], [1200, 1000, SAMPLE_DAMAGED]), other)).toBe(true)
  expect(liesWithin(table([0, 1000], [2000, 1010]), other)).toBe(true)
})
