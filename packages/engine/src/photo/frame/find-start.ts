import { UNQUANTISED } from '../../codecs/jpeg/dct.ts'
import { type EntropyData, isFilling } from '../../codecs/jpeg/entropy-data.ts'
import { BLOCK_COEFFICIENTS, McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { McuReader } from '../../codecs/jpeg/mcu-reader.ts'
import type { FrameComponent } from '../../syntax/jpeg-markers/frame.ts'
import { Continuity } from '../reading/continuity.ts'
import { beyondGamut } from './gamut.ts'
import { readerOf, type TablesOf } from './scan-reading.ts'

const BYTE = 8
/** Part of the data, or of those up to the first restart marker, that must be read in step where they are few. */
const LEAST_PART = 4
/** Bits in a row that are read in step with their writer only. */
const SURELY = 1 << 17
/** Bytes at the front in which such a run must begin. */
const MOST_LOOKED = 1 << 18
/** Bits that others than such data are read for at most: where more are read in front of a byte, data do not begin with it. */
const MOST_FOREIGN = 12_000
/** MCUs at the front by which starts are told apart, and levels from which on a jump between two counts no more. */
const [MOST_COMPARED, MOST_JUMP] = [48, 4_000]
/** Where jumps are as good as the least. */
const AS_GOOD = 1.1

/** A byte with which data may begin, and how many MCUs follow it to their end. */
interface Start {
  readonly byte: number
  readonly count: number
}

/**
 * The first bit from which on data are read in step for long, or most of those up to the first restart marker; undefined where
 * there is none near the front.
 */
export function steadyFrom(
  data: EntropyData,
  components: readonly FrameComponent[],
  tablesOf: TablesOf,
): number | undefined {
  const reader = readerOf(data, components, tablesOf)
  if (!reader) return undefined
  const differences = new Int16Array(reader.blocks)
  const end = endOf(data)
  reader.end = end
  for (let from = 0, at = 0; from < Math.min(end, BYTE * MOST_LOOKED); ) {
    const next = reader.pass(at, differences)
    if (next < 0) at = from = at + 1
    else at = next
    if (at - from >= Math.min(SURELY, end / LEAST_PART)) return from
  }
  return undefined
}

/**
 * The byte with which data begin behind what is none of them, as noise over a photo's head leaves such: one from which a number
 * of MCUs `fits` to their end, or to the first restart marker. Of several the one whose first MCUs go on from each other best.
 * Undefined where none fits.
 */
export function findStart(
  data: EntropyData,
  components: readonly FrameComponent[],
  tablesOf: TablesOf,
  fits: (count: number) => boolean,
): Start | undefined {
  const reader = readerOf(data, components, tablesOf)
  const steady = steadyFrom(data, components, tablesOf)
  if (!reader || steady === undefined) return undefined
  const end = endOf(data)
  reader.end = end
  const counts = countsToEnd(reader, data, steady, end)
  if (!counts) return undefined
  const most = Math.min(steady + MOST_FOREIGN, end) / BYTE
  const starts: Start[] = []
  for (let byte = 0; byte < most; byte++) {
    const count = countFrom(reader, counts, BYTE * byte, end)
    if (count !== undefined && fits(count)) starts.push({ byte, count })
  }
  return likeliest(starts, reader, components, data)
}

/** The bit at which reading ends: that of the first restart marker, or of the end. */
function endOf({ restarts, length }: EntropyData): number {
  return BYTE * (restarts.count > 0 ? restarts.at(0) : length)
}

/** MCUs to the end from each bit at which one begins when read on from `steady`; undefined where reading breaks off. */
function countsToEnd(
  reader: McuReader,
  { bytes }: EntropyData,
  steady: number,
  end: number,
): Map<number, number> | undefined {
  const differences = new Int16Array(reader.blocks)
  const bits: number[] = []
  let count = 0
  let at = steady
  while (!isFilling(bytes, at, end / BYTE)) {
    // starts far behind those that are looked at are only counted
    if (at < steady + 2 * MOST_FOREIGN) bits.push(at)
    at = reader.pass(at, differences)
    if (at < 0) return undefined
    count++
  }
  return new Map(bits.map((bit, index) => [bit, count - index]))
}

/** MCUs from a bit to the end, by those that are known already; undefined where reading does not come upon one of these. */
function countFrom(
  reader: McuReader,
  counts: Map<number, number>,
  bit: number,
  end: number,
): number | undefined {
  const differences = new Int16Array(reader.blocks)
  const passed: number[] = []
  let at = bit
  while (at >= 0 && at < end && !counts.has(at)) {
    passed.push(at)
    at = reader.pass(at, differences)
  }
  const known = counts.get(at)
  passed.forEach((each, index) => {
    counts.set(each, known === undefined ? Number.NaN : known + passed.length - index)
  })
  return known === undefined || Number.isNaN(known) ? undefined : known + passed.length
}

/**
 * Of several starts from which as many MCUs follow the one with the least jumps from each of the first to the next; of such as
 * are as good the one with which MCUs have a colour, for one wrong difference shifts all behind it: what is black or white is
 * grey. Of those the one with which the picture lies midway between black and white, and its colours around grey; or the interval
 * goes on to the next, where restart markers are.
 */
function likeliest(
  starts: readonly Start[],
  reader: McuReader,
  components: readonly FrameComponent[],
  { restarts, length }: EntropyData,
): Start | undefined {
  const layout = new McuLayout(BYTE, BYTE, components)
  const continuity = new Continuity(
    layout,
    layout.components.map(() => UNQUANTISED),
  )
  const rated = starts.map((start) => {
    let at = BYTE * start.byte
    let sum = 0
    let before: Int16Array | undefined
    const level = components.map(() => 0)
    const most = Math.min(MOST_COMPARED, start.count)
    for (let i = 0; i < most; i++) {
      const mcu = new Int16Array(layout.mcuLength)
      at = reader.read(at, mcu, 0)
      if (before) sum += Math.min(MOST_JUMP, continuity.jump(before, mcu))
      before = mcu
      layout.componentOf.forEach((component, block) => {
        level[component] += mcu[block * BLOCK_COEFFICIENTS]
      })
    }
    return { start, sum, at, level }
  })
  rated.sort((a, b) => a.sum - b.sum)
  const [best] = rated
  if (!best) return undefined
  const good = rated.filter(({ sum, at }) => sum <= AS_GOOD * best.sum && at === best.at)
  const behind = levelsBehind(best.at, reader, layout)
  const means = behind.map(meanOf)
  let middle = means.map((mean, i) => (i === 0 ? midwayOf(behind[i]) : mean))
  if (restarts.count > 0) {
    // levels of the next interval do not depend on those in front
    reader.end = BYTE * (restarts.count > 1 ? restarts.at(1) : length)
    const next = levelsBehind(BYTE * restarts.at(0), reader, layout).map(meanOf)
    middle = means.map((mean, i) => mean - next[i])
  }
  const placed = good.map(({ start, level }) => ({
    start,
    beyond: restarts.count > 0 ? 0 : beyondColours(behind, level),
    off: level.reduce((all, each, component) => all + Math.abs(each + middle[component]), 0),
  }))
  const least = Math.min(...placed.map(({ beyond }) => beyond)) + ALIKE
  return placed.filter(({ beyond }) => beyond <= least).reduce((a, b) => (b.off < a.off ? b : a)).start
}

/** Part of MCUs without a colour by which two starts do not differ. */
const ALIKE = 0.002
/** Levels between black and white, of which most photos reach nearly all, and MCUs whose levels are looked at. */
const REACH = 250
const MOST_LEVELS = 20_000

/** Levels of each component in quantised units, from those at a bit on to the end: of MCUs spread evenly. */
function levelsBehind(
  bit: number,
  reader: McuReader,
  { components, componentOf }: McuLayout,
): Float32Array[] {
  const differences = new Int16Array(reader.blocks)
  const blocks = components.map(({ h, v }) => h * v)
  const level = components.map(() => 0)
  let rows: number[][] = components.map(() => [])
  let [stride, count] = [1, 0]
  for (let at = reader.pass(bit, differences); at >= 0; at = reader.pass(at, differences), count++) {
    const mean = components.map(() => 0)
    for (let block = 0; block < differences.length; block++) {
      const component = componentOf[block]
      level[component] += differences[block]
      mean[component] += level[component] / blocks[component]
    }
    if (count % stride !== 0) continue
    for (const [i, row] of rows.entries()) row.push(mean[i])
    if (rows[0].length < 2 * MOST_LEVELS) continue
    rows = rows.map((row) => row.filter((_, i) => i % 2 === 0))
    stride *= 2
  }
  return rows.map((row) => Float32Array.from(row))
}

function meanOf(row: Float32Array): number {
  return row.reduce((sum, each) => sum + each, 0) / Math.max(1, row.length)
}

/** Midway between the least and the most. */
function midwayOf(row: Float32Array): number {
  return (row.reduce((a, b) => Math.min(a, b), 0) + row.reduce((a, b) => Math.max(a, b), 0)) / 2
}

/** The part of MCUs that would have no colour with such levels at the start, as far as steps alike for all components tell. */
function beyondColours(levels: readonly Float32Array[], start: readonly number[]): number {
  if (levels.length !== 3) return 0
  const [luminance] = levels
  const span = luminance.reduce((a, b) => Math.max(a, b), 0) - luminance.reduce((a, b) => Math.min(a, b), 0)
  const step = (BYTE * REACH) / Math.max(1, span)
  return beyondGamut(
    levels.map((row, i) => row.map((each) => each + start[i])),
    [step, step, step],
  )
}
