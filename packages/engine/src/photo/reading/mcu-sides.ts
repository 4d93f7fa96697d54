import { inverseDctColumn, inverseDctRow } from '../../codecs/jpeg/dct.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'

const BLOCK = 8

/** The sides of an MCU. */
export type Side = 'left' | 'right' | 'top' | 'bottom'

/** Samples along the sides of MCUs whose DC is absolute: what those beside, above and below them go on with. */
export class McuSides {
  /** Samples of an upright side, and of a level one: of all components, one behind the other. */
  readonly #upright: number
  readonly #level: number
  readonly #layout: McuLayout
  readonly #quantisation: readonly ArrayLike<number>[]

  constructor(layout: McuLayout, quantisation: readonly ArrayLike<number>[]) {
    this.#layout = layout
    this.#quantisation = quantisation
    this.#upright = layout.components.reduce((sum, { v }) => sum + BLOCK * v, 0)
    this.#level = layout.components.reduce((sum, { h }) => sum + BLOCK * h, 0)
  }

  /** Room for the samples of a side. */
  room(side: Side): Float32Array {
    return new Float32Array(side === 'left' || side === 'right' ? this.#upright : this.#level)
  }

  /**
   * One side of the MCU whose `coefficients` begin at `offset`, in levels without level shift; `dc`, in units of quantised DC, is
   * added to each component's blocks. Into `samples`, if they are given.
   */
  of(
    side: Side,
    coefficients: Int16Array,
    offset: number,
    dc: ArrayLike<number>,
    samples = this.room(side),
  ): Float32Array {
    const upright = side === 'left' || side === 'right'
    let to = 0
    for (let component = 0; component < this.#layout.components.length; component++) {
      const { h, v, firstBlock } = this.#layout.components[component]
      const table = this.#quantisation[component]
      for (let i = 0; i < (upright ? v : h); i++, to += BLOCK) {
        const column = upright ? (side === 'left' ? 0 : h - 1) : i
        const row = upright ? i : side === 'top' ? 0 : v - 1
        const block = offset + (firstBlock + row * h + column) * BLOCK_COEFFICIENTS
        if (upright) {
          const x = side === 'left' ? 0 : BLOCK - 1
          inverseDctColumn(coefficients, block, table, dc[component], x, samples, to)
          continue
        }
        inverseDctRow(coefficients, block, table, side === 'top' ? 0 : BLOCK - 1, samples, to)
        const more = (dc[component] * table[0]) / BLOCK
        if (more !== 0) for (let x = to; x < to + BLOCK; x++) samples[x] += more
      }
    }
    return samples
  }

  /** Levels by which two sides that touch differ, on average; of all components together. */
  jump(upright: boolean, one: Float32Array, other: Float32Array): number {
    let sum = 0
    let at = 0
    for (const { h, v } of this.#layout.components) {
      const count = BLOCK * (upright ? v : h)
      let own = 0
      for (const end = at + count; at < end; at++) own += Math.abs(one[at] - other[at])
      sum += own / count
    }
    return sum
  }
}
