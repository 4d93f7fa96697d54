import type { Edges } from './edges.ts'
import { type Piece, partOf } from './pieces.ts'
import { medianOf } from './statistics.ts'

/** MCUs compared together. */
const WINDOW = 16
/** Levels from which on a difference counts no more. */
const MOST = 48
/** A window is suspicious when its mismatch is above that factor of what is usual, and levels. */
const ALARM_FACTOR = 1.7
const ALARM_LEVELS = 2
/** Windows in a row that must be suspicious together. */
const SUSTAINED = 3
/** Windows whose median is what is usual, and how many tell it at least. */
const HISTORY = 64
const LEAST_HISTORY = 4
const USUAL_BEFORE = 6
const LEAST_USUAL = 0.8
/** The reach of a slip in MCUs, and in a part of a row. */
const REACH = 96
const REACH_OF_ROW = 1 / 3
/** What is left of the mismatch at another place; with another DC alone; and the share of a row's windows that must agree. */
const GAIN = 0.62
const SAME_PLACE_GAIN = 0.5
const AGREE = 0.8
/** A step of DC that is believed without a slip, in levels. */
const LEAST_STEP = 3
/** MCUs around a break among which its ends are looked for. */
const AROUND = 40
/** MCUs that reading usually invents before it is in step again. */
const INVENTED = 12
/** Breaks that are looked for in a picture. */
const MOST_BREAKS = 256

interface Slip {
  /** MCUs of the row above lie that many back. */
  readonly lag: number
  readonly offset: number
  readonly mismatch: number
}

/**
 * Cuts pieces where reading lost the way without noticing: from there on MCUs do not continue those a row above, for a whole row, but do at
 * another distance, with another DC, or nowhere near.
 */
export class BreakFinder {
  readonly #edges: Edges
  readonly #mcuWide: number
  readonly #reach: number
  readonly #values = new Float32Array(SUSTAINED * WINDOW)
  #found = 0

  constructor(edges: Edges, mcuWide: number) {
    this.#edges = edges
    this.#mcuWide = mcuWide
    this.#reach = Math.min(REACH, Math.floor(mcuWide * REACH_OF_ROW))
  }

