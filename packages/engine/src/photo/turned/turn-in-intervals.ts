import type { Allowance } from '../../model/allowance.ts'
import { type DamagedZone, damagedZones, isOverwritten } from '../reading/damaged-zones.ts'
import { IntervalFit, type IntervalsInput } from './interval-fit.ts'
import { JumpPaths } from './jump-paths.ts'
import { turnedDcInIntervals } from './turn-dc-in-intervals.ts'

const BYTE = 8
const ONES = 0xff
const WORD_BITS = 32
const RESTART_NUMBERS = 8
/** Bits looked at where nothing could be read. */
const MOST_BITS = 2_048
/**
 * MCUs around the place where an interval seems to go wrong whose bits are looked at: those of all intervals, before farther ones
 * of any.
 */
const NEARNESS = [12, 48, Number.POSITIVE_INFINITY]
/** MCUs around a bit by which ways to an interval's end are sorted, and of how many all MCUs are looked at. */
const BEFORE = 2
const BEHIND = 10
const MOST_WAYS = 48
/** MCUs are as even as those of intervals near it within this factor and levels. */
const EVEN = 1.3
const EVEN_LEVELS = 2

/**
 * Bits that make restart intervals whole when they are turned, or levels in whole ones right, one of each interval at most: from
 * one marker to the next exactly as many MCUs must be read as the scan declares, ITU-T T.81 §E.1.3, and those that come out so go
 * on from each other and from the row above as nearby. None where markers are missing: then not even the places of intervals are
 * known; and none of intervals in which bytes were overwritten: no bit makes up for those. `hit`: the scan is damaged for sure.
 */
export function turnedInIntervals(input: IntervalsInput, allowance: Allowance, hit: boolean): Turned {
  const { data, layout, interval } = input
  const { restarts } = data
  const count = Math.ceil(layout.mcuCount / interval)
  if (restarts.count !== count - 1) return NONE
  for (let i = 0; i < restarts.count; i++) if ((restarts.code(i) & 7) !== i % RESTART_NUMBERS) return NONE
  const fit = new IntervalFit(input, allowance)
  const zones = damagedZones(data)
  const startOf = (index: number): number => (index === 0 ? 0 : fit.endOf(index - 1))
  const zonesIn = (index: number): DamagedZone[] =>
    zones.filter(({ from, to }) => BYTE * from < fit.endOf(index) && BYTE * to > startOf(index))
  let broken = Array.from({ length: count }, (_, index) => index)
    .filter((index) => !fit.isWhole(index))
    .filter((index) => !zonesIn(index).some(isOverwritten))
  const bits: number[] = []
  const surplus: number[] = []
  const tried = new Map<number, number>()
  for (const near of NEARNESS) {
    broken = broken.filter((index) => {
      const marker = zonesIn(index).find(({ foreign }) => foreign)
      const turner = new IntervalTurner(input, fit, allowance, index, startOf(index), marker)
      const found = turner.find(near, tried.get(index) ?? -1)
      tried.set(index, near)
      if (found?.bit !== undefined) bits.push(found.bit)
      if (found?.surplus !== undefined) surplus.push(found.surplus)
      return !found
    })
  }
  return { bits: [...bits, ...turnedDcInIntervals(input, fit, hit)], surplus }
}

/**
 * What makes intervals right: bits that are turned, and bytes of the data that are none and are taken out: zeros stuffed behind
 * what was ones.
 */
export interface Turned {
  readonly bits: readonly number[]
  readonly surplus: readonly number[]
}

const NONE: Turned = { bits: [], surplus: [] }

/** A bit to turn, a byte to take out, or both. */
interface Edit {
  readonly bit?: number
  readonly surplus?: number
}

/** What makes an interval whole, and how uneven the MCUs around it are that come out. */
interface Outcome {
  readonly edit: Edit
  readonly cost: number
}

/** Looks for the bit of a restart interval that makes it whole. */
class IntervalTurner {
  readonly #input: IntervalsInput
  readonly #fit: IntervalFit
  readonly #allowance: Allowance
  readonly #index: number
  readonly #start: number
  /** Bits one of which was turned for sure: those that make a marker that no scan holds. */
  readonly #from: number
  readonly #to: number
  readonly #paths: JumpPaths
  readonly #differences: Int16Array

  constructor(
    input: IntervalsInput,
    fit: IntervalFit,
    allowance: Allowance,
    index: number,
    start: number,
    marker: DamagedZone | undefined,
  ) {
    this.#input = input
    this.#fit = fit
    this.#allowance = allowance
    this.#index = index
    this.#start = start
    this.#from = marker ? BYTE * marker.from : start
    this.#to = marker ? this.#from + BYTE : Number.POSITIVE_INFINITY
    this.#paths = new JumpPaths(input, fit.endOf(index), allowance)
    this.#differences = new Int16Array(input.layout.blocksPerMcu)
  }

