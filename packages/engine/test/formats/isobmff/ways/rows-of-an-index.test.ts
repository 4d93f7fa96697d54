import { describe, expect, it } from 'vitest'
import type { MovieTrack } from '../../../../src/formats/isobmff/read/movie.ts'
import { rebase } from '../../../../src/formats/isobmff/ways/index/fragments-with-sample.ts'
import { markKeys } from '../../../../src/formats/isobmff/ways/index/key-marks.ts'
import type { RecoveredTrack } from '../../../../src/formats/isobmff/ways/index/surviving-index.ts'
import { someRows } from '../../../../src/formats/isobmff/ways/some-rows.ts'
import type { PlannedTrack } from '../../../../src/formats/isobmff/write/plan.ts'
import { SAMPLE_KEY, SAMPLE_RESTART, SampleTable } from '../../../../src/model/sample-table.ts'
import { movieOf, readerOf } from '../support/engine.ts'
import { type FixtureName, fixture } from '../support/fixtures.ts'

describe('some rows of a track', () => {
  const table = new SampleTable()
  for (let i = 0; i < 5; i++) {
    const at = table.push(10 * i, 3 + i, 1 + i, 40 + i, 7 + i, i)
    table.dts[at] = 100 * i
    table.cts[at] = -i
  }
  const columns = ({ length, offset, size, count, duration, order, flags, dts, cts }: SampleTable) =>
    Array.from({ length }, (_, i) =>
      [offset, size, count, duration, order, flags, dts, cts].map((column) => column[i]),
    )
  const plan = { template: {} as MovieTrack, table, times: 'index' } as const

  it('keep all that was known of them', () => {
    const rows = columns(table)
    expect(columns(someRows(plan, [1, 4]).table)).toEqual([rows[1], rows[4]])
    expect(columns(someRows(plan, []).table)).toEqual([])
    expect(someRows(plan, [0])).not.toHaveProperty('rows')
    expect(someRows(plan, [0])).not.toHaveProperty('descriptions')
  })

  it('keep their sample entries, and which samples of the file they are', () => {
    const of = { descriptions: Uint16Array.of(1, 2, 1, 2), rows: Uint32Array.of(3, 5, 6, 8, 9) }
    expect(someRows({ ...plan, ...of }, [1, 3, 4])).toMatchObject({
      descriptions: Uint16Array.of(2, 2, 1),
      rows: Uint32Array.of(5, 8, 9),
    })
  })
})

/** A track of which nothing matters but its times, in ticks of `timescale`. */
function timed(timescale: number, ...times: readonly number[]): RecoveredTrack {
  const table = new SampleTable()
  for (const time of times) table.dts[table.push(0, 1, 1, 1, 0, 0)] = time
  const plan = { template: { description: { timescale } }, table } as unknown as PlannedTrack
  return { plan } as RecoveredTrack
}

it.each<[string, RecoveredTrack[], number[][]]>([
  [
    'by what the earliest begins with',
    [timed(1000, 2500, 2540), timed(90, 180, 270)],
    [
      [500, 540],
      [0, 90],
    ],
  ],
  ['in whole ticks', [timed(3, 1, 2), timed(1000, 400)], [[0, 1], [67]]],
  ['not by tracks without any', [timed(10), timed(10, 30)], [[], [0]]],
  ['to a later start, too', [timed(10, -20, 5)], [[0, 25]]],
  ['not at all where they begin with it', [timed(10, 0, 5), timed(10, 3)], [[0, 5], [3]]],
])('fragments` times are moved %s', (_, tracks, expected) => {
  rebase(tracks)
  expect(tracks.map(({ plan: { table } }) => [...table.dts.subarray(0, table.length)])).toEqual(expected)
})

describe('key pictures of which the table is lost', () => {
  /** Marks of a track that takes all its samples for key pictures, once its bytes were looked at. */
  async function marks(name: FixtureName, lane: number, more: object = {}, bytes = fixture(name)) {
    const track = (await movieOf(fixture(name))).tracks[lane]
    const { samples } = track
    const table = new SampleTable()
    for (let row = 0; row < samples.length; row++)
      table.push(samples.offset[row], samples.size[row], 1, 1, row, SAMPLE_KEY | (row ? 0 : SAMPLE_RESTART))
    const template = { ...track, whole: false, tables: {}, ...more }
    const plan = { template, table, times: 'index' } as unknown as PlannedTrack
    markKeys(readerOf(bytes), [{ plan } as RecoveredTrack])
    const keyed = (flags: Uint8Array | Uint16Array | Uint32Array): number[] =>
      [...flags.subarray(0, table.length)].flatMap((flag, row) => (flag & SAMPLE_KEY ? [row] : []))
    expect(table.flags[0] & SAMPLE_RESTART).toBe(SAMPLE_RESTART)
    return { keys: keyed(table.flags), told: keyed(samples.flags), all: table.length }
  }

  it.each<FixtureName>(['h264-aac.mp4', 'hevc-aac.mp4', 'mpeg4-aac.mp4'])(
    'of %s are told by their bytes',
    async (name) => {
      for (const more of [{}, { whole: true, tables: { syncLost: true } }]) {
        const { keys, told, all } = await marks(name, 0, more)
        expect(keys).toEqual(told)
        expect(told.length).toBeLessThan(all)
      }
    },
  )

  it('stay as they are where the index tells them, or nothing does', async () => {
    const name = 'h264-aac.mp4'
    for (const more of [{ whole: true }, { tables: { sync: Uint32Array.of(1) } }, { extends: {} }]) {
      const { keys, all } = await marks(name, 0, more)
      expect(keys).toHaveLength(all)
    }
    const strange = await marks(name, 0, {}, new Uint8Array(fixture(name).length))
    expect(strange.keys).toHaveLength(strange.all)
    const sound = await marks(name, 1)
    expect(sound.keys).toHaveLength(sound.all)
  })
})