  /**
   * The parts of a piece. `moves`: MCUs may be missing or too many in it, so that what follows a break may lie elsewhere; else only DC is
   * looked at. `column` of its first MCU, when it is known.
   */
  cut(piece: Piece, moves: boolean, column: number | undefined): Piece[] {
    const wide = this.#mcuWide
    const end = piece.first + piece.count
    const pieces: Piece[] = []
    const history: number[] = []
    let start = piece.first
    let at = start + wide
    while (at + WINDOW * SUSTAINED <= end && this.#found < MOST_BREAKS) {
      const mismatch = this.#at(at, WINDOW, wide, 0)
      const usual = usualOf(history)
      const alarm = ALARM_FACTOR * usual + ALARM_LEVELS
      const learned = history.length >= LEAST_HISTORY
      if (learned && mismatch > alarm && this.#at(at, WINDOW * SUSTAINED, wide, 0) > alarm) {
        const ends = this.#break(
          at,
          start,
          end,
          usual,
          moves,
          column === undefined ? undefined : column - piece.first,
        )
        if (ends) {
          const [stop, next] = ends
          if (stop > start) pieces.push(partOf(piece, start, stop - start))
          this.#found++
          start = next
          at = start + wide
          continue
        }
      }
      if (mismatch <= alarm || !learned) history.push(mismatch)
      at += WINDOW
    }
    if (start < end) pieces.push(start === piece.first ? piece : partOf(piece, start, end - start))
    return pieces
  }

  /** The end of what is right in front of a break around `at`, and the start of what is right behind it. */
  #break(
    at: number,
    start: number,
    end: number,
    usual: number,
    moves: boolean,
    columnOfZero: number | undefined,
  ): [number, number] | undefined {
    const wide = this.#mcuWide
    const stop = this.#stop(at, usual, start, end)
    const first = Math.max(stop, at) + WINDOW
    const slip = this.#slip(first, start, end, moves)
    if (slip) {
      if (slip.lag === wide) {
        // an edge along a whole row of the picture looks the same, but begins where the row does
        if (columnOfZero === undefined) return undefined
        const column = (stop + columnOfZero) % wide
        if (column < WINDOW || column >= wide - WINDOW) return undefined
      }
      return [stop, this.#next(stop, Math.min(end, at + AROUND), slip, usual, start)]
    }
    return moves && this.#rowBreaks(stop, end, usual) ? [stop, Math.min(end, stop + INVENTED)] : undefined
  }

  /** Mean mismatch of MCUs with those `lag` before them. */
  #at(first: number, count: number, lag: number, offset: number): number {
    let sum = 0
    for (let i = first; i < first + count; i++) sum += this.#edges.mismatch(i, i - lag, offset, MOST)
    return sum / count
  }

  #offset(first: number, count: number, lag: number): number {
    const { topMean, bottomMean } = this.#edges
    for (let i = 0; i < count; i++) this.#values[i] = bottomMean[first + i - lag] - topMean[first + i]
    return medianOf(this.#values, count)
  }

  /** The best other place of MCUs, when all of the row agrees that it is better. */
  #slip(first: number, start: number, end: number, moves: boolean): Slip | undefined {
    const wide = this.#mcuWide
    const count = Math.min(end - first, this.#values.length)
    if (count < WINDOW) return undefined
    const reach = moves ? this.#reach : 0
    const now = this.#at(first, count, wide, 0)
    let best: Slip = { lag: wide, offset: 0, mismatch: now }
    for (let lag = wide - reach; lag <= wide + reach && first - lag >= start; lag++) {
      const offset = this.#offset(first, count, lag)
      const mismatch = this.#at(first, count, lag, offset)
      if (mismatch < best.mismatch) best = { lag, offset, mismatch }
    }
    const same = best.lag === wide
    if (same && Math.abs(best.offset) < LEAST_STEP) return undefined
    if (best.mismatch >= (same ? SAME_PLACE_GAIN : GAIN) * now) return undefined
    return this.#holds(first, Math.min(end, first + best.lag - AROUND), best) ? best : undefined
  }

  /** Whether the rest of the row, window by window, is better explained by a slip. */
  #holds(first: number, end: number, { lag, offset }: Slip): boolean {
    let before = 0
    let after = 0
    let better = 0
    let windows = 0
    for (let at = first; at + WINDOW <= end; at += WINDOW) {
      const old = this.#at(at, WINDOW, this.#mcuWide, 0)
      const slipped = this.#at(at, WINDOW, lag, offset)
      before += old
      after += slipped
      windows++
      if (slipped < old) better++
    }
    const gain = lag === this.#mcuWide ? SAME_PLACE_GAIN : GAIN
    return windows === 0 || (after < gain * before && better >= AGREE * windows)
  }

  /** Whether MCUs fit badly for one row from `stop` on and well behind it, where both sides of the border are on the same way again. */
  #rowBreaks(stop: number, end: number, usual: number): boolean {
    const wide = this.#mcuWide
    if (stop + 2 * wide > end) return false
    const alarm = ALARM_FACTOR * usual + ALARM_LEVELS
    let bad = 0
    let good = 0
    let windows = 0
    for (let at = stop; at + WINDOW <= stop + wide; at += WINDOW) {
      windows++
      if (this.#at(at, WINDOW, wide, 0) > alarm) bad++
      if (this.#at(at + wide, WINDOW, wide, 0) <= alarm) good++
    }
    return bad >= AGREE * windows && good >= AGREE * windows
  }

  /** Where what was right ends: the MCU up to which fitting ones outweigh others most. */
  #stop(at: number, usual: number, start: number, end: number): number {
    const limit = 2 * usual + 2
    const from = Math.max(start + this.#mcuWide, at - AROUND)
    let sum = 0
    let best = 0
    let stop = from
    for (let i = from; i < Math.min(end, at + AROUND); i++) {
      sum += limit - this.#edges.mismatch(i, i - this.#mcuWide, 0, MOST)
      if (sum > best) {
        best = sum
        stop = i + 1
      }
    }
    return stop
  }

  /** Where what follows begins, looked for from `to` back. */
  #next(stop: number, to: number, { lag, offset }: Slip, usual: number, start: number): number {
    const limit = 2 * usual + 2
    let sum = 0
    let best = Number.NEGATIVE_INFINITY
    let next = to
    for (let i = to - 1; i >= stop && i - lag >= start; i--) {
      sum += limit - this.#edges.mismatch(i, i - lag, offset, MOST)
      if (sum > best) {
        best = sum
        next = i
      }
    }
    return next
  }
}

function usualOf(history: readonly number[]): number {
  if (history.length < LEAST_HISTORY) return USUAL_BEFORE
  const values = Float32Array.from(history.slice(-HISTORY))
  return Math.max(LEAST_USUAL, medianOf(values))
}
