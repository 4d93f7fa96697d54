import { describe, expect, it } from 'vitest'
import { RunBuilder } from '../../../../src/formats/isobmff/boxes/stts.ts'
import type { Movie, MovieTrack } from '../../../../src/formats/isobmff/read/movie.ts'
import { delaysBehind } from '../../../../src/formats/isobmff/ways/index/fragment-starts.ts'
import { withOwnTimes } from '../../../../src/formats/isobmff/ways/index/own-times.ts'
import type { RecoveredTrack } from '../../../../src/formats/isobmff/ways/index/surviving-index.ts'
import { SampleTable } from '../../../../src/model/sample-table.ts'

/** Ticks a second of what was carved, and of the index. */
const SCALE = 1000
const INDEX = 100

function runsOf(values: readonly number[]): RunBuilder {
  const runs = new RunBuilder()
  for (const value of values) runs.add(value)
  return runs
}

interface Carved {
  readonly rows?: number
  readonly kind?: string
  readonly codec?: string
  readonly lost?: number
  readonly cts?: (row: number) => number
}

/** Pictures of 40 ms that carving found, from 200 ms on. */
function carved({
  rows = 40,
  kind = 'video',
  codec = 'h264',
  lost = 0,
  cts = () => 80,
}: Carved = {}): RecoveredTrack {
  const table = new SampleTable()
  for (let row = 0; row < rows; row++) {
    const at = table.push(row * 10, 10, 1, 40, row, 0)
    table.dts[at] = 200 + row * 40
    table.cts[at] = cts(row)
  }
  const template = { description: { kind, codec, timescale: SCALE } }
  return {
    plan: { template, table },
    outcome: { lost },
    estimated: true,
    timesDoubtful: true,
  } as unknown as RecoveredTrack
}

/** What an index tells: durations of its pictures, their composition offsets, and how long they last together by its header. */
function told(
  durations: readonly number[],
  length = durations.reduce((sum, each) => sum + each, 0),
  more: { codec?: string; offsets?: readonly number[]; durationsGuessed?: true } = {},
): Movie {
  const { codec = 'h264', offsets, ...rest } = more
  const compositions = offsets && { version: 0, runs: runsOf(offsets) }
  const track = {
    description: { kind: 'video', codec, timescale: INDEX },
    mediaHeader: { duration: length, timescale: INDEX },
    tables: { durations: runsOf(durations), ...(compositions ? { compositions } : {}), ...rest },
  }
  return { tracks: [track] } as unknown as Movie
}

const UNEVEN = Array.from({ length: 40 }, (_, row) => (row % 4 === 3 ? 8 : 4))
const LENGTH = 200

/** Whether a track was given times by an index. */
const isTimed = (track: RecoveredTrack, movie: Movie): boolean => withOwnTimes([track], movie)[0] !== track

