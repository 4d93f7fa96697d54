import type { Recogniser } from '../../codecs/recogniser.ts'
import { SAMPLE_KEY, SAMPLE_RESTART, type SampleTable } from '../../model/sample-table.ts'

/** Share of a unit by which a leap may miss whole ones: neighbours are some pictures apart. */
const NEAR = 0.25

/** Share of a step by which numbers of one picture may differ: seconds are no whole steps. */
const SAME_PICTURE = 0.4
/** Key pictures without a hole before them that must go on with the numbers for this to be a rule. */
const FEWEST_KEYS = 3

/**
 * Moves the numbers of pictures behind holes by what the holes took and only a later picture tells: an MPEG-4 plane counts
 * seconds from the plane before, a group's header counts them from the start (ISO/IEC 14496-2:2004 §6.3.4, §6.3.5). Where numbers
 * leap though nothing is lost there, those since the hole were too low. Where numbers go on over key pictures, those of one that
 * goes back behind a hole are too low as well. `holeRows`: first rows behind holes, rising; 0 where the head is lost, behind
 * which seconds count from nothing. @returns whether they go on so
 */
export function catchUp(
  table: SampleTable,
  holeRows: readonly number[],
  { orderLateBy: unit = 0, orderStep: step }: Pick<Recogniser, 'orderLateBy' | 'orderStep'>,
): boolean {
  if (unit <= 0) return false
  const isLinked = goOnOverKeys(table, holeRows, unit, step)
  if (isLinked) for (const row of holeRows) linkKey(table, row, unit)
  for (let hole = 0; hole < holeRows.length; hole++) {
    const row = holeRows[hole]
    const until = Math.min(table.length, holeRows[hole + 1] ?? table.length)
    if ((row === 0 && unit <= step) || row >= until || isStart(table, row)) continue
    let leap = row + 1
    let late = 0
    for (; leap < until && !isStart(table, leap) && late === 0; leap++)
      late = wholeUnits(table.order[leap] - table.order[leap - 1] - step, unit)
    if (late === 0 || (row > 0 && table.order[row] + late < table.order[row - 1])) continue
    for (let at = row; at < leap - 1; at++) table.order[at] += late
    if (row > 0 && table.order[row] > table.order[row - 1]) table.flags[row] &= ~SAMPLE_RESTART
  }
  return isLinked
}

/**
 * Whether the numbers of all key pictures but those behind holes go on from the pictures before, or would but for whole units.
 */
function goOnOverKeys(table: SampleTable, holeRows: readonly number[], unit: number, step: number): boolean {
  const behindHoles = new Set(holeRows)
  let keys = 0
  for (let row = 1; row < table.length; row++) {
    if ((table.flags[row] & SAMPLE_KEY) === 0 || behindHoles.has(row)) continue
    if (isStart(table, row)) {
      const apart = table.order[row] - table.order[row - 1] - step
      if (Math.abs(apart - Math.round(apart / unit) * unit) > step * SAME_PICTURE) return false
    }
    keys++
  }
  return keys >= FEWEST_KEYS
}

/** Has the numbers go on over a key picture behind a hole: they and those that count from it are whole units higher. */
function linkKey(table: SampleTable, row: number, unit: number): void {
  if (row === 0 || row >= table.length || !isStart(table, row)) return
  const late = Math.ceil((table.order[row - 1] + 1 - table.order[row]) / unit) * unit
  if (late <= 0) return
  table.flags[row] &= ~SAMPLE_RESTART
  for (let at = row; at < table.length && !(table.flags[at] & SAMPLE_RESTART); at++) table.order[at] += late
}

function isStart(table: SampleTable, row: number): boolean {
  return (table.flags[row] & SAMPLE_RESTART) !== 0 && (table.flags[row] & SAMPLE_KEY) !== 0
}

/** What is whole units of a leap, 0 unless it is about a whole number of them. */
function wholeUnits(leap: number, unit: number): number {
  const whole = Math.round(leap / unit) * unit
  return Math.abs(leap - whole) <= unit * NEAR ? whole : 0
}
