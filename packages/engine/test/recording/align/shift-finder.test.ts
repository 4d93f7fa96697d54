import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { fileOrder } from '../../../src/recording/align/file-order.ts'
import type { SampleChecker } from '../../../src/recording/align/sample-checker.ts'
import { ShiftFinder } from '../../../src/recording/align/shift-finder.ts'
import { TakenPlaces } from '../../../src/recording/align/taken-places.ts'
import { ZeroTailSource } from '../../../testing/hostile-sources.ts'

const MIB = 2 ** 20
const SHIFT = 777
const STEP = 400

/** Checks by what a test says of places; `bits` 0: nothing can be checked. */
function checker(
  bits: number,
  fits: (offset: number, size: number) => boolean,
  search = noSearch,
): SampleChecker {
  return {
    ...{ bits, weight: bits, certain: true, exact: false, leads: true, fits, search },
    ...{ intact: () => true, measure: () => 0, measuredBits: 0, usable: () => 0 },
  }
}

function noSearch(_from: number, end: number): number {
  return end
}

/** Rows `STEP` bytes apart of sizes that differ. */
function rows(count: number, from = 0): SampleTable {
  const table = new SampleTable()
  for (let row = 0; row < count; row++) table.push(from + row * STEP, 10 + (row % 380), 1, 1, row, 0)
  return table
}

async function finderOf(
  tables: readonly SampleTable[],
  checkers: readonly SampleChecker[],
  suggestions: readonly number[],
  size = 20 * MIB,
) {
  const order = await fileOrder(tables, SILENT)
  const reader = new ByteReader(new ZeroTailSource(new MemorySource(new Uint8Array(1)), size - 1))
  const input = { reader, tables, checkers, suggestions, monitor: SILENT, stage: 'diagnose' as const }
  const payload = [{ offset: 0, length: size }]
  return new ShiftFinder({ ...input, payload }, order, new TakenPlaces(tables, order))
}

/** What holds behind a row, as alignment asks for it. */
function after(finder: ShiftFinder, at: number, current: number, search: boolean): number | undefined {
  const known = finder.known(at, current)
  return search && finder.isWorthSearching(at) ? (finder.search(at, current) ?? known) : known
}

/** Whether a place is a row's, `SHIFT` bytes on. */
const isShifted = (offset: number): boolean => (offset - SHIFT) % STEP === 0

