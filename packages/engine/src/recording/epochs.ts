import { WRAP } from '../syntax/pes/time-stamp.ts'
import type { StampRows } from './clock-table.ts'

/**
 * Times of streams that begin with one that was hit may have been unwrapped to another turn of the clock than the others': each
 * table is moved by whole turns to where its middle time is nearest to the first table's.
 */
export function joinEpochs(tables: readonly StampRows[]): void {
  if (isOneEpoch(tables)) return
  let near = Number.NaN
  for (const { dts, length } of tables) {
    const middle = middleTime(dts.subarray(0, length))
    if (Number.isNaN(near)) near = middle
    const turns = Math.round((near - middle) / WRAP)
    if (turns !== 0 && Number.isFinite(turns)) for (let row = 0; row < length; row++) dts[row] += turns * WRAP
  }
}

/** Whether all times are near each other, so that no table's middle one is a turn away: true of nearly all. */
function isOneEpoch(tables: readonly StampRows[]): boolean {
  if (tables.length < 2) return true
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (const { dts, length } of tables)
    for (let row = 0; row < length; row++) {
      if (dts[row] < least) least = dts[row]
      if (dts[row] > most) most = dts[row]
    }
  return most - least < WRAP / 2
}

/** The median of those times that are known; NaN without. */
function middleTime(dts: Float64Array): number {
  const known = dts.filter((time) => !Number.isNaN(time)).sort()
  return known.length === 0 ? Number.NaN : known[known.length >> 1]
}
