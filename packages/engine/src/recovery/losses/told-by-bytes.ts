import type { Region } from '../../bytes/regions.ts'
import type { SampleTable } from '../../model/sample-table.ts'
import { sizesNear } from './sizes-near.ts'

/** Rows on each side of a hole whose sizes tell how large its units were. */
const NEIGHBOURS = 64

/**
 * Whether a hole that took units of one track alone, in front of `row`, has room for just so many: one more would not go into it
 * were all as small as the smallest near, one less would leave bytes over were all as large as the largest.
 */
export function isToldByBytes(table: SampleTable, row: number, units: number, hole: Region): boolean {
  const { smallest, largest } = sizesNear(table, row, NEIGHBOURS)
  const fits = units * smallest <= hole.length && hole.length <= units * largest
  return fits && (units + 1) * smallest > hole.length && (units - 1) * largest < hole.length
}
