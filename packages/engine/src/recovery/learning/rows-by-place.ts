import type { SampleTable } from '../../model/sample-table.ts'

/** Visits rows of several tables by rising file offset. */
export type RowVisitor = (lane: number, row: number) => void

/** Walks the rows of all tables in the order in which their bytes lie in the file. */
export function inFileOrder(tables: readonly SampleTable[], visit: RowVisitor): void {
  const orders = tables.map(rowsByOffset)
  const next = tables.map(() => 0)
  for (;;) {
    let lane = -1
    let lowest = Number.POSITIVE_INFINITY
    for (let i = 0; i < tables.length; i++) {
      if (next[i] >= tables[i].length) continue
      const order = orders[i]
      const offset = tables[i].offset[order ? order[next[i]] : next[i]]
      if (offset < lowest) {
        lowest = offset
        lane = i
      }
    }
    if (lane < 0) return
    const order = orders[lane]
    const at = next[lane]++
    visit(lane, order ? order[at] : at)
  }
}

/** Row numbers by offset, or undefined when the rows already lie in order. */
function rowsByOffset(table: SampleTable): Uint32Array | undefined {
  let sorted = true
  for (let row = 1; row < table.length && sorted; row++) sorted = table.offset[row] >= table.offset[row - 1]
  if (sorted) return undefined
  const rows = Uint32Array.from({ length: table.length }, (_, row) => row)
  return rows.sort((a, b) => table.offset[a] - table.offset[b])
}
