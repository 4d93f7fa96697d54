import { expect, it } from 'vitest'
import { SampleTable } from '../../src/model/sample-table.ts'
import { TrackOutcome } from '../../src/recording/track-outcome.ts'

/** Rows of one unit each, from their times and durations. */
function tableOf(...times: readonly (readonly [dts: number, duration: number])[]): SampleTable {
  const table = new SampleTable(times.length)
  for (const [i, [dts, duration]] of times.entries()) {
    const row = table.push(i * 10, 10, 1, duration, i, 0)
    table.dts[row] = dts
  }
  return table
}

it('tells no time twice, where the picture before a loss is shown until the loss ends', () => {
  const outcome = new TrackOutcome(10, 0)
  const table = tableOf([0, 10], [10, 10], [20, 40], [60, 10])
  const lost = tableOf([30, 30])
  outcome.add('recovered', table, 0, 0)
  outcome.add('recovered', table, 1, 10)
  outcome.add('damaged', table, 2, 20, 'damaged')
  outcome.add('lost', lost, 0, 30, 'hole')
  outcome.add('recovered', table, 3, 30)
  const description = { id: 1, kind: 'video', codec: 'h264' } as const
  const { ranges } = outcome.report(description, 7, 'exact')
  expect(ranges.map(({ state, start, end }) => [state, start, end])).toEqual([
    ['recovered', 0, 2],
    ['damaged', 2, 3],
    ['lost', 3, 6],
    ['recovered', 6, 7],
  ])
})

it('parts a stretch of time where a picture in it turns out damaged', () => {
  const outcome = new TrackOutcome(10, 0)
  const table = tableOf([0, 10], [10, 10], [20, 10], [30, 10])
  for (let row = 0; row < table.length; row++) outcome.add('recovered', table, row, row * 10)
  for (const row of [1, 2]) outcome.spoil(table, row, 'damaged')
  const description = { id: 1, kind: 'video', codec: 'h264' } as const
  const report = outcome.report(description, 4, 'exact')
  expect(report.recovered).toBe(2)
  expect(report.damaged).toBe(2)
  expect(report.ranges).toEqual([
    { start: 0, end: 1, state: 'recovered', offset: 0, length: 10 },
    { start: 1, end: 3, state: 'damaged', offset: 10, length: 20, reason: 'damaged' },
    { start: 3, end: 4, state: 'recovered', offset: 30, length: 10 },
  ])
})

it('parts a stretch of damaged pictures where one of them is left out', () => {
  const outcome = new TrackOutcome(10, 0)
  const table = tableOf([0, 10], [10, 10], [20, 10], [30, 10])
  outcome.add('recovered', table, 0, 0)
  for (const row of [1, 2]) outcome.add('damaged', table, row, row * 10, 'damaged')
  outcome.add('recovered', table, 3, 30)
  outcome.lose(table, 2, 'damaged')
  const report = outcome.report({ id: 1, kind: 'video', codec: 'h264' }, 4, 'exact')
  expect([report.recovered, report.damaged, report.lost]).toEqual([2, 1, 1])
  expect(report.ranges.map(({ state, start, end }) => [state, start, end])).toEqual([
    ['recovered', 0, 1],
    ['damaged', 1, 2],
    ['lost', 2, 3],
    ['recovered', 3, 4],
  ])
})
