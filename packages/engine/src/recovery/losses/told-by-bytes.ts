import type { Region } from '../../bytes/regions.ts'
import type { SampleTable } from '../../model/sample-table.ts'

/** Rows on each side of a hole whose sizes tell how large its units were. */
const NEIGHBOURS = 64

/**
 * Whether a hole that took units of one track alone, in front of `row`, has room for just so many: one more would not go into it were all as
 * small as the smallest near, one less would leave bytes over were all as large as the largest.
 */
export function isToldByBytes(table: SampleTable, row: number, units: number, hole: Region): boolean {
  let smallest = Number.POSITIVE_INFINITY
  let largest = 0
  const until = Math.min(table.length, row + NEIGHBOURS)
  for (let i = Math.max(0, row - NEIGHBOURS); i < until; i++) {
    const size = table.size[i] / table.count[i]
    smallest = Math.min(smallest, size)
    largest = Math.max(largest, size)
  }
  const fits = units * smallest <= hole.length && hole.length <= units * largest
  return fits && (units + 1) * smallest > hole.length && (units - 1) * largest < hole.length
}
