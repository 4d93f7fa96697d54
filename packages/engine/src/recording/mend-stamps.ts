import { CLOCK, ticksBetween, wrapped } from '../syntax/pes/time-stamp.ts'
import type { StampRows } from './clock-table.ts'
import {
  flips,
  isMultiple,
  LONGEST_STEP,
  MOST_IN_A_ROW,
  RHYTHM,
  Rhythm,
  ROUNDING,
  UNNOTICED,
} from './stamp-rhythm.ts'

/** A time stamp that cannot be right, and what it has to be. */
export interface StampFix {
  readonly row: number
  /** Unwrapped ticks. */
  readonly dts: number
  readonly pts: number
  /** One turned bit explains it, or the rhythm of the stream leaves no other. */
  readonly sure: boolean
}

/** The time of display that a row's header tells, 33 bits. */
export type DisplayTime = (row: number) => number

/** Display times farther from decoding than this are damage: what a table keeps of such delays. */
const FARTHEST = 2 ** 30

/** Ticks from decoding to display as a table keeps them. */
export function delayOf(dts: number, pts: number): number {
  return Math.max(-FARTHEST, Math.min(FARTHEST, ticksBetween(dts, pts)))
}

/** Rows from which a rhythm is one. */
const LEAST_ROWS = 5
/** Share of times that may be wrong for those that look right to be so. */
const MOST_FIXED = 1 / 8
/** Behind so many usual steps the last time is not due any more. */
const LATE = 2
/** Rows behind one of the first ones that are to go on from it, if it is right. */
const AT_START = 4
/** Pictures that are out of order by more than this many, or this long, are none. */
const REORDERED = 16
const LONGEST_REORDERING = 2 * CLOCK
/** Rows around one that may be shown at the same time. */
const AROUND = 20

/**
 * Time stamps of a stream that lie elsewhere than those around demand, which agree with each other: most were hit in one bit, and
 * that is turned back. Of a stream with a rhythm also those that leave it. `unit`: ticks of a frame of sound, where packets hold
 * whole ones, else 0.
 */
export function mendStamps(table: StampRows, unit: number, displayed: DisplayTime): StampFix[] {
  const rows = stampedRows(table)
  if (rows.length < LEAST_ROWS) return []
  const rhythm = new Rhythm(table, rows, unit)
  const fixes = new Map<number, StampFix>()
  let before = Number.NaN
  for (let i = 0; i < rows.length; i++) {
    const count = i === 0 ? wrongAtStart(table, rows, rhythm) : wrongFrom(table, rows, i, before, rhythm)
    const until = i + count < rows.length ? table.dts[rows[i + count]] : Number.POSITIVE_INFINITY
    for (let k = 0; k < count; k++) {
      const fix = decodingFix(table, rows[i + k], k, { before, until, count }, rhythm, displayed)
      if (fix) fixes.set(fix.row, fix)
    }
    i += count
    before = inRhythm(table, rows, i, before, rhythm)
  }
  for (const fix of fixes.values()) apply(table, fix)
  for (const fix of displayFixes(table, rows, rhythm, displayed)) {
    const known = fixes.get(fix.row)
    fixes.set(fix.row, known ? { ...fix, sure: fix.sure && known.sure } : fix)
    apply(table, fix)
  }
  const all = [...fixes.values()].sort((a, b) => a.row - b.row)
  // where some were hit, what still leaves the rhythm was hit as well, and may have led others astray; without one some of many
  // look right
  const isMuch = all.length > Math.max(1, rows.length * MOST_FIXED)
  const isUnsure = rhythm.even ? leavesRhythm(table, rows, rhythm) : isMuch
  return isUnsure ? all.map((fix) => ({ ...fix, sure: false })) : all
}

function apply({ dts, cts }: StampRows, fix: StampFix): void {
  dts[fix.row] = fix.dts
  cts[fix.row] = delayOf(fix.dts, fix.pts)
}

/** The rows of a table whose times are known. */
export function stampedRows({ dts, length }: StampRows): Uint32Array {
  const rows = new Uint32Array(length)
  let count = 0
  for (let row = 0; row < length; row++) if (!Number.isNaN(dts[row])) rows[count++] = row
  return rows.subarray(0, count)
}

/** Whether a stream that goes on evenly does not do so somewhere, by more than goes unnoticed. */
function leavesRhythm({ dts }: StampRows, rows: Uint32Array, { even, grid }: Rhythm): boolean {
  for (let i = 1; even && i < rows.length; i++) {
    const step = dts[rows[i]] - dts[rows[i - 1]]
    if (Math.abs(step - Math.round(step / grid) * grid) >= UNNOTICED) return true
  }
  return false
}

/** How many of the first rows lie elsewhere than those behind demand: they agree with none, the next one does. */
function wrongAtStart({ dts }: StampRows, rows: Uint32Array, rhythm: Rhythm): number {
  const goesOn = (from: number, to: number): boolean => rhythm.goesOn(dts[rows[to]] - dts[rows[from]])
  for (let count = 0; count <= MOST_IN_A_ROW; count++) {
    const agrees = Array.from({ length: AT_START }, (_, k) => goesOn(count, count + 1 + k))
    if (agrees.some(Boolean)) return count > 0 ? count : isFirstWrong(dts, rows, rhythm)
  }
  return 0
}

