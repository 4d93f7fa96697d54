import type { SampleTable } from '../../model/sample-table.ts'
import { type FileOrder, firstPlaceAt } from './file-order.ts'

/**
 * Places where samples were found already: no other sample of the index can lie there. Without it, pictures that were zeroed
 * would be found in earlier ones of their sizes, or in parts of those.
 */
export class TakenPlaces {
  readonly #tables: readonly SampleTable[]
  readonly #order: FileOrder
  readonly #found: Uint8Array
  /** Shifts at which samples were found. */
  readonly #shifts = new Set<number>()
  #end = 0
  #last = -1

  constructor(tables: readonly SampleTable[], order: FileOrder) {
    this.#tables = tables
    this.#order = order
    this.#found = new Uint8Array(Math.ceil(order.length / 8))
  }

  /** The row at a place of the file order was found at its offset and `shift`. Places come by rising number. */
  note(place: number, shift: number): void {
    this.#found[place >> 3] |= 1 << (place & 7)
    this.#last = place
    if (this.#shifts.size < MOST_SHIFTS) this.#shifts.add(shift)
    const table = this.#tables[this.#order.table[place]]
    const row = this.#order.row[place]
    this.#end = Math.max(this.#end, table.offset[row] + shift + table.size[row])
  }

  /**
   * Whether a row before `place` was found where `size` bytes at `offset` lie. Those of the one found last may: it may lack bytes
   * inside, and reach no further than to `offset`.
   */
  has(offset: number, size: number, place: number): boolean {
    if (offset >= this.#end) return false
    for (const shift of this.#shifts) {
      const from = offset - shift
      const first = firstPlaceAt(this.#tables, this.#order, from, place)
      for (let at = first; at < Math.min(place, first + MOST_ROWS); at++) {
        if (this.#offset(at) >= from + Math.max(size, 1)) break
        if (this.#isFound(at)) return true
      }
      for (let at = first - 1; at >= Math.max(0, first - MOST_ROWS); at--) {
        if (!this.#isFound(at)) continue
        if (at !== this.#last && this.#offset(at) + this.#size(at) > from) return true
        break
      }
    }
    return false
  }

  #isFound(place: number): boolean {
    return (this.#found[place >> 3] & (1 << (place & 7))) !== 0
  }

  #size(place: number): number {
    return this.#tables[this.#order.table[place]].size[this.#order.row[place]]
  }

  #offset(place: number): number {
    return this.#tables[this.#order.table[place]].offset[this.#order.row[place]]
  }
}

/** Shifts looked through: an index is off by a few. */
const MOST_SHIFTS = 16
/** Rows looked at on either side of a place: those in between were not found. */
const MOST_ROWS = 8
