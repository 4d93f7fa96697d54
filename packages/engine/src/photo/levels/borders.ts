import { BLOCK_COEFFICIENTS } from '../../codecs/jpeg/mcu-layout.ts'
import { deviationOf } from '../statistics.ts'
import { BorderColumns } from './border-columns.ts'
import type { BorderSamples } from './border-samples.ts'
import {
  type BorderStep,
  besideRow,
  clamp,
  expectedOf,
  LEAST_ERROR,
  MOST_DEVIATIONS,
  middleOf,
  stepOf,
  type UsualSteps,
  usualSteps,
  Values,
} from './border-steps.ts'
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
  /** What steps are usually like, by each way of measuring. */
  readonly #usualSteps: readonly UsualSteps[]
  readonly #columns: BorderColumns
  readonly #mixture: Mixture
  readonly #found = new Map<number, Values>()

  constructor(samples: BorderSamples, means: EdgeMeans, ownerOf: Int32Array) {
    this.#samples = samples
    this.#means = means
    this.#ownerOf = ownerOf
    this.#slope = this.#learn()
    this.#columns = new BorderColumns(samples)
    const { steps, from } = this.#tryOut()
    const columns = steps.map((group, index) =>
      group.map((step, row) => this.#columns.steps(this.#pairsOfRow(from[index][row]), step)),
    )
    const tried = [steps, ...[0, 1].map((way) => columns.map((group) => group.map((each) => each[way])))]
    this.#usualSteps = tried.map((own) => usualSteps(own, steps))
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
    const { error: usual, errorBeside } = this.#usualSteps[0]
    return new Map(
      Array.from(this.#found, ([key, values]) => {
        const { difference, error } = stepOf(values)
        const alike = values.apart === 0 && this.#usualSteps.some((way) => way.alike > 0)
        const beside = alike ? this.#beside(values.pairs) : undefined
        const own = beside === undefined ? usual : errorBeside
        const least = own * Math.sqrt(row / Math.min(row, values.count))
        const told = {
          difference: difference - expectedOf(this.#usualSteps[0], beside),
          error: Math.max(error, least),
        }
        return [key, values.apart === 0 ? this.#mixed(told, values.pairs, difference, beside) : told]
      }),
    )
  }

  /** A step as all ways of measuring tell it, where `told` is what blocks do, which found `difference` at first. */
  #mixed(
    told: BorderStep,
    pairs: readonly number[],
    difference: number,
    beside: number | undefined,
  ): BorderStep {
    const { weights, surer } = this.#mixture
    if (weights[0] === 1) return told
    const ways = [
      told.difference,
      ...this.#columns
        .steps(pairs, difference)
        .map((step, way) => step - expectedOf(this.#usualSteps[way + 1], beside)),
    ]
    return {
      difference: ways.reduce((sum, step, way) => sum + weights[way] * step, 0),
      error: Math.max(LEAST_ERROR, surer * told.error),
    }
  }

  /** What each way of measuring is worth in this picture, by what rows within pieces come to by each, group by group. */
  #mix(tried: readonly (readonly (readonly number[])[])[]): Mixture {
    const all = tried.map((groups, way) =>
      groups.flatMap((group, index) =>
        group.map((step, row) => step - expectedOf(this.#usualSteps[way], besideRow(tried[0][index], row))),
      ),
    )
    // edges of the picture's own that lie along a row are no errors of measuring
    const usual = all.map((values) => {
      const most = MOST_DEVIATIONS * deviationOf(Float32Array.from(values), 0)
      return values.map((value) => clamp(value, most))
    })
    const weights = surestMean(triesOf(usual), WAYS)
    const surer = Math.max(partOfError(usual, weights), partOfError(all, weights))
    return { weights, surer: Math.min(1, surer) }
  }

  /** MCUs of a row from one on and those above them, in turn. */
  #pairsOfRow(from: number): number[] {
    const wide = this.#samples.layout.mcuWide
    return Array.from({ length: 2 * wide }, (_, i) => from + (i >> 1) - (i % 2) * wide)
  }

  /** What steps come to along the borders next to one, on both of its sides; undefined where less than half of it has such. */
  #beside(pairs: readonly number[]): number | undefined {
    const wide = this.#samples.layout.mcuWide
    const owner = this.#ownerOf
    const found: number[] = []
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
        if (4 * count >= pairs.length) found.push(stepOf(values).difference)
      }
    }
    return found.length === 0 ? undefined : middleOf(found)
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

/** What each way of measuring comes to, try by try. */
function triesOf(ways: readonly (readonly number[])[]): number[][] {
  return ways[0].map((_, index) => ways.map((values) => values[index]))
}

/** The error of the ways' mean as a part of the first one's. */
function partOfError(ways: readonly (readonly number[])[], weights: readonly number[]): number {
  const mixed = triesOf(ways).map((each) => each.reduce((sum, value, way) => sum + weights[way] * value, 0))
  const alone = rootMeanSquare(ways[0])
  return alone > 0 ? rootMeanSquare(mixed) / alone : 1
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / Math.max(1, values.length))
}
