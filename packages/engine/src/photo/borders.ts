import { inverseDctRow } from '../codecs/jpeg/dct.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from '../codecs/jpeg/mcu-layout.ts'
import type { EdgeMeans } from './edge-means.ts'
import { medianOf } from './statistics.ts'

const BLOCK = 8
/** Levels by which samples at an even border differ, too: where they differ more it tells less, by the square. */
const GROUND = 0.5
/** Steps between rows that tell nothing of slopes: edges of the picture's own. */
const STEEP = 8
/** Places at which slopes are learned. */
const MOST_LEARNED = 4_096
/** Values beyond so many times the usual distance from the middle are no noise. */
const OUTLIER = 4
const ROUNDS = 4
/** Of a normal distribution: the standard deviation for each median distance from the middle. */
const NORMAL = 1.48
/** Neighbours along a border err alike: so many count as one. */
const ALIKE = 3
/** Least error of a border's difference, in levels. */
const LEAST_ERROR = 0.03
/** Rows within pieces by which it is told how far such a step is off: their steps are none. */
const MOST_TRIED = 96
const LEAST_TRIED = 4
/** Values kept of one border: more tell no more. */
const MOST_VALUES = 2_048
/** Levels by which brightness drifts for each row of MCUs between two that do not touch. */
const DRIFT_OF_ROW = 1

/** How much brighter one side of a border is than it should be, in levels, and how far that may be off. */
export interface BorderStep {
  readonly difference: number
  readonly error: number
}

/** Values along one border, each with its weight. */
class Values {
  readonly values = new Float32Array(MOST_VALUES)
  readonly weights = new Float32Array(MOST_VALUES)
  count = 0
  /** Rows of MCUs between the two sides that are lost, at the nearest place. */
  apart = Number.POSITIVE_INFINITY
}

/**
 * Measures how DC of a component changes across borders between pieces. Flat blocks hide that a picture grows brighter from row to row: what
 * a step is usually like on both sides is taken off, as far as the picture's own rows show that to help.
 */
export class BorderMeter {
  readonly #coefficients: Int16Array
  readonly #layout: McuLayout
  readonly #component: number
  readonly #quantisation: ArrayLike<number>
  readonly #means: EdgeMeans
  /** Which section an MCU of the stream is part of, -1 for none. */
  readonly #ownerOf: Int32Array
  readonly #slope: number
  readonly #usualError: BorderStep
  /** Two rows of samples above a border and two below it. */
  readonly #rows = new Float32Array(4 * BLOCK)
  readonly #found = new Map<number, Values>()

  constructor(
    coefficients: Int16Array,
    layout: McuLayout,
    component: number,
    quantisation: ArrayLike<number>,
    means: EdgeMeans,
    ownerOf: Int32Array,
  ) {
    this.#coefficients = coefficients
    this.#layout = layout
    this.#component = component
    this.#quantisation = quantisation
    this.#means = means
    this.#ownerOf = ownerOf
    this.#slope = this.#learn()
    this.#usualError = this.#tryOut()
  }

  /** Takes in that MCU `below` of the stream follows `above`, with `apart` rows of lost ones between them, for the border named `key`. */
  add(key: number, below: number, above: number, apart: number): void {
    let values = this.#found.get(key)
    if (!values) {
      values = new Values()
      this.#found.set(key, values)
    }
    // sides that touch tell more than others ever do
    if (apart > values.apart || values.count === MOST_VALUES) return
    if (apart < values.apart) values.count = 0
    values.apart = apart
    this.#put(values, below, above)
  }

