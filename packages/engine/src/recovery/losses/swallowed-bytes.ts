import { countBelow } from '../../model/bisect.ts'
import { SAMPLE_DAMAGED, SAMPLE_KEY, type SampleTable } from '../../model/sample-table.ts'
import type { Hole } from '../carving/assembler.ts'
import { isNumbered, type Lane } from '../carving/lane.ts'

/** Rows on each side of a damaged unit whose sizes tell how long it should be. */
const NEIGHBOURS = 12

/**
 * The holes of a recording together with the damaged pictures: where a codec's units have no length of their own, they swallow
 * what lies between the damage and the next picture, and others with it. Without a numbering, those that reach further than any
 * around them.
 */
export function withTornUnits(lanes: readonly Lane[], holes: readonly Hole[]): readonly Hole[] {
  const torn: Hole[] = []
  for (const lane of lanes) {
    const { table, description } = lane
    if (description.kind !== 'video') continue
    const numbered = isNumbered(lane)
    for (let row = 0; row < table.length; row++) {
      if ((table.flags[row] & SAMPLE_DAMAGED) === 0) continue
      const surplus = Math.max(numbered ? 1 : 0, swallowed(table, row))
      if (surplus === 0) continue
      const end = table.offset[row] + table.size[row]
      torn.push({
        offset: end,
        length: surplus,
        rows: lanes.map((lane) => countBelow(lane.table.offset, end, lane.table.length)),
      })
    }
  }
  if (torn.length === 0) return holes
  const known = new Set(holes.map(({ offset }) => offset))
  return [...holes, ...torn.filter(({ offset }) => !known.has(offset))].sort((a, b) => a.offset - b.offset)
}

/** Bytes by which a damaged unit reaches further than whole ones around it: others that it swallowed. At least 0. */
export function swallowed(table: SampleTable, row: number): number {
  return Math.max(0, table.size[row] - largestAround(table, row))
}

/** Bytes of the largest whole unit of the same kind near `row`; the unit's own when there is none. */
function largestAround(table: SampleTable, row: number): number {
  let largest = 0
  const key = table.flags[row] & SAMPLE_KEY
  for (let i = Math.max(0, row - NEIGHBOURS); i < Math.min(table.length, row + NEIGHBOURS); i++) {
    if ((table.flags[i] & SAMPLE_DAMAGED) !== 0 || (table.flags[i] & SAMPLE_KEY) !== key) continue
    largest = Math.max(largest, table.size[i])
  }
  return largest > 0 ? largest : table.size[row]
}
