import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { ROW_BROKEN, ROW_FITS, ROW_OUTSIDE } from '../../../src/recording/align/row-state.ts'
import { goneSamples } from '../../../src/recording/judge/coverage.ts'

/** An entry by place, size and what became of it, `late` bytes further on than the index says. */
type Entry = readonly [offset: number, size: number, state: number, late?: number]

function gone(entries: readonly Entry[], cut = false): number {
  const reader = new ByteReader(new MemorySource(new Uint8Array(1000).fill(1).fill(0, 500, 600)))
  const samples = new SampleTable()
  for (const [row, [offset, size]] of entries.entries()) samples.push(offset, size, 1, 1, row, 0)
  const state = Uint8Array.from(entries.map((entry) => entry[2]))
  const shift = Float64Array.from(entries.map((entry) => entry[3] ?? 0))
  const rows = entries.map((_, row) => row)
  const order = {
    length: rows.length,
    table: Uint8Array.from(rows.fill(0)),
    row: Uint32Array.from(entries.keys()),
  }
  const tracks = [{ state, shift, fits: 0, broken: 0, damaged: 0, outside: 0 }]
  return goneSamples(
    reader,
    {
      tracks: [{ samples }],
      alignment: { tracks, pieces: [], order, flipped: 0, explained: false, loose: [] },
    },
    cut,
  )[0]
}

describe('samples that an index names are gone for certain', () => {
  const first: Entry = [0, 100, ROW_FITS]

  it('where they lie past the end of media that was cut, and nothing behind them is there', () => {
    const past: Entry = [1100, 100, ROW_OUTSIDE]
    expect(gone([first, past], true)).toBe(1)
    expect(gone([first, past], false)).toBe(0)
    expect(gone([first, past, [200, 100, ROW_FITS]], true)).toBe(0)
  })

  it('where their bytes are zero', () => {
    expect(gone([first, [500, 100, ROW_BROKEN]])).toBe(1)
    expect(gone([first, [700, 100, ROW_BROKEN]])).toBe(0)
  })

  it('where others lie so close around them that their bytes were hit or removed', () => {
    const hit: Entry = [100, 100, ROW_BROKEN]
    expect(gone([first, hit, [200, 100, ROW_FITS]])).toBe(1)
    expect(gone([first, hit, [200, 100, ROW_FITS, -30]])).toBe(1)
    expect(gone([first, hit, [200, 100, ROW_FITS, 30]])).toBe(0)
  })

  it('and not where the size of their entry may have been hit', () => {
    expect(gone([first, [100, 800, ROW_BROKEN], [900, 100, ROW_FITS]])).toBe(0)
  })
})