describe('the shift behind a place where an index stops to fit', () => {
  it('is one that was seen before, at which rows soon fit again', async () => {
    const finder = await finderOf([rows(100)], [checker(8, isShifted)], [SHIFT])
    expect(after(finder, 5, 0, false)).toBe(SHIFT)
    // two rows are not evidence enough
    expect(after(finder, 98, 0, false)).toBeUndefined()
    expect(after(finder, 97, 0, false)).toBe(SHIFT)
  })

  it('is the one in force where damage ends, the nearest first', async () => {
    const both = (offset: number): boolean => isShifted(offset) || (offset % STEP === 0 && offset > 10 * STEP)
    const finder = await finderOf([rows(100)], [checker(8, both)], [SHIFT])
    expect(after(finder, 5, 0, false)).toBe(SHIFT)
    expect(after(finder, 11, 0, false)).toBe(0)
    expect(after(finder, 11, SHIFT, false)).toBe(SHIFT)
  })

  it('is not sought at others further than one that holds is away', async () => {
    let held = 0
    const counting = checker(8, (offset) => {
      held++
      return offset % STEP === 0 && offset > 5 * STEP
    })
    const others = Array.from({ length: 60 }, (_, i) => i + 1)
    const finder = await finderOf([rows(1000)], [counting], others)
    expect(after(finder, 5, 0, false)).toBe(0)
    expect(held).toBeLessThan(3 * others.length)
  })

  it('is sought among others no longer where holding rows against them has cost half the bytes of the file', async () => {
    let last = 0
    let at = 0
    const counting = checker(8, (offset) => {
      if (offset % STEP !== 0) last = at
      return false
    })
    const others = Array.from({ length: 60 }, (_, i) => i + 1)
    const finder = await finderOf([rows(5000)], [counting], others, 4 * MIB)
    for (; at < 5000; at++) expect(after(finder, at, 0, false)).toBeUndefined()
    // 64 bytes for one of the 48 that do not fit, seen before or not
    const each = others.length * 48 * 64
    expect(last).toBe(Math.ceil((10 * MIB) / each) - 1)
  })

  it('is sought in rows that were seen not to fit once, not anew for each of them', async () => {
    let held = 0
    const never = checker(8, () => {
      held++
      return false
    })
    const count = 5000
    const finder = await finderOf([rows(count)], [never], [SHIFT], 64 * MIB)
    for (let at = 0; at < count; at++) expect(finder.known(at, 0)).toBeUndefined()
    expect(held).toBe(2 * count)
  })

  it('is the same whether rows were seen before or not', async () => {
    let state = 7
    const draw = (below: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
      return (state >>> 8) % below
    }
    let told = 0
    for (let round = 0; round < 40; round++) {
      const seldom = 2 + draw(30)
      const fitting = new Set<number>()
      for (let row = 0; row < 300; row++) if (draw(seldom) === 0) fitting.add(row * STEP + draw(3) * SHIFT)
      const tables = [rows(240), rows(60, 240 * STEP)]
      const telling = checker(4 + draw(8), (offset) => fitting.has(offset))
      const checkers = [telling, draw(2) === 0 ? telling : checker(0, () => false)]
      const fresh = () => finderOf(tables, checkers, [SHIFT, 2 * SHIFT], 280 * STEP)
      const remembering = await fresh()
      for (let at = 0; at < 300; at += 1 + draw(draw(4) === 0 ? 20 : 2)) {
        const found = (await fresh()).known(at, 0)
        expect(remembering.known(at, 0)).toBe(found)
        if (found !== undefined) told++
      }
    }
    expect(told).toBeGreaterThan(500)
  })

  it('is searched for no longer where many places would take much reading each', async () => {
    let held = 0
    const search = (from: number, end: number): number => Math.min(end, Math.ceil(from / STEP) * STEP + 7)
    const everywhere = {
      ...checker(1, (offset) => {
        held++
        return offset % STEP === 7
      }),
      ...{ search, measure: () => 200 },
    }
    const table = new SampleTable()
    for (let row = 0; row < 5000; row++) table.push(row * STEP, 200, 1, 1, row, 0)
    table.size[4999] = 201
    const finder = await finderOf([table], [everywhere], [], 4 * MIB)
    expect(after(finder, 5, 0, true)).toBeUndefined()
    expect(held).toBeLessThan(100_000)
  })

  it('is searched for by units that lie near, and believed with more evidence alone', async () => {
    const search = (from: number, end: number): number =>
      Math.min(end, Math.max(0, Math.ceil((from - SHIFT) / STEP)) * STEP + SHIFT)
    const units = {
      ...checker(8, isShifted, search),
      measure: (hit: number) => 10 + (((hit - SHIFT) / STEP) % 380),
    }
    const finder = await finderOf([rows(200)], [units], [])
    expect(after(finder, 20, 0, false)).toBeUndefined()
    expect(after(finder, 20, 0, true)).toBe(SHIFT)
    // now it is known
    expect(after(finder, 150, 0, false)).toBe(SHIFT)
    // of little weight each they are believed where they are all that is left, and none speaks against it
    const weak = async (fits: SampleChecker['fits']) =>
      after(await finderOf([rows(200)], [{ ...units, weight: 1, fits }], []), 20, 0, true)
    expect(await weak(isShifted)).toBe(SHIFT)
    expect(await weak((offset) => isShifted(offset) && offset < 150 * STEP)).toBeUndefined()
  })

  it('is looked for over a million rows and one for four bytes of the file, and no further', async () => {
    const count = 4000
    const tables = [rows(count), rows(60, count * STEP)]
    const finder = await finderOf(tables, [checker(0, () => false), checker(8, isShifted)], [SHIFT], 2 * MIB)
    let asked = 0
    while (after(finder, count, 0, false) === SHIFT) {
      // four thousand rows of which nothing can be checked, at both shifts
      after(finder, 0, 0, false)
      asked++
      if (asked > 1000) break
    }
    expect(asked * 2 * 4096).toBeGreaterThan(1_000_000 + MIB / 2 - 50 * 8192)
    expect(asked * 2 * 4000).toBeLessThan(1_000_000 + MIB / 2 + 8192)
  })

  it('is searched for in half the bytes of the file, eight mebibytes to either side of a place', async () => {
    const places: [number, number][] = []
    const search = (from: number, end: number): number => {
      places.push([from, end])
      return end
    }
    const size = 40 * MIB
    const table = new SampleTable()
    for (let row = 0; row < 2000; row++) table.push(row * 20_000, 10 + (row % 380), 1, 1, row, 0)
    const finder = await finderOf([table], [checker(8, () => false, search)], [], size)
    for (let at = 1; at < 2000; at += 25) expect(after(finder, at, 0, true)).toBeUndefined()
    const total = places.reduce((sum, [from, end]) => sum + end - from, 0)
    expect(total).toBeGreaterThan(size / 2 + 8 * MIB - 4096)
    expect(total).toBeLessThan(size / 2 + 24 * MIB)
    expect(Math.max(...places.map(([from, end]) => end - from))).toBeLessThanOrEqual(8 * MIB + 20_000)
    const [[first, until], [before]] = places
    expect([first, until, before]).toEqual([10, 20_000 + 8 * MIB, 0])
    // what was searched in vain is not searched anew for the first half of the rows that were looked for
    places.length = 0
    const again = await finderOf([table], [checker(8, () => false, search)], [], size)
    for (const at of [100, 101, 227]) after(again, at, 0, true)
    const once = places.length
    after(again, 229, 0, true)
    expect([once, places.length]).toEqual([2, 4])
  })
})

it('the first shift is another than none only where clearly more of rows spread over the index fit', async () => {
  const fitting = (share: number) => (offset: number) =>
    isShifted(offset)
      ? offset % (10 * STEP) < share * STEP + SHIFT
      : offset % STEP === 0 && offset > 10_000 * STEP
  const first = async (share: number) =>
    (await finderOf([rows(1000)], [checker(8, fitting(share))], [SHIFT])).initial()
  expect(await first(1000)).toBe(SHIFT)
  expect(await first(-1000)).toBe(0)
  const begins = (offset: number): boolean =>
    (isShifted(offset) && offset > 50 * STEP) || (offset % STEP === 0 && offset < 50 * STEP)
  const finder = await finderOf([rows(1000)], [checker(8, begins)], [SHIFT])
  expect(finder.initial()).toBe(0)
})
