import { SAMPLE_KEY, SAMPLE_RESTART, type SampleTable } from '../../model/sample-table.ts'

/** Rows on each side of a hole that tell where in display order decoding stood. */
const WINDOW = 24
/** Pictures between holes that part what the numbering misses: more than encoders reorder. */
const CROWD = 8
/** Pictures by which few of them may mislead. */
const REORDERING = 2
/** Share of sequences that must begin with number zero for this to be a rule. */
const ZERO_BASED = 0.9
/** Sequences looked at for that. */
const SURVEYED = 256

/** What the numbering of pictures says of a hole. */
export interface Numbering {
  /** Pictures missing if the numbering goes on over the hole; less than 0 when it went back. */
  readonly missing: number
  /** Pictures after which the numbering repeats, 0 when unknown: any multiple may be missing besides. */
  readonly period: number
  /**
   * Pictures lost behind the key picture that began the sequence behind the hole, if that one was lost; modulo `period`.
   * Undefined when sequences begin with any number.
   */
  readonly sinceKey: number | undefined
  /** `sinceKey` may be too small by so many: few pictures tell it, and decoding order is not display order. */
  readonly slack: number
  /**
   * Pictures that the hole may have taken besides those that numbers are missing of: the sequence ends so soon behind it that the
   * last one shown may have been decoded before; or other key pictures have some shown before them, and the one before it has
   * not.
   */
  readonly beyond: number
  /** Another hole is so near that numbers missing around may be either's. */
  readonly crowded: boolean
  /** Numbers went back by no more than pictures of this recording are decoded ahead of others, and none comes twice. */
  readonly goesOn: boolean
  /** The rows on both sides are one picture in two pieces. */
  readonly halves: boolean
  /** The first picture behind the hole is a key picture with which the numbering starts anew: nothing links both sides. */
  readonly anew: boolean
  /** A lost key picture would not have started it anew either. */
  readonly linked: boolean
}

/** Pictures by which display order runs ahead of decoding order, on average over rows [from, until). */
function ahead(table: SampleTable, from: number, until: number, step: number): number {
  let sum = 0
  for (let row = from; row < until; row++) sum += table.order[row] / step - row
  return sum / (until - from)
}

/**
 * Reads the numbers on both sides of row `row`. `step` is the order's step from picture to picture, `period` its period (0 when
 * unknown), `nextHole` the first row behind the next hole, `lastHole` that behind the last one.
 */
export function numberingAt(
  table: SampleTable,
  row: number,
  { step, period, lastHole, nextHole, zeroBased, depth, leading, linked }: NumberingFacts,
): Numbering | undefined {
  if (row === 0 || row >= table.length || step === 0) return undefined
  const anew = (table.flags[row] & SAMPLE_RESTART) !== 0 && (table.flags[row] & SAMPLE_KEY) !== 0
  const pictures = Math.round(period / step)
  let from = row - 1
  while (from > Math.max(lastHole, row - WINDOW, 0) && (table.flags[from] & SAMPLE_RESTART) === 0) from--
  let until = row + 1
  const most = Math.min(table.length, nextHole > row ? nextHole : table.length, row + WINDOW)
  while (until < most && (table.flags[until] & SAMPLE_RESTART) === 0) until++
  const behind = ahead(table, row, until, step)
  const missing = anew ? 0 : Math.round(behind - ahead(table, from, row, step))
  const ends = until < table.length && until < nextHole && (table.flags[until] & SAMPLE_RESTART) !== 0
  const slack = until - row < CROWD && isReordered(table, from, row) ? REORDERING : 0
  const isKey = (table.flags[from] & SAMPLE_RESTART) !== 0 && (table.flags[from] & SAMPLE_KEY) !== 0
  const unled = isKey ? lackedLeading(table, from, row, until, step, leading) : 0
  const since = ends ? numbersOf(table, row, until, step) - (until - row) : Math.round(behind + row)
  return {
    missing,
    period: pictures,
    sinceKey: zeroBased ? Math.max(0, (pictures > 0 ? modulo(since, pictures) : since) - 1) : undefined,
    slack,
    beyond: anew ? 0 : Math.max(unled, ends ? slack : 0),
    crowded: nextHole - row < CROWD || row - lastHole < CROWD,
    goesOn: goesOn(table, from, row, until, depth * step),
    halves:
      table.order[row] === table.order[row - 1] && (!anew || (table.flags[row - 1] & SAMPLE_RESTART) !== 0),
    anew,
    linked,
  }
}

function goesOn({ order }: SampleTable, from: number, row: number, until: number, depth: number): boolean {
  if (depth === 0) return false
  const before = new Set(order.subarray(from, row))
  const behind = order.subarray(row, until)
  const highest = Math.max(...before)
  return behind.every((number) => !before.has(number) && highest - number <= depth)
}

function isReordered(table: SampleTable, from: number, until: number): boolean {
  for (let row = from + 1; row < until; row++) if (table.order[row] < table.order[row - 1]) return true
  return false
}

/** Pictures in the sequence that ends at `until`, by its highest number. */
function numbersOf(table: SampleTable, from: number, until: number, step: number): number {
  let highest = 0
  for (let row = from; row < until; row++) highest = Math.max(highest, table.order[row])
  return Math.round(highest / step) + 1
}

export interface NumberingFacts {
  readonly step: number
  readonly period: number
  readonly lastHole: number
  readonly nextHole: number
  /** Sequences begin with number zero, see `isZeroBased`. */
  readonly zeroBased: boolean
  /** See `reorderDepth`. */
  readonly depth: number
  /** Pictures that are shown before the key picture they are decoded behind, in sequences without a loss. */
  readonly leading: number
  /** Numbers go on over key pictures, but for whole periods. */
  readonly linked: boolean
}

/** Pictures numbered before the key picture at `key`, of those up to row `until`. */
export function leadingAt({ order }: SampleTable, key: number, until: number, step: number): number {
  let lowest = order[key]
  for (let row = key + 1; row < until; row++) lowest = Math.min(lowest, order[row])
  return Math.round((order[key] - lowest) / step)
}

/**
 * Pictures shown before the key picture at `key` that a hole in front of row `row` may have taken, where others have `leading` of
 * them: none where one shown behind the key picture was decoded before the hole, since those shown before come first.
 */
export function lackedLeading(
  table: SampleTable,
  key: number,
  row: number,
  until: number,
  step: number,
  leading: number,
): number {
  for (let before = key + 1; before < row; before++) if (table.order[before] > table.order[key]) return 0
  return Math.max(0, leading - leadingAt(table, key, until, step))
}

/** Whether sequences begin with number zero. */
export function isZeroBased(table: SampleTable): boolean {
  let sequences = 0
  let zero = 0
  for (let row = 0; row < table.length && sequences < SURVEYED; row++) {
    if ((table.flags[row] & SAMPLE_RESTART) === 0 || (table.flags[row] & SAMPLE_KEY) === 0) continue
    sequences++
    if (table.order[row] === 0) zero++
  }
  return sequences > 0 && zero >= sequences * ZERO_BASED
}

export function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}
