import { describe, expect, it } from 'vitest'
import type { DamagedFrames } from '../../../../src/formats/format.ts'
import type { HeldIndex } from '../../../../src/formats/isobmff/assess.ts'
import type { MovieTrack } from '../../../../src/formats/isobmff/read/movie.ts'
import { fromSurvivingIndex } from '../../../../src/formats/isobmff/ways/index/surviving-index.ts'
import {
  SAMPLE_AFTER_HOLE,
  SAMPLE_DAMAGED,
  SAMPLE_KEY,
  SampleTable,
} from '../../../../src/model/sample-table.ts'
import { ROW_BROKEN, ROW_DAMAGED, ROW_FITS, ROW_OUTSIDE } from '../../../../src/recording/align/row-state.ts'
import type { SampleChecker } from '../../../../src/recording/align/sample-checker.ts'
import { readerOf } from '../support/engine.ts'

const BYTES = 1000
/** An entry of an index: what became of it, and how far its bytes have moved. */
type Row = readonly [state: number, shift?: number]
const FITS: Row = [ROW_FITS]
const BROKEN: Row = [ROW_BROKEN]
const DAMAGED: Row = [ROW_DAMAGED]

interface Track {
  readonly rows: readonly Row[]
  readonly from?: number
  /** Bytes of each sample, which lie one behind the other. */
  readonly bytes?: number
  readonly description?: Partial<MovieTrack['description']>
  readonly layout?: object
  readonly more?: object
  readonly checker?: Partial<SampleChecker>
}

/** What is kept of tracks, as lines of offset, bytes, decoding time, and marks; and what the outcome counts. */
function kept(tracks: readonly Track[], damagedFrames: DamagedFrames = 'keep') {
  const all = tracks.map(({ rows, from = 0, bytes = 100, description, layout, more }, lane) => {
    const samples = new SampleTable()
    for (const row of rows.keys()) {
      const at = samples.push(from + row * bytes, bytes, 10, 40, row, row === 0 ? SAMPLE_KEY : 0)
      samples.dts[at] = 200 + row * 40
      samples.cts[at] = row
    }
    return {
      description: { id: lane + 1, kind: 'video', codec: 'h264', timescale: 1000, ...description },
      layout: layout ?? { rows: 'samples' },
      ...{ samples, sampleDescription: new Uint8Array(1), ...more },
    } as unknown as MovieTrack
  })
  const order = tracks.flatMap(({ rows }, table) => rows.map((_, row) => ({ table, row })))
  const index = {
    tracks: all,
    alignment: {
      tracks: tracks.map(({ rows }) => ({
        state: Uint8Array.from(rows, ([state]) => state),
        shift: Float64Array.from(rows, ([, shift = 0]) => shift),
      })),
      order: {
        length: order.length,
        table: order.map(({ table }) => table),
        row: order.map(({ row }) => row),
      },
    },
    checkers: tracks.map(({ checker }) => ({
      ...{ certain: true, measure: () => 0, usable: () => 0, fits: () => false },
      ...checker,
    })),
  } as unknown as HeldIndex
  return fromSurvivingIndex(readerOf(new Uint8Array(BYTES)), index, damagedFrames).map((track) => {
    const { table, ...plan } = track.plan
    const marks = (flags: number): string =>
      `${flags & SAMPLE_KEY ? 'K' : ''}${flags & SAMPLE_DAMAGED ? 'D' : ''}${flags & SAMPLE_AFTER_HOLE ? 'H' : ''}`
    const rows = Array.from({ length: table.length }, (_, row) =>
      `${table.offset[row]}+${table.size[row]} ${table.dts[row]}/${table.cts[row]} ${marks(table.flags[row])}`.trim(),
    )
    const { recovered, damaged, lost } = track.outcome
    return { rows, counts: [recovered, damaged, lost], track, plan, table }
  })
}

const rowsOf = (track: Track, frames?: DamagedFrames): readonly string[] =>
  kept([track], frames)[0]?.rows ?? []

