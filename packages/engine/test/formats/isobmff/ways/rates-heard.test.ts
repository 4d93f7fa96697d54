import { expect, it } from 'vitest'
import type { MovieTrack } from '../../../../src/formats/isobmff/read/movie.ts'
import { isMixed, ratesHeard } from '../../../../src/formats/isobmff/ways/sample/track-order.ts'
import { SampleTable } from '../../../../src/model/sample-table.ts'

const UNIT = 1024

/** Tracks of sound at some rates, in units of `UNIT` samples. */
function kinOf(...rates: readonly number[]): MovieTrack[] {
  const samples = new SampleTable(4)
  for (let row = 0; row < 4; row++) samples.dts[samples.push(row, 1, 1, UNIT, row, 1)] = row * UNIT
  return rates.map((timescale) => ({ description: { timescale }, samples }) as unknown as MovieTrack)
}

const unitsOf = (rates: readonly number[]): number => rates.reduce((sum, rate) => sum + rate / UNIT, 0)
const SETS = [
  ...[[48_000], [44_100], [48_000, 48_000], [48_000, 44_100], [44_100, 44_100]],
  ...[
    [48_000, 48_000, 48_000],
    [48_000, 48_000, 44_100],
    [48_000, 44_100, 44_100],
    [44_100, 44_100, 44_100],
  ],
]

it('as many units a second as some tracks make are heard of these, up to three of them', () => {
  for (const set of SETS) {
    for (const off of [0.989, 1, 1.011]) {
      const heard = ratesHeard(kinOf(48_000), unitsOf(set) * off)
      expect(heard?.toSorted(), `${set} ${off}`).toEqual(set.toSorted())
    }
  }
  // between all sets, and beyond three
  for (const units of [unitsOf([44_100]) * 0.98, unitsOf([48_000]) * 1.5, unitsOf([48_000]) * 4])
    expect(ratesHeard(kinOf(48_000), units), `${units}`).toBeUndefined()
})

it('the sample’s own rates are heard before others, in its order, rare ones among them', () => {
  const own = kinOf(44_100, 48_000)
  expect(ratesHeard(own, unitsOf([48_000, 44_100]) * 1.0119)).toEqual([44_100, 48_000])
  expect(ratesHeard(own, unitsOf([48_000, 44_100]) * 1.0121)).toBeUndefined()
  expect(ratesHeard(kinOf(32_000), unitsOf([32_000, 32_000]))).toEqual([32_000, 32_000])
  expect(ratesHeard(kinOf(48_000), unitsOf([32_000]))).toBeUndefined()
  // as many as 2.7 % and more lie between sets: the nearest one
  expect(ratesHeard(kinOf(16_000), unitsOf([48_000, 16_000]))?.toSorted()).toEqual([16_000, 48_000])
})

it('tracks are mixed where one has another rate than the first', () => {
  expect(
    [kinOf(48_000), kinOf(48_000, 48_000), kinOf(48_000, 44_100), kinOf(48_000, 48_000, 44_100)].map(isMixed),
  ).toEqual([...[false, false, true, true]])
})
