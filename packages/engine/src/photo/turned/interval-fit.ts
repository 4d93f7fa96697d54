import type { EntropyData } from '../../codecs/jpeg/entropy-data.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { McuReader } from '../../codecs/jpeg/mcu-reader.ts'
import type { Allowance } from '../../model/allowance.ts'
import { type EdgeMeans, edgeMeans } from '../levels/edge-means.ts'
import { Continuity } from '../reading/continuity.ts'
import type { McuStream } from '../reading/read-stream.ts'
import { medianOf } from '../statistics.ts'

const BYTE = 8
/** Levels from which on a step counts no more. */
const MOST_COST = 64
/** Levels from which on it counts no more by how much an MCU grows brighter otherwise than its neighbour. */
const MOST_RISE = 16

export interface IntervalsInput {
  readonly data: EntropyData
  readonly reader: McuReader
  readonly layout: McuLayout
  readonly quantisation: readonly ArrayLike<number>[]
  /** MCUs between restart markers. */
  readonly interval: number
  readonly stream: McuStream
  readonly means: readonly EdgeMeans[]
}

/** How well the MCUs of a restart interval go on from each other and from those above. */
export class IntervalFit {
  readonly #input: IntervalsInput
  readonly #allowance: Allowance
  readonly #continuity: Continuity
  /** The MCU of the stream with which each whole interval begins, -1 for others. */
  readonly #first: Int32Array
  readonly #startBits = new Map<number, number>()
  readonly #costs = new Map<number, number>()

  constructor(input: IntervalsInput, allowance: Allowance) {
    const { data, layout, interval, quantisation, stream } = input
    this.#input = input
    this.#allowance = allowance
    this.#continuity = new Continuity(layout, quantisation)
    this.#first = new Int32Array(Math.ceil(layout.mcuCount / interval)).fill(-1)
    const indexOf = new Map<number, number>([[0, 0]])
    for (let i = 0; i < data.restarts.count; i++) indexOf.set(data.restarts.at(i) * BYTE, i + 1)
    for (const { fromRestart, flush, startBit, first, count } of stream.runs) {
      const index = fromRestart ? indexOf.get(startBit) : undefined
      if (index === undefined || !flush) continue
      if (count !== this.countOf(index)) continue
      this.#first[index] = first
      this.#startBits.set(index, startBit)
    }
  }

  /** Whether an interval has all of its MCUs. */
  isWhole(index: number): boolean {
    return this.#first[index] >= 0
  }

  /** The MCU of the stream at a place of a whole interval, -1 elsewhere. */
  streamOf(place: number): number {
    const { layout, interval } = this.#input
    const first = place < 0 || place >= layout.mcuCount ? -1 : this.#first[Math.floor(place / interval)]
    return first < 0 ? -1 : first + (place % interval)
  }