/** Whether the first row is behind the next, which go on, or leaves their rhythm by one bit. */
function isFirstWrong(dts: Float64Array, rows: Uint32Array, rhythm: Rhythm): number {
  const [first, second, third] = [dts[rows[0]], dts[rows[1]], dts[rows[2]]]
  if (!rhythm.goesOn(third - second)) return 0
  if (!rhythm.goesOn(second - first)) return rhythm.goesOn(third - first) ? 0 : 1
  if (!rhythm.even || rhythm.isOn(second - first) || !rhythm.isOn(third - second)) return 0
  return turned(first, second - 2 * rhythm.step, second, rhythm).length > 0 ? 1 : 0
}

/** How many rows from the `i`th on lie elsewhere than `before` and those behind them demand. */
function wrongFrom({ dts }: StampRows, rows: Uint32Array, i: number, before: number, rhythm: Rhythm): number {
  const step = dts[rows[i]] - before
  const far = !rhythm.goesOn(step)
  const late = isBehindNext(dts, rows, i)
  if (!far && !late && rhythm.isOn(step)) return 0
  for (let count = 1; count <= MOST_IN_A_ROW && i + count < rows.length; count++) {
    const next = dts[rows[i + count]] - before
    if (rhythm.goesOn(next) && next > 0 && rhythm.isOn(next)) {
      if (far || late) return count
      // what only leaves the rhythm is wrong where one bit explains it
      const wrong = rows.subarray(i, i + count)
      return wrong.every((row) => turned(dts[row], before, before + next, rhythm).length > 0) ? count : 0
    }
  }
  if (far && isEndFar(dts, rows, i, before, rhythm)) return rows.length - i
  if (i < rows.length - 1) return 0
  return (far && rhythm.even) || leavesAtEnd(dts[rows[i]], before, rhythm) ? 1 : 0
}

/** Whether all of the last few times are far off, and one bit each brings them back to where they are due. */
function isEndFar(dts: Float64Array, rows: Uint32Array, i: number, before: number, rhythm: Rhythm): boolean {
  if (rows.length - i > MOST_IN_A_ROW || rhythm.step === 0) return false
  const left = rows.subarray(i)
  const latest = latestEnd(before, left.length, rhythm)
  return left.every(
    (row) => !rhythm.goesOn(dts[row] - before) && turned(dts[row], before, latest, rhythm).length > 0,
  )
}

/** The time up to which the last of `count` rows behind `before` is due. */
function latestEnd(before: number, count: number, { step }: Rhythm): number {
  return before + step * (LATE + count - 1)
}

/** The time of the `i`th row, or that nearby on which the rhythm goes on: what is off by a low bit leads no other astray. */
function inRhythm({ dts }: StampRows, rows: Uint32Array, i: number, before: number, rhythm: Rhythm): number {
  const time = i < rows.length ? dts[rows[i]] : Number.NaN
  if (rhythm.grid === 0 || rhythm.isOn(time - before)) return time
  const near = before + Math.round((time - before) / rhythm.grid) * rhythm.grid
  if (!(Math.abs(time - near) < UNNOTICED)) return time
  const next = Array.from(rows.subarray(i + 1, i + 1 + MOST_IN_A_ROW), (row) => dts[row])
  const goesOn = (from: number): boolean =>
    next.some((later) => rhythm.goesOn(later - from) && rhythm.isOn(later - from))
  return goesOn(near) && !goesOn(time) ? near : time
}

/** Whether a time is behind the next two, so that not one of those is too early, but it is too late. */
function isBehindNext(dts: Float64Array, rows: Uint32Array, i: number): boolean {
  return i + 2 < rows.length && dts[rows[i]] > Math.max(dts[rows[i + 1]], dts[rows[i + 2]])
}

/** Whether the last time leaves the rhythm, and one bit brings it back to where the next one is due. */
function leavesAtEnd(time: number, before: number, rhythm: Rhythm): boolean {
  const latest = latestEnd(before, 1, rhythm)
  const isDue = time > before && time <= latest
  return rhythm.grid > 0 && !isDue && turned(time, before, latest, rhythm).length > 0
}

/** Times that one turned bit makes of `time`, between two others and in the rhythm. */
function turned(time: number, after: number, until: number, rhythm: Rhythm): number[] {
  return flips(time, after).filter((flip) => {
    const step = flip - after
    return step > 0 && flip < until && rhythm.isOn(step) && Math.abs(flip - time) >= UNNOTICED
  })
}

/** Where rows stand that are wrong: between two that are right, the first of which may be missing, or the second. */
interface Gap {
  /** NaN in front of the first row; infinite behind the last. */
  readonly before: number
  readonly until: number
  /** Wrong rows in it. */
  readonly count: number
}

