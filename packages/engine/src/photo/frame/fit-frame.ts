import type { EntropyData } from '../../codecs/jpeg/entropy-data.ts'
import { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { FrameComponent } from '../../syntax/jpeg-markers/frame.ts'
import { findStart, steadyFrom } from './find-start.ts'
import { RATIOS } from './ratios.ts'
import { continues, type Reading, readWith, rowDifference, type TablesOf } from './scan-reading.ts'

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
  /** Byte of the data with which they begin: what is in front is none of them. */
  readonly start: number
  /** The data begin with the picture's first MCU, as far as the number of those read tells: their levels are the picture's. */
  readonly fromFirst: boolean
  /** A hint names this size, */
  readonly hinted: boolean
  /** and this very number of MCUs, and nothing else fits as well. */
  readonly confirmed: boolean
}

/** Components as cameras sample them, by how often: 4:2:2, 4:2:0, 4:4:0, 4:4:4, one component, 4:1:1. */
export const SAMPLINGS: readonly (readonly FrameComponent[])[] = (
  [[2, 1], [2, 2], [1, 2], [1, 1], undefined, [4, 1]] as const
).map(componentsOf)
const BYTE = 8
const LEAST_WIDE = 4
const MOST_WIDE = 4_096
/** Bound of proportions that are not common. */
const MOST_RATIO = 4
/** How much better a width without a common ratio must continue rows. */
const UNCOMMON = 1.15
const COMMON_WITHIN = 0.01

/**
 * Finds sampling, size and restart interval with which `data` can be read: the sampling by which reading goes furthest, the size
 * by how rows continue each other. What stands in front of the data, or is left where their front is gone, is passed over where
 * it cannot be read, or not as many MCUs.
 */
export function fitFrame(
  data: EntropyData,
  tablesOf: TablesOf,
  hints: readonly SizeHint[],
  known: readonly FrameComponent[] | undefined,
): FittedFrame | undefined {
  const choices = known ? [known] : SAMPLINGS
  const own = bestOf(choices.flatMap((components) => readWith(data, components, tablesOf) ?? []))
  const fitted = own && fitTo(own.reading, hints, own.clear)
  if (own && fitted && isPlausible(own.reading, fitted)) return fitted
  const later = bestOf(
    choices.flatMap((components) => {
      const { restarts } = data
      const from = restarts.count > 0 ? BYTE * restarts.at(0) : steadyFrom(data, components, tablesOf)
      return (from !== undefined && readWith(data, components, tablesOf, from)) || []
    }),
  )
  if (!later || (own && later.reading.bits < own.reading.bits)) return fitted
  const { components } = later.reading
  const told = hints.map(({ width, height }) => new McuLayout(width, height, components))
  const counts = told
    .filter(({ mcuWide }) => continues(later.reading, mcuWide))
    .map(({ mcuCount }) => mcuCount)
  const [wide] = openGrid(later.reading) ?? []
  const inRows = (count: number): boolean => wide !== undefined && count % wide === 0
  const usual = (count: number): boolean =>
    wide !== undefined && inRows(count) && isCommon(wide, count / wide, components)
  for (const fits of [(count: number) => counts.includes(count), usual, inRows]) {
    const start = startBy(data, later.reading, tablesOf, fits)
    if (start === undefined) continue
    const reading = readWith(data, components, tablesOf, BYTE * start)
    const found = reading?.whole ? fitTo(reading, hints, later.clear) : undefined
    if (found) return { ...found, start, fromFirst: false, confirmed: false }
  }
  // the front of the data is gone
  return fitTo({ ...later.reading, whole: false }, hints, false) ?? fitted
}

/**
 * The byte with which data begin from which a number of MCUs that fits is read, or just as many as stand between restart markers.
 */
function startBy(
  data: EntropyData,
  { components, interval }: Reading,
  tablesOf: TablesOf,
  fits: (count: number) => boolean,
): number | undefined {
  const wanted = data.restarts.count > 0 ? (count: number) => count === interval : fits
  return findStart(data, components, tablesOf, wanted)?.byte
}

/** The reading that goes furthest, and whether no other that goes as far continues its blocks about as well. */
function bestOf(
  readings: readonly Reading[],
): { readonly reading: Reading; readonly clear: boolean } | undefined {
  const sorted = [...readings].sort(
    // blocks side by side are coded like those above each other: only how they continue each other tells
    (a, b) => Number(b.whole) - Number(a.whole) || b.bits - a.bits || a.jump - b.jump,
  )
  const [reading, ...others] = sorted
  if (!reading || reading.count === 0) return undefined
  const alike = others.filter(({ whole, bits }) => whole === reading.whole && bits === reading.bits)
  return { reading, clear: alike.every(({ jump }) => reading.jump < CLEARLY * jump) }
}

/**
 * Whether a scan was read to its end with as many MCUs as a size told has, or whole rows of about the width by which they
 * continue each other best.
 */
function isPlausible(reading: Reading, { width, hinted }: FittedFrame): boolean {
  if (!reading.whole) return false
  if (hinted) return true
  const [wide] = openGrid(reading) ?? []
  const [across] = mcuPixels(reading.components)
  const own = Math.ceil(width / across)
  if (reading.count % own !== 0) return false
  return wide === undefined || CLEARLY * rowDifference(reading, own) <= rowDifference(reading, wide)
}

/** The size of a reading: one that is told, or by how rows continue each other. */
function fitTo(reading: Reading, hints: readonly SizeHint[], clear: boolean): FittedFrame | undefined {
  const { components, interval, whole } = reading
  const hinted = bestHint(reading, hints)
  if (hinted) {
    const { width, height, alone } = hinted
    const confirmed = whole && alone && clear
    return { components, width, height, interval, start: 0, fromFirst: whole, hinted: true, confirmed }
  }
  const grid = whole ? bestGrid(reading) : openGrid(reading)
  if (!grid) return undefined
  const [width, height] = pixelsOf(grid[0], grid[1], components)
  const fromFirst = whole && isCommon(...grid, components)
  return { components, width, height, interval, start: 0, fromFirst, hinted: false, confirmed: false }
}

/** By how much a size must continue rows better than any other that is told, to be beyond doubt. */
export const CLEARLY = 0.9

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

/**
 * The size of common proportions of a whole reading by how its rows continue each other; undefined where those by which they do
 * have others.
 */
export function commonGrid(reading: Reading): SizeHint | undefined {
  const grid = bestGrid(reading)
  if (!grid || grid[0] * grid[1] !== reading.count) return undefined
  if (!isCommon(...grid, reading.components) || !continues(reading, grid[0])) return undefined
  const [width, height] = pixelsOf(...grid, reading.components)
  return { width, height }
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
