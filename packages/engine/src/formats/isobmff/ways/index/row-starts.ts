import { countBelow, nextAbove } from '../../../../model/bisect.ts'
import { ROW_FITS } from '../../../../recording/align/row-state.ts'
import type { HeldIndex } from '../../assess.ts'

/**
 * Samples that fit and begin inside of another from which on its size is wrong: one may be a chance, or begin at a wrong place
 * itself.
 */
const SWALLOWED = 2

/** Where the rows of all tracks of an index lie in the file. */
export class RowStarts {
  readonly #index: HeldIndex
  #all: Float64Array | undefined
  #fitting: Float64Array | undefined

  constructor(index: HeldIndex) {
    this.#index = index
  }

  /** The next start behind an offset, which bounds a sample of wrong size; infinite where none is. */
  next(offset: number): number {
    this.#all ??= this.#sorted(false)
    return nextAbove(this.#all, offset)
  }

  /** Whether several rows that fit begin at different places inside (offset, end). */
  areSwallowed(offset: number, end: number): boolean {
    this.#fitting ??= this.#overlap() ? this.#sorted(true) : new Float64Array(0)
    const fitting = this.#fitting
    let at = countBelow(fitting, offset + 1)
    for (let found = 0; at < fitting.length && fitting[at] < end; at++) {
      if (at > 0 && fitting[at] === fitting[at - 1]) continue
      if (++found === SWALLOWED) return true
    }
    return false
  }

  /** Whether some row begins before an earlier one ends: in nearly all files none does. */
  #overlap(): boolean {
    let end = 0
    return this.#each((start, size) => {
      if (start < end) return true
      end = start + size
      return false
    })
  }

  #sorted(fitting: boolean): Float64Array {
    const starts = new Float64Array(this.#index.alignment.order.length)
    let count = 0
    this.#each((start, _, state) => {
      if (!fitting || state === ROW_FITS) starts[count++] = start
      return false
    })
    return starts.subarray(0, count).sort()
  }

  /** Visits the rows in the order in which the index has them in the file, until one visit returns true. Says whether one did. */
  #each(visit: (start: number, size: number, state: number) => boolean): boolean {
    const { tracks, alignment } = this.#index
    const { order } = alignment
    for (let i = 0; i < order.length; i++) {
      const lane = order.table[i]
      const row = order.row[i]
      const { samples } = tracks[lane]
      const { shift, state } = alignment.tracks[lane]
      if (visit(samples.offset[row] + shift[row], samples.size[row], state[row])) return true
    }
    return false
  }
}
