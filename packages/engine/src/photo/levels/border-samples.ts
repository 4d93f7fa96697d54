import { inverseDctRow } from '../../codecs/jpeg/dct.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'

const BLOCK = 8

/** Samples of a component on both sides of borders between MCUs of a stream. What is asked for again and again is kept. */
export class BorderSamples {
  readonly coefficients: Int16Array
  readonly layout: McuLayout
  readonly component: number
  readonly quantisation: ArrayLike<number>
  /** Levels by which the row above the border looked at last is brighter than that below it. */
  step = 0
  /** Levels by which samples at that border differ from those beside them within their blocks: down, and along the border. */
  unrest = 0
  /** Two rows of samples above a border and two below it. */
  readonly #rows = new Float32Array(4 * BLOCK)
  /** By block along the upper edge of each MCU, of borders with the MCU a row of the picture before it; NaN until looked at. */
  readonly #steps: Float32Array
  readonly #unrests: Float32Array

  constructor(
    coefficients: Int16Array,
    layout: McuLayout,
    component: number,
    quantisation: ArrayLike<number>,
  ) {
    this.coefficients = coefficients
    this.layout = layout
    this.component = component
    this.quantisation = quantisation
    const count = (coefficients.length / layout.mcuLength) * layout.components[component].h
    this.#steps = new Float32Array(count).fill(Number.NaN)
    this.#unrests = new Float32Array(count)
  }

  /** Looks at the border of a block in column `x` of MCU `below` with the one of `above` over it. */
  look(below: number, above: number, x: number): void {
    const { mcuWide, components } = this.layout
    const kept = below * components[this.component].h + x
    const usual = above === below - mcuWide
    if (usual && !Number.isNaN(this.#steps[kept])) {
      this.step = this.#steps[kept]
      this.unrest = this.#unrests[kept]
      return
    }
    this.#measure(below, above, x)
    if (!usual) return
    this.#steps[kept] = this.step
    this.#unrests[kept] = this.unrest
  }

  #measure(below: number, above: number, x: number): void {
    const { components, mcuLength } = this.layout
    const { h, v, firstBlock } = components[this.component]
    const upper = above * mcuLength + (firstBlock + (v - 1) * h + x) * BLOCK_COEFFICIENTS
    const lower = below * mcuLength + (firstBlock + x) * BLOCK_COEFFICIENTS
    this.#row(upper, BLOCK - 2, 0)
    this.#row(upper, BLOCK - 1, 1)
    this.#row(lower, 0, 2)
    this.#row(lower, 1, 3)
    const rows = this.#rows
    let step = 0
    let down = 0
    let along = 0
    for (let i = 0; i < BLOCK; i++) {
      step += rows[BLOCK + i] - rows[2 * BLOCK + i]
      down += Math.abs(rows[BLOCK + i] - rows[i]) + Math.abs(rows[3 * BLOCK + i] - rows[2 * BLOCK + i])
      const left = Math.max(0, i - 1)
      const right = Math.min(BLOCK - 1, i + 1)
      along += Math.abs(rows[BLOCK + right] - rows[BLOCK + left])
      along += Math.abs(rows[2 * BLOCK + right] - rows[2 * BLOCK + left])
    }
    this.step = step / BLOCK
    this.unrest = (down + along / 2) / BLOCK
  }

  #row(block: number, y: number, index: number): void {
    inverseDctRow(this.coefficients, block, this.quantisation, y, this.#rows, index * BLOCK)
  }
}
