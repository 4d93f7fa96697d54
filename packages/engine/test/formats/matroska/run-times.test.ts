import { expect, it } from 'vitest'
import { pacesOf } from '../../../src/formats/matroska/mend/pace.ts'
import { solveRunTimes } from '../../../src/formats/matroska/mend/run-times.ts'
import { BlockTable, KEY } from '../../../src/formats/matroska/read/block-table.ts'
import type { Run, Survey } from '../../../src/formats/matroska/read/survey.ts'
import type { MatroskaTrack } from '../../../src/formats/matroska/read/track.ts'

const BYTES = 100

/**
 * A file whose first Cluster has lost its header, and whose second one is whole and begins where that ends; block times after
 * their Cluster's.
 */
function surveyOf(lost: readonly number[], whole: readonly number[]): Survey {
  const blocks = new BlockTable(100)
  for (const [index, time] of [...lost, ...whole].entries()) {
    const row = blocks.push()
    blocks.offset[row] = index * BYTES
    blocks.size[row] = BYTES
    blocks.track[row] = 1
    blocks.relative[row] = time
    blocks.duration[row] = -1
  }
  const run = (firstRow: number, endRow: number, time: number | undefined): Run => ({
    ...{
      offset: firstRow * BYTES,
      end: endRow * BYTES,
      body: firstRow * BYTES,
      size: (endRow - firstRow) * BYTES,
    },
    ...{ headed: time !== undefined, time, sum: -1, sumFrom: -1, firstRow, endRow, gap: -1, altered: false },
  })
  const runs = [run(0, lost.length, undefined), run(lost.length, blocks.length, 1000)]
  return {
    ...{ size: blocks.length * BYTES, docType: undefined, segment: undefined, elements: [], info: undefined },
    ...{ tracks: [], tracksWhole: true, runs, blocks, gaps: [], cutAt: undefined, further: undefined },
  }
}

it('text has no pace, however far its blocks are from each other', () => {
  const survey = surveyOf([], [0, 1240])
  const track = (kind: 'text' | 'audio'): MatroskaTrack => ({
    number: 1,
    description: { id: 1, kind, codec: '', timescale: 1000, config: new Uint8Array(0), framing: 'raw' },
    codecId: '',
    encoding: 'none',
    stripped: new Uint8Array(0),
    defaultDuration: 0,
    codecDelay: 0,
    entry: new Uint8Array(0),
  })
  expect(pacesOf(survey, [track('audio')], 1e6).get(1)).toBe(1240)
  expect(pacesOf(survey, [track('text')], 1e6).get(1)).toBeUndefined()
})

it.each([
  [
    'without a header has its time from pictures that keep their pace',
    [0, 33, 67, 100],
    { proven: 1, estimated: 0 },
  ],
  [
    'without a header has a time that is a guess from pictures of any rate',
    [0, 109, 142, 189],
    { proven: 0, estimated: 1 },
  ],
  [
    'without a header has its time from pictures that keep their pace but where a gap took one near an end',
    Array.from({ length: 41 }, (_, number) => number * 16).filter((_, number) => number !== 2),
    { proven: 1, estimated: 0 },
  ],
  [
    'without a header has a time that is a guess from pictures of which some come late',
    Array.from({ length: 41 }, (_, number) => number * 16 + (number > 20 ? 90 : 0)),
    { proven: 0, estimated: 1 },
  ],
])('a Cluster %s', (_, times, solved) => {
  const survey = surveyOf(times, times)
  expect(solveRunTimes(survey, pacesOf(survey, [], 1e6), { clusterIn: () => undefined }, 0)).toEqual(solved)
  expect(survey.runs[0].time).toBeLessThan(1000 - times[times.length - 1])
})

