import { SAMPLE_AFTER_HOLE, type SampleTable } from '../../model/sample-table.ts'
import { nearHoles } from '../timing/near-holes.ts'

/** Pictures of a recording that may all lack their neighbours: one or two groups that refer to each other. */
const FEW_PICTURES = 16

/**
 * How long pictures show, in ticks, in the order they are shown; 0 where it is not known. In a recording of so few that no two of
 * them are neighbours in display order, those between were never there: then decoding times tell, where they are regular. So they
 * do of the last ones of a recording that broke off.
 */
export function pictureDurations(table: SampleTable): Float64Array {
  const decoded = table.duration[0]
  let regular = decoded > 0
  for (let row = 1; row < table.length - 1 && regular; row++) regular = table.duration[row] === decoded
  const shown = displayDurations(table, regular && table.length > 2 * FEW_PICTURES ? FEW_PICTURES : 0)
  if (!regular || table.length > FEW_PICTURES) return shown
  return shown.some((duration) => duration > 0 && duration < decoded * 1.5) ? shown : Float64Array.of(decoded)
}

/** How long pictures show but the `last` ones: from one to the next in display order, whatever the decoding times claim. */
function displayDurations(table: SampleTable, last: number): Float64Array {
  const { length, dts, cts, duration } = table
  if (length === 1) return Float64Array.of(duration[0])
  const times = new Float64Array(length)
  for (let row = 0; row < length; row++) times[row] = dts[row] + cts[row]
  const isKnown = betweenHoles(table, times)
  const isOrdered = times.every((time, row) => row === 0 || times[row - 1] <= time)
  if (!isOrdered) times.sort()
  const durations = new Float64Array(Math.max(0, length - 1 - last))
  for (let i = 0; i < durations.length; i++) durations[i] = times[i + 1] - times[i]
  const known = isKnown && durations.map((apart, i) => (isKnown[i + 1] === 1 ? apart : 0))
  // every unit lies between bytes that nobody knows: their distances are all there is
  return known?.some((apart) => apart > 0) ? known : durations
}

/**
 * By picture in display order: 1 where it or the one before it lies away from bytes that nobody knows. Undefined where there are
 * no such bytes: then nobody has to know which picture is which.
 */
function betweenHoles(table: SampleTable, times: Float64Array): Uint8Array | undefined {
  if (!table.flags.subarray(1, table.length).some((flags) => (flags & SAMPLE_AFTER_HOLE) !== 0))
    return undefined
  const isNear = nearHoles(table)
  const rows = new Uint32Array(times.length)
  for (let row = 0; row < rows.length; row++) rows[row] = row
  rows.sort((a, b) => times[a] - times[b])
  return Uint8Array.from(rows, (row, i) => (i > 0 && isNear(row) && isNear(rows[i - 1]) ? 0 : 1))
}
