import { SampleTable } from '../../../model/sample-table.ts'
import type { PlannedTrack } from '../write/plan.ts'

/** A planned track with some of its rows only, in order; times stay as they are. */
export function someRows(plan: PlannedTrack, rows: readonly number[]): PlannedTrack {
  const table = new SampleTable(Math.max(1, rows.length))
  for (const row of rows) copyRow(plan.table, row, table)
  return {
    ...plan,
    table,
    ...(plan.descriptions
      ? { descriptions: Uint16Array.from(rows, (row) => plan.descriptions?.[row] ?? 1) }
      : {}),
    ...(plan.rows ? { rows: Uint32Array.from(rows, (row) => plan.rows?.[row] ?? 0) } : {}),
  }
}

export function copyRow(from: SampleTable, row: number, to: SampleTable): void {
  const at = to.push(
    from.offset[row],
    from.size[row],
    from.count[row],
    from.duration[row],
    from.order[row],
    from.flags[row],
  )
  to.dts[at] = from.dts[row]
  to.cts[at] = from.cts[row]
}
