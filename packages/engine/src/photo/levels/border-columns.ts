import { inverseDctRow } from '../../codecs/jpeg/dct.ts'
import { BLOCK_COEFFICIENTS } from '../../codecs/jpeg/mcu-layout.ts'
import type { BorderSamples } from './border-samples.ts'

const BLOCK = 8
/** Columns of a border that are looked at, spread evenly. */
const MOST_COLUMNS = 1_024
/** Levels from which on half of what a column tells is gone: at an even border, and for each level of unrest beside it. */
const EVEN = 0.4
const OF_UNREST = 0.25
const ROUNDS = 8

/**
 * Steps across borders that touch, by single columns of samples: as they are, and with each side continued straight to the
 * border. Where detail stands along a border means of blocks are far off, though most of its columns go on.
 */
export class BorderColumns {
  readonly #samples: BorderSamples
  readonly #touching = new Float32Array(MOST_COLUMNS)
  readonly #straight = new Float32Array(MOST_COLUMNS)
  readonly #scales = new Float32Array(MOST_COLUMNS)
  /** Two rows above a border, the farther first, and two below it. */
  readonly #rows = new Float32Array(4 * BLOCK)
  #count = 0

  constructor(samples: BorderSamples) {
    this.#samples = samples
  }

  /**
   * By how many levels what is above is brighter than what is below, in MCUs of `pairs`: below and above in turn. Both ways,
   * looked for from `start`.
   */
  steps(pairs: readonly number[], start: number): [touching: number, straight: number] {
    const { layout, component } = this.#samples
    const { h } = layout.components[component]
    const stride = Math.max(1, Math.ceil(((pairs.length / 2) * h * BLOCK) / MOST_COLUMNS))
    this.#count = 0
    for (let at = 0; at < pairs.length; at += 2)
      for (let x = 0; x < h; x++) this.#take(pairs[at], pairs[at + 1], x, stride)
    return [this.#likeliest(this.#touching, start), this.#likeliest(this.#straight, start)]
  }

  /** Takes in each `stride`th column of the border of two MCUs' blocks in column `x`. */
  #take(below: number, above: number, x: number, stride: number): void {
    const { coefficients, layout, component, quantisation } = this.#samples
    const { h, v, firstBlock } = layout.components[component]
    const rows = this.#rows
    const upper = above * layout.mcuLength + (firstBlock + (v - 1) * h + x) * BLOCK_COEFFICIENTS
    const lower = below * layout.mcuLength + (firstBlock + x) * BLOCK_COEFFICIENTS
    for (let row = 0; row < 2; row++) {
      inverseDctRow(coefficients, upper, quantisation, BLOCK - 2 + row, rows, row * BLOCK)
      inverseDctRow(coefficients, lower, quantisation, row, rows, (2 + row) * BLOCK)
    }
    for (let i = this.#count % stride; i < BLOCK && this.#count < MOST_COLUMNS; i += stride) {
      const left = Math.max(0, i - 1)
      const right = Math.min(BLOCK - 1, i + 1)
      const last = rows[BLOCK + i]
      const first = rows[2 * BLOCK + i]
      const down = last - rows[i]
      const onward = rows[3 * BLOCK + i] - first
      const along =
        Math.abs(rows[BLOCK + right] - rows[BLOCK + left]) +
        Math.abs(rows[2 * BLOCK + right] - rows[2 * BLOCK + left])
      this.#touching[this.#count] = last - first
      this.#straight[this.#count] = last + down / 2 - (first - onward / 2)
      this.#scales[this.#count++] = EVEN + OF_UNREST * (Math.abs(down) + Math.abs(onward) + along / 2)
    }
  }

  /** The likeliest middle of values whose errors are Cauchy's, each of its own scale, near `start`. */
  #likeliest(values: Float32Array, start: number): number {
    let middle = start
    for (let round = 0; round < ROUNDS; round++) {
      let sum = 0
      let total = 0
      for (let i = 0; i < this.#count; i++) {
        const weight = 1 / (this.#scales[i] * this.#scales[i] + (values[i] - middle) ** 2)
        total += weight
        sum += weight * values[i]
      }
      if (total > 0) middle = sum / total
    }
    return middle
  }
}
