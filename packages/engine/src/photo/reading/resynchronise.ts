import type { Allowance } from '../../model/allowance.ts'
import { medianOf } from '../statistics.ts'
import type { Continuity } from './continuity.ts'

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
/** MCUs behind a place on the way from which the way is gone back, and MCUs that tell what borders between them are like. */
const SURE = 12
const LEARNED = 48
/** MCUs that the way is gone back at most. */
const MOST_BACK = 64
/** A border no worse than that many times a usual one, and levels, is one of the picture. */
const USUAL_FACTOR = 2.5
const USUAL_LEVELS = 4
const MOST_JUMP = 80

/** Bits that fill the last byte in front of a marker up, fewer than these: no unit is among them, ITU-T T.81 §F.1.2.3. */
const BYTE = 8

const UNREAD = -2
const DEAD = -1

/**
 * Finds an MCU's first bit behind damage. Huffman codes fall into step by themselves: readings begun at all bits in turn either
 * break or meet on the same way, and those that survive meet on the right one, in the right order of blocks, too.
 */
export class Resynchroniser {
  readonly #reader: UnitReader
  readonly #scratch: Int16Array
  readonly #allowance: Allowance
  readonly #continuity: Continuity | undefined
  readonly #other: Int16Array
  #next = new Int32Array(0)
  #met = new Uint16Array(0)

  /** With `continuity` the way is gone back as far as MCUs continue each other. */
  constructor(reader: UnitReader, mcuLength: number, allowance: Allowance, continuity?: Continuity) {
    this.#reader = reader
    this.#scratch = new Int16Array(mcuLength)
    this.#other = new Int16Array(mcuLength)
    this.#allowance = allowance
    this.#continuity = continuity
  }

  /**
   * The first bit from `from` on that is on the way of most surviving readings, before `end`; -1 when none is. `usual`: bits of a
   * usual MCU.
   */
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
    const window = Math.min(size, end - from - BYTE + 1)
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
      if (this.#met[at] >= survivors * SHARE && next[at] >= 0) return from + this.#back(at, from)
    }
    return UNREAD
  }

  /**
   * Where the way begins that leads by `start`: most readings fall into step some MCUs behind the first that could be read. Of
   * those that lead to an MCU on the way the one is right that it continues.
   */
  #back(start: number, from: number): number {
    const continuity = this.#continuity
    if (!continuity) return start
    let at = start
    for (let i = 0; i < SURE && this.#next[at] >= 0; i++) at = this.#next[at]
    const limit = USUAL_FACTOR * this.#usualJump(continuity, at + from) + USUAL_LEVELS
    let worth = 0
    let most = Number.NEGATIVE_INFINITY
    let first = start
    for (let i = 0; i < MOST_BACK; i++) {
      this.#read(at + from, this.#other)
      let least = Number.POSITIVE_INFINITY
      let before = -1
      for (let place = 0; place < at; place++) {
        if (this.#next[place] !== at || !this.#allowance.take()) continue
        this.#read(place + from, this.#scratch)
        const jump = continuity.jump(this.#scratch, this.#other)
        if (jump < least) {
          least = jump
          before = place
        }
      }
      if (before < 0) break
      at = before
      if (at > start) continue
      // what is in front of the place where ways meet must be worth it
      worth += limit - Math.min(least, MOST_JUMP)
      if (worth > most) {
        most = worth
        first = at
      }
    }
    this.#scratch.fill(0)
    return first
  }

  /** The median of jumps between MCUs from bit `position` on. */
  #usualJump(continuity: Continuity, position: number): number {
    const jumps = new Float32Array(LEARNED)
    let count = 0
    let at = this.#read(position, this.#scratch)
    while (at >= 0 && count < LEARNED && this.#allowance.take()) {
      at = this.#read(at, this.#other)
      if (at < 0) break
      jumps[count++] = continuity.jump(this.#scratch, this.#other)
      this.#scratch.set(this.#other)
    }
    return medianOf(jumps, count)
  }

  #read(position: number, out: Int16Array): number {
    out.fill(0)
    return this.#reader.read(position, out, 0)
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
