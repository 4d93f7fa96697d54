import type { EntropyData } from '../../codecs/jpeg/entropy-data.ts'
import { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { FrameComponent } from '../../syntax/jpeg-markers/frame.ts'
import { findStart, steadyFrom } from './find-start.ts'
import { FrontBytes } from './front-bytes.ts'
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
  /** Byte of the data from which on they were read in step with their writer. */
  readonly inStep: number
  /** The data begin with the picture's first MCU, as far as the number of those read tells: their levels are the picture's. */
  readonly fromFirst: boolean
  /** The front of the data is gone: what is read goes on from levels that nothing tells. */
  readonly frontLost: boolean
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
 * it cannot be read, or not as many MCUs. `lost`: bytes in front of the data that hold nothing any more, a head and what was
 * behind it.
 */
export function fitFrame(
  data: EntropyData,
  tablesOf: TablesOf,
  hints: readonly SizeHint[],
  known: readonly FrameComponent[] | undefined,
  lost = 0,
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
  return behindFront(data, tablesOf, later, hints, lost) ?? fitted
}

/**
 * The frame of data whose front is gone, or stands behind what is none of them. Data begin with a byte from which as many MCUs
 * follow as a told size has, or one of common proportions, or whole rows. Of many bytes some do by chance: a front that bytes
 * in front of the data make room for is likelier gone where a told size, or one of common proportions, is that much larger.
 */
function behindFront(
  data: EntropyData,
  tablesOf: TablesOf,
  { reading, clear }: { readonly reading: Reading; readonly clear: boolean },
  hints: readonly SizeHint[],
  lost: number,
): FittedFrame | undefined {
  const { components } = reading
  const front = new FrontBytes(reading, lost)
  const layouts = hints.map(({ width, height }) => new McuLayout(width, height, components))
  const counts = layouts.filter(({ mcuWide }) => continues(reading, mcuWide)).map(({ mcuCount }) => mcuCount)
  const [wide] = openGrid(reading) ?? []
  const inRows = (count: number): boolean => wide !== undefined && count % wide === 0
  const usual = (count: number): boolean =>
    wide !== undefined && inRows(count) && isCommon(wide, count / wide, components)
  const from = (fits: (count: number) => boolean): FittedFrame | undefined => {
    const start = startBy(data, reading, tablesOf, fits)
    const whole = start === undefined ? undefined : readWith(data, components, tablesOf, BYTE * start)
    const found = whole?.whole ? fitTo(whole, hints, clear) : undefined
    return found && start !== undefined
      ? { ...found, start, inStep: start, fromFirst: false, confirmed: false }
      : undefined
  }
  const open = { ...reading, whole: false }
  const roomy = hints.filter((_, index) => front.hold(layouts[index].mcuCount))
  const common = wide === undefined ? undefined : front.rowsOf(wide, heightsFor(wide, reading))
  return (
    from((count) => counts.includes(count)) ??
    (bestHint(open, roomy) && fitTo(open, roomy, false)) ??
    from(usual) ??
    (bestHint(open, hints) && fitTo(open, hints, false)) ??
    (wide !== undefined && common !== undefined ? frameOf(open, wide, common) : undefined) ??
    from(inRows) ??
    fitTo(open, hints, false)
  )
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
    const fromFirst = whole
    const frontLost = !whole
    const read = {
      components,
      interval,
      start: 0,
      inStep: Math.ceil(reading.from / BYTE),
      fromFirst,
      frontLost,
    }
    return { ...read, width, height, hinted: true, confirmed }
  }
  const grid = whole ? bestGrid(reading) : openGrid(reading)
  return grid && frameOf(reading, ...grid)
}

/** The frame of a reading by columns and rows of MCUs that nothing told of. */
function frameOf({ components, interval, whole, from }: Reading, wide: number, high: number): FittedFrame {
  const [width, height] = pixelsOf(wide, high, components)
  const fromFirst = whole && isCommon(wide, high, components)
  const size = { components, width, height, interval }
  return {
    ...size,
    start: 0,
    inStep: Math.ceil(from / BYTE),
    fromFirst,
    frontLost: !whole,
    hinted: false,
    confirmed: false,
  }
}

/** By how much a size must continue rows better than any other that is told, to be beyond doubt. */
export const CLEARLY = 0.9

/** How much worse than any other width one that is told may continue rows where no number of MCUs speaks for it. */
const NEARLY = 1.05

/**
 * The size told that has as many MCUs as were read and continues rows best, and whether others come nowhere near. Where fewer
 * were read than a picture has, rows must go on at its width about as well as at any.
 */
function bestHint(
  reading: Reading,
  hints: readonly SizeHint[],
): (SizeHint & { readonly alone: boolean }) | undefined {
  const { components, count, whole } = reading
  const [wide] = (!whole && hints.length > 0 && openGrid(reading)) || []
  const least = wide === undefined ? Number.POSITIVE_INFINITY : NEARLY * rowDifference(reading, wide)
  const rated = hints.flatMap((hint) => {
    const { mcuCount, mcuWide } = new McuLayout(hint.width, hint.height, components)
    const agrees = whole ? mcuCount === count : mcuCount >= count && rowDifference(reading, mcuWide) <= least
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

/** Columns and rows of MCUs whose product is the number read, or else those by which rows continue each other. */
function bestGrid(reading: Reading): [number, number] | undefined {
  return fullGrid(reading) ?? openGrid(reading)
}

/** Columns and rows of MCUs whose product is the number read. */
function fullGrid(reading: Reading): [number, number] | undefined {
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
  return best
}

/**
 * The size of common proportions of a whole reading by how its rows continue each other; undefined where those by which they do
 * have others.
 */
export function commonGrid(reading: Reading): SizeHint | undefined {
  const grid = fullGrid(reading)
  if (!grid) return undefined
  if (!isCommon(...grid, reading.components) || !continues(reading, grid[0])) return undefined
  const [width, height] = pixelsOf(...grid, reading.components)
  return { width, height }
}

/** Columns by how rows continue each other alone, and as many rows as a common ratio needs to hold what was read. */
function openGrid(reading: Reading): [number, number] | undefined {
  const { count } = reading
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
  const heights = heightsFor(wide, reading)
  const rows = Math.ceil(count / wide)
  return [wide, reading.whole || heights.length === 0 ? rows : Math.min(...heights)]
}

/** Rows of MCUs with which a picture of so many columns has common proportions, where they hold what was read. */
function heightsFor(wide: number, { count, components }: Reading): number[] {
  const [across, down] = mcuPixels(components)
  return RATIOS.map(([x, y]) => Math.ceil((wide * across * y) / x / down)).filter(
    (high) => high * wide >= count,
  )
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
