import { BLOCK_COEFFICIENTS } from '../../codecs/jpeg/mcu-layout.ts'
import { BorderColumns } from './border-columns.ts'
import type { BorderSamples } from './border-samples.ts'
import { type BorderStep, LEAST_ERROR, stepOf, type UsualSteps, usualSteps, Values } from './border-steps.ts'
import type { EdgeMeans } from './edge-means.ts'
import { surestMean } from './surest-mean.ts'

/** Levels by which samples at an even border differ, too: where they differ more it tells less, by the square. */
const GROUND = 0.5
/** Steps between rows that tell nothing of slopes: edges of the picture's own. */
const STEEP = 8
/** Places at which slopes are learned. */
const MOST_LEARNED = 4_096
/**
 * Rows within pieces by which it is told what such a step usually is, since theirs are none: so many, of which so many follow
 * each other.
 */
const MOST_TRIED = 96
const ROWS_OF_GROUP = 8
/** Places in a row from which on one within a piece is looked for. */
const STARTS_IN_ROW = 4
/** Rows on each side of a border whose steps tell what its own is like. */
const ROWS_BESIDE = 2
/** A step is measured by blocks, and by columns in two ways. */
const WAYS = 3

/** Steps of rows within pieces as blocks tell them, group by group, and the first MCU of each. */
interface TriedRows {
  readonly steps: readonly (readonly number[])[]
  readonly from: readonly (readonly number[])[]
}

/** What each way of measuring counts, and by how much their mean is surer than the first way alone: a part of its error. */
interface Mixture {
  readonly weights: readonly number[]
  readonly surer: number
}

/**
 * Measures how DC of a component changes across borders between pieces. Flat blocks hide that a picture grows brighter from row
 * to row: what a step is usually like on both sides is taken off, as far as the picture's own rows show that to help.
 */
export class BorderMeter {
  readonly #samples: BorderSamples
  readonly #means: EdgeMeans
  /** Which section an MCU of the stream is part of, -1 for none. */
  readonly #ownerOf: Int32Array
  readonly #slope: number
  readonly #usualSteps: UsualSteps
  readonly #columns: BorderColumns
  readonly #mixture: Mixture
  readonly #found = new Map<number, Values>()

  constructor(samples: BorderSamples, means: EdgeMeans, ownerOf: Int32Array) {
    this.#samples = samples
    this.#means = means
    this.#ownerOf = ownerOf
    this.#slope = this.#learn()
    this.#columns = new BorderColumns(samples)
    const tried = this.#tryOut()
    this.#usualSteps = usualSteps(tried.steps)
    this.#mixture = this.#mix(tried)
  }

  /**
   * Takes in that MCU `below` of the stream follows `above`, with `apart` rows of lost ones between them, for the border named
   * `key`.
   */
  add(key: number, below: number, above: number, apart: number): void {
    let values = this.#found.get(key)
    if (!values) {
      values = new Values()
      this.#found.set(key, values)
    }
    // sides that touch tell more than others ever do
    if (apart > values.apart || values.full) return
    if (apart < values.apart) {
      values.count = 0
      values.pairs.length = 0
    }
    values.apart = apart
    values.pairs.push(below, above)
    this.#put(values, below, above)
  }

  /** The borders that were taken in, by their keys. */
  steps(): Map<number, BorderStep> {
    const row = this.#samples.layout.mcuWide * this.#samples.layout.components[this.#samples.component].h
    const { bias, alike, error: usual, errorBeside } = this.#usualSteps
    return new Map(
      Array.from(this.#found, ([key, values]) => {
        const { difference, error } = stepOf(values)
        const beside = values.apart === 0 && alike > 0 ? this.#beside(values.pairs) : undefined
        const expected = beside === undefined ? bias : bias + alike * (beside - bias)
        const own = beside === undefined ? usual : errorBeside
        const least = own * Math.sqrt(row / Math.min(row, values.count))
        const told = { difference: difference - expected, error: Math.max(error, least) }
        return [key, values.apart === 0 ? this.#mixed(told, values.pairs, difference) : told]
      }),
    )
  }

