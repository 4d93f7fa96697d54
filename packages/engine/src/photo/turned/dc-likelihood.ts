import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { EdgeMeans } from '../levels/edge-means.ts'
import { unrestOf } from '../levels/unrest.ts'
import { medianOf, NORMAL } from '../statistics.ts'

/** Levels by which edges of even MCUs differ, and what is added for each level of detail. */
const GROUND = 0.5
const FOR_DETAIL = 0.3
/** Degrees of freedom of Student's distribution: differences at borders have few middling values and some that are far off. */
const FREEDOM = 3
/** What is left of what a border says, since its neighbours agree by themselves. */
const OF_ITS_OWN = 0.5
/** Borders by which it is learned what is usual. */
const MOST_LEARNED = 8_192
/**
 * The logarithm of one and a square, by parts of one up to a value that hardly any goes beyond: looked up between its neighbours.
 */
const PARTS = 32
const MOST_LOOKED_UP = 64
const LOGS = Float64Array.from({ length: MOST_LOOKED_UP * PARTS + 2 }, (_, i) => Math.log1p((i / PARTS) ** 2))

/** How likely levels on both sides of a border between two MCUs above each other are, by what is usual in this very picture. */
export class DcLikelihood {
  readonly #means: readonly EdgeMeans[]
  readonly #unrest: readonly Float32Array[]
  /** By component: one over the squared usual difference, for borders of usual unrest. */
  readonly #sharpness: readonly number[]

  constructor(
    means: readonly EdgeMeans[],
    coefficients: Int16Array,
    layout: McuLayout,
    quantisation: readonly ArrayLike<number>[],
  ) {
    this.#means = means
    this.#unrest = means.map((_, component) => unrestOf(coefficients, means, layout, quantisation, component))
    this.#sharpness = means.map(({ top, bottom }, component) => {
      const count = top.length - layout.mcuWide
      const stride = Math.max(1, Math.ceil(count / MOST_LEARNED))
      const values = new Float32Array(Math.max(0, Math.ceil(count / stride)))
      for (let i = 0; i < values.length; i++) {
        const above = i * stride
        const below = above + layout.mcuWide
        values[i] = Math.abs(bottom[above] - top[below]) / this.#usual(component, above, below)
      }
      return Math.max(0.1, NORMAL * medianOf(values)) ** -2
    })
  }

  /**
   * Adds to `sums` the logarithms of how likely it is that an MCU lies under another when levels are added to its component, from
   * `lift` on in steps: `weight` times each, 0 at best.
   */
  add(
    component: number,
    above: number,
    below: number,
    lift: number,
    step: number,
    weight: number,
    sums: Float64Array,
  ): void {
    const { top, bottom } = this.#means[component]
    const sharpness = Math.sqrt(this.#sharpness[component] / FREEDOM) / this.#usual(component, above, below)
    const scale = (-OF_ITS_OWN * (FREEDOM + 1) * weight) / 2
    let off = (bottom[above] - top[below] - lift) * sharpness
    for (let i = 0; i < sums.length; i++) {
      sums[i] += scale * logOfSquare(Math.abs(off))
      off -= step * sharpness
    }
  }

  #usual(component: number, above: number, below: number): number {
    const unrest = this.#unrest[component]
    return GROUND + FOR_DETAIL * (unrest[above] + unrest[below])
  }
}

/** The logarithm of 1 + `value`², for a value not below 0. */
function logOfSquare(value: number): number {
  if (!(value < MOST_LOOKED_UP)) return Math.log1p(value * value)
  const at = value * PARTS
  const index = Math.floor(at)
  return LOGS[index] + (at - index) * (LOGS[index + 1] - LOGS[index])
}
