import type { SampleTable } from '../../model/sample-table.ts'
import { nearHoles } from '../timing/variable-rate.ts'

/** Pictures of a recording that may all lack their neighbours: one or two groups that refer to each other. */
const FEW_PICTURES = 16

/**
 * How long pictures show, in ticks, in the order they are shown; 0 where it is not known. In a recording of so few that no two of
 * them are neighbours in display order, those between were never there: then decoding times tell, where they are regular. So they
 * do of the last ones of a recording that broke off.
 */
export function pictureDurations(table: SampleTable): number[] {
  const decoded = table.duration[0]
  let regular = decoded > 0
  for (let row = 1; row < table.length - 1 && regular; row++) regular = table.duration[row] === decoded
  const shown = displayDurations(table, regular && table.length > 2 * FEW_PICTURES ? FEW_PICTURES : 0)
  if (!regular || table.length > FEW_PICTURES) return shown
  return shown.some((duration) => duration > 0 && duration < decoded * 1.5) ? shown : [decoded]
}

/** How long pictures show but the `last` ones: from one to the next in display order, whatever the decoding times claim. */
function displayDurations(table: SampleTable, last: number): number[] {
  const apart = durationsApart(table, nearHoles(table), last)
  // every unit lies between bytes that nobody knows: their distances are all there is
  return apart.some((duration) => duration > 0) ? apart : durationsApart(table, () => false, last)
}

function durationsApart(table: SampleTable, isNear: (row: number) => boolean, last: number): number[] {
  if (table.length === 1) return [table.duration[0]]
  const { length, dts, cts } = table
  const times = new Float64Array(length)
  const rows = new Uint32Array(length)
  let inOrder = true
  for (let row = 0; row < length; row++) {
    rows[row] = row
    times[row] = dts[row] + cts[row]
    inOrder &&= row === 0 || times[row - 1] <= times[row]
  }
  if (!inOrder) rows.sort((a, b) => times[a] - times[b])
  const durations: number[] = []
  for (let i = 1; i < rows.length - last; i++)
    durations.push(isNear(rows[i]) && isNear(rows[i - 1]) ? 0 : times[rows[i]] - times[rows[i - 1]])
  return durations
}
