import { widened } from '../../bytes/columns.ts'

const FIRST_ROOM = 64

/** Markers of a scan by columns: damage makes millions of them, and an object for each would be many times their size. */
export class MarkerColumns {
  count = 0
  #at = new Uint32Array(FIRST_ROOM)
  #codes = new Uint8Array(FIRST_ROOM)

  /** Adds a marker that stood in front of data byte `at`. */
  add(at: number, code: number): void {
    if (this.count === this.#at.length) {
      this.#at = widened(this.#at, 2 * this.count)
      this.#codes = widened(this.#codes, 2 * this.count)
    }
    this.#at[this.count] = at
    this.#codes[this.count++] = code
  }

  /** The data byte in front of which a marker stood. */
  at(index: number): number {
    return this.#at[index]
  }

  code(index: number): number {
    return this.#codes[index]
  }
}