describe('times that an index tells of pictures whose places it lost', () => {
  it('are not taken where composition offsets count more samples than any file has, and those are not laid out', () => {
    const movie = told(UNEVEN, LENGTH)
    const runs = new RunBuilder()
    for (let part = 0; part < 8; part++) runs.add(part, 2 ** 31)
    const [track] = movie.tracks
    const hostile = { ...track, tables: { ...track.tables, compositions: { version: 0, runs } } }
    expect(isTimed(carved(), { tracks: [hostile] } as unknown as Movie)).toBe(false)
  })

  it('are those of all of them, in ticks of the recording, from where the first was', () => {
    const [track] = withOwnTimes([carved()], told(UNEVEN))
    const { table } = track.plan
    expect(track).toMatchObject({ estimated: false })
    expect(track).not.toHaveProperty('timesDoubtful')
    let time = 200
    for (const [row, ticks] of UNEVEN.entries()) {
      expect([table.dts[row], table.duration[row], table.cts[row]]).toEqual([time, ticks * 10, 80])
      time += ticks * 10
    }
  })

  it('begin to be shown where the only edit that the index has says so, if the media is as long', () => {
    const skipped = (mediaTime: number, duration: number, more: object[] = []): number | undefined => {
      const [track] = told(UNEVEN).tracks
      const edits = [{ mediaTime, duration, rate: 1 }, ...more]
      const movie = { header: { timescale: 1000 }, tracks: [{ ...track, edits }] } as unknown as Movie
      return withOwnTimes([carved()], movie)[0].plan.skips
    }
    expect(skipped(120, 800)).toBe(1.2)
    expect(skipped(120, 801)).toBeUndefined()
    expect(skipped(0, 800)).toBeUndefined()
    expect(skipped(-1, 800)).toBeUndefined()
    expect(skipped(120, 400, [{ mediaTime: 160, duration: 400, rate: 1 }])).toBeUndefined()
  })

  it('are believed where they make up the length of the media within a hundredth', () => {
    for (const [length, isLikely] of [
      [LENGTH, true],
      [202, true],
      [203, false],
      [198, false],
      [0, false],
    ] as const)
      expect(isTimed(carved(), told(UNEVEN, length)), `${length}`).toBe(isLikely)
  })

  it('are not believed of other pictures, of which some are lost, or that were guessed', () => {
    expect(isTimed(carved({ lost: 1 }), told(UNEVEN))).toBe(false)
    expect(isTimed(carved({ codec: 'hevc' }), told(UNEVEN))).toBe(false)
    expect(isTimed(carved({ rows: 39 }), told(UNEVEN))).toBe(false)
    expect(isTimed(carved(), told(UNEVEN, LENGTH, { durationsGuessed: true }))).toBe(false)
    expect(isTimed(carved({ rows: 1 }), told([4]))).toBe(false)
    expect(isTimed(carved({ kind: 'audio' }), told(UNEVEN))).toBe(false)
    const both = [carved(), carved()]
    expect(withOwnTimes(both, told(UNEVEN))).toBe(both)
    expect(withOwnTimes(both, undefined)).toBe(both)
    expect(withOwnTimes(both, { tracks: [] } as unknown as Movie)).toBe(both)
  })

  it('are those of as many as are left, from two dozen on; the others share what is left of the length', () => {
    const left = UNEVEN.slice(0, 24)
    const [track] = withOwnTimes([carved()], told(left, LENGTH))
    const { table } = track.plan
    expect(track).toMatchObject({ estimated: true, timesDoubtful: true })
    expect([...table.duration.subarray(0, 24)]).toEqual(left.map((ticks) => ticks * 10))
    expect([...table.duration.subarray(24, 40)]).toEqual(Array(16).fill(50))
    expect(table.dts[39] + table.duration[39]).toBe(200 + LENGTH * 10)
    expect(isTimed(carved(), told(left.slice(1), LENGTH))).toBe(false)
    expect(isTimed(carved({ cts: (row) => row % 2 }), told(left, LENGTH))).toBe(false)
    expect(isTimed(carved(), told(left, LENGTH, { offsets: left }))).toBe(false)
    // twice as long as they were found, and half as long, are too much
    const before = left.reduce((sum, each) => sum + each, 0)
    for (const [ticks, isLikely] of [
      [16 * 4 * 2, false],
      [16 * 4 * 2 - 1, true],
      [16 * 4 * 0.5 + 1, true],
      [16 * 4 * 0.5, false],
    ] as const)
      expect(isTimed(carved(), told(left, before + ticks)), `${ticks}`).toBe(isLikely)
  })

  it('are in doubt where composition offsets are lost, and some of those left are other than they would be worked out', () => {
    const late = (row: number): number => (row === 0 ? 4 : (row % 2) * 8)
    const left = Array.from({ length: 30 }, (_, row) => late(row))
    const times = (offsets: readonly number[]): RecoveredTrack =>
      withOwnTimes([carved({ cts: (row) => 10 * late(row) })], told(Array(40).fill(4), 160, { offsets }))[0]
    expect(times(left)).toMatchObject({ estimated: false })
    expect(times(left).timesDoubtful).toBeUndefined()
    const stray = times(left.with(15, 6))
    expect(stray).toMatchObject({ estimated: true, timesDoubtful: true })
    expect(stray.plan.table.cts[15]).toBe(60)
  })

  it('are not taken where they show the pictures in another order', () => {
    const swapped = UNEVEN.map((_, row) => (row % 2 === 0 ? 12 : 0))
    const shown = (row: number): number => (row % 2 === 0 ? 120 : 20)
    expect(isTimed(carved(), told(UNEVEN.fill(4), 160, { offsets: swapped }))).toBe(false)
    const [track] = withOwnTimes([carved({ cts: shown })], told(Array(40).fill(4), 160, { offsets: swapped }))
    // the first is shown as long after the first is decoded as before: by the second, at 60 ms
    expect([0, 1, 2, 3].map((row) => track.plan.table.dts[row] + track.plan.table.cts[row])).toEqual([
      ...[340, 260, 420, 340].map((time) => time),
    ])
  })
})

