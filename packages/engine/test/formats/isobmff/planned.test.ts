import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Edit, NORMAL_RATE } from '../../../src/formats/isobmff/boxes/elst.ts'
import type { MovieTrack } from '../../../src/formats/isobmff/read/movie.ts'
import type { PlannedTrack } from '../../../src/formats/isobmff/write/plan.ts'
import { planChunks } from '../../../src/formats/isobmff/write/plan-chunks.ts'
import { planEdits } from '../../../src/formats/isobmff/write/plan-edits.ts'
import { planTimes, type TrackTimes } from '../../../src/formats/isobmff/write/plan-times.ts'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'

/** Ticks a second of tracks, and of the movie. */
const SCALE = 1000
const MOVIE = 100

interface Row {
  readonly dts?: number
  readonly cts?: number
  readonly duration?: number
  readonly offset?: number
  readonly size?: number
  readonly count?: number
  readonly key?: boolean
}

function tableOf(rows: readonly Row[]): SampleTable {
  const table = new SampleTable(Math.max(1, rows.length))
  for (const [
    i,
    { dts = i * 40, cts = 0, duration = 40, offset = i * 10, size = 10, count = 1, key = true },
  ] of rows.entries()) {
    const row = table.push(offset, size, count, duration, i, key ? SAMPLE_KEY : 0)
    table.dts[row] = dts
    table.cts[row] = cts
  }
  return table
}

interface Kind {
  readonly kind?: 'video' | 'audio'
  readonly edits?: readonly Edit[]
  readonly whole?: boolean
  readonly extends?: object
  readonly samples?: SampleTable
  readonly runs?: { readonly unitSamples: number; readonly unitBytes: number }
  readonly facts?: Readonly<Record<string, number | string>>
  /** Version of the template's composition offsets. */
  readonly version?: 0 | 1
}

function track(rows: readonly Row[], of: Kind = {}, more: Partial<PlannedTrack> = {}): PlannedTrack {
  const table = tableOf(rows)
  const { kind = 'video', edits, whole = true, samples = table, runs, facts, version } = of
  const template = {
    description: { kind, timescale: SCALE, facts },
    layout: runs ? { rows: 'runs', ...runs } : { rows: 'samples' },
    tables: version === undefined ? {} : { compositions: { version } },
    ...{ edits, whole, samples, extends: of.extends },
  } as unknown as MovieTrack
  return { template, table, times: 'index', ...more }
}

const TEN: readonly Row[] = Array.from({ length: 10 }, () => ({}))
const edit = (duration: number, mediaTime: number, rate = NORMAL_RATE): Edit => ({
  duration,
  mediaTime,
  rate,
})
const nothing = (duration: number): Edit => edit(duration, -1)