  /**
   * What whole intervals near one cost: beside it, above and below. Parts of a picture differ in how even they are. No number
   * where none is whole.
   */
  usual(index: number): number {
    const rows = Math.max(1, Math.round(this.#input.layout.mcuWide / this.#input.interval))
    const near = new Set([1, 2, rows, 2 * rows].flatMap((aside) => [index - aside, index + aside]))
    const costs = [...near].filter((other) => this.#startBits.has(other)).map((other) => this.#costOf(other))
    return costs.length > 0 ? medianOf(Float32Array.from(costs)) : Number.NaN
  }

  #costOf(index: number): number {
    let cost = this.#costs.get(index)
    if (cost === undefined) {
      cost = this.wholeCost(index, this.#startBits.get(index) ?? 0)
      this.#costs.set(index, cost)
    }
    return cost
  }

  /** Levels by which so many MCUs of an interval from a bit on differ from those in front of them, on average. */
  stretchCost(index: number, bit: number, length: number): number {
    return this.#read(index, bit, length).cost
  }

  /** Levels by which the MCUs of an interval that begins at a bit differ from those in front and beside, on average. */
  wholeCost(index: number, bit: number): number {
    const count = this.countOf(index)
    const { all, cost } = this.#read(index, bit, count)
    return Number.isFinite(cost) ? cost + this.#besideCost(index, all, count) / count : cost
  }

  /**
   * The MCU of an interval at which it seems to go wrong, its MCUs read from bits `starts` on with `more` behind those that it
   * has: from there on they go on from what is above and below as if they stood farther on, or back. The last one where reading
   * breaks off, and more is `undefined`.
   */
  goesWrongAt(index: number, starts: readonly number[], more: number | undefined): number {
    const last = starts.length - 1
    if (more === undefined) return last
    const { layout, interval, means, quantisation } = this.#input
    const wide = layout.mcuWide
    const shift = this.countOf(index) - starts.length - more
    const { all } = this.#read(index, starts[0], starts.length)
    const own = edgeMeans(all, starts.length, layout, 0, quantisation[0])
    const [known] = means
    const rise = (values: Float32Array, mcu: number, front: number): number =>
      mcu < 0 || front < 0 ? MOST_RISE : values[mcu] - values[front]
    /** How far an MCU grows brighter otherwise than its neighbours where it would stand. */
    const mismatch = (mcu: number, aside: number): number => {
      const place = index * interval + mcu + aside
      if (mcu + aside < 1 || mcu + aside >= this.countOf(index)) return 2 * MOST_RISE
      const ofNeighbour = (values: Float32Array, edge: Float32Array, at: number): number => {
        const off = rise(values, mcu, mcu - 1) - rise(edge, this.streamOf(at), this.streamOf(at - 1))
        return Math.min(MOST_RISE, Math.abs(off))
      }
      return (
        ofNeighbour(own.top, known.bottom, place - wide) + ofNeighbour(own.bottom, known.top, place + wide)
      )
    }
    let sum = 0
    let least = 0
    let at = 1
    for (let mcu = 1; mcu <= last; mcu++) {
      sum += mismatch(mcu, 0) - mismatch(mcu, shift)
      if (sum < least) [least, at] = [sum, mcu + 1]
    }
    return Math.min(last, at)
  }

  /** The bit behind an interval's data. */
  endOf(index: number): number {
    const { restarts, length } = this.#input.data
    return (index < restarts.count ? restarts.at(index) : length) * BYTE
  }

  /** MCUs of an interval. */
  countOf(index: number): number {
    const { layout, interval } = this.#input
    return Math.min(interval, layout.mcuCount - index * interval)
  }

  /** MCUs of an interval from a bit on, DC absolute from there, and their steps from one to the next, on average. */
  #read(index: number, bit: number, most: number): { readonly all: Int16Array; readonly cost: number } {
    const { reader, layout } = this.#input
    const { mcuLength, blocksPerMcu, componentOf, components } = layout
    const end = this.endOf(index)
    reader.end = end
    const all = new Int16Array(most * mcuLength)
    const one = new Int16Array(mcuLength)
    const other = new Int16Array(mcuLength)
    const level = new Int32Array(components.length)
    let at = bit
    let sum = 0
    let count = 0
    for (; count < most && end - at >= BYTE; count++) {
      other.fill(0)
      at = reader.read(at, other, 0)
      if (at < 0 || !this.#allowance.take()) return { all, cost: Number.POSITIVE_INFINITY }
      if (count > 0) sum += Math.min(MOST_COST, this.#continuity.jump(one, other))
      one.set(other)
      all.set(other, count * mcuLength)
      for (let block = 0; block < blocksPerMcu; block++) {
        level[componentOf[block]] += other[block * BLOCK_COEFFICIENTS]
        all[count * mcuLength + block * BLOCK_COEFFICIENTS] = level[componentOf[block]]
      }
    }
    return { all, cost: sum / Math.max(1, count) }
  }

  /** Levels by which edges of MCUs differ from those above or below, whichever they go on from better: either may be hit. */
  #besideCost(index: number, all: Int16Array, count: number): number {
    const { layout, interval, means, quantisation } = this.#input
    const { mcuWide } = layout
    let sum = 0
    for (const [component, known] of means.entries()) {
      const own = edgeMeans(all, count, layout, component, quantisation[component])
      for (let mcu = 0; mcu < count; mcu++) {
        const place = index * interval + mcu
        const above = this.streamOf(place - mcuWide)
        const below = this.streamOf(place + mcuWide)
        const off = Math.min(
          above < 0 ? MOST_COST : Math.abs(known.bottom[above] - own.top[mcu]),
          below < 0 ? MOST_COST : Math.abs(known.top[below] - own.bottom[mcu]),
        )
        if (above >= 0 || below >= 0) sum += Math.min(MOST_COST, off)
      }
    }
    return sum
  }
}
