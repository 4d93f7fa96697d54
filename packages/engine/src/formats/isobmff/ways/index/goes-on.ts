import type { SampleTable } from '../../../../model/sample-table.ts'

/** Rows near an end among which the first or last shown picture is. */
const REORDERING = 64
/**
 * Share of the usual step by which pictures are apart that are none of one instant, and from which on one is missing between
 * them.
 */
const APART = 0.5
const HOLE = 1.5

/**
 * Composition time of the first shown of the rows from `from` on, which were found behind the others: where the last of those
 * ends, or in the first hole among them that these fill, as pictures do which are decoded behind others that are shown after
 * them. -1 without others.
 */
export function goesOn(table: SampleTable, from: number): number {
  const before = shownTimes(table, Math.max(0, from - REORDERING), from)
  if (before.length === 0) return -1
  let end = -1
  for (let row = Math.max(0, from - REORDERING); row < from; row++)
    end = Math.max(end, table.dts[row] + table.cts[row] + table.duration[row])
  const found = shownTimes(table, from, Math.min(table.length, from + REORDERING))
  const steps = before.map((time, i) => time - before[Math.max(0, i - 1)]).sort((a, b) => a - b)
  const step = steps[(steps.length + 1) >> 1] ?? 0
  if (step <= 0 || found.length === 0) return end
  for (let i = 0; i + 1 < before.length; i++) {
    if (before[i + 1] - before[i] <= step * HOLE) continue
    const start = before[i] + step
    const placed = found.map((time) => start + time - found[0])
    if (fills(before.slice(i), placed, step)) return start
  }
  return end
}

/**
 * Whether pictures come between others and behind them, so that none is missing up to the last of the others, and none is shown
 * with another.
 */
function fills(before: readonly number[], placed: readonly number[], step: number): boolean {
  const last = before[before.length - 1]
  const all = [...before, ...placed].sort((a, b) => a - b)
  return all.every((time, i) => {
    const gap = i === 0 ? step : time - all[i - 1]
    return gap > step * APART && (gap <= step * HOLE || all[i - 1] > last)
  })
}

function shownTimes({ dts, cts }: SampleTable, from: number, to: number): number[] {
  const times: number[] = []
  for (let row = from; row < to; row++) times.push(dts[row] + cts[row])
  return times.sort((a, b) => a - b)
}
