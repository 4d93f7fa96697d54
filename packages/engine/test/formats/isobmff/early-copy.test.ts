import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { mergeRegions, type Region, subtractRegions } from '../../../src/bytes/regions.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { EarlyCopy } from '../../../src/formats/isobmff/write/copy-ahead.ts'
import type { Pieces } from '../../../src/formats/isobmff/write/plan-chunks.ts'
import { SAMPLE_KEY, SAMPLE_RESTART, SampleTable } from '../../../src/model/sample-table.ts'
import { NotingSink } from '../../../testing/contract/sinks.ts'
import { noise } from '../../../testing/hostile-sources.ts'

const SIZE = 4000
const READER = new ByteReader(new MemorySource(noise(SIZE, 1)))
const BOUNDS = { payload: 1, carved: 1 }

const stretches = fc
  .array(fc.record({ offset: fc.nat(SIZE), length: fc.nat(600) }), { minLength: 1, maxLength: 6 })
  .map(mergeRegions)
  .filter((regions) => regions.length > 0)

function upTo(regions: readonly Region[], until: number): readonly Region[] {
  return subtractRegions(regions, [{ offset: until, length: 10 * SIZE }])
}

function total(regions: readonly Region[]): number {
  return regions.reduce((sum, { length }) => sum + length, 0)
}

/** Pieces as a plan has them. */
function piecesOf(regions: readonly Region[]): Pieces {
  const offset = Float64Array.from(regions, (region) => region.offset)
  return { length: regions.length, offset, bytes: Float64Array.from(regions, ({ length }) => length) }
}

it('what is copied early is the payload without its holes, as far as it is settled', async () => {
  const steps = fc.array(fc.nat(SIZE + 600), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(stretches, stretches, steps, async (regions, holes, places) => {
      const sink = new NotingSink(READER.source)
      const early = new EarlyCopy(sink, READER, regions, false, BOUNDS)
      for (const until of places.toSorted((a, b) => a - b)) {
        const known = holes.filter(({ offset, length }) => offset + length <= until)
        // what lies behind the last hole known and in the next is settled once that hole is
        const settled = Math.min(until, ...holes.filter((hole) => !known.includes(hole)).map((h) => h.offset))
        const lost = known.map((hole) => ({ ...hole, rows: [] }))
        const before = early.front
        await early.advance({ until: settled, holes: lost, tables: [] })
        const carved = total(upTo(regions, settled))
        if (before === 0) expect(early.front > 0).toBe(carved > 0 && total(lost) <= carved / 2)
        if (early.front === 0 && carved > 0) return
        const wanted = mergeRegions(subtractRegions(upTo(regions, settled), known))
        expect(mergeRegions(early.copied)).toEqual(early.front > 0 ? wanted : [])
        if (early.front > 0) expect(sink.position).toBe(early.front + total(wanted))
      }
    }),
    { numRuns: 300 },
  )
})

/** Bytes from the start of a piece, made nine bytes longer, that its region has. */
function matchedOf(regions: readonly Region[], { offset, length }: Region): number {
  const region = regions.find((each) => offset >= each.offset && offset < each.offset + each.length)
  return region ? Math.min(length + 9, region.offset + region.length - offset) : 0
}

it('as much of it is used as the plan wants in the same row, however it is cut', async () => {
  const cuts = fc.array(fc.nat(SIZE), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(stretches, cuts, fc.nat(20), async (regions, places, other) => {
      const early = new EarlyCopy(new NotingSink(READER.source), READER, regions, false, BOUNDS)
      await early.advance({ until: 10 * SIZE, holes: [], tables: [] })
      const cut = regions.flatMap(({ offset, length }) => {
        const inner = places.filter((at) => at > offset && at < offset + length).toSorted((a, b) => a - b)
        const ends = [...new Set(inner), offset + length]
        return ends.map((end, i) => ({
          offset: ends[i - 1] ?? offset,
          length: end - (ends[i - 1] ?? offset),
        }))
      })
      expect(early.matching(piecesOf(cut))).toBe(total(regions))
      const changed = cut.map((piece, i) => (i === other ? { ...piece, offset: piece.offset + 1 } : piece))
      expect(early.matching(piecesOf(changed))).toBe(total(cut.slice(0, other)))
      const short = cut.slice(0, -1)
      expect(early.matching(piecesOf(short))).toBe(total(short))
      const long = cut.map((piece, i) => (i === other ? { ...piece, length: piece.length + 9 } : piece))
      expect(early.matching(piecesOf(long))).toBe(
        total(cut.slice(0, other)) + (cut[other] ? matchedOf(regions, cut[other]) : 0),
      )
    }),
  )
})

it('what was copied for nothing is forgotten, and nothing is copied any more', async () => {
  const sink = new NotingSink(READER.source)
  const early = new EarlyCopy(sink, READER, [{ offset: 0, length: SIZE }], false, BOUNDS)
  await early.advance({ until: 100, holes: [], tables: [] })
  expect(sink.position).toBe(early.front + 100)
  await early.discard()
  expect([sink.position, early.front]).toEqual([0, 0])
  await early.advance({ until: SIZE, holes: [], tables: [] })
  expect([sink.position, early.front]).toEqual([0, 0])
})

