import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { McuReader } from '../../codecs/jpeg/mcu-reader.ts'
import type { Allowance } from '../../model/allowance.ts'

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
  /** By bit and component: the sum of differences of DC of the MCU there, and that of its first block. */
  readonly #sums: Int32Array
  readonly #firsts: Int16Array
  /** By bit: the MCU of the stream that begins there, one higher; 0 for none. */
  readonly #targets: Int32Array
  /** Of the blocks of an MCU. */
  readonly #differences: Int16Array

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
    this.#firsts = new Int16Array(size * layout.components.length)
    this.#targets = new Int32Array(size)
    for (let mcu = first; mcu < end; mcu++) {
      const at = starts[mcu] - base
      if (at < size) this.#targets[at] = mcu + 1
    }
    this.#differences = new Int16Array(layout.blocksPerMcu)
  }

  /**
   * Where reading of MCU `mcu` of the stream, which begins at bit `start` and may have been changed, leads; undefined when it
   * breaks off.
   */
  from(mcu: number, start: number): Onward | undefined {
    const { components, mcuLength, componentOf } = this.#layout
    const count = components.length
    const next = this.#reader.pass(start, this.#differences)
    if (next < 0) return undefined
    const dc = new Int32Array(count)
    for (let block = 0; block < componentOf.length; block++)
      dc[componentOf[block]] += this.#differences[block]
    const path = [start]
    let at = next - this.#base
    while (at >= 0 && at < this.#targets.length && path.length < MOST_MCUS) {
      const target = this.#targets[at] - 1
      if (target > mcu) {
        this.#read(at)
        if (this.#next[at] === DEAD) return undefined
        components.forEach(({ firstBlock, h, v }, component) => {
          const block = (firstBlock + h * v - 1) * BLOCK_COEFFICIENTS
          // what the target was told from where it was read
          const told = this.#coefficients[target * mcuLength + firstBlock * BLOCK_COEFFICIENTS]
          const before = mcu > 0 ? this.#coefficients[(mcu - 1) * mcuLength + block] : 0
          dc[component] += before - (told - this.#firsts[at * count + component])
        })
        return { target, shift: mcu + path.length - target, dc, path }
      }
      path.push(at + this.#base)
      this.#read(at)
      for (let i = 0; i < count; i++) dc[i] += this.#sums[at * count + i]
      at = this.#next[at]
    }
    return undefined
  }

  /** Reads the MCU at `at`, once. */
  #read(at: number): void {
    if (this.#next[at] !== UNREAD) return
    this.#next[at] = DEAD
    if (!this.#allowance.take()) return
    const next = this.#reader.pass(at + this.#base, this.#differences)
    if (next < 0) return
    this.#next[at] = next - this.#base
    const { componentOf, components } = this.#layout
    const from = at * components.length
    for (let block = 0; block < componentOf.length; block++)
      this.#sums[from + componentOf[block]] += this.#differences[block]
    for (let component = 0; component < components.length; component++)
      this.#firsts[from + component] = this.#differences[components[component].firstBlock]
  }
}