it('two parts of a Cluster whose header is gone have one time, where their blocks go on over the gap', () => {
  // of pictures at 1000 and from 2000 on, three are gone behind those, and two in the middle of the lost Cluster
  const pictures = [0, 33, 67, 100, 133, 167, 200, 233, 267, 300]
  const survey = surveyOf([], [])
  const { blocks } = survey
  const runs: Run[] = []
  const add = (time: number | undefined, relative: readonly number[], offset: number): void => {
    const firstRow = blocks.length
    for (const [i, at] of relative.entries()) {
      const row = blocks.push()
      blocks.offset[row] = offset + i * BYTES
      blocks.size[row] = BYTES
      blocks.track[row] = 1
      blocks.relative[row] = at
      blocks.duration[row] = -1
    }
    const end = offset + relative.length * BYTES
    runs.push({
      ...{
        offset,
        end,
        body: offset,
        size: end - offset,
        headed: time !== undefined,
        time,
        sum: -1,
        sumFrom: -1,
      },
      ...{ firstRow, endRow: blocks.length, gap: -1, altered: false },
    })
  }
  add(1000, pictures, 0)
  add(undefined, pictures.slice(3, 5), 13 * BYTES)
  add(undefined, pictures.slice(7), 17 * BYTES)
  add(1667, pictures, 20 * BYTES)
  const whole = { ...survey, runs, size: 30 * BYTES }
  solveRunTimes(whole, pacesOf(whole, [], 1e6), { clusterIn: () => undefined }, 0)
  expect(runs[2].time).toBeGreaterThan(1330)
  expect(runs[1].time).toBe(runs[2].time)
})

/**
 * A Cluster of ten blocks into which bytes were put behind the fifth, in a file that ends with it, and with a text that lasts
 * `text` ticks.
 */
function torn(text: number, put: number): Survey {
  const times = [0, 33, 67, 100, 133, 167, 200, 233, 267, 300]
  const survey = surveyOf(times.slice(0, 5), times.slice(5))
  const { blocks } = survey
  for (let row = 5; row < 10; row++) blocks.offset[row] += put
  blocks.duration[0] = text
  const [front, back] = survey.runs
  const behind = { firstRow: 5, endRow: 10, offset: 5 * BYTES + put, end: 10 * BYTES + put }
  const size = 10 * BYTES + put
  return {
    ...survey,
    size,
    segment: { offset: 0, body: 0, end: size },
    info: { duration: text, scale: 1e6 } as Survey['info'],
    gaps: [{ offset: 5 * BYTES, length: put, candidates: 0 }],
    runs: [
      { ...front, headed: true, time: 0, size: 10 * BYTES, firstRow: 0, endRow: 5, end: 5 * BYTES },
      { ...back, ...behind, headed: false, time: undefined },
    ],
  }
}

it.each([
  ['at the end of the Cluster, moved by as much', 334, 50],
  ['and a text that ends with the film tells no time of what is shown before', 900, 50],
])('blocks behind bytes that were put into a Cluster keep its time: they end %s', (_, text, put) => {
  const survey = torn(text, put)
  solveRunTimes(survey, pacesOf(survey, [], 1e6), { clusterIn: () => undefined }, 0)
  expect(survey.runs.map(({ time }) => time)).toEqual([0, 0])
})

it('parts of a Cluster that says where it ends keep its time, also where Info says that something lasts longer', () => {
  // two blocks in the middle are hit, and one near the end; what lasts to the end of the film was among them
  const survey = surveyOf([], [0, 33, 67, 100, 133, 167, 200, 233, 267, 300])
  const { blocks } = survey
  const [whole] = survey.runs
  const part = (firstRow: number, endRow: number): Run => {
    const offset = blocks.offset[firstRow]
    const first = firstRow === 0
    const place = {
      offset,
      end: blocks.offset[endRow - 1] + BYTES,
      headed: first,
      time: first ? 0 : undefined,
    }
    return { ...whole, ...place, body: offset, size: first ? 10 * BYTES : 0, firstRow, endRow }
  }
  const runs = [part(0, 3), part(5, 7), part(8, 10)]
  const gap = (row: number, count: number) => ({ offset: row * BYTES, length: count * BYTES, candidates: 0 })
  const torn: Survey = {
    ...{ ...survey, runs, gaps: [gap(3, 2), gap(7, 1)] },
    segment: { offset: 0, body: 0, end: survey.size },
    info: { duration: 500, scale: 1e6 } as Survey['info'],
  }
  const solved = solveRunTimes(torn, pacesOf(torn, [], 1e6), { clusterIn: () => undefined }, 0)
  expect(runs.map(({ time }) => time)).toEqual([0, 0, 0])
  expect(solved.estimated).toBe(0)
})

