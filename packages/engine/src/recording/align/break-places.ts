import { Allowance } from '../../model/allowance.ts'
import type { AlignInput } from './align-input.ts'
import type { FileOrder } from './file-order.ts'
import {
  count,
  judge,
  ROW_BROKEN,
  ROW_DAMAGED,
  ROW_FITS,
  ROW_OUTSIDE,
  ROW_UNCHECKED,
  type TrackAlignment,
} from './row-state.ts'
import { hasOneSize } from './shift-finder.ts'
import { breakInSound } from './sound-breaks.ts'

/** Rows before a break that may hold it. */
const SUSPECTS = 16
/** Bytes of sound that may be listened to, as a multiple of the file's, and at least. */
const HEARD_SHARE = 2
const HEARD = 1 << 20

/** Where bytes are missing or foreign ones were put in: what that means for the rows before it. */
export class BreakPlaces {
  readonly #input: AlignInput
  readonly #order: FileOrder
  readonly #tracks: readonly TrackAlignment[]
  /** Of each table, whether all samples have one size: any of them fits at another's place. */
  readonly #oneSize: readonly boolean[]
  /** Rows that may be moved behind a break. */
  readonly #moves: Allowance
  /** Bytes of sound that may be listened to. */
  readonly #heard: Allowance
  /** Ticks by which rows of each table may lie on the other side of a break: they fit where the index has them, too. */
  readonly loose: number[]
  /** Rows that are damaged only because a break is next to them, and what was seen of them. */
  readonly #suspects: { readonly track: TrackAlignment; readonly row: number; readonly state: number }[] = []

  constructor(input: AlignInput, order: FileOrder, tracks: readonly TrackAlignment[]) {
    this.#input = input
    this.#order = order
    this.#tracks = tracks
    this.#oneSize = input.tables.map(hasOneSize)
    this.#moves = new Allowance(order.length, input.reader.work)
    this.#heard = new Allowance(HEARD_SHARE * input.reader.size + HEARD, input.reader.work)
    this.loose = tracks.map(() => 0)
  }

  /** No byte is missing and none was put in: rows that were suspected to hold a break are what they seemed. */
  acquit(): void {
    for (const { track, row, state } of this.#suspects)
      if (track.state[row] === ROW_DAMAGED) this.#mark(track, row, state)
  }

  /**
   * The row at place `at` of the file order is the first that was seen to lie at `shift` instead of at `before`.
   * @returns the first byte of the file that is known to lie behind the break
   */
  settle(at: number, before: number, shift: number): number {
    const { checker, size } = this.#rowAt(at)
    const heard = this.#hear(at, before, shift)
    if (heard.found) return heard.start
    this.#suspect(heard.place)
    const { start } = heard
    if (heard.place < at) return shift < before ? this.#move(heard.place, start, shift) : start
    return shift < before && checker.fits(start, size) ? this.#move(at, start, shift) : start
  }

  /**
   * Listens to plain sound in front of place `at`: what lies behind the break is moved there.
   * @returns the first place and byte known to lie behind the break, and whether that was found in what was heard
   */
  #hear(at: number, before: number, shift: number): { place: number; start: number; found: boolean } {
    let place = at
    let start = this.#rowAt(at).offset + shift
    while (place > 0) {
      const first = this.#soundBefore(place, before)
      const { checker, offset } = this.#rowAt(first)
      const last = this.#rowAt(place - 1)
      const length = last.offset + last.size - offset
      if (first === place || !checker.sound || !this.#heard.take(2 * length)) break
      const head = breakInSound(this.#input.reader, checker.sound, offset + before, offset + shift, length)
      if (head === undefined) break
      this.#divide(first, place, head, shift)
      place = first
      start = offset + head + shift
      if (head > 0) return { place, start, found: true }
    }
    return { place, start, found: false }
  }

  /**
   * The first place of rows of sound that nothing was checked of and that join, up to the one before `place`; `place` when there
   * is none.
   */
  #soundBefore(place: number, shift: number): number {
    let first = place
    for (; first > 0 && this.#heard.take(); first--) {
      const { track, row, checker, offset, size } = this.#rowAt(first - 1)
      const joins = first === place || this.#joins(first, offset + size)
      if (!joins || !checker.sound || track.state[row] !== ROW_UNCHECKED || track.shift[row] !== shift) break
    }
    return first
  }

  /** Whether the row at `place` is of the same track as the one before and begins at `end`. */
  #joins(place: number, end: number): boolean {
    return this.#order.table[place] === this.#order.table[place - 1] && this.#rowAt(place).offset === end
  }