describe('entries of a surviving index', () => {
  it('that fit stay with their times where their bytes lie now, as sure as the index was', () => {
    const [found] = kept([{ rows: [FITS, [ROW_FITS, 7]] }])
    expect(found.rows).toEqual(['0+100 200/0 K', '107+100 240/1'])
    expect(found.counts).toEqual([20, 0, 0])
    expect(found.track.estimated).toBe(false)
    expect(found.plan).toEqual({ template: found.plan.template, times: 'index' })
  })

  it('that are damaged are kept as such, or left out as a hole where that is asked for, or they are coded sound', () => {
    const rows = [FITS, DAMAGED, FITS]
    const left = ['0+100 200/0 K', '200+100 280/2 H']
    expect(rowsOf({ rows })).toEqual(['0+100 200/0 K', '100+100 240/1 D', '200+100 280/2'])
    expect(kept([{ rows }])[0].counts).toEqual([20, 10, 0])
    expect(rowsOf({ rows }, 'drop')).toEqual(left)
    expect(kept([{ rows }], 'drop')[0].counts).toEqual([20, 0, 10])
    expect(rowsOf({ rows, description: { kind: 'audio', codec: 'aac' } })).toEqual(left)
    expect(rowsOf({ rows, description: { kind: 'audio', codec: 'pcm' } })).toHaveLength(3)
    const unsure = { checker: { certain: false } }
    expect(rowsOf({ rows, description: { kind: 'audio', codec: 'xyz' }, ...unsure })).toHaveLength(3)
  })

  it('that are no unit are kept as far as a decoder can use them, up to the next one', () => {
    const rows = [FITS, BROKEN, [ROW_FITS, -30]] as const
    const checker = { usable: (_: number, length: number) => length - 1 }
    expect(rowsOf({ rows, checker })).toEqual(['0+100 200/0 K', '100+69 240/1 D', '170+100 280/2'])
    expect(rowsOf({ rows })).toEqual(['0+100 200/0 K', '170+100 280/2 H'])
    expect(rowsOf({ rows, checker }, 'drop')).toEqual(['0+100 200/0 K', '170+100 280/2 H'])
    // what comes first and is no unit at all would mislead
    const first = [BROKEN, FITS]
    expect(rowsOf({ rows: first, checker })).toEqual(['100+100 240/1 H'])
    expect(rowsOf({ rows: first, checker: { ...checker, measure: () => 5 } })).toEqual([
      ...['0+99 200/0 KD', '100+100 240/1'],
    ])
  })

  it('that reach over others which fit end where the first of them begins, unless their own bytes say how long they are', () => {
    const others = (rows: number): Track => ({ rows: Array.from({ length: rows }, () => FITS), from: 100 })
    const unsure = { certain: false, usable: (_: number, length: number) => length }
    const first = (track: Track, rows: number): readonly string[] => kept([track, others(rows)])[0].rows
    const wide = { rows: [FITS, [ROW_FITS, 500]] as const, bytes: 350 }
    const whole = ['0+350 200/0 K', '850+350 240/1']
    const bounded = ['0+100 200/0 KD', '850+350 240/1']
    for (const several of [2, 3])
      expect(first({ ...wide, checker: { ...unsure, measure: () => 40 } }, several)).toEqual(bounded)
    expect(first({ ...wide, checker: { ...unsure, measure: () => 350 } }, 3)).toEqual(whole)
    expect(first({ ...wide, checker: { ...unsure, certain: true } }, 3)).toEqual(whole)
    // one may have begun there by chance, and the same place twice is one
    expect(first({ ...wide, checker: unsure }, 1)).toEqual(whole)
    expect(kept([{ ...wide, checker: unsure }, others(1), others(1)])[0].rows).toEqual(whole)
    expect(first({ ...wide, rows: [[ROW_DAMAGED]], checker: { ...unsure, measure: () => 40 } }, 3)).toEqual([
      '0+100 200/0 KD',
    ])
  })

  it('of wrong size have that of the unit that reaches to the next one, of any track', () => {
    const measured = (size: number): Partial<SampleChecker> => ({ measure: () => size })
    const rows = [BROKEN, [ROW_FITS, 50]] as const
    expect(rowsOf({ rows, checker: measured(150) })).toEqual(['0+150 200/0 K', '150+100 240/1'])
    expect(rowsOf({ rows, checker: measured(149) })).toEqual(['150+100 240/1 H'])
    expect(rowsOf({ rows: [BROKEN, FITS], checker: measured(100) })).toEqual(['100+100 240/1 H'])
    const [found] = kept([
      { rows, checker: measured(60) },
      { rows: [FITS], from: 60, bytes: 40 },
    ])
    expect(found.rows[0]).toBe('0+60 200/0 K')
  })

  it('that reach behind the file are lost, unless the unit itself ends with it', () => {
    const rows = [FITS, [ROW_OUTSIDE]] as const
    expect(kept([{ rows, from: 850 }])[0]).toMatchObject({ rows: ['850+100 200/0 K'], counts: [10, 0, 10] })
    expect(rowsOf({ rows, from: 850, checker: { measure: () => 50 } })).toEqual([
      ...['850+100 200/0 K', '950+50 240/1'],
    ])
    expect(rowsOf({ rows, from: 900, checker: { measure: () => 0 } })).toEqual(['900+100 200/0 K'])
  })

  it('of plain sound that the end of the file cuts keep their first frames', () => {
    const runs = { kind: 'audio', codec: 'pcm' } as const
    const layout = { rows: 'runs', unitBytes: 20, unitSamples: 1 }
    const rows = [FITS, [ROW_OUTSIDE]] as const
    const [found] = kept([{ rows, from: 850, description: runs, layout }])
    expect(found.rows).toEqual(['850+100 200/0 K', '950+40 240/1'])
    expect([found.table.count[1], found.table.duration[1], found.counts]).toEqual([2, 16, [12, 0, 8]])
    const [blocks] = kept([{ rows, from: 850, description: { ...runs, blockAlign: 20 } }])
    expect([blocks.rows[1], blocks.table.count[1], blocks.counts]).toEqual(['950+40 240/1', 4, [14, 0, 6]])
    expect(kept([{ rows, from: 890, description: runs, layout }])[0].rows).toHaveLength(1)
    expect(kept([{ rows, from: 880, description: runs, layout }])[0].rows[1]).toBe('980+20 240/1')
  })

  it('keep their sample entries, and where they are encrypted which samples they were', () => {
    const more = { descriptions: Uint16Array.of(1, 2, 3), keys: {} }
    const [{ plan }] = kept([{ rows: [FITS, BROKEN, FITS], more }])
    expect(plan).toMatchObject({ descriptions: Uint16Array.of(1, 3), rows: Uint32Array.of(0, 2) })
  })

  it('make no track where none is left, or where it lies elsewhere', () => {
    expect(kept([{ rows: [BROKEN, BROKEN] }, { rows: [FITS], from: 500, more: { external: true } }])).toEqual(
      [],
    )
  })
})