it.each([1e300, 2 ** 40])('a length of %d ticks tells no time that is far from all others', (duration) => {
  const survey = surveyOf([0, 33, 67, 100], [0, 33, 67, 100])
  const [front, back] = survey.runs
  const { size } = survey
  const whole: Survey = {
    ...survey,
    segment: { offset: 0, body: 0, end: size },
    info: { duration, scale: 1e6 } as Survey['info'],
    runs: [
      { ...front, headed: true, time: 0 },
      { ...back, headed: false, time: undefined },
    ],
  }
  solveRunTimes(whole, pacesOf(whole, [], 1e6), { clusterIn: () => undefined }, 0)
  expect(whole.runs[1].time).toBeLessThan(1000)
})

it('Clusters of no time between gaps take time in proportion to their number', () => {
  const many = 30_000
  const survey = surveyOf([], [])
  const blocks = new BlockTable(many)
  const [run] = surveyOf([0], []).runs
  const runs = Array.from({ length: many }, (_, i) => {
    const row = blocks.push()
    blocks.offset[row] = 2 * i * BYTES
    blocks.size[row] = BYTES
    blocks.track[row] = 1
    blocks.flags[row] = KEY
    const place = { offset: 2 * i * BYTES, body: 2 * i * BYTES, end: (2 * i + 1) * BYTES }
    return { ...run, ...place, headed: true, time: i === 0 ? 0 : undefined, firstRow: row, endRow: row + 1 }
  })
  const gaps = runs.map(({ end }) => ({ offset: end, length: BYTES, candidates: 0 }))
  const whole: Survey = { ...survey, size: 2 * many * BYTES, blocks, runs, gaps }
  const before = process.threadCpuUsage()
  const solved = solveRunTimes(whole, new Map([[1, 40]]), { clusterIn: () => undefined }, 0)
  const { user, system } = process.threadCpuUsage(before)
  expect(solved.estimated).toBe(many - 1)
  expect((user + system) / 1e6).toBeLessThan(2)
}, 60_000)

it('a Cluster without blocks begins with no key picture', () => {
  // a Cluster, a gap, and what is left of another one, which begins with a key picture that is very large
  const survey = surveyOf([0, 33, 67, 100, 133, 167], [0, 33])
  const { blocks } = survey
  blocks.flags[0] = KEY
  blocks.flags[6] = KEY
  blocks.size[6] = 50 * BYTES
  blocks.offset[6] = 40 * BYTES
  blocks.offset[7] = 90 * BYTES
  const [front, back] = survey.runs
  const runs = (): Run[] => [
    { ...front, headed: true, time: 0 },
    { ...back, headed: false, time: undefined, offset: 40 * BYTES, end: 91 * BYTES },
  ]
  const timeWith = (empty: readonly Run[]): number | undefined => {
    const [first, last] = runs()
    const whole = { ...survey, size: 91 * BYTES, runs: [first, ...empty, last] }
    solveRunTimes(whole, pacesOf(whole, [], 1e6), { clusterIn: () => undefined }, 0)
    return last.time
  }
  const empty: Run = {
    ...front,
    offset: 30 * BYTES,
    end: 30 * BYTES,
    time: undefined,
    firstRow: 6,
    endRow: 6,
  }
  expect(timeWith([{ ...empty, headed: true }])).toBe(timeWith([]))
})
