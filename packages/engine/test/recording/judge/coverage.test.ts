import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { ROW_BROKEN, ROW_FITS, ROW_OUTSIDE } from '../../../src/recording/align/row-state.ts'
import {
  type AlignedIndex,
  coversPayload,
  goneSamples,
  pointsPastEnd,
} from '../../../src/recording/judge/coverage.ts'

/** An entry: offset, size, bytes by which it lies elsewhere, and its state. */
type Entry = readonly [offset: number, size: number, shift?: number, state?: number]

function indexOf(entries: readonly Entry[], count = 1): AlignedIndex {
  const samples = new SampleTable(entries.length)
  for (const [offset, size] of entries) samples.push(offset, size, count, 1, 0, 0)
  const track = {
    state: Uint8Array.from(entries, ([, , , state]) => state ?? ROW_FITS),
    shift: Float64Array.from(entries, ([, , shift]) => shift ?? 0),
    ...{ fits: 0, broken: 0, damaged: 0, outside: 0 },
  }
  const order = { length: 0, table: new Uint8Array(0), row: new Uint32Array(0) }
  return {
    tracks: [{ samples }],
    alignment: { tracks: [track], pieces: [], order, flipped: 0, explained: false, loose: [] },
  }
}

/** 1000 bytes of which those from 500 to 599 are zeros. */
const reader = new ByteReader(new MemorySource(new Uint8Array(1000).fill(7).fill(0, 500, 600)))
const payload = [{ offset: 0, length: 1000 }]

describe('an index names the payload', () => {
  it.each<[string, Entry[], boolean]>([
    [
      'where its entries take all of it',
      [
        [0, 500],
        [500, 500],
      ],
      true,
    ],
    ['where five bytes in a thousand are left, but no more', [[0, 995]], true],
    ['not where six are', [[0, 994]], false],
    [
      'where zeros alone are left',
      [
        [0, 500],
        [600, 400],
      ],
      true,
    ],
    [
      'where entries lie elsewhere than it says',
      [
        [0, 500],
        [590, 400, 10],
      ],
      true,
    ],
    [
      'not where they lie elsewhere and leave some of it',
      [
        [0, 500],
        [600, 400, -10],
      ],
      false,
    ],
    [
      'up to the end of the file, where the last one is cut',
      [
        [0, 500],
        [500, 700],
      ],
      true,
    ],
    [
      'not with entries in front of the file',
      [
        [0, 500],
        [0, 500, -1],
      ],
      false,
    ],
  ])('%s', (_, entries, covers) => {
    expect(coversPayload(reader, indexOf(entries), payload)).toBe(covers)
  })
})

describe('samples of an index are gone', () => {
  it('as often as their entries stand for units', () => {
    expect(goneSamples(reader, indexOf([[500, 100, 0, ROW_BROKEN]], 2), false)).toEqual([2])
  })

  it.each<[string, Entry[]]>([
    ['where their entry fits', [[500, 100]]],
    ['in front of the file', [[-600, 100, 0, ROW_OUTSIDE]]],
  ])('but not %s', (_, entries) => {
    expect(goneSamples(reader, indexOf(entries), false)).toEqual([0])
  })

  it('where zeros lie to which they were moved', () => {
    expect(goneSamples(reader, indexOf([[400, 100, 100, ROW_OUTSIDE]]), false)).toEqual([1])
  })
})

it('an index points past the end where a later entry of the track does not, but not where the file is cut at either end', () => {
  const there: Entry = [0, 100]
  const past: Entry = [5000, 100, 0, ROW_OUTSIDE]
  const before: Entry = [100, 100, -300, ROW_OUTSIDE]
  expect(pointsPastEnd(reader, indexOf([there, past, there]))).toBe(true)
  expect(pointsPastEnd(reader, indexOf([there, past, past]))).toBe(false)
  expect(pointsPastEnd(reader, indexOf([before, there, there]))).toBe(false)
  expect(pointsPastEnd(reader, indexOf([there, there]))).toBe(false)
})
