import { expect, it } from 'vitest'
import { mendCounts, mostApart } from '../../../../src/formats/isobmff/mend/times/counts.ts'
import { Allowance } from '../../../../src/model/allowance.ts'

it('counts of a long table are mended where several were hit, some by more than there are samples', () => {
  const counts = Uint32Array.from({ length: 300 }, (_, i) => 1 + (i % 2))
  const samples = counts.reduce((sum, count) => sum + count, 0)
  const hit = counts.slice()
  for (const [run, bit] of [
    [17, 8],
    [90, 3],
    [160, 21],
    [230, 13],
  ])
    hit[run] ^= 1 << bit
  const runs = { length: hit.length, counts: hit, values: new Float64Array(hit.length) }
  const fit = (tried: Uint32Array): number => -tried.reduce((most, count) => Math.max(most, count), 0)
  expect(mendCounts(runs, samples, fit, new Allowance(1e6)).counts).toEqual(counts)
})

/** Runs of a rate that varies between two durations, and the sum of all. */
const COUNTS = [1, 2, 1, 6, 1, 6, 1, 2, 4, 2, 12]
const VALUES = Float64Array.from(COUNTS, (_, i) => (i % 2 === 0 && i !== 8 ? 1024 : 512))
const SAMPLES = COUNTS.reduce((sum, count) => sum + count, 0)
const LENGTH = COUNTS.reduce((sum, count, i) => sum + count * VALUES[i], 0)

function mended(counts: readonly number[]) {
  const runs = { length: counts.length, counts: Uint32Array.from(counts), values: VALUES }
  const fit = (tried: Uint32Array): number =>
    -Math.abs(tried.reduce((sum, count, i) => sum + count * VALUES[i], 0) / LENGTH - 1)
  return mendCounts(runs, SAMPLES, fit, new Allowance(1e6))
}

it('a run without a sample is the one that was hit', () => {
  const found = mended(COUNTS.with(8, 0))
  expect([...found.counts]).toEqual(COUNTS)
  expect(found.rivals).toEqual([])
})

it('two runs without a sample were both hit', () => {
  expect([...mended(COUNTS.with(6, 0).with(7, 0)).counts]).toEqual(COUNTS)
})

it('counts that explain as much as others are rivals, as far apart as their samples', () => {
  const { counts, rivals } = mended(COUNTS.with(3, 2))
  const all = [counts, ...rivals].map((tried) => [...tried])
  expect(all).toContainEqual(COUNTS)
  expect(rivals.length).toBeGreaterThan(0)
  expect(Math.max(...rivals.map((rival) => mostApart(VALUES, counts, rival)))).toBeGreaterThan(512)
  expect(mostApart(VALUES, counts, counts)).toBe(0)
})