describe('edits of a track by its own index', () => {
  const planned = (
    rows: readonly Row[],
    edits: readonly Edit[] | undefined,
    origin = 0,
    of: Kind = {},
    more: Partial<PlannedTrack> = {},
  ) => {
    const own = track(rows, { ...of, ...(edits ? { edits } : {}) }, more)
    return planEdits(own, planTimes(own), MOVIE, origin)
  }
  const later = TEN.map((_, i) => ({ dts: 200 + i * 40 }))

  it.each<[string, readonly Edit[] | undefined, readonly Edit[] | undefined]>([
    ['are none where it has none', undefined, undefined],
    ['stay where they fit', [edit(40, 0)], [edit(40, 0)]],
    ['end where the media does', [edit(99, 80)], [edit(32, 80)]],
    ['last to the end of the media where they are open', [edit(0, 120)], [edit(28, 120)]],
    ['that lie behind the media are left out', [edit(8, 0), edit(9, 400)], [edit(8, 0)]],
    [
      'that show nothing, or slowly, stay',
      [nothing(7), edit(9, 0, NORMAL_RATE / 2), edit(8, 40)],
      [nothing(7), edit(9, 0, NORMAL_RATE / 2), edit(8, 40)],
    ],
    ['that show nothing of the media were hit', [nothing(7)], [edit(40, 0)]],
    ['may be several', [edit(8, 40), edit(4, 200)], [edit(8, 40), edit(4, 200)]],
  ])('%s', (_, edits, expected) => {
    expect(planned(TEN, edits)).toEqual(expected)
  })

  it('show nothing for as long as the head that is lost took', () => {
    expect(planned(later, undefined)).toEqual([nothing(20), edit(40, 0)])
    expect(planned(later, undefined, 0.1)).toEqual([nothing(10), edit(40, 0)])
    expect(planned(later, undefined, 0.19)).toEqual([nothing(1), edit(40, 0)])
    expect(planned(later, undefined, 0.3)).toBeUndefined()
    // 60 ticks of the movie of which the first 20 are gone
    expect(planned(later, [edit(60, 0)])).toEqual([nothing(20), edit(40, 0)])
    expect(planned(later, [edit(50, 40)])).toEqual([nothing(16), edit(34, 0)])
    expect(planned(later, [edit(10, 0), edit(9, 240)])).toEqual([nothing(20), edit(9, 40)])
    expect(planned(later, [edit(8, 280)])).toEqual([edit(8, 80)])
  })

  it('begin where pictures were moved to, so that none comes before its decoding', () => {
    const early = TEN.map((_, i) => ({ cts: i === 0 ? 0 : -40 }))
    expect(planned(early, undefined)).toEqual([edit(40, 40)])
    expect(planned(early, [edit(8, 0)])).toEqual([edit(8, 40)])
  })

  it('whose start a bit of a hit box made late begin with the media', () => {
    const late = [edit(8, 1024)]
    const long = Array.from({ length: 60 }, () => ({}))
    expect(planned(long, late, 0, { whole: false })).toEqual([edit(8, 0)])
    expect(planned(long, late)).toEqual(late)
    expect(planned(long, [edit(8, 1025)], 0, { whole: false })).toEqual([edit(8, 1025)])
    expect(planned(long, [edit(8, 256)], 0, { whole: false })).toEqual([edit(8, 256)])
    expect(planned(long, [edit(8, 0), ...late], 0, { whole: false })).toEqual([edit(8, 0), ...late])
  })

  it('are open where the media grew, or goes on in fragments', () => {
    const expected = [nothing(7), edit(40, 0)]
    expect(planned(TEN, [nothing(7), edit(8, 0), edit(3, 40)], 0, {}, { grown: true })).toEqual(expected)
    expect(planned(TEN, [nothing(7), edit(8, 0)], 0, { extends: {} })).toEqual(expected)
  })

  it('that are given are taken', () => {
    expect(planned(TEN, [edit(8, 0)], 0, {}, { edits: [edit(3, 7)] })).toEqual([edit(3, 7)])
    expect(planned(TEN, [edit(8, 0)], 0, {}, { edits: [] })).toEqual([])
  })
})

describe('edits of a track carved by the habits of another', () => {
  const planned = (edits: readonly Edit[] | undefined, origin: number, of: Kind = {}, rows = TEN) => {
    const own = track(
      rows,
      { kind: 'audio', ...of, samples: tableOf(rows), ...(edits ? { edits } : {}) },
      { times: 'carved' },
    )
    return planEdits(own, planTimes(own), MOVIE, origin)
  }

  it('skip what that one skipped, up to half a second, where the recording begins', () => {
    expect(planned([edit(8, 80)], -0.08)).toEqual([edit(40, 0)])
    expect(planned([edit(8, 80)], 0)).toEqual([edit(32, 80)])
    expect(planned([edit(8, 500)], 0)).toEqual([edit(0, 400)])
    expect(planned([edit(8, 501)], 0)).toEqual([edit(40, 0)])
    expect(planned(undefined, 0)).toBeUndefined()
  })

  it('begin as late as that one did, up to a second', () => {
    expect(planned([nothing(100), edit(8, 0)], 0)).toEqual([nothing(100), edit(40, 0)])
    expect(planned([nothing(101), edit(8, 0)], 0)).toEqual([edit(40, 0)])
    expect(planned([nothing(5), nothing(6), edit(8, 0), nothing(7)], -0.02)).toEqual([
      nothing(13),
      edit(40, 0),
    ])
    expect(planned(undefined, -0.1)).toEqual([nothing(10), edit(40, 0)])
  })
})