  /**
   * The bit within so many MCUs of where the interval seems to go wrong, farther from there than `beyond`, that makes it whole;
   * undefined when none does.
   */
  find(near: number, beyond: number): Edit | undefined {
    const { reader } = this.#input
    const index = this.#index
    const end = this.#fit.endOf(index)
    const wanted = this.#fit.countOf(index)
    const usual = this.#fit.usual(index)
    reader.end = end
    const starts: number[] = []
    let at = this.#start
    while (at >= 0 && starts.length < wanted && end - at >= BYTE) {
      starts.push(at)
      at = reader.pass(at, this.#differences)
    }
    const stopped = at < 0 ? Math.min(end, starts[starts.length - 1] + MOST_BITS) : at
    const more = at < 0 ? Number.NaN : this.#paths.left(at)
    const around = this.#fit.goesWrongAt(index, starts, Number.isNaN(more) ? undefined : more)
    const outcomes = new Map<string, Outcome>()
    if (beyond < 0) this.#takeOut(starts, stopped, outcomes)
    reader.end = end
    for (let mcu = 0; mcu < starts.length; mcu++) {
      const away = Math.abs(mcu - around)
      // few bits are looked at wherever they are
      if (this.#to < end ? beyond >= 0 : away > near || away <= beyond) continue
      this.#turnWithin(starts, mcu, starts[mcu + 1] ?? stopped, outcomes)
    }
    const ways = [...outcomes.values()].sort((a, b) => a.cost - b.cost)
    let best: Outcome | undefined
    for (const { edit } of ways.slice(0, MOST_WAYS)) {
      const all = this.#edited(edit, () => this.#fit.wholeCost(index, this.#start))
      if (all <= EVEN * usual + EVEN_LEVELS && (!best || all < best.cost)) best = { edit, cost: all }
    }
    return best?.edit
  }

  /** Turns each bit of an MCU up to `until` and notes those that lead to the interval's end with as many MCUs as it has. */
  #turnWithin(starts: readonly number[], mcu: number, until: number, outcomes: Map<string, Outcome>): void {
    const { reader } = this.#input
    const start = starts[mcu]
    const end = this.#fit.endOf(this.#index)
    const wanted = this.#fit.countOf(this.#index) - mcu - 1
    const front = starts.slice(Math.max(0, mcu - BEFORE), mcu)
    for (let bit = Math.max(start, this.#from); bit < Math.min(until, this.#to); bit++) {
      if (!this.#allowance.take()) return
      const next = this.#edited({ bit }, () => reader.pass(start, this.#differences))
      if (next < 0 || next > end || this.#paths.left(next) !== wanted) continue
      const cost = this.#edited({ bit }, () => this.#paths.cost(front, start, next, BEHIND))
      // what leads to the same MCU from the same one is nearly the same
      const way = `${start} ${next}`
      const known = outcomes.get(way)
      if (!known || cost < known.cost) outcomes.set(way, { edit: { bit }, cost })
    }
  }

  /**
   * Takes bytes out that were stuffed zeros, one by one, and notes those without which the interval has as many MCUs as it must.
   */
  #takeOut(starts: readonly number[], until: number, outcomes: Map<string, Outcome>): void {
    const { data, reader } = this.#input
    const { bytes } = data
    const end = this.#fit.endOf(this.#index) - BYTE
    for (let mcu = 0; mcu < starts.length; mcu++) {
      const to = starts[mcu + 1] ?? until
      for (let at = starts[mcu] >> 3; BYTE * at < to; at++) {
        const edit = stuffedAt(bytes, at)
        if (!edit || BYTE * at + BYTE < this.#from || BYTE * at > this.#to) continue
        const left = this.#edited(edit, () => {
          reader.end = end
          return new JumpPaths(this.#input, end, this.#allowance).left(starts[mcu])
        })
        if (left === this.#fit.countOf(this.#index) - mcu) outcomes.set(`without ${at}`, { edit, cost: 0 })
      }
    }
  }

  /** What `look` finds with a bit turned and a byte taken out. */
  #edited<Result>({ bit, surplus }: Edit, look: () => Result): Result {
    const { bytes } = this.#input.data
    const end = this.#fit.endOf(this.#index) / BYTE
    const taken = surplus === undefined ? 0 : bytes[surplus]
    if (bit !== undefined) bytes[bit >> 3] ^= 0x80 >> (bit & 7)
    if (surplus !== undefined) bytes.copyWithin(surplus, surplus + 1, end)
    const result = look()
    if (surplus !== undefined) {
      bytes.copyWithin(surplus + 1, surplus, end - 1)
      bytes[surplus] = taken
    }
    if (bit !== undefined) bytes[bit >> 3] ^= 0x80 >> (bit & 7)
    return result
  }
}

/**
 * What one turned bit made of eight ones and the zero stuffed behind them, at a data byte: ones of which one is gone in front of
 * a zero, or ones in front of a single one, ITU-T T.81 §F.1.2.3.
 */
function stuffedAt(bytes: Uint8Array, at: number): Edit | undefined {
  const [first, second] = [bytes[at], bytes[at + 1]]
  const surplus = at + 1
  if (first === ONES) return second > 0 && (second & (second - 1)) === 0 ? { surplus } : undefined
  const gone = ONES ^ first
  if (second !== 0 || (gone & (gone - 1)) !== 0) return undefined
  return { surplus, bit: BYTE * at + Math.clz32(gone) - WORD_BITS + BYTE }
}
