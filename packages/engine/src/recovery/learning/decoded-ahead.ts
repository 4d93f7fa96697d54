import type { SampleTable } from '../../model/sample-table.ts'

/** Units that may be decoded ahead, and how many tell. */
const MOST_AHEAD = 16
const FEWEST_AHEAD = 16
/** Share of distances that must be the same in both orders. */
const AHEAD_AGREES = 0.9

/**
 * By how many places decoding runs ahead of showing where units come evenly: as long as decoding begins before the first one is
 * shown.
 */
export function placesAhead({ length, dts, cts }: SampleTable, unit: number): number {
  let first = Number.POSITIVE_INFINITY
  for (let row = 0; row < Math.min(length, MOST_AHEAD); row++) first = Math.min(first, dts[row] + cts[row])
  return length > 0 ? Math.min(MOST_AHEAD, Math.max(0, Math.round((first - dts[0]) / unit))) : 0
}

/**
 * By how many places decoding runs ahead of showing: the n-th unit is decoded as long after its predecessor as the one that is
 * shown so many places earlier is shown after its own. The fewest that fit; undefined where none do, or nothing is reordered.
 */
export function decodedAhead({ length, dts, cts }: SampleTable): number | undefined {
  const shown = Float64Array.from({ length }, (_, row) => dts[row] + cts[row])
  if (shown.every((time, row) => row === 0 || time >= shown[row - 1])) return undefined
  shown.sort()
  for (let ahead = 0; ahead <= MOST_AHEAD && ahead + FEWEST_AHEAD < length; ahead++) {
    let same = 0
    for (let row = ahead + 1; row < length; row++)
      if (Math.abs(dts[row] - dts[row - 1] - (shown[row - ahead] - shown[row - ahead - 1])) <= 1) same++
    if (same >= (length - ahead - 1) * AHEAD_AGREES) return ahead
  }
  return undefined
}
