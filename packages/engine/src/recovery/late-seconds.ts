import { SAMPLE_KEY, SAMPLE_RESTART, type SampleTable } from '../model/sample-table.ts'

/** Share of a period by which a leap may miss whole periods: neighbours are some pictures apart. */
const NEAR = 0.25

/**
 * Moves the numbers of pictures behind holes by the periods that the holes took and that a later picture tells: MPEG-4 planes count
 * seconds from the plane before, a group's header counts them from the start (ISO/IEC 14496-2:2004 §6.3.4, §6.3.5). What leaps there
 * by whole periods, though nothing is lost, was behind the hole already. `holeRows`: first rows behind holes, rising; `period` of the
 * order, 0 where it does not repeat.
 */
export function catchUp(table: SampleTable, holeRows: readonly number[], period: number): void {
  if (period <= 0) return
  for (let hole = 0; hole < holeRows.length; hole++) {
    const row = holeRows[hole]
    const until = Math.min(table.length, holeRows[hole + 1] ?? table.length)
    if (row === 0 || row >= until || isStart(table, row)) continue
    let leap = row + 1
    let periods = 0
    for (; leap < until && !isStart(table, leap) && periods === 0; leap++)
      periods = wholePeriods(table.order[leap] - table.order[leap - 1], period)
    if (periods <= 0) continue
    for (let at = row; at < leap - 1; at++) table.order[at] += periods * period
    if (table.order[row] > table.order[row - 1]) table.flags[row] &= ~SAMPLE_RESTART
  }
}

function isStart(table: SampleTable, row: number): boolean {
  return (table.flags[row] & SAMPLE_RESTART) !== 0 && (table.flags[row] & SAMPLE_KEY) !== 0
}

/** Periods in a difference of neighbours' numbers, 0 unless it is about a whole number of them. */
function wholePeriods(difference: number, period: number): number {
  const periods = Math.round(difference / period)
  return Math.abs(difference - periods * period) <= period * NEAR ? periods : 0
}
