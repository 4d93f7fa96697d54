import { CLOCK, ticksBetween, wrapped } from '../syntax/pes/time-stamp.ts'
import type { StampRows } from './clock-table.ts'
import { usualStep } from './stamped-track.ts'

/** Share of steps that are the usual one where a stream keeps a rhythm. */
export const RHYTHM = 0.9
/** Share of times that may be a bit off it. */
const MOST_TURNED = 0.25
/** Ticks by which steps of one rhythm differ, as they are rounded. */
export const ROUNDING = 3
/** Ticks off the rhythm that nobody notices: less than a millisecond. */
export const UNNOTICED = 64
/** Longer steps are holes. */
export const LONGEST_STEP = 10 * CLOCK
/** Wrong ones in a row that are mended. */
export const MOST_IN_A_ROW = 3
const BITS = 33

/** How far decoding times are from each other. */
export class Rhythm {
  /** The usual step; 0 where there is none. */
  readonly step: number
  /** Steps are multiples of this many ticks; 0 where they are any. */
  readonly grid: number
  /** Every step is the usual one, but where something is missing. */
  readonly even: boolean

  constructor({ dts }: StampRows, rows: Uint32Array, unit: number) {
    const usual = usualStep(dts, rows)
    let sum = 0
    let even = 0
    let held = 0
    let turned = 0
    // rows in front of the next one of which a bit was turned
    let hits = 0
    let whole = 0
    // rows that neither keep to the rhythm nor would with a bit turned back: with more of them there is none
    let missed = 0
    const mostMissed = (rows.length - 1) * (1 - RHYTHM) + 1
    for (let i = 1; i < rows.length; i++) {
      const step = dts[rows[i]] - dts[rows[i - 1]]
      if (Math.abs(step - usual) <= ROUNDING) {
        even++
        sum += step
      }
      if (unit > 0 && isWholeFromBefore(dts, rows, i, unit)) whole++
      if (missed > mostMissed) continue
      if (isDue(dts, rows, i, usual, hits + 1)) {
        held++
        hits = 0
      } else if (isDueTurned(dts, rows, i, usual)) {
        turned++
        hits++
      } else {
        // of the two steps around a lone time that is wrong, one is missed
        const both = i + 1 < rows.length ? dts[rows[i + 1]] - dts[rows[i - 1]] : Number.NaN
        if (Math.abs(both - 2 * usual) <= ROUNDING) held++
        else missed++
        hits = 0
      }
    }
    this.step = even > 0 ? sum / even : usual
    const enough = (rows.length - 1) * RHYTHM
    this.even = this.step > 0 && held + Math.min(turned, rows.length * MOST_TURNED) >= enough
    this.grid = unit > 0 && whole >= enough ? unit : this.even ? this.step : 0
  }

  /** Whether a step is one that goes on. */
  goesOn(step: number): boolean {
    return step >= 0 && step <= LONGEST_STEP
  }

  isOn(step: number): boolean {
    return this.grid === 0 || isMultiple(step, this.grid)
  }
}

/** Whether a time is as many usual steps as rows behind one of the last `back`. */
function isDue(dts: Float64Array, rows: Uint32Array, i: number, usual: number, back: number): boolean {
  for (let k = 1; k <= Math.min(i, back); k++)
    if (Math.abs(dts[rows[i]] - dts[rows[i - k]] - k * usual) <= ROUNDING) return true
  return false
}

/** Whether one turned bit, of those that are noticed, makes it so. */
function isDueTurned(dts: Float64Array, rows: Uint32Array, i: number, usual: number): boolean {
  for (let k = 1; k <= Math.min(i, MOST_IN_A_ROW); k++) {
    const due = dts[rows[i - k]] + k * usual
    const off = Math.abs(ticksBetween(wrapped(due), wrapped(dts[rows[i]])))
    if (off < UNNOTICED) continue
    const bit = 2 ** Math.round(Math.log2(off))
    // most times of a stream without a rhythm are off by no power of two
    if (Math.abs(off - bit) > ROUNDING) continue
    if (flips(dts[rows[i]], due).some((flip) => Math.abs(flip - due) <= ROUNDING)) return true
  }
  return false
}

/** Whether a time is a whole number of units behind one of those before it: most of them are right. */
function isWholeFromBefore(dts: Float64Array, rows: Uint32Array, i: number, unit: number): boolean {
  for (let k = 1; k <= Math.min(i, MOST_IN_A_ROW); k++)
    if (isMultiple(dts[rows[i]] - dts[rows[i - k]], unit)) return true
  return false
}

export function isMultiple(step: number, unit: number): boolean {
  return Math.abs(step - Math.round(step / unit) * unit) <= ROUNDING
}

/** All times that are one bit off, unwrapped near another. */
export function flips(time: number, near: number): number[] {
  const raw = wrapped(time)
  const base = wrapped(near)
  return Array.from({ length: BITS }, (_, bit) => {
    const weight = 2 ** bit
    const isSet = Math.floor(raw / weight) % 2 === 1
    // `near` may lie between two ticks
    return Math.round(near + ticksBetween(base, isSet ? raw - weight : raw + weight))
  })
}
