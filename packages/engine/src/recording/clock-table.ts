import { roomFor, widened } from '../bytes/columns.ts'
import { LimitError } from '../model/errors.ts'
import type { SampleTable } from '../model/sample-table.ts'

/** Times of packets or packs in the order of a file: `dts` in ticks, unwrapped, NaN where it is not known. */
export type StampRows = Pick<SampleTable, 'length' | 'offset' | 'dts' | 'cts'>

const USUAL = 1024

/** Clock references and where they stand, in columns: 20 bytes each, which is less than half of what samples take. */
export class ClockTable implements StampRows {
  length = 0
  offset = new Float64Array(USUAL)
  dts = new Float64Array(USUAL)
  /** Zeros: a clock has but one time. */
  cts = new Int32Array(USUAL)
  readonly #limit: number
  readonly #bytes: number

  /**
   * @param limit of rows
   * @param bytes of the file that rows are added from in its order, 0 where these are not known
   */
  constructor(limit: number, bytes = 0) {
    this.#limit = limit
    this.#bytes = bytes
  }

  /** Appends a row. Returns its index. @throws LimitError past the limit of rows. */
  push(offset: number, ticks: number): number {
    const row = this.length
    if (row >= this.#limit) throw new LimitError(`more than ${this.#limit} clock references`)
    if (row === this.offset.length) this.#grow()
    this.offset[row] = offset
    this.dts[row] = ticks
    this.length = row + 1
    return row
  }

  #grow(): void {
    const capacity = roomFor(this.length, this.#limit, this.offset[this.length - 1], this.#bytes)
    this.offset = widened(this.offset, capacity)
    this.dts = widened(this.dts, capacity)
    // zeros are not copied: memory that nobody writes to costs nothing
    this.cts = new Int32Array(capacity)
  }
}
