import { BASIS } from '../../codecs/jpeg/dct.ts'
import { BLOCK_COEFFICIENTS } from '../../codecs/jpeg/mcu-layout.ts'
import { ZIGZAG } from '../../codecs/jpeg/zigzag.ts'

const SIDE = 8
/** Waves along a border that are told apart, from the slowest on. */
const ORDERS = 2
/** Steps at a block's border with the one in front of it, and at that with the one above. */
export const BORDER_SIGNS = 2 * ORDERS
/** Edges of a block: the first and the last column, the first and the last row; by waves along them. */
const EDGES = 4 * ORDERS

/** Levels that coefficients add to the edges of blocks, where waves along these are highest, ITU-T T.81 §A.3.3. */
export class BandBorders {
  readonly #edges: Float32Array

  constructor(blocks: number) {
    this.#edges = new Float32Array(blocks * EDGES)
  }

  /** Takes the coefficients of a block from `at` on, in zigzag order. */
  set(block: number, from: ArrayLike<number>, at: number, quantisation: ArrayLike<number>): void {
    const edges = this.#edges
    const out = block * EDGES
    for (let i = 0; i < BLOCK_COEFFICIENTS; i++) {
      if (from[at + i] === 0) continue
      const across = ZIGZAG[i] % SIDE
      const down = Math.floor(ZIGZAG[i] / SIDE)
      const level = from[at + i] * quantisation[i] * BASIS[across] * BASIS[down]
      if (down < ORDERS) {
        edges[out + down] += level
        edges[out + ORDERS + down] += across % 2 === 0 ? level : -level
      }
      if (across < ORDERS) {
        edges[out + 2 * ORDERS + across] += level
        edges[out + 3 * ORDERS + across] += down % 2 === 0 ? level : -level
      }
    }
  }

  /**
   * Writes how levels step up at borders of a block with those in front of it and above it, `wide` of which stand in a row;
   * `times` so much.
   */
  steps(block: number, wide: number, times: number, out: Float32Array, at: number): void {
    const edges = this.#edges
    for (let order = 0; order < ORDERS; order++) {
      const first = block * EDGES + order
      if (block > 0) out[at + order] = times * (edges[first] - edges[first - EDGES + ORDERS])
      if (block >= wide)
        out[at + ORDERS + order] =
          times * (edges[first + 2 * ORDERS] - edges[first - wide * EDGES + 3 * ORDERS])
    }
  }
}
