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
  const next = new Uint32Array(tables.length)
  const offsetOf = (table: number): number => tables[table].offset[next[table]]
  const waiting = new LeastFirst(offsetOf)
  for (let table = 0; table < tables.length; table++) if (tables[table].length > 0) waiting.add(table)
  let done = 0
  for (let best = waiting.take(); best >= 0; best = waiting.take()) {
    const table = tables[best]
    const second = waiting.least()
    do {
      order.table[done] = best
      order.row[done] = next[best]++
      done++
      if (done % PAUSE_ROWS === 0) await monitor.pause()
    } while (next[best] < table.length && table.offset[next[best]] <= second)
    if (next[best] < table.length) waiting.add(best)
  }
  return order
}

/** Tables by the offset of the row that each waits with, the least first and of equal ones the first table: a binary heap. */
class LeastFirst {
  readonly #offsetOf: (table: number) => number
  readonly #tables: number[] = []

  constructor(offsetOf: (table: number) => number) {
    this.#offsetOf = offsetOf
  }

  /** The least offset; infinite where no table waits. */
  least(): number {
    return this.#tables.length > 0 ? this.#offsetOf(this.#tables[0]) : Number.POSITIVE_INFINITY
  }

  add(table: number): void {
    const tables = this.#tables
    let at = tables.push(table) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(table, tables[parent])) break
      tables[at] = tables[parent]
      at = parent
    }
    tables[at] = table
  }

  /** Takes the first table; -1 where none waits. */
  take(): number {
    const tables = this.#tables
    const [first = -1] = tables
    const last = tables.pop() ?? -1
    if (tables.length === 0) return first
    let at = 0
    for (let child = 1; child < tables.length; child = 2 * at + 1) {
      if (child + 1 < tables.length && this.#isBefore(tables[child + 1], tables[child])) child++
      if (!this.#isBefore(tables[child], last)) break
      tables[at] = tables[child]
      at = child
    }
    tables[at] = last
    return first
  }

  #isBefore(a: number, b: number): boolean {
    const [first, second] = [this.#offsetOf(a), this.#offsetOf(b)]
    return first < second || (first === second && a < b)
  }
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
