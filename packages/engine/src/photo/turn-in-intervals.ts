import type { Allowance } from '../model/allowance.ts'
import { damagedZones, isOverwritten } from './damaged-zones.ts'
import { IntervalFit, type IntervalsInput } from './interval-fit.ts'
import { turnedDcInIntervals } from './turn-dc-in-intervals.ts'

const BYTE = 8
const RESTART_NUMBERS = 8
/** Bits looked at where nothing could be read. */
const MOST_BITS = 2_048
/** MCUs around a bit by which ways to an interval's end are sorted, and of how many all MCUs are looked at. */
const BEFORE = 2
const BEHIND = 10
const MOST_WAYS = 48
/** MCUs are as even as those of other intervals within this factor and levels. */
const EVEN = 1.3
const EVEN_LEVELS = 2

/**
 * Bits that make restart intervals whole when they are turned, or levels in whole ones right, one of each interval at most: from one
 * marker to the next exactly as many MCUs must be read as the scan declares, ITU-T T.81 §E.1.3, and those that come out so go on from
 * each other and from the row above as elsewhere. None where markers are missing: then not even the places of intervals are known; and none
 * of intervals in which bytes were overwritten: no bit makes up for those.
 */
export function turnedInIntervals(input: IntervalsInput, allowance: Allowance): number[] {
  const { data, layout, interval } = input
  const { restarts } = data
  const count = Math.ceil(layout.mcuCount / interval)
  if (restarts.count !== count - 1) return []
  for (let i = 0; i < restarts.count; i++) if ((restarts.code(i) & 7) !== i % RESTART_NUMBERS) return []
  const fit = new IntervalFit(input, allowance)
  const turner = new IntervalTurner(input, fit, allowance)
  const zones = damagedZones(data).filter(isOverwritten)
  const startOf = (index: number): number => (index === 0 ? 0 : fit.endOf(index - 1))
  const broken = Array.from({ length: count }, (_, index) => index)
    .filter((index) => !fit.isWhole(index))
    .filter(
      (index) => !zones.some(({ from, to }) => BYTE * from < fit.endOf(index) && BYTE * to > startOf(index)),
    )
    .flatMap((index) => turner.find(index, startOf(index)) ?? [])
  return [...broken, ...turnedDcInIntervals(input, fit)]
}

/** A bit that makes an interval whole, and how uneven the MCUs are that come out. */
interface Outcome {
  readonly bit: number
  readonly cost: number
}

class IntervalTurner {
  readonly #input: IntervalsInput
  readonly #fit: IntervalFit
  readonly #allowance: Allowance
  readonly #scratch: Int16Array
  /** MCUs from a bit on to the interval's end, -1 where none end there. */
  readonly #left = new Map<number, number>()

  constructor(input: IntervalsInput, fit: IntervalFit, allowance: Allowance) {
    this.#input = input
    this.#fit = fit
    this.#allowance = allowance
    this.#scratch = new Int16Array(input.layout.mcuLength)
  }

  /** The bit of an interval from `start` on that makes it whole; undefined when none does. */
  find(index: number, start: number): number | undefined {
    const { reader } = this.#input
    const end = this.#fit.endOf(index)
    const wanted = this.#fit.countOf(index)
    const { stretch, whole } = this.#fit.usual(BEFORE + BEHIND)
    reader.end = end
    this.#left.clear()
    const outcomes = new Map<string, Outcome>()
    const starts: number[] = []
    for (let at = start; starts.length < wanted && end - at >= BYTE; ) {
      starts.push(at)
      const next = reader.read(at, this.#scratch, 0)
      const until = next < 0 ? Math.min(end, at + MOST_BITS) : next
      this.#turnWithin(index, starts, until, end, outcomes)
      if (next < 0) break
      at = next
    }
    const ways = [...outcomes.values()].sort((a, b) => a.cost - b.cost)
    let best: Outcome | undefined
    for (const { bit, cost } of ways.slice(0, MOST_WAYS)) {
      if (cost > EVEN * stretch + EVEN_LEVELS) break
      const all = this.#turned(bit, () => this.#fit.wholeCost(index, start))
      if (all <= EVEN * whole + EVEN_LEVELS && (!best || all < best.cost)) best = { bit, cost: all }
    }
    return best?.bit
  }

  /** Turns each bit of the last of MCUs up to `until` and notes those that lead to the interval's end with as many MCUs as it has. */
  #turnWithin(
    index: number,
    starts: readonly number[],
    until: number,
    end: number,
    outcomes: Map<string, Outcome>,
  ): void {
    const { reader } = this.#input
    const start = starts[starts.length - 1]
    const near = starts[Math.max(0, starts.length - 1 - BEFORE)]
    const wanted = this.#fit.countOf(index) - starts.length
    for (let bit = start; bit < until; bit++) {
      if (!this.#allowance.take()) return
      const next = this.#turned(bit, () => reader.read(start, this.#scratch, 0))
      if (next < 0 || next > end || this.#mcusLeft(next, end) !== wanted) continue
      const cost = this.#turned(bit, () => this.#fit.stretchCost(index, near, BEFORE + BEHIND))
      // what leads to the same MCU from the same one is nearly the same
      const way = `${start} ${next}`
      const known = outcomes.get(way)
      if (!known || cost < known.cost) outcomes.set(way, { bit, cost })
    }
  }

  #turned<Result>(bit: number, look: () => Result): Result {
    const { bytes } = this.#input.data
    bytes[bit >> 3] ^= 0x80 >> (bit & 7)
    const result = look()
    bytes[bit >> 3] ^= 0x80 >> (bit & 7)
    return result
  }

  /** MCUs that can be read from a bit on if they end with the interval, else a number that is none. */
  #mcusLeft(from: number, end: number): number {
    const path: number[] = []
    let at = from
    let left = this.#left.get(at)
    while (left === undefined) {
      if (end - at < BYTE) left = at <= end ? 0 : Number.NaN
      else if (!this.#allowance.take()) left = Number.NaN
      else {
        const next = this.#input.reader.read(at, this.#scratch, 0)
        path.push(at)
        at = next
        left = next < 0 ? Number.NaN : this.#left.get(next)
      }
    }
    for (let i = path.length - 1; i >= 0; i--) this.#left.set(path[i], ++left)
    return left
  }
}