  /** A step as all ways of measuring tell it, where `told` is what blocks do, which found `difference` at first. */
  #mixed(told: BorderStep, pairs: readonly number[], difference: number): BorderStep {
    const { weights, surer } = this.#mixture
    if (weights[0] === 1) return told
    const [touching, straight] = this.#columns.steps(pairs, difference)
    return {
      difference: weights[0] * told.difference + weights[1] * touching + weights[2] * straight,
      error: Math.max(LEAST_ERROR, surer * told.error),
    }
  }

  /** What each way of measuring is worth in this picture, by rows within pieces. */
  #mix({ steps, from }: TriedRows): Mixture {
    const { bias, alike } = this.#usualSteps
    const wide = this.#samples.layout.mcuWide
    const tries = steps.flatMap((group, index) =>
      group.map((step, row) => {
        const beside = [row - 2, row - 1, row + 1, row + 2].filter((i) => i >= 0 && i < group.length)
        const mean = beside.reduce((sum, i) => sum + group[i], 0) / Math.max(1, beside.length)
        const expected = beside.length === 0 ? bias : bias + alike * (mean - bias)
        const pairs = Array.from({ length: 2 * wide }, (_, i) => {
          const below = from[index][row] + (i >> 1)
          return i % 2 === 0 ? below : below - wide
        })
        return [step - expected, ...this.#columns.steps(pairs, step)]
      }),
    )
    const weights = surestMean(tries, WAYS)
    const mixed = tries.map((each) => each.reduce((sum, value, way) => sum + weights[way] * value, 0))
    const alone = tries.map(([first]) => first)
    return {
      weights,
      surer: weights[0] === 1 ? 1 : Math.min(1, rootMeanSquare(mixed) / rootMeanSquare(alone)),
    }
  }

  /** What steps come to along the borders next to one, on both of its sides; undefined where less than half of it has such. */
  #beside(pairs: readonly number[]): number | undefined {
    const wide = this.#samples.layout.mcuWide
    const owner = this.#ownerOf
    let sum = 0
    let rows = 0
    for (let i = 0; i < ROWS_BESIDE; i++) {
      const upper = new Values()
      const lower = new Values()
      upper.apart = 0
      lower.apart = 0
      let uppers = 0
      let lowers = 0
      for (let at = 0; at < pairs.length; at += 2) {
        const below = pairs[at] + (i + 1) * wide
        const above = pairs[at + 1] - i * wide
        if (below < owner.length && owner[below] >= 0 && owner[below] === owner[below - wide]) {
          lowers++
          this.#put(lower, below, below - wide)
        }
        if (above >= wide && owner[above] >= 0 && owner[above] === owner[above - wide]) {
          uppers++
          this.#put(upper, above, above - wide)
        }
      }
      for (const [values, count] of [
        [upper, uppers],
        [lower, lowers],
      ] as const) {
        if (4 * count < pairs.length) continue
        sum += stepOf(values).difference
        rows++
      }
    }
    return rows === 0 ? undefined : sum / rows
  }

  /** Takes in each block along the border of two MCUs. */
  #put(values: Values, below: number, above: number): void {
    const { h } = this.#samples.layout.components[this.#samples.component]
    const usual = values.apart === 0 ? this.#slope * this.#usual(below, above) : 0
    for (let x = 0; x < h && !values.full; x++) {
      this.#samples.look(below, above, x)
      const unrest = GROUND + this.#samples.unrest
      values.add(this.#samples.step - usual, 1 / (unrest * unrest))
    }
  }

  /** Measures steps within pieces, where there are none: groups of rows that follow each other. */
  #tryOut(): TriedRows {
    const wide = this.#samples.layout.mcuWide
    const owner = this.#ownerOf
    const rows = Math.floor(owner.length / wide)
    const groups = Math.max(1, Math.min(Math.floor(rows / ROWS_OF_GROUP), MOST_TRIED / ROWS_OF_GROUP))
    const steps: number[][] = []
    const froms: number[][] = []
    for (let group = 0; group < groups; group++) {
      const first = 1 + Math.floor((group * (rows - 1)) / groups)
      let own: number[] = []
      let places: number[] = []
      const end = Math.min(rows, first + ROWS_OF_GROUP) * wide
      let from = first * wide
      while (from + wide <= end) {
        const inside = owner[from] >= 0 && owner[from - wide] === owner[from]
        if (inside && owner[from + wide - 1] === owner[from]) {
          own.push(this.#rowStep(from))
          places.push(from)
          from += wide
          continue
        }
        if (own.length > 0) {
          steps.push(own)
          froms.push(places)
          own = []
          places = []
        }
        from += Math.ceil(wide / STARTS_IN_ROW)
      }
      steps.push(own)
      froms.push(places)
    }
    return { steps, from: froms }
  }

  #rowStep(from: number): number {
    const wide = this.#samples.layout.mcuWide
    const values = new Values()
    values.apart = 0
    for (let at = from; at < from + wide && !values.full; at++) this.#put(values, at, at - wide)
    return stepOf(values).difference
  }

  /** What a step is like next to the border, on one side or on both. */
  #usual(below: number, above: number): number {
    const wide = this.#samples.layout.mcuWide
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
    const wide = this.#samples.layout.mcuWide
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
    const { coefficients, quantisation, layout, component } = this.#samples
    const { components, mcuLength } = layout
    const { h, v, firstBlock } = components[component]
    let at = mcu * mcuLength + firstBlock * BLOCK_COEFFICIENTS
    let sum = 0
    for (let block = 0; block < h * v; block++, at += BLOCK_COEFFICIENTS) {
      for (let i = 1; i < BLOCK_COEFFICIENTS; i++) {
        const value = coefficients[at + i]
        if (value !== 0) sum += (value * quantisation[i]) ** 2
      }
    }
    return Math.sqrt(sum / (BLOCK_COEFFICIENTS * h * v))
  }
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length)
}