  /** The borders that were taken in, by their keys. */
  steps(): Map<number, BorderStep> {
    const { difference: bias, error: usual } = this.#usualError
    const row = this.#layout.mcuWide * this.#layout.components[this.#component].h
    return new Map(
      Array.from(this.#found, ([key, values]) => {
        const { difference, error } = stepOf(values)
        const least = usual * Math.sqrt(row / Math.min(row, values.count))
        return [key, { difference: difference - bias, error: Math.max(error, least) }]
      }),
    )
  }

  /** Takes in each block along the border of two MCUs. */
  #put(values: Values, below: number, above: number): void {
    const { components, mcuLength } = this.#layout
    const { h, v, firstBlock } = components[this.#component]
    const usual = values.apart === 0 ? this.#slope * this.#usual(below, above) : 0
    for (let x = 0; x < h && values.count < MOST_VALUES; x++) {
      const upper = above * mcuLength + (firstBlock + (v - 1) * h + x) * BLOCK_COEFFICIENTS
      const lower = below * mcuLength + (firstBlock + x) * BLOCK_COEFFICIENTS
      this.#row(upper, BLOCK - 2, 0)
      this.#row(upper, BLOCK - 1, 1)
      this.#row(lower, 0, 2)
      this.#row(lower, 1, 3)
      const unrest = GROUND + this.#unrest()
      values.values[values.count] = this.#step() - usual
      values.weights[values.count++] = 1 / (unrest * unrest)
    }
  }

  #row(block: number, y: number, index: number): void {
    inverseDctRow(this.#coefficients, block, this.#quantisation, y, this.#rows, index * BLOCK)
  }

  /** Levels by which the row above the border is brighter than that below it. */
  #step(): number {
    let sum = 0
    for (let x = 0; x < BLOCK; x++) sum += this.#rows[BLOCK + x] - this.#rows[2 * BLOCK + x]
    return sum / BLOCK
  }

  /** Levels by which samples at the border differ from those beside them within their blocks: down, and along the border. */
  #unrest(): number {
    const rows = this.#rows
    let down = 0
    let along = 0
    for (let x = 0; x < BLOCK; x++) {
      down += Math.abs(rows[BLOCK + x] - rows[x]) + Math.abs(rows[3 * BLOCK + x] - rows[2 * BLOCK + x])
      const left = Math.max(0, x - 1)
      const right = Math.min(BLOCK - 1, x + 1)
      along += Math.abs(rows[BLOCK + right] - rows[BLOCK + left])
      along += Math.abs(rows[2 * BLOCK + right] - rows[2 * BLOCK + left])
    }
    return (down + along / 2) / BLOCK
  }

  /** Measures steps within pieces, where there are none: what they usually come to, and how far from that they are. */
  #tryOut(): BorderStep {
    const wide = this.#layout.mcuWide
    const owner = this.#ownerOf
    const steps: number[] = []
    const stride = Math.max(wide, Math.floor(owner.length / MOST_TRIED))
    for (let from = wide; from + wide <= owner.length; from += stride) {
      const inside = owner[from] >= 0 && owner[from - wide] === owner[from]
      if (!inside || owner[from + wide - 1] !== owner[from]) continue
      const values = new Values()
      values.apart = 0
      for (let at = from; at < from + wide && values.count < MOST_VALUES; at++)
        this.#put(values, at, at - wide)
      steps.push(stepOf(values).difference)
    }
    if (steps.length < LEAST_TRIED) return { difference: 0, error: LEAST_ERROR }
    const difference = medianOf(Float32Array.from(steps))
    const error = NORMAL * medianOf(Float32Array.from(steps, (step) => Math.abs(step - difference)))
    return { difference, error }
  }

  /** What a step is like next to the border, on one side or on both. */
  #usual(below: number, above: number): number {
    const wide = this.#layout.mcuWide
    const owner = this.#ownerOf
    const { top, bottom } = this.#means
    let sum = 0
    let sides = 0
    if (above >= wide && owner[above - wide] === owner[above]) {
      sum += bottom[above - wide] - top[above]
      sides++
    }
    if (below + wide < owner.length && owner[below + wide] === owner[below]) {
      sum += bottom[below] - top[below + wide]
      sides++
    }
    return sides === 0 || Math.abs(sum) > STEEP * sides ? 0 : sum / sides
  }

  /** How far steps follow those on both sides of them, within pieces: 1 for slopes without noise, 0 for noise. */
  #learn(): number {
    const wide = this.#layout.mcuWide
    const owner = this.#ownerOf
    const { top, bottom } = this.#means
    const stride = Math.max(1, Math.floor(owner.length / MOST_LEARNED)) | 1
    let square = 0
    let product = 0
    for (let at = 2 * wide; at + wide < owner.length; at += stride) {
      if (owner[at] < 0 || owner[at - 2 * wide] !== owner[at] || owner[at + wide] !== owner[at]) continue
      const step = bottom[at - wide] - top[at]
      const usual = (bottom[at - 2 * wide] - top[at - wide] + bottom[at] - top[at + wide]) / 2
      if (Math.abs(step) > STEEP || Math.abs(usual) > STEEP) continue
      const detail = 1 + this.#detail(at) + this.#detail(at - wide)
      square += (usual / detail) ** 2
      product += (usual * step) / detail ** 2
    }
    return square > 0 ? Math.max(0, Math.min(1, product / square)) : 0
  }

  /** Root mean square of an MCU's detail in the component, in levels. */
  #detail(mcu: number): number {
    const { components, mcuLength } = this.#layout
    const { h, v, firstBlock } = components[this.#component]
    let at = mcu * mcuLength + firstBlock * BLOCK_COEFFICIENTS
    let sum = 0
    for (let block = 0; block < h * v; block++, at += BLOCK_COEFFICIENTS) {
      for (let i = 1; i < BLOCK_COEFFICIENTS; i++) {
        const value = this.#coefficients[at + i]
        if (value !== 0) sum += (value * this.#quantisation[i]) ** 2
      }
    }
    return Math.sqrt(sum / (BLOCK_COEFFICIENTS * h * v))
  }
}

/** The middle of values by weight, those far from it left out: Tukey's biweight. */
function stepOf({ values, weights, count, apart }: Values): BorderStep {
  let middle = weightedMedian(values, weights, count)
  const scaled = new Float32Array(count)
  for (let i = 0; i < count; i++) scaled[i] = Math.abs(values[i] - middle) * Math.sqrt(weights[i])
  const spread = Math.max(1e-3, NORMAL * medianOf(scaled))
  let total = 0
  for (let round = 0; round < ROUNDS; round++) {
    let sum = 0
    total = 0
    for (let i = 0; i < count; i++) {
      const far = ((values[i] - middle) * Math.sqrt(weights[i])) / (OUTLIER * spread)
      if (Math.abs(far) >= 1) continue
      const weight = weights[i] * (1 - far * far) ** 2
      total += weight
      sum += weight * values[i]
    }
    if (total > 0) middle = sum / total
  }
  const noise = total > 0 ? spread * Math.sqrt(ALIKE / total) : spread
  return { difference: middle, error: Math.hypot(LEAST_ERROR, noise, DRIFT_OF_ROW * apart) }
}

function weightedMedian(values: Float32Array, weights: Float32Array, count: number): number {
  const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => values[a] - values[b])
  let total = 0
  for (let i = 0; i < count; i++) total += weights[i]
  let sum = 0
  for (const i of order) {
    sum += weights[i]
    if (2 * sum >= total) return values[i]
  }
  return 0
}