/** What the decoding time of the `k`th row of a gap has to be. */
function decodingFix(
  { dts, cts }: StampRows,
  row: number,
  k: number,
  { before, until, count }: Gap,
  rhythm: Rhythm,
  displayed: DisplayTime,
): StampFix | undefined {
  const isLast = !Number.isFinite(until)
  const even = rhythm.even || Number.isNaN(before)
  const share = before + ((until - before) * (k + 1)) / (count + 1)
  const expected = Math.round(
    isLast ? before + (k + 1) * rhythm.step : even ? until - (count - k) * rhythm.step : share,
  )
  const from = Number.isNaN(before) ? expected - rhythm.step : before
  // where a rhythm goes on behind a hole, it may do so later than at the end of one
  const end = isLast && !rhythm.even ? latestEnd(before, count, rhythm) : until
  const found = turned(dts[row], from, end, rhythm)
  // the last one has nothing behind it: only where it is far off the next in the rhythm is the better guess
  const isLeft = isLast && !(rhythm.even && Math.abs(dts[row] - before) > LONGEST_STEP)
  if (found.length === 0 && (isLeft || expected === dts[row])) return undefined
  const distance = (time: number): number => Math.abs(time - expected)
  const [best = expected] = found.sort((a, b) => distance(a) - distance(b))
  const holds = rhythm.even && distance(best) <= ROUNDING
  const shown = cts[row] === 0 ? best : best + ticksBetween(wrapped(best), displayed(row))
  return {
    row,
    dts: best,
    pts: shown,
    sure: (holds && !(isLast && found.length === 0)) || found.length === 1,
  }
}

/** Times of display that cannot be: before decoding, long behind it, or out of the rhythm. */
function* displayFixes(
  { dts, cts }: StampRows,
  rows: Uint32Array,
  rhythm: Rhythm,
  displayed: DisplayTime,
): Generator<StampFix> {
  const usual = usualDelays(cts, rows, rhythm)
  const most = usual.at(-1) ?? 0
  const longest = rhythm.even ? Math.max(REORDERED * rhythm.step, most) : LONGEST_REORDERING + most
  const isInStep = (delay: number): boolean => rhythm.even && delay >= 0 && isMultiple(delay, rhythm.step)
  const fits = (delay: number): boolean => delay >= 0 && delay <= longest && (!rhythm.even || isInStep(delay))
  if (!usual.every(fits)) return
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    const delay = cts[row]
    const time = dts[row] + delay
    const taken = (pts: number): boolean => isTaken(dts, cts, rows, i, pts)
    const off = !fits(delay) && !(isInStep(delay) && fillsHole({ dts, cts }, rows, i, rhythm.step))
    if (!off && !(rhythm.even && !usual.includes(delay) && taken(time))) continue
    const free = flips(displayed(row), dts[row]).filter((pts) => !taken(pts))
    const isUsual = (pts: number): boolean =>
      usual.some((known) => Math.abs(pts - dts[row] - known) <= ROUNDING)
    const usually = free.filter(isUsual)
    // the first picture's delay may be like no other's
    const found = usually.length > 0 || !rhythm.even ? usually : free.filter((pts) => fits(pts - dts[row]))
    if (found.length > 0) yield { row, dts: dts[row], pts: found[0], sure: found.length === 1 }
    else if (delay < 0 || delay > longest) {
      const left = usual.find((known) => !taken(dts[row] + known))
      if (left !== undefined) yield { row, dts: dts[row], pts: dts[row] + left, sure: false }
    }
  }
}

/**
 * Delays from decoding to display that occur again and again, in growing order; those that are too far to be kept tell nothing.
 */
function usualDelays(cts: Int32Array, rows: Uint32Array, { even, step }: Rhythm): number[] {
  const counts = new Map<number, number>()
  for (const row of rows) counts.set(cts[row], (counts.get(cts[row]) ?? 0) + 1)
  const least = Math.max(2, rows.length / 100)
  // one bit of two times makes the same delay of them
  const many = Math.max(least, rows.length * (1 - RHYTHM))
  const isOdd = (delay: number): boolean =>
    delay < 0 || delay > LONGEST_REORDERING || (even && !isMultiple(delay, step))
  return [...counts]
    .filter(([delay, count]) => count >= (isOdd(delay) ? many : least) && Math.abs(delay) < FARTHEST)
    .map(([delay]) => delay)
    .sort((a, b) => a - b)
}

/** Whether another picture nearby is shown at that time. */
function isTaken(dts: Float64Array, cts: Int32Array, rows: Uint32Array, i: number, pts: number): boolean {
  for (let k = Math.max(0, i - AROUND); k < Math.min(rows.length, i + AROUND); k++)
    if (k !== i && Math.abs(dts[rows[k]] + cts[rows[k]] - pts) <= ROUNDING) return true
  return false
}

/** Whether the picture is alone at its time, and others are shown one step before and one behind: it is missing nowhere else. */
function fillsHole(
  { dts, cts }: Pick<StampRows, 'dts' | 'cts'>,
  rows: Uint32Array,
  i: number,
  step: number,
): boolean {
  const time = dts[rows[i]] + cts[rows[i]]
  const taken = (pts: number): boolean => isTaken(dts, cts, rows, i, pts)
  return !taken(time) && taken(time - step) && taken(time + step)
}
