import type { EntropyData } from '../../codecs/jpeg/entropy-data.ts'
import { BLOCK_COEFFICIENTS, McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import { type BlockTables, McuReader } from '../../codecs/jpeg/mcu-reader.ts'
import type { FrameComponent } from '../../syntax/jpeg-markers/frame.ts'
import { InnerJumps } from './inner-jumps.ts'
import { RATIOS } from './ratios.ts'

/** A size in pixels that something tells of the picture, best first. */
export interface SizeHint {
  readonly width: number
  readonly height: number
}

/** A frame that fits a scan: what it is, and how sure. */
export interface FittedFrame {
  readonly components: readonly FrameComponent[]
  readonly width: number
  readonly height: number
  /** MCUs between restart markers, as counted; 0 where there are none. */
  readonly interval: number
  /** A hint names this very number of MCUs. */
  readonly confirmed: boolean
}

/** Components as cameras sample them, by how often: 4:2:2, 4:2:0, 4:4:0, 4:4:4, one component, 4:1:1. */
export const SAMPLINGS: readonly (readonly FrameComponent[])[] = (
  [[2, 1], [2, 2], [1, 2], [1, 1], undefined, [4, 1]] as const
).map(componentsOf)
const BYTE = 8
/** Intervals whose lengths must agree. */
const LEAST_INTERVALS = 3
/** MCUs that are read at most of a scan whose size is not known. */
const MOST_MCUS = 4_000_000
const LEAST_WIDE = 4
const MOST_WIDE = 4_096
/** Bound of proportions that are not common. */
const MOST_RATIO = 4
/** How much better a width without a common ratio must continue rows. */
const UNCOMMON = 1.15
const COMMON_WITHIN = 0.01

interface Reading {
  readonly components: readonly FrameComponent[]
  /** MCUs read without a break from the start, and bits. */
  readonly count: number
  readonly bits: number
  /** The data ended with the last of them. */
  readonly whole: boolean
  readonly interval: number
  /** Luminance DC of each, absolute within a restart interval. */
  readonly dc: Int32Array
  /** Mean jump between neighbouring luminance blocks of an MCU, as this sampling has them. */
  readonly jump: number
}

/** Finds sampling, size and restart interval with which `data` can be read: the sampling by which reading goes furthest, the size by how rows continue each other. */
export function fitFrame(
  data: EntropyData,
  tablesOf: (component: number) => BlockTables | undefined,
  hints: readonly SizeHint[],
  known: readonly FrameComponent[] | undefined,
): FittedFrame | undefined {
  const choices = known ? [known] : SAMPLINGS
  const readings = choices.flatMap((components) => readWith(data, components, tablesOf) ?? [])
  // blocks side by side are coded like those above each other: only how they continue each other tells
  readings.sort((a, b) => Number(b.whole) - Number(a.whole) || b.bits - a.bits || a.jump - b.jump)
  const [best, ...others] = readings
  const alike = others.filter(({ whole, bits }) => whole === best.whole && bits === best.bits)
  const clear = alike.every(({ jump }) => best.jump < CLEARLY * jump)
  if (!best || best.count === 0) return undefined
  const { components, interval } = best
  const hinted = bestHint(best, hints)
  if (hinted) {
    const { width, height, alone } = hinted
    return { components, width, height, interval, confirmed: best.whole && alone && clear }
  }
  const grid = best.whole ? bestGrid(best) : openGrid(best)
  if (!grid) return undefined
  const [width, height] = pixelsOf(grid[0], grid[1], components)
  return { components, width, height, interval, confirmed: false }
}

/** By how much a size must continue rows better than any other that is told, to be beyond doubt. */
const CLEARLY = 0.9

/** The size told that has as many MCUs as were read and continues rows best, and whether others come nowhere near. */
function bestHint(
  reading: Reading,
  hints: readonly SizeHint[],
): (SizeHint & { readonly alone: boolean }) | undefined {
  const { components, count, whole } = reading
  const rated = hints.flatMap((hint) => {
    const { mcuCount, mcuWide } = new McuLayout(hint.width, hint.height, components)
    const agrees = whole ? mcuCount === count : mcuCount >= count
    return agrees && continues(reading, mcuWide)
      ? [{ hint, difference: rowDifference(reading, mcuWide) }]
      : []
  })
  rated.sort((a, b) => a.difference - b.difference)
  const [best, ...others] = rated
  if (!best) return undefined
  const { width, height } = best.hint
  const alone = others.every(
    ({ hint, difference }) =>
      (hint.width === width && hint.height === height) || best.difference < CLEARLY * difference,
  )
  return { width, height, alone }
}

function componentsOf(luminance: readonly [number, number] | undefined): FrameComponent[] {
  if (!luminance) return [{ id: 1, h: 1, v: 1, table: 0 }]
  const [h, v] = luminance
  return [
    { id: 1, h, v, table: 0 },
    { id: 2, h: 1, v: 1, table: 1 },
    { id: 3, h: 1, v: 1, table: 1 },
  ]
}

function readWith(
  data: EntropyData,
  components: readonly FrameComponent[],
  tablesOf: (component: number) => BlockTables | undefined,
): Reading | undefined {
  // the layout's shape does not depend on the size
  const layout = new McuLayout(BYTE, BYTE, components)
  const tables = Array.from(layout.componentOf, (component) => tablesOf(component)).filter(
    (entry) => entry !== undefined,
  )
  if (tables.length < layout.blocksPerMcu) return undefined
  const reader = new McuReader(data.bytes, data.length, tables)
  const { restarts } = data
  const mcu = new Int16Array(layout.mcuLength)
  const jumps = new InnerJumps(components[0])
  let dc = new Int32Array(1 << 14)
  let count = 0
  let at = 0
  let interval = 0
  for (let number = 0; number <= restarts.count; number++) {
    let predicted = 0
    let inside = 0
    const end = BYTE * (number < restarts.count ? restarts.at(number) : data.length)
    reader.end = end
    while (end - at >= BYTE && count < MOST_MCUS) {
      mcu.fill(0)
      const next = reader.read(at, mcu, 0)
      if (next < 0) return { components, count, bits: at, whole: false, interval, dc, jump: jumps.mean }
      if (components.length > 1) jumps.add(mcu)
      const blocks = components.length === 1 ? 1 : components[0].h * components[0].v
      let sum = 0
      for (let block = 0; block < blocks; block++) {
        predicted += mcu[block * BLOCK_COEFFICIENTS]
        sum += predicted
      }
      if (count === dc.length) {
        const grown = new Int32Array(2 * dc.length)
        grown.set(dc)
        dc = grown
      }
      dc[count++] = sum / blocks
      inside++
      at = next
    }
    if (restarts.count > 0) {
      if (interval === 0) interval = inside
      else if (inside !== interval && number < restarts.count) {
        // a wrong sampling counts another number in each
        return {
          components,
          count,
          bits: number < LEAST_INTERVALS ? 0 : at,
          whole: false,
          interval,
          dc,
          jump: jumps.mean,
        }
      }
    }
    at = end
  }
  return { components, count, bits: at, whole: true, interval, dc, jump: jumps.mean }
}

/** Mean difference of luminance between MCUs a row of `wide` apart; what stands at the far ends of the scale counts as any other. */
function rowDifference({ dc, count }: Reading, wide: number): number {
  if (count <= wide) return Number.POSITIVE_INFINITY
  let sum = 0
  for (let i = wide; i < count; i++) sum += Math.abs(dc[i] - dc[i - wide])
  return sum / (count - wide)
}

/** Whether rows of that width continue each other better than rows a little narrower and wider. */
function continues(reading: Reading, wide: number): boolean {
  if (reading.count < 3 * wide) return true
  const own = rowDifference(reading, wide)
  return own <= rowDifference(reading, wide - 1) && own <= rowDifference(reading, wide + 1)
}

/** Columns and rows of MCUs whose product is the number read. */
function bestGrid(reading: Reading): [number, number] | undefined {
  const { count, components } = reading
  let best: [number, number] | undefined
  let least = Number.POSITIVE_INFINITY
  for (let wide = LEAST_WIDE; wide <= Math.min(MOST_WIDE, count); wide++) {
    if (count % wide !== 0) continue
    const high = count / wide
    const ratio = ratioOf(wide, high, components)
    if (ratio > MOST_RATIO || ratio < 1 / MOST_RATIO) continue
    const difference = rowDifference(reading, wide) * (isCommon(wide, high, components) ? 1 : UNCOMMON)
    if (difference < least) {
      least = difference
      best = [wide, high]
    }
  }
  return best ?? openGrid(reading)
}

/** Columns by how rows continue each other alone, and as many rows as a common ratio needs to hold what was read. */
function openGrid(reading: Reading): [number, number] | undefined {
  const { count, components } = reading
  let wide = 0
  let least = Number.POSITIVE_INFINITY
  for (let candidate = LEAST_WIDE; candidate <= Math.min(MOST_WIDE, count / 2); candidate++) {
    const difference = rowDifference(reading, candidate)
    if (difference < least) {
      least = difference
      wide = candidate
    }
  }
  if (wide === 0) return undefined
  const [across, down] = mcuPixels(components)
  const rows = Math.ceil(count / wide)
  const heights = RATIOS.map(([x, y]) => Math.ceil((wide * across * y) / x / down)).filter(
    (high) => high >= rows,
  )
  return [wide, reading.whole || heights.length === 0 ? rows : Math.min(...heights)]
}

function mcuPixels(components: readonly FrameComponent[]): [number, number] {
  if (components.length === 1) return [BYTE, BYTE]
  return [BYTE * Math.max(...components.map(({ h }) => h)), BYTE * Math.max(...components.map(({ v }) => v))]
}

function ratioOf(wide: number, high: number, components: readonly FrameComponent[]): number {
  const [across, down] = mcuPixels(components)
  return (wide * across) / (high * down)
}

function isCommon(wide: number, high: number, components: readonly FrameComponent[]): boolean {
  const ratio = ratioOf(wide, high, components)
  return RATIOS.some(([x, y]) => Math.abs(ratio / (x / y) - 1) < COMMON_WITHIN)
}

/** Width and height in pixels: full MCUs, or less where that makes a common ratio exact. */
function pixelsOf(wide: number, high: number, components: readonly FrameComponent[]): [number, number] {
  const [across, down] = mcuPixels(components)
  const width = wide * across
  const height = high * down
  for (const [x, y] of RATIOS) {
    const wanted = (width * y) / x
    if (Number.isInteger(wanted) && wanted % 2 === 0 && wanted <= height && wanted > height - down)
      return [width, wanted]
  }
  for (const [x, y] of RATIOS) {
    const wanted = (height * x) / y
    if (Number.isInteger(wanted) && wanted % 2 === 0 && wanted <= width && wanted > width - across)
      return [wanted, height]
  }
  return [width, height]
}
