import { type Piece, partOf, partsBetween } from '../reading/pieces.ts'
import { medianOf } from '../statistics.ts'
import type { Edges } from './edges.ts'

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
/** What is left of the mismatch at another place, and the share of a row's windows that must agree. */
const GAIN = 0.62
const AGREE = 0.8
/** MCUs around a break among which its ends are looked for. */
const AROUND = 40
/** MCUs that reading usually invents before it is in step again. */
const INVENTED = 12
/** Where a count is wrong and no break shows: rows a piece must have, MCUs between places tried, and places it is cut at. */
const LEAST_ROWS = 6
const STRIDE = 4
const SUSPECTS = 3
/** Breaks that are looked for in a picture. */
const MOST_BREAKS = 256

interface Slip {
  /** MCUs of the row above lie that many back. */
  readonly lag: number
  readonly offset: number
  readonly mismatch: number
}

/**
 * Cuts pieces where reading may have lost the way without noticing: from there on MCUs do not continue those a row above, for a
 * whole row, but do at another distance, or nowhere near.
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

  /** The parts of a piece in which MCUs may be missing or too many. */
  cut(piece: Piece): Piece[] {
    const wide = this.#mcuWide
    const end = piece.first + piece.count
    const pieces: Piece[] = []
    const history: number[] = []
    let start = piece.first
    let omitted: number | undefined
    let at = start + wide
    while (at + WINDOW * SUSTAINED <= end && this.#found < MOST_BREAKS) {
      const mismatch = this.#at(at, WINDOW, wide, 0)
      const usual = usualOf(history)
      const alarm = ALARM_FACTOR * usual + ALARM_LEVELS
      const learned = history.length >= LEAST_HISTORY
      if (learned && mismatch > alarm && this.#at(at, WINDOW * SUSTAINED, wide, 0) > alarm) {
        const ends = this.#break(at, start, end, usual)
        if (ends) {
          const [stop, next] = ends
          if (stop > start) pieces.push(partOf(piece, start, stop - start, omitted))
          this.#found++
          omitted = next - stop
          start = next
          at = start + wide
          continue
        }
      }
      if (mismatch <= alarm || !learned) history.push(mismatch)
      at += WINDOW
    }
    if (start < end) pieces.push(start === piece.first ? piece : partOf(piece, start, end - start, omitted))
    return pieces
  }

  /**
   * The parts of pieces that have too few MCUs or too many, though no break shows: cut where a row from somewhere in one row to
   * the same place in the next fits worst, compared with those around it. Most of these cuts turn out to be nothing.
   */
  cutAtWorst(pieces: readonly Piece[]): Piece[] {
    const wide = this.#mcuWide
    const worse = pieces.flatMap((piece, index) => this.#worst(piece).map((each) => ({ ...each, index })))
    worse.sort((a, b) => b.by - a.by)
    const chosen: { at: number; index: number }[] = []
    for (const { at, index } of worse) {
      if (chosen.length === SUSPECTS) break
      if (chosen.every((other) => other.index !== index || Math.abs(other.at - at) > 2 * wide))
        chosen.push({ at, index })
    }
    chosen.sort((a, b) => a.at - b.at)
    return pieces.flatMap((piece, index) => {
      const own = chosen.filter((each) => each.index === index)
      return partsBetween(
        piece,
        own.map(({ at }) => ({ stop: at - INVENTED / 2, next: at + INVENTED / 2 })),
      )
    })
  }

  /** How much worse than rows around it a row of a piece fits that begins at `at`, for places of a stride. */
  #worst(piece: Piece): { at: number; by: number }[] {
    const wide = this.#mcuWide
    if (piece.step > 1 || Math.floor(piece.count / wide) < LEAST_ROWS) return []
    const sums = new Float64Array(piece.count + 1)
    for (let i = 0; i < piece.count; i++) {
      const mismatch = i < wide ? 0 : this.#edges.mismatch(piece.first + i, piece.first + i - wide, 0, MOST)
      sums[i + 1] = sums[i] + mismatch
    }
    const worse: { at: number; by: number }[] = []
    for (let at = 2 * wide; at + 2 * wide <= piece.count; at += STRIDE) {
      const own = sums[at + wide] - sums[at]
      const around = Math.max(sums[at] - sums[at - wide], sums[at + 2 * wide] - sums[at + wide])
      worse.push({ at, by: own - around })
    }
    return worse
  }

  /** The end of what is right in front of a break around `at`, and the start of what is right behind it. */
  #break(at: number, start: number, end: number, usual: number): [number, number] | undefined {
    const stop = this.#stop(at, usual, start, end)
    const slip = this.#slip(Math.max(stop, at) + WINDOW, start, end)
    if (slip) return [stop, this.#next(stop, Math.min(end, at + AROUND), slip, usual, start)]
    return this.#rowBreaks(stop, end, usual) ? [stop, Math.min(end, stop + INVENTED)] : undefined
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
  #slip(first: number, start: number, end: number): Slip | undefined {
    const wide = this.#mcuWide
    const count = Math.min(end - first, this.#values.length)
    if (count < WINDOW) return undefined
    const now = this.#at(first, count, wide, 0)
    let best: Slip = { lag: wide, offset: 0, mismatch: now }
    for (let lag = wide - this.#reach; lag <= wide + this.#reach && first - lag >= start; lag++) {
      const offset = this.#offset(first, count, lag)
      const mismatch = this.#at(first, count, lag, offset)
      if (mismatch < best.mismatch) best = { lag, offset, mismatch }
    }
    if (best.lag === wide || best.mismatch >= GAIN * now) return undefined
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
    return windows === 0 || (after < GAIN * before && better >= AGREE * windows)
  }

  /**
   * Whether MCUs fit badly for one row from `stop` on and well behind it, where both sides of the border are on the same way
   * again.
   */
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
