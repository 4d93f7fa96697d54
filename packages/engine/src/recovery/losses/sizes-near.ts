import type { SampleTable } from '../../model/sample-table.ts'

/**
 * Bytes of the smallest and the largest unit among the `rows` on each side of `row`; a row of several units counts for the mean
 * one.
 */
export function sizesNear(
  table: SampleTable,
  row: number,
  rows: number,
): { smallest: number; largest: number } {
  let smallest = Number.POSITIVE_INFINITY
  let largest = 0
  const until = Math.min(table.length, row + rows)
  for (let i = Math.max(0, row - rows); i < until; i++) {
    const size = table.size[i] / table.count[i]
    smallest = Math.min(smallest, size)
    largest = Math.max(largest, size)
  }
  return { smallest, largest }
}
