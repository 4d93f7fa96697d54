import type { Allowance } from '../model/allowance.ts'

/** Reads what Huffman codes follow each other in: MCUs, or blocks of a band. -1 where no unit can begin. */
export interface UnitReader {
  read(position: number, out: Int16Array, offset: number): number
}

/** Bits tried as the first one of an MCU, in usual lengths of an MCU, and bounds. */
const CANDIDATE_MCUS = 4
const LEAST_CANDIDATES = 256
const MOST_CANDIDATES = 8_192
/** MCUs that a reading must survive to count, by usual lengths, and bounds of the bits looked at. */
const WINDOW_MCUS = 48
const LEAST_WINDOW = 1 << 13
const MOST_WINDOW = 1 << 18
/** Readings that must have met in a place for it to be on the right way. */
const SHARE = 0.25
/** MCUs a surviving reading is followed for. */
const FOLLOWED = 256

const UNREAD = -2
const DEAD = -1

/**
 * Finds an MCU's first bit behind damage. Huffman codes fall into step by themselves: readings begun at all bits in turn either break or meet
 * on the same way, and those that survive meet on the right one, in the right order of blocks, too.
 */
export class Resynchroniser {
  readonly #reader: UnitReader
  readonly #scratch: Int16Array
  readonly #allowance: Allowance
  #next = new Int32Array(0)
  #met = new Uint16Array(0)

  constructor(reader: UnitReader, mcuLength: number, allowance: Allowance) {
    this.#reader = reader
    this.#scratch = new Int16Array(mcuLength)
    this.#allowance = allowance
  }

  /** The first bit from `from` on that is on the way of most surviving readings, before `end`; -1 when none is. `usual`: bits of a usual MCU. */
  find(from: number, end: number, usual: number): number {
    const candidates = clamp(Math.round(CANDIDATE_MCUS * usual), LEAST_CANDIDATES, MOST_CANDIDATES)
    for (let at = from; at < end; at += candidates) {
      const found = this.#findWithin(at, end, candidates, usual)
      if (found !== UNREAD) return found
    }
    return -1
  }

  /** -1 without allowance, -2 when no reading survives. */
  #findWithin(from: number, end: number, candidates: number, usual: number): number {
    const size = clamp(Math.round(WINDOW_MCUS * usual), LEAST_WINDOW, MOST_WINDOW) + candidates
    this.#reset(size)
    const next = this.#next
    const window = Math.min(size, end - from)
    const way: number[] = []
    let survivors = 0
    for (let candidate = 0; candidate < Math.min(candidates, window); candidate++) {
      let at = candidate
      way.length = 0
      while (at < window && next[at] === UNREAD) {
        if (!this.#allowance.take()) return -1
        way.push(at)
        const after = this.#reader.read(from + at, this.#scratch, 0)
        next[at] = after < 0 ? DEAD : after - from
        if (after < 0) break
        at = after - from
      }
      if (at < window && next[at] === DEAD) for (const place of way) next[place] = DEAD
    }
    for (let candidate = 0; candidate < Math.min(candidates, window); candidate++) {
      if (next[candidate] < 0) continue
      survivors++
      let at = candidate
      for (let count = 0; count < FOLLOWED && at < window && next[at] >= 0; count++) {
        this.#met[at]++
        at = next[at]
      }
    }
    if (survivors === 0) return UNREAD
    for (let at = 0; at < window; at++) {
      if (this.#met[at] >= survivors * SHARE && next[at] >= 0) return from + at
    }
    return UNREAD
  }

  #reset(size: number): void {
    if (this.#next.length < size) {
      this.#next = new Int32Array(size)
      this.#met = new Uint16Array(size)
    }
    this.#next.fill(UNREAD, 0, size)
    this.#met.fill(0, 0, size)
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
}