/** Decoding and composition times as a reader of the tables finds them. */
function readBack(times: TrackTimes, rows: number): [dts: number, pts: number][] {
  const spread = (runs: TrackTimes['durations'] | undefined): number[] =>
    runs
      ? Array.from({ length: runs.length }, (_, i) =>
          Array<number>(runs.counts[i]).fill(runs.values[i]),
        ).flat()
      : Array(rows).fill(0)
  const [durations, offsets] = [spread(times.durations), spread(times.compositions)]
  let time = 0
  return durations.map((duration, row) => {
    const read: [number, number] = [time, time + offsets[row] - times.moved]
    time += duration
    return read
  })
}

describe('times', () => {
  it('are read back as they were planned', () => {
    const rows = fc.array(fc.tuple(fc.integer({ min: 1, max: 90 }), fc.integer({ min: -200, max: 200 })), {
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(rows, fc.constantFrom(0, 1, undefined), (deltas, version) => {
        let dts = 500
        const planned = deltas.map(([duration, cts]) => {
          const row = { dts, cts, duration }
          dts += duration
          return row
        })
        const times = planTimes(track(planned, version === undefined ? {} : { version }))
        const negative = deltas.some(([, cts]) => cts < 0)
        expect(readBack(times, planned.length)).toEqual(
          planned.map((row) => [row.dts - 500, row.dts - 500 + row.cts]),
        )
        expect(times.moved > 0).toBe(negative && version !== 1)
        expect(times.compositionVersion).toBe(negative && version === 1 ? 1 : 0)
        expect([times.start, times.total]).toEqual([500, dts - 500])
        expect(times.firstComposition).toBe(
          Math.min(...planned.map((row) => row.dts - 500 + row.cts + times.moved)),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('that run backwards are held, and a last one without a length has that of the one before, or lasts to the end', () => {
    const held = planTimes(track([{ dts: 0 }, { dts: 80 }, { dts: 40 }, { dts: 120 }]))
    expect(readBack(held, 4).map(([dts]) => dts)).toEqual([0, 80, 80, 120])
    expect(
      planTimes(
        track([
          { dts: 0, duration: 25 },
          { dts: 40, duration: 0 },
        ]),
      ).total,
    ).toBe(65)
    expect(planTimes(track([{ dts: 100, duration: 0 }]), 0.25).total).toBe(150)
    expect(planTimes(track([{ dts: 100, duration: 0 }]), 0.05).total).toBe(0)
    expect(planTimes(track([]))).toMatchObject({ total: 0, start: 0, firstComposition: 0, sync: undefined })
  })

  it('of pictures name those that decoding can start at, the first where none is known', () => {
    const sync = (keys: readonly boolean[], kind?: 'audio') =>
      planTimes(
        track(
          keys.map((key) => ({ key })),
          kind ? { kind } : {},
        ),
      ).sync
    expect(sync([true, true])).toBeUndefined()
    expect(sync([true, false, true])).toEqual(Uint32Array.of(1, 3))
    expect(sync([false, false])).toEqual(Uint32Array.of(1))
    expect(sync([false, false], 'audio')).toBeUndefined()
  })

  it('of runs are those of their samples, with silence where something is missing', () => {
    const runs = { unitSamples: 2, unitBytes: 4 }
    const rows = [
      { dts: 100, duration: 40, count: 10, size: 40 },
      { dts: 180, duration: 40, count: 10, size: 40 },
    ]
    const times = planTimes(track(rows, { runs }))
    expect(times).toMatchObject({ start: 100, total: 120, compositionEnd: 120, moved: 0 })
    expect(readBack(times, 60).length).toBe(60)
  })
})

describe('chunks', () => {
  const plan = (tracks: readonly PlannedTrack[], order?: 'time') =>
    planChunks({ movie: {} as never, tracks, ...(order ? { order } : {}) })
  /** Chunks of a track: place, samples, sample entry. */
  const told = ({ tracks }: ReturnType<typeof plan>, at = 0) =>
    Array.from({ length: tracks[at].length }, (_, i) => [
      tracks[at].offset[i],
      tracks[at].samples[i],
      tracks[at].description[i],
    ])
  const pieces = ({ pieces: { length, offset, bytes } }: ReturnType<typeof plan>) =>
    Array.from({ length }, (_, i) => [offset[i], bytes[i]])

  it('hold a second, or a mebibyte, or what has one sample entry', () => {
    const slow = plan([track(Array.from({ length: 60 }, () => ({})))])
    expect(told(slow)).toEqual([
      [0, 25, 1],
      [250, 25, 1],
      [500, 10, 1],
    ])
    expect([slow.payload, pieces(slow)]).toEqual([600, [[0, 600]]])
    const large = plan([track([0, 1, 2, 3].map((i) => ({ size: 1 << 19, offset: i << 19 })))])
    expect(told(large)).toEqual([
      [0, 2, 1],
      [1 << 20, 2, 1],
    ])
    expect(
      told(plan([track(TEN, {}, { descriptions: Uint16Array.of(1, 1, 2, 2, 2, 1, 1, 1, 1, 1) })])),
    ).toEqual([
      [0, 2, 1],
      [20, 3, 2],
      [50, 5, 1],
    ])
  })

  it('lie in turns as their bytes do in the file, or as their times tell', () => {
    const places = (offsets: readonly number[], step: number) =>
      track(offsets.map((offset, i) => ({ offset, dts: i * step })))
    const [pictures, sound] = [places([0, 10, 40, 50], 500), places([20, 30, 60, 70], 400)]
    const byPlace = plan([pictures, sound])
    expect([told(byPlace), told(byPlace, 1)]).toEqual([
      [
        [0, 2, 1],
        [40, 2, 1],
      ],
      [
        [20, 2, 1],
        [60, 2, 1],
      ],
    ])
    expect(pieces(byPlace)).toEqual([[0, 80]])
    const byTime = plan([pictures, sound], 'time')
    expect([told(byTime), told(byTime, 1)]).toEqual([
      [
        [0, 1, 1],
        [40, 2, 1],
        [70, 1, 1],
      ],
      [
        [10, 3, 1],
        [60, 1, 1],
      ],
    ])
    expect(pieces(byTime).map(([offset]) => offset)).toEqual([0, 20, 60, 10, 40, 70, 50])
    expect(byTime.payload).toBe(80)
  })

  it.each([
    [{}, 0],
    [{ law: 'ulaw' }, 0xff],
    [{ law: 'alaw' }, 0xd5],
    [{ signed: 0, bitsPerSample: 8 }, 0x80],
    [{ signed: 0, bitsPerSample: 16 }, 0],
    [{ signed: 1, bitsPerSample: 8 }, 0],
  ])('of plain sound of %j are silent with bytes of %i where something is missing', (facts, fill) => {
    const rows = [
      { dts: 0, count: 10, size: 40 },
      { dts: 80, count: 10, size: 40, offset: 40 },
    ]
    const silent = plan([track(rows, { kind: 'audio', runs: { unitSamples: 2, unitBytes: 4 }, facts })])
    expect(pieces(silent)).toEqual([
      [0, 40],
      [-1 - fill, 40],
      [40, 40],
    ])
    expect([told(silent), silent.payload]).toEqual([[[0, 60, 1]], 120])
    rows[1].dts = 44
    const hardly = plan([track(rows, { kind: 'audio', runs: { unitSamples: 2, unitBytes: 4 }, facts })])
    expect([pieces(hardly)[1], told(hardly), hardly.payload]).toEqual([[-1 - fill, 4], [[0, 42, 1]], 84])
  })

  it('hold every byte once, whatever their number', () => {
    const many = Array.from({ length: 1200 }, (_, i) => ({ offset: i * 30, dts: i * 1000 }))
    const others = many.map(({ offset }, i) => ({ offset: offset + 15, dts: i * 1000, size: 5 }))
    const both = plan([track(many), track(others)])
    expect(told(both).map(([at]) => at)).toEqual(many.map((_, i) => i * 15))
    expect(told(both, 1).map(([at]) => at)).toEqual(many.map((_, i) => i * 15 + 10))
    expect(pieces(both).flat()).toEqual(many.flatMap(({ offset }) => [offset, 10, offset + 15, 5]))
  })
})
