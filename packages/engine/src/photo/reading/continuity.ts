import { inverseDctColumn } from '../../codecs/jpeg/dct.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'

const BLOCK = 8
const LAST_COLUMN = 7

/** How well an MCU goes on to the right of the one in front of it, both as they are coded: DC as differences. */
export class Continuity {
  readonly #layout: McuLayout
  readonly #quantisation: readonly ArrayLike<number>[]
  readonly #left = new Float32Array(BLOCK)
  readonly #right = new Float32Array(BLOCK)
  /** DC of blocks, absolute from the first MCU's start on. */
  readonly #before: Int32Array
  readonly #after: Int32Array

  constructor(layout: McuLayout, quantisation: readonly ArrayLike<number>[]) {
    this.#layout = layout
    this.#quantisation = quantisation
    this.#before = new Int32Array(layout.blocksPerMcu)
    this.#after = new Int32Array(layout.blocksPerMcu)
  }

  /** Levels by which samples on both sides of the border differ, on average; of all components together. */
  jump(before: Int16Array, after: Int16Array): number {
    const { components } = this.#layout
    let sum = 0
    components.forEach(({ h, v, firstBlock }, component) => {
      let level = 0
      for (let block = firstBlock; block < firstBlock + h * v; block++) {
        level += before[block * BLOCK_COEFFICIENTS]
        this.#before[block] = level
      }
      for (let block = firstBlock; block < firstBlock + h * v; block++) {
        level += after[block * BLOCK_COEFFICIENTS]
        this.#after[block] = level
      }
      let own = 0
      for (let row = 0; row < v; row++) {
        const left = firstBlock + row * h + h - 1
        const right = firstBlock + row * h
        this.#column(before, left, this.#before[left], LAST_COLUMN, component, this.#left)
        this.#column(after, right, this.#after[right], 0, component, this.#right)
        for (let y = 0; y < BLOCK; y++) own += Math.abs(this.#left[y] - this.#right[y])
      }
      sum += own / (BLOCK * v)
    })
    return sum
  }

  #column(
    coefficients: Int16Array,
    block: number,
    dc: number,
    x: number,
    component: number,
    out: Float32Array,
  ): void {
    const at = block * BLOCK_COEFFICIENTS
    inverseDctColumn(coefficients, at, this.#quantisation[component], dc - coefficients[at], x, out, 0)
  }
}