  /**
   * Rows of sound from place `first` to before `until` lie `shift` off behind `head` bytes; the one that holds the break where
   * more of it is.
   */
  #divide(first: number, until: number, head: number, shift: number): void {
    const base = this.#rowAt(first).offset
    for (let i = first; i < until; i++) {
      const { track, row, offset, size } = this.#rowAt(i)
      const kept = Math.max(0, base + head - offset)
      if (kept >= size) continue
      if (size - kept >= kept) track.shift[row] = shift
      if (kept > 0) this.#mark(track, row, ROW_DAMAGED)
    }
  }

  /**
   * A NAL unit chain fits by its length fields even if bytes were lost inside its last unit: the sample right before the break is
   * the one that holds it. Rows that nobody can check may hold it too.
   */
  #suspect(at: number): void {
    for (let i = at - 1; i >= 0 && i >= at - SUSPECTS; i--) {
      const { track, row, checker, size } = this.#rowAt(i)
      const state = track.state[row]
      if (state === ROW_BROKEN || state === ROW_DAMAGED) return
      const proven = checker.exact && state === ROW_FITS
      if (proven) return
      if (size === 0 || state === ROW_OUTSIDE) continue
      this.#suspects.push({ track, row, state })
      this.#mark(track, row, ROW_DAMAGED)
      if (checker.bits > 0) return
    }
  }

  /**
   * Bytes are missing, and those from `start` on lie behind the gap: rows that seemed to fit there where the index has them lie
   * behind it themselves, as frames of one size do, or hold it. Returns the start of the first that was moved.
   */
  #move(at: number, start: number, shift: number): number {
    let first = start
    const loose = this.#tracks.map(() => 0)
    let settled = false
    for (let i = at - 1; i >= 0 && this.#moves.take(); i--) {
      const { table, track, row, checker, offset, size, duration } = this.#rowAt(i)
      const before = track.state[row]
      const old = offset + track.shift[row]
      if (size === 0 || track.shift[row] <= shift) continue
      if (old + size <= first) break
      const state = judge(this.#input, checker, offset + shift, size)
      const fits = state === ROW_FITS || state === ROW_DAMAGED
      // one read to its end where the index has it and not behind the gap: what seemed to lie behind is off for itself
      if (before === ROW_FITS && checker.exact && !fits && !this.#oneSize[table]) break
      const moved = old >= first || (checker.bits > 0 && fits)
      // an entry that reaches beyond the file holds no break: it is wrong itself
      if (!moved && track.state[row] === ROW_OUTSIDE) continue
      if (!moved) {
        settled = before === ROW_BROKEN || before === ROW_DAMAGED
        this.#mark(track, row, ROW_DAMAGED)
        break
      }
      if (before === ROW_FITS && state === ROW_FITS) loose[table] += duration
      track.shift[row] = shift
      this.#mark(track, row, state)
      first = offset + shift
    }
    for (const [table, ticks] of loose.entries())
      if (!settled) this.loose[table] = Math.max(this.loose[table], ticks)
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
      table: lane,
      track: this.#tracks[lane],
      checker: this.#input.checkers[lane],
      row,
      offset: table.offset[row],
      size: table.size[row],
      duration: table.duration[row],
    }
  }
}
