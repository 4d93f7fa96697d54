import { expect, it } from 'vitest'
import { SAMPLE_AFTER_HOLE, SAMPLE_DAMAGED, SAMPLE_UNFED, SampleTable } from '../../src/model/sample-table.ts'
import { joinEpochs } from '../../src/recording/epochs.ts'
import { reportStamped, usualStep } from '../../src/recording/stamped-track.ts'
import { WRAP } from '../../src/syntax/pes/time-stamp.ts'

const CLOCK = 90_000
const STEP = 3600
const HOLE = SAMPLE_AFTER_HOLE
const HIT = SAMPLE_DAMAGED

type Row = readonly [time: number, flags?: number]

function tableOf(rows: readonly Row[]): SampleTable {
  const table = new SampleTable(Math.max(1, rows.length))
  for (const [i, [time, flags = 0]] of rows.entries())
    table.dts[table.push(i * 100, 100, 1, 0, 0, flags)] = time * STEP
  return table
}

/** Counts of a track by the times of its packets, in steps of a picture, and how many steps it lasts. */
function told(rows: readonly Row[], unit = 0, dropsLast = false) {
  const about = { id: 1, kind: 'video', codec: 'h264' } as const
  const track = { about, table: tableOf(rows), clock: CLOCK, unit, dropsLast }
  const { recovered, damaged, lost, duration, times, ranges } = reportStamped(track, 0)
  expect(times).toBe('exact')
  const states = ranges.map(
    ({ state, start, end, reason }) =>
      `${state} ${Math.round(start * 25)}-${Math.round(end * 25)}${reason ? ` ${reason}` : ''}`,
  )
  return [[recovered, damaged, lost], Math.round(duration * 25 * 1000) / 1000, states.join(', ')]
}

const every = (...times: readonly number[]): Row[] => times.map((time) => [time])
const NO = Number.NaN

it.each<[string, Row[], number[], number, string]>([
  ['nothing is lost where nothing is missing', every(0, 1, 2, 3), [4, 0, 0], 4, 'recovered 0-4'],
  [
    'what is missing behind a hole is lost',
    [[0], [1], [2], [5, HOLE], [6]],
    [5, 0, 2],
    7,
    'recovered 0-3, lost 3-5 hole, recovered 5-7',
  ],
  ['a hole that took no time is no loss', [[0], [1], [2, HOLE], [3]], [4, 0, 0], 4, 'recovered 0-4'],
  [
    'a step half as long again is one unit',
    [[0], [1], [2], [3.5, HOLE], [4.5]],
    [5, 0, 0],
    5.5,
    'recovered 0-6',
  ],
  [
    'a little more is not',
    [[0], [1], [2], [3.6, HOLE], [4.6]],
    [5, 0, 1],
    5.6,
    'recovered 0-3, lost 3-4 hole, recovered 4-6',
  ],
  ['a pause without a hole is none', every(0, 1, 2, 7, 8), [5, 0, 0], 9, 'recovered 0-9'],
  [
    'what was hit is damaged, and what it took with it lost',
    [[0], [1], [2, HIT], [5], [6]],
    [4, 1, 2],
    7,
    'recovered 0-2, damaged 2-3, lost 3-5 hole, recovered 5-7',
  ],
  ['times that run back last no time', every(0, 1, 2, 1, 2, 3), [6, 0, 0], 4, 'recovered 0-4'],
  ['unknown times lie between those around', every(NO, 1, NO, NO, 4, NO), [6, 0, 0], 4, 'recovered 1-5'],
  ['without any time nothing lasts', every(NO, NO), [2, 0, 0], 0, 'recovered 0-0'],
  ['without rows there is nothing', [], [0, 0, 0], 0, ''],
])('%s', (_, rows, counts, duration, ranges) => {
  expect(told(rows)).toEqual([counts, duration, ranges])
})

it('units are counted by their own length, where packets hold several', () => {
  expect(told([[0], [1], [2], [6, HOLE], [7]], STEP / 4)).toEqual([
    [20, 0, 12],
    8,
    'recovered 0-3, lost 3-6 hole, recovered 6-8',
  ])
  // at least one
  expect(told(every(0, 0, 1), STEP)[0]).toEqual([3, 0, 0])
})

it('a last packet that is cut is lost, and not part of what the track lasts', () => {
  expect(told(every(0, 1, 2), 0, true)).toEqual([[2, 0, 1], 2, 'recovered 0-2, lost 2-3 cut'])
  expect(told([[0]], 0, true)).toEqual([[0, 0, 1], 0, 'lost 0-0 cut'])
})

it('the usual step is the middle one of those that lead on', () => {
  const step = (...times: readonly number[]): number =>
    usualStep(Float64Array.from(times), Uint32Array.from(times.keys()))
  expect([step(0, 2, 4, 9), step(0, 1, 3, 6, 10), step(5, 4, 3), step(7), step()]).toEqual([2, 3, 0, 0, 0])
  expect(usualStep(Float64Array.of(0, 9, 10, 99, 20), Uint32Array.of(0, 2, 4))).toBe(10)
  // of the first two thousand
  const many = Float64Array.from({ length: 9000 }, (_, i) => (i < 2000 ? i : 2000 + (i - 2000) * 50))
  expect(usualStep(many, Uint32Array.from(many.keys()))).toBe(1)
})

it('streams whose times are whole turns of the clock apart are brought to the first one’s', () => {
  const tables = [every(10, 11, 12), every(NO, 11, 12), every(12, 10, 11), every(NO)].map(tableOf)
  const moved = (table: SampleTable, turns: number): void => {
    for (let row = 0; row < table.length; row++) table.dts[row] += turns * WRAP
  }
  const before = tables.map(({ dts, length }) => [...dts.subarray(0, length)])
  moved(tables[1], 2)
  moved(tables[2], -1)
  joinEpochs([tables[3], ...tables.slice(0, 3)])
  expect(tables.map(({ dts, length }) => [...dts.subarray(0, length)])).toEqual(before)
  // half a turn is no turn
  const near = tableOf(every(10, 11))
  for (let row = 0; row < 2; row++) near.dts[row] += WRAP * 0.49
  joinEpochs([tables[0], near])
  expect(near.dts[0]).toBe(10 * STEP + WRAP * 0.49)
})

it('what lacks bytes of units in front of it is damaged, and as long as it says', () => {
  const rows: Row[] = [[0], [1], [2, SAMPLE_UNFED], [5], [6]]
  expect(told(rows)).toEqual([[4, 1, 0], 7, 'recovered 0-2, damaged 2-5, recovered 5-7'])
})
