import { Allowance } from '../../model/allowance.ts'
import type { AlignInput } from './align.ts'
import type { FileOrder } from './file-order.ts'
import {
  count,
  judge,
  ROW_BROKEN,
  ROW_DAMAGED,
  ROW_FITS,
  ROW_OUTSIDE,
  type TrackAlignment,
} from './row-state.ts'

/** Rows before a break that may hold it. */
const SUSPECTS = 16

/** Where bytes are missing or foreign ones were put in: what that means for the rows before it. */
export class BreakPlaces {
  readonly #input: AlignInput
  readonly #order: FileOrder
  readonly #tracks: readonly TrackAlignment[]
  /** Rows that may be moved behind a break. */
  readonly #moves: Allowance

  constructor(input: AlignInput, order: FileOrder, tracks: readonly TrackAlignment[]) {
    this.#input = input
    this.#order = order
    this.#tracks = tracks
    this.#moves = new Allowance(order.length)
  }

  /**
   * The row at place `at` of the file order is the first that was seen to lie at `shift` instead of at `before`.
   * @returns the first byte of the file that is known to lie behind the break
   */
  settle(at: number, before: number, shift: number): number {
    this.#suspect(at)
    const { checker, offset, size } = this.#rowAt(at)
    const start = offset + shift
    return shift < before && checker.fits(start, size) ? this.#move(at, start, shift) : start
  }

  /**
   * A NAL unit chain fits by its length fields even if bytes were lost inside its last unit: the sample right before the break is the
   * one that holds it. Rows that nobody can check may hold it too.
   */
  #suspect(at: number): void {
    for (let i = at - 1; i >= 0 && i >= at - SUSPECTS; i--) {
      const { track, row, checker, size } = this.#rowAt(i)
      const state = track.state[row]
      if (state === ROW_BROKEN || state === ROW_DAMAGED) return
      const proven = checker.exact && state === ROW_FITS
      if (proven) return
      if (size === 0 || state === ROW_OUTSIDE) continue
      this.#mark(track, row, ROW_DAMAGED)
      if (checker.bits > 0) return
    }
  }

  /**
   * Bytes are missing, and those from `start` on lie behind the gap: rows that seemed to fit there where the index has them lie behind it
   * themselves, as frames of one size do, or hold it. Returns the start of the first that was moved.
   */
  #move(at: number, start: number, shift: number): number {
    let first = start
    for (let i = at - 1; i >= 0 && this.#moves.take(); i--) {
      const { track, row, checker, offset, size } = this.#rowAt(i)
      const old = offset + track.shift[row]
      if (size === 0 || track.shift[row] <= shift) continue
      if (old + size <= first) break
      const state = judge(this.#input, checker, offset + shift, size)
      const moved = old >= first || (checker.bits > 0 && (state === ROW_FITS || state === ROW_DAMAGED))
      // an entry that reaches beyond the file holds no break: it is wrong itself
      if (!moved && track.state[row] === ROW_OUTSIDE) continue
      if (!moved) {
        this.#mark(track, row, ROW_DAMAGED)
        break
      }
      track.shift[row] = shift
      this.#mark(track, row, state)
      first = offset + shift
    }
    return first
  }

  #mark(track: TrackAlignment, row: number, state: number): void {
    count(track, track.state[row], -1)
    track.state[row] = state
    count(track, state, 1)
  }

  #rowAt(place: number) {
    const lane = this.#order.table[place]
    const row = this.#order.row[place]
    const table = this.#input.tables[lane]
    return {
      track: this.#tracks[lane],
      checker: this.#input.checkers[lane],
      row,
      offset: table.offset[row],
      size: table.size[row],
    }
  }
}
