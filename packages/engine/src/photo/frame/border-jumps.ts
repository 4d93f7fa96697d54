import { inverseDctColumn } from '../../codecs/jpeg/dct.ts'
import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'

const BLOCK = 8
const LAST_COLUMN = 7
/** Column of a block next to the last one, and to the first. */
const [BEFORE_LAST, SECOND] = [6, 1]
/** Borders between blocks that are compared at most. */
const MOST_BORDERS = 4_000

/**
 * How far blocks of a component are from continuing their neighbours with each of several quantisation tables, over the first
 * `count` MCUs: wrong steps of detail leave jumps at the borders of blocks. Too fine ones make all jumps less, and too coarse
 * ones what lies beside them more: jumps are taken by the root of the steps between samples beside them.
 */
export function borderJumps(
  coefficients: Int16Array,
  layout: McuLayout,
  component: number,
  count: number,
  tables: readonly ArrayLike<number>[],
): Float64Array {
  const own = layout.components[component]
  const rows = Math.floor(count / layout.mcuWide) * own.v
  const borders = rows * (own.blocksWide - 1)
  const stride = Math.max(1, Math.floor(borders / MOST_BORDERS))
  const jumps = new Float64Array(tables.length)
  const steps = new Float64Array(tables.length)
  const [before, left, right, behind] = [0, 1, 2, 3].map(() => new Float32Array(BLOCK))
  for (let border = 0; border < borders; border += stride) {
    const row = Math.floor(border / (own.blocksWide - 1))
    const column = border % (own.blocksWide - 1)
    const one = layout.blockOffset(own, column, row)
    const next = layout.blockOffset(own, column + 1, row)
    tables.forEach((table, index) => {
      inverseDctColumn(coefficients, one, table, 0, BEFORE_LAST, before, 0)
      inverseDctColumn(coefficients, one, table, 0, LAST_COLUMN, left, 0)
      inverseDctColumn(coefficients, next, table, 0, 0, right, 0)
      inverseDctColumn(coefficients, next, table, 0, SECOND, behind, 0)
      for (let y = 0; y < BLOCK; y++) {
        jumps[index] += Math.abs(left[y] - right[y])
        steps[index] += Math.abs(left[y] - before[y]) + Math.abs(behind[y] - right[y])
      }
    })
  }
  return jumps.map((jump, index) => jump / Math.sqrt(Math.max(1, steps[index])))
}