describe('room for the index', () => {
  const REST = 256 * 1024
  const ROWS = 1000

  interface Row {
    readonly key?: boolean
    readonly duration?: number
    readonly order?: number
    readonly restart?: boolean
  }

  /** A table of small rows, `step` bytes apart from `from` on. */
  function tableOf(row: (i: number) => Row, from = 0, step = 4): SampleTable {
    const table = new SampleTable()
    for (let i = 0; i < ROWS; i++) {
      const { key = true, duration = 1, order = i, restart = false } = row(i)
      const flags = (key ? SAMPLE_KEY : 0) | (restart ? SAMPLE_RESTART : 0)
      table.push(from + i * step, 1, 1, duration, order, flags)
    }
    return table
  }

  /** Bytes of index that are expected for each of a table's rows once half of the payload is carved. */
  async function aRow(tables: readonly SampleTable[], reordered = false, holes = 0): Promise<number> {
    const regions = [{ offset: 0, length: SIZE }]
    const early = new EarlyCopy(new NotingSink(READER.source), READER, regions, reordered, BOUNDS)
    const lost = Array.from({ length: holes }, (_, i) => ({ offset: i * 3, length: 1, rows: [] }))
    await early.advance({ until: SIZE / 2, holes: lost, tables })
    return (early.front - REST) / 2 / 1.15 / ROWS
  }

  it.each<readonly [string, () => readonly SampleTable[], boolean, number]>([
    ['a size each', () => [tableOf(() => ({}))], false, 4],
    ['and which are key samples', () => [tableOf((i) => ({ key: i % 2 === 0 }))], false, 4 + 2],
    ['and when they are shown, where all such recordings tell', () => [tableOf(() => ({}))], true, 4 + 8],
    ['or these do', () => [tableOf((i) => ({ order: i === 9 ? 3 : i }))], false, 4 + 8],
    ['unless it starts anew', () => [tableOf((i) => ({ order: i % 10, restart: i % 10 === 0 }))], false, 4],
    [
      'and how long, where it varies',
      () => [tableOf((i) => ({ duration: i === 9 ? 1.5 : 1 }))],
      false,
      4 + 8,
    ],
    [
      'and where it lies, where two take turns',
      () => [tableOf(() => ({})), tableOf(() => ({}), 2)],
      false,
      2 * (4 + 20),
    ],
  ])('is taken for %s', async (_, tables, reordered, bytes) => {
    expect(await aRow(tables(), reordered)).toBeCloseTo(bytes, 0)
  })

  it('grows with every hole, for every track', async () => {
    const tables = [tableOf(() => ({})), tableOf(() => ({}), 4000)]
    const more = (await aRow(tables, false, 300)) - (await aRow(tables))
    expect(more).toBeCloseTo((2 * 64 * 300) / ROWS, 1)
  })

  it('takes a chunk for every mebibyte', async () => {
    const table = new SampleTable()
    for (let i = 0; i < ROWS; i++) table.push(i * 2 ** 19, 2 ** 19, 1, 1, i, SAMPLE_KEY)
    expect(await aRow([table])).toBeCloseTo(4 + 10, 1)
  })

  it('is not estimated before enough is carved, nor for little', async () => {
    for (const bounds of [{ payload: SIZE + 1, carved: 1 }, { payload: 1, carved: 101 }, undefined]) {
      const regions = [{ offset: 0, length: SIZE }]
      const early = new EarlyCopy(new NotingSink(READER.source), READER, regions, false, bounds)
      await early.advance({ until: 100, holes: [], tables: [] })
      expect(early.front).toBe(0)
    }
  })
})

describe('where the sink copies ahead', () => {
  const MIB = 2 ** 20

  async function earlyFor(lead: number, offset: number) {
    const source = { size: 8 * MIB, read: () => 0 }
    const reader = new ByteReader(source)
    const early = new EarlyCopy(
      new NotingSink(source, lead),
      reader,
      [{ offset, length: MIB }],
      false,
      BOUNDS,
    )
    await early.advance({ until: 7 * MIB, holes: [], tables: [] })
    return early
  }

  it('the payload stays where it comes to lie, if the index has room and little is to be cleared', async () => {
    for (const [lead, offset] of [
      [MIB, 0],
      [MIB, 4 * MIB],
      [1000, 256 * 1024 - 1000],
    ]) {
      const early = await earlyFor(lead, offset)
      expect(early.front).toBe(lead + offset)
      expect(early.unwanted).toEqual({ offset: lead, length: offset })
    }
  })

  it('else it finds a place of its own', async () => {
    for (const [lead, offset] of [
      [MIB, 4 * MIB + 1],
      [1000, 256 * 1024 - 1001],
    ]) {
      const early = await earlyFor(lead, offset)
      expect(early.front).toBe(256 * 1024)
      expect(early.unwanted).toEqual({ offset: lead, length: Math.max(0, 256 * 1024 - lead) })
    }
  })
})
