import { mergeRegions, type Region, subtractRegions } from '../../bytes/regions.ts'
import { SAMPLE_DAMAGED, type SampleTable } from '../../model/sample-table.ts'

/** Share of a track's bytes that may lie where the other way of finding it has none. */
const APART = 0.02

/**
 * Whether the whole samples of a track lie where another way of finding the same track has it, however each cuts it into samples:
 * an index that puts samples where other tracks' bytes are is wrong even where it leaves nothing over.
 */
export function liesWithin(table: SampleTable, other: SampleTable): boolean {
  const own = mergeRegions(wholeRows(table))
  const apart = subtractRegions(own, mergeRegions(wholeRows(other)))
  return bytesOf(apart) <= bytesOf(own) * APART
}

function wholeRows(table: SampleTable): Region[] {
  const rows: Region[] = []
  for (let row = 0; row < table.length; row++) {
    if (table.flags[row] & SAMPLE_DAMAGED) continue
    rows.push({ offset: table.offset[row], length: table.size[row] })
  }
  return rows
}

function bytesOf(regions: readonly Region[]): number {
  return regions.reduce((sum, { length }) => sum + length, 0)
}
