import { SAMPLE_AFTER_HOLE, type SampleTable } from '../../model/sample-table.ts'

/** Pictures this near a hole lack neighbours in display order, and with them their own decoding time. */
const NEAR_HOLE = 6

/** Tells whether a row has a hole within a few rows before or behind it. */
export function nearHoles(table: SampleTable): (row: number) => boolean {
  const near = new Uint8Array(table.length)
  for (let row = 0; row < table.length; row++) {
    if ((table.flags[row] & SAMPLE_AFTER_HOLE) === 0 || row === 0) continue
    near.fill(1, Math.max(0, row - NEAR_HOLE), row + NEAR_HOLE)
  }
  return (row) => near[row] === 1
}
