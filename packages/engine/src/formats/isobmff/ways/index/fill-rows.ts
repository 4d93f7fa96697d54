import { SAMPLE_DAMAGED, SampleTable } from '../../../../model/sample-table.ts'
import type { SampleChecker } from '../../../../recording/align/sample-checker.ts'
import type { RecoveredTrack } from './surviving-index.ts'

/**
 * An indexed track with the samples that the index has lost, cut short or given another size, where carving found as many units
 * between their neighbours: the index tells when they were, the bytes where. `checker` looks closer than carving does. Undefined
 * where there are none.
 */
export function fillRows(
  track: RecoveredTrack,
  carved: RecoveredTrack,
  checker: Pick<SampleChecker, 'fits' | 'intact'>,
): RecoveredTrack | undefined {
  const { plan } = track
  const { samples, layout } = plan.template
  if (plan.times !== 'index' || plan.descriptions || layout.rows !== 'samples' || plan.grown) return undefined
  const kept = plan.table
  const found = carved.plan.table
  const table = new SampleTable(Math.max(1, samples.length))
  const outcome = track.outcome.anew()
  let filled = 0
  const isSound = (at: number): boolean =>
    isWhole(found, at) &&
    checker.fits(found.offset[at], found.size[at]) &&
    checker.intact(found.offset[at], found.size[at])
  let next = 0
  let unit = 0
  for (let row = 0; row < samples.length; ) {
    if (holds(kept, next, row)) {
      while (unit < found.length && found.offset[unit] < kept.offset[next]) unit++
      if (isMissized(kept, next, row, found, unit) && isSound(unit)) {
        copy(kept, next, found, unit, table)
        outcome.add('recovered', table, table.length - 1, found.offset[unit], '')
        filled++
        next++
        row++
        continue
      }
      copy(kept, next, kept, next, table)
      const damaged = (kept.flags[next] & SAMPLE_DAMAGED) !== 0
      outcome.add(
        damaged ? 'damaged' : 'recovered',
        table,
        table.length - 1,
        kept.offset[next],
        damaged ? 'damaged' : '',
      )
      next++
      row++
      continue
    }
    // rows up to the next whole one, and the units that lie between
    let end = row
    let behind = next
    for (; end < samples.length && !holds(kept, behind, end); end++) if (isNext(kept, behind, end)) behind++
    const from = endOf(table)
    const until = behind < kept.length ? kept.offset[behind] : Number.POSITIVE_INFINITY
    while (unit < found.length && found.offset[unit] < from) unit++
    let last = unit
    while (last < found.length && found.offset[last] + found.size[last] <= until && isSound(last)) last++
    const fits = last - unit === end - row && kept.length > 0
    for (; row < end; row++) {
      if (fits) {
        copy(samples, row, found, unit, table)
        outcome.add('recovered', table, table.length - 1, found.offset[unit++], '')
        filled++
        if (isNext(kept, next, row)) next++
      } else if (isNext(kept, next, row)) {
        copy(kept, next, kept, next, table)
        outcome.add('damaged', table, table.length - 1, kept.offset[next++], 'damaged')
      } else outcome.add('lost', samples, row, -1, 'damaged')
    }
  }
  return filled > 0 ? { ...track, outcome, plan: { ...plan, table } } : undefined
}

/** Whether row `at` of a kept table is sample `row` of the index. */
function isNext(kept: SampleTable, at: number, row: number): boolean {
  return at < kept.length && kept.order[at] === row
}

/**
 * Whether the next sample starts where the unit found at sample `row` ends, and not where the index has it end; where the index
 * has lost the next one, the next unit found is it.
 */
function isMissized(kept: SampleTable, at: number, row: number, found: SampleTable, unit: number): boolean {
  if (unit >= found.length || found.offset[unit] !== kept.offset[at]) return false
  const isKept = holds(kept, at + 1, row + 1)
  if (!isKept && unit + 1 >= found.length) return false
  const next = isKept ? kept.offset[at + 1] : found.offset[unit + 1]
  return kept.offset[at] + kept.size[at] !== next && found.offset[unit] + found.size[unit] === next
}

/** Where the last of some rows ends, 0 without any. */
function endOf({ length, offset, size }: SampleTable): number {
  return length > 0 ? offset[length - 1] + size[length - 1] : 0
}

function isWhole(table: SampleTable, row: number): boolean {
  return (table.flags[row] & SAMPLE_DAMAGED) === 0
}

/** As `isNext`, and whole. */
function holds(kept: SampleTable, at: number, row: number): boolean {
  return isNext(kept, at, row) && isWhole(kept, at)
}

/** Appends a sample with the times of one row, where another one lies. */
function copy(times: SampleTable, row: number, places: SampleTable, place: number, to: SampleTable): void {
  const at = to.push(
    places.offset[place],
    places.size[place],
    times.count[row],
    times.duration[row],
    times.order[row],
    times.flags[row],
  )
  to.dts[at] = times.dts[row]
  to.cts[at] = times.cts[row]
}
