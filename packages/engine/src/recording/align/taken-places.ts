import type { SampleTable } from '../../model/sample-table.ts'
import { type FileOrder, firstPlaceAt } from './file-order.ts'

/**
 * Places where samples were found already: no other sample of the index can lie there. Without it, pictures that were zeroed would be
 * found in earlier ones of their sizes.
 */
export class TakenPlaces {
  readonly #tables: readonly SampleTable[]
  readonly #order: FileOrder
  readonly #found: Uint8Array
  /** Shifts at which samples were found. */
  readonly #shifts = new Set<number>()
  #end = 0

  constructor(tables: readonly SampleTable[], order: FileOrder) {
    this.#tables = tables
    this.#order = order
    this.#found = new Uint8Array(Math.ceil(order.length / 8))
  }

  /** The row at a place of the file order was found at its offset and `shift`. Places come by rising number. */
  note(place: number, shift: number): void {
    this.#found[place >> 3] |= 1 << (place & 7)
    if (this.#shifts.size < MOST_SHIFTS) this.#shifts.add(shift)
    const table = this.#tables[this.#order.table[place]]
    const row = this.#order.row[place]
    this.#end = Math.max(this.#end, table.offset[row] + shift + table.size[row])
  }

  /** Whether a row before `place` was found to begin at `offset`. */
  has(offset: number, place: number): boolean {
    if (offset >= this.#end) return false
    for (const shift of this.#shifts) {
      for (let at = firstPlaceAt(this.#tables, this.#order, offset - shift, place); at < place; at++) {
        if (this.#offset(at) !== offset - shift) break
        if (this.#found[at >> 3] & (1 << (at & 7))) return true
      }
    }
    return false
  }

  #offset(place: number): number {
    return this.#tables[this.#order.table[place]].offset[this.#order.row[place]]
  }
}

/** Shifts looked through: an index is off by a few. */
const MOST_SHIFTS = 16
