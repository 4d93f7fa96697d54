import { Allowance } from '../../model/allowance.ts'
import type { SampleTable } from '../../model/sample-table.ts'
import type { AlignInput } from './align-input.ts'
import { hasOneSize } from './shift-finder.ts'
import type { TakenPlaces } from './taken-places.ts'

/** Bits of an offset or a size that may be flipped: files up to 64 TB. */
const BITS = 46
/** Places that may be tried, ninety for a sample: so many, and so many for every byte of the file. */
const PLACES = 1_000_000
const PLACES_A_BYTE = 1 / 8

/**
 * Finds samples whose place is off because one bit of a chunk offset, or of the size of a sample before them in their
 * chunk, was flipped: their place differs by a power of two, and so does that of the rest of the chunk.
 */
export class FlippedPlaces {
  readonly #input: AlignInput
  readonly #taken: TakenPlaces
  /** Where, by the index, the last sample of each track ended; the next one of its chunk starts there. */
  readonly #end: number[]
  /** By how much the last sample of each track was off. */
  readonly #delta: number[]
  readonly #usable: readonly boolean[]
  readonly #places: Allowance

  constructor(input: AlignInput, taken: TakenPlaces) {
    this.#input = input
    this.#taken = taken
    this.#places = new Allowance(PLACES + PLACES_A_BYTE * input.reader.size, input.reader.work)
    this.#end = input.tables.map(() => -1)
    this.#delta = input.tables.map(() => 0)
    // Samples of one size that is a power of two also fit where others of them lie.
    const ambiguous = (table: SampleTable): boolean =>
      hasOneSize(table) && Number.isInteger(Math.log2(table.size[0]))
    this.#usable = input.tables.map((table, lane) => input.checkers[lane].bits >= 20 && !ambiguous(table))
  }

  /**
   * By how much row `row` of table `lane`, at `place` of the file order, is off, which does not fit at `shift`; undefined when no
   * flipped bit explains it.
   */
  find(lane: number, row: number, place: number, shift: number): number | undefined {
    if (!this.#usable[lane]) return undefined
    const offset = this.#input.tables[lane].offset[row]
    const size = this.#input.tables[lane].size[row]
    const last = this.#delta[lane]
    const fits = (at: number): boolean => this.#fits(lane, at, size) && !this.#taken.has(at, size, place)
    if (offset === this.#end[lane] && last !== 0 && fits(offset + shift + last)) return last
    if (!this.#places.take(2 * BITS)) return undefined
    for (let bit = 0; bit < BITS; bit++) {
      const step = 2 ** bit
      if (fits(offset + shift - step)) return -step
      if (fits(offset + shift + step)) return step
    }
    return undefined
  }

  /** Row `row` of table `lane` was found to be off by `delta`. */
  note(lane: number, row: number, delta: number): void {
    const { offset, size } = this.#input.tables[lane]
    this.#end[lane] = offset[row] + size[row]
    this.#delta[lane] = delta
  }

  #fits(lane: number, offset: number, size: number): boolean {
    const { reader, checkers } = this.#input
    return offset >= 0 && size > 0 && offset + size <= reader.size && checkers[lane].fits(offset, size)
  }
}
