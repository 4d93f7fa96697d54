import { inverseDctColumn } from '../codecs/jpeg/dct.ts'
import type { McuLayout } from '../codecs/jpeg/mcu-layout.ts'

const BLOCK = 8
const LAST_COLUMN = 7
/** Borders between blocks that are compared at most. */
const MOST_BORDERS = 4_000

/**
 * How far blocks of a component are from continuing their neighbours with each of several quantisation tables, over the first `count` MCUs:
 * wrong steps of detail leave jumps at the borders of blocks.
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
  const left = new Float32Array(BLOCK)
  const right = new Float32Array(BLOCK)
  for (let border = 0; border < borders; border += stride) {
    const row = Math.floor(border / (own.blocksWide - 1))
    const column = border % (own.blocksWide - 1)
    const before = layout.blockOffset(own, column, row)
    const behind = layout.blockOffset(own, column + 1, row)
    tables.forEach((table, index) => {
      inverseDctColumn(coefficients, before, table, 0, LAST_COLUMN, left, 0)
      inverseDctColumn(coefficients, behind, table, 0, 0, right, 0)
      for (let y = 0; y < BLOCK; y++) jumps[index] += Math.abs(left[y] - right[y])
    })
  }
  return jumps
}
