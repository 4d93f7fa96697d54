import type { Monitor } from '../../model/monitor.ts'
import type { SampleTable } from '../../model/sample-table.ts'

/** Rows of several tables in the order of their offsets, as (table, row) pairs in two columns. */
export interface FileOrder {
  readonly length: number
  readonly table: Uint8Array
  readonly row: Uint32Array
}

/** Rows merged between two pauses. */
const PAUSE_ROWS = 65_536

/**
 * Merges the rows of all tables by offset; each table's own order is kept, so that rows out of order within a table
 * come where the table has them. At most 256 tables.
 */
export async function fileOrder(tables: readonly SampleTable[], monitor: Monitor): Promise<FileOrder> {
  const length = tables.reduce((sum, table) => sum + table.length, 0)
  const order = { length, table: new Uint8Array(length), row: new Uint32Array(length) }
  const next = tables.map(() => 0)
  let done = 0
  while (done < length) {
    let best = -1
    let bestOffset = Number.POSITIVE_INFINITY
    let second = Number.POSITIVE_INFINITY
    for (let i = 0; i < tables.length; i++) {
      if (next[i] >= tables[i].length) continue
      const offset = tables[i].offset[next[i]]
      if (best < 0 || offset < bestOffset) {
        second = bestOffset
        bestOffset = offset
        best = i
      } else if (offset < second) second = offset
    }
    const table = tables[best]
    do {
      order.table[done] = best
      order.row[done] = next[best]++
      done++
      if (done % PAUSE_ROWS === 0) await monitor.pause()
    } while (next[best] < table.length && table.offset[next[best]] <= second)
  }
  return order
}

/** The first place before `until` with at least this offset in the index, which rises with the places as a rule. */
export function firstPlaceAt(
  tables: readonly SampleTable[],
  order: FileOrder,
  offset: number,
  until: number,
): number {
  let low = 0
  let high = until
  while (low < high) {
    const middle = (low + high) >> 1
    if (tables[order.table[middle]].offset[order.row[middle]] < offset) low = middle + 1
    else high = middle
  }
  return low
}
