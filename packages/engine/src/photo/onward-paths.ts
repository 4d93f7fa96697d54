import { BLOCK_COEFFICIENTS, type McuLayout } from '../codecs/jpeg/mcu-layout.ts'
import type { McuReader } from '../codecs/jpeg/mcu-reader.ts'
import type { Allowance } from '../model/allowance.ts'

/** Bits looked at from the first MCU on, and MCUs that lead from a turned bit to one that was read. */
const MOST_BITS = 1 << 17
const MOST_MCUS = 96
const UNREAD = -2
const DEAD = -1

/** MCUs of a stream, one of which is to be met. */
export interface Targets {
  readonly first: number
  readonly end: number
}

/** How reading goes on up to an MCU of the stream that it meets. */
export interface Onward {
  readonly target: number
  /** How many MCUs farther on those from the target on lie than their numbers in the stream tell. */
  readonly shift: number
  /** What is to be added to DC of each component from the target on. */
  readonly dc: Int32Array
  /** First bits of the MCUs up to the target. */
  readonly path: readonly number[]
}

/** Follows readings from any bit until they meet MCUs of a stream; each bit is read once. */
export class OnwardPaths {
  readonly #reader: McuReader
  readonly #layout: McuLayout
  readonly #coefficients: Int16Array
  readonly #base: number
  readonly #allowance: Allowance
  readonly #next: Int32Array
  /** By bit and component: the sum of differences of DC of the MCU there. */
  readonly #sums: Int32Array
  /** By bit: the MCU of the stream that begins there, one higher; 0 for none. */
  readonly #targets: Int32Array
  readonly #scratch: Int16Array

  constructor(
    reader: McuReader,
    layout: McuLayout,
    coefficients: Int16Array,
    starts: Uint32Array,
    base: number,
    { first, end }: Targets,
    allowance: Allowance,
  ) {
    this.#reader = reader
    this.#layout = layout
    this.#coefficients = coefficients
    this.#base = base
    this.#allowance = allowance
    const size = Math.max(0, Math.min(MOST_BITS, starts[end - 1] + 1 - base))
    this.#next = new Int32Array(size).fill(UNREAD)
    this.#sums = new Int32Array(size * layout.components.length)
    this.#targets = new Int32Array(size)
    for (let mcu = first; mcu < end; mcu++) {
      const at = starts[mcu] - base
      if (at < size) this.#targets[at] = mcu + 1
    }
    this.#scratch = new Int16Array(layout.mcuLength)
  }

  /** Where reading of MCU `mcu` of the stream, which begins at bit `start` and may have been changed, leads; undefined when it breaks off. */
  from(mcu: number, start: number): Onward | undefined {
    const { components, mcuLength } = this.#layout
    const dc = new Int32Array(components.length)
    const path = [start]
    let at = this.#read(start, dc, 0) - this.#base
    while (at >= 0 && at < this.#targets.length && path.length < MOST_MCUS) {
      const target = this.#targets[at] - 1
      if (target > mcu) {
        components.forEach(({ firstBlock, h, v }, component) => {
          const block = (firstBlock + h * v - 1) * BLOCK_COEFFICIENTS
          // what the target was told from where it was read
          const told = this.#coefficients[target * mcuLength + firstBlock * BLOCK_COEFFICIENTS]
          const before = mcu > 0 ? this.#coefficients[(mcu - 1) * mcuLength + block] : 0
          dc[component] += before - (told - this.#firstDifference(at, component))
        })
        return { target, shift: mcu + path.length - target, dc, path }
      }
      path.push(at + this.#base)
      at = this.#onward(at, dc)
    }
    return undefined
  }

  /** The bit behind the MCU at `at`, and its differences added to `dc`; -1 where there is none. */
  #onward(at: number, dc: Int32Array): number {
    const count = dc.length
    if (this.#next[at] === UNREAD) {
      const sums = this.#sums.subarray(at * count, (at + 1) * count)
      const next = this.#allowance.take() ? this.#read(at + this.#base, sums, 0) : DEAD
      this.#next[at] = next < 0 ? DEAD : next - this.#base
    }
    for (let i = 0; i < count; i++) dc[i] += this.#sums[at * count + i]
    return this.#next[at]
  }

  #read(position: number, sums: Int32Array, from: number): number {
    this.#scratch.fill(0)
    const next = this.#reader.read(position, this.#scratch, 0)
    if (next < 0) return DEAD
    const { blocksPerMcu, componentOf } = this.#layout
    for (let block = 0; block < blocksPerMcu; block++)
      sums[from + componentOf[block]] += this.#scratch[block * BLOCK_COEFFICIENTS]
    return next
  }

  /** The difference of DC that a component's first block at a bit is coded as. */
  #firstDifference(at: number, component: number): number {
    this.#scratch.fill(0)
    this.#reader.read(at + this.#base, this.#scratch, 0)
    return this.#scratch[this.#layout.components[component].firstBlock * BLOCK_COEFFICIENTS]
  }
}