describe('what lies behind fragments that are missing', () => {
  /** A track of samples by offset, time and duration, of fragments that last so many ticks. */
  function lane(
    kind: string,
    fragmentTicks: number | undefined,
    ...rows: readonly (readonly [number, number, number])[]
  ) {
    const template = {
      description: { kind, timescale: SCALE },
      tables: { fragmentTicks },
    } as unknown as MovieTrack
    return { plan: { template, table: tableOf(rows) } } as unknown as RecoveredTrack
  }
  function tableOf(rows: readonly (readonly [number, number, number])[]): SampleTable {
    const table = new SampleTable()
    for (const [offset, dts, duration] of rows) table.dts[table.push(offset, 1, 1, duration, 0, 0)] = dts
    return table
  }
  const PICTURES = lane('video', 500, [0, 0, 500], [100, 1000, 500])
  const SOUND = lane('audio', 400, [10, 0, 400], [110, 800, 400])
  const found = (offset: number, ...ticks: readonly number[]) => ({
    offset,
    tables: ticks.map((each) => tableOf(each > 0 ? [[offset, 0, each]] : [])),
  })

  it('starts later by what was found of them beyond what was guessed, of pictures before sound', () => {
    const tracks = [PICTURES, SOUND]
    expect(delaysBehind(tracks, [found(50, 1500, 400)])).toEqual([{ offset: 50, seconds: 1, settled: true }])
    expect(delaysBehind(tracks.toReversed(), [found(50, 400, 1500)])).toEqual([
      { offset: 50, seconds: 1, settled: true },
    ])
    expect(delaysBehind(tracks, [found(50, 0, 1400)])).toEqual([{ offset: 50, seconds: 1, settled: true }])
    // what is found of one place in two is of one gap
    expect(delaysBehind(tracks, [found(50, 500, 0), found(60, 700, 0)])).toEqual([
      { offset: 50, seconds: 0.7, settled: true },
    ])
  })

  it('starts no sooner than was guessed, which is then not settled', () => {
    const long = [lane('video', 500, [0, 0, 500], [100, 2000, 500])]
    expect(delaysBehind(long, [found(50, 600)])).toEqual([{ offset: 50, seconds: 0, settled: false }])
    expect(delaysBehind(long, [found(50, 1400)])).toEqual([{ offset: 50, seconds: -0.1, settled: true }])
  })

  it('starts where it says where fragments do, where nothing was found, or nothing lies on either side', () => {
    expect(delaysBehind([lane('video', undefined, [0, 0, 500], [100, 1000, 500])], [found(50, 900)])).toEqual(
      [],
    )
    expect(delaysBehind([PICTURES], [found(50, 0)])).toEqual([])
    expect(delaysBehind([PICTURES], [found(150, 900)])).toEqual([])
    expect(delaysBehind([lane('video', 500, [100, 1000, 500])], [found(50, 900)])).toEqual([])
    const data = lane('data', 500, [0, 0, 500], [100, 1000, 500])
    expect(delaysBehind([data], [found(50, 900)])).toEqual([{ offset: 50, seconds: 0.4, settled: true }])
  })
})
