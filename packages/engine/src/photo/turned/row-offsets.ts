import type { StepInput } from '../levels/weigh-dc-steps.ts'
import type { DcLikelihood } from './dc-likelihood.ts'

const BLOCK = 8
/** Levels that are tried to be added to a row: so many to either side, in such steps. */
const MOST = 26
const STEP = 0.5
const SIDE = MOST / STEP
const OFFSETS = 2 * SIDE + 1
/** MCUs of a row that are compared, about. */
const SAMPLES = 96
/** MCUs that are looked at of all of a picture, at most. */
const MOST_LOOKED = 1 << 17
/** Levels by which all of a row is usually off, the picture itself growing brighter from row to row: one of these. */
const USUAL = [0.2, 0.3, 0.45, 0.7, 1, 1.5, 2.2]
/** Rows by which that is learned. */
const LEARNED = 256
/** Of a row all of which is off: Student's distribution. */
const FREEDOM = 3

/**
 * How likely rows of a component are to go on from those above them with levels added to them: by their MCUs one by one, and
 * since all of a row may be off together, by how far rows of this picture are.
 */
export class RowOffsets {
  readonly #input: StepInput
  readonly #ownerOf: Int32Array
  readonly #component: number
  readonly #stride: number
  readonly #count: number
  /** Sums by MCU looked at and offset. */
  readonly #sums: Float32Array
  readonly #scores = new Float64Array(OFFSETS)
  /** What it costs for a row to be off by so many steps. */
  readonly #costs: readonly number[]

  /** `ownerOf`: by place the section there, -1 where nothing is. */
  constructor(input: StepInput, ownerOf: Int32Array, component: number, likelihood: DcLikelihood) {
    this.#input = input
    this.#ownerOf = ownerOf
    this.#component = component
    const { mcuWide, mcuCount } = input.layout
    this.#stride = Math.max(1, Math.floor(mcuWide / SAMPLES), Math.ceil(mcuCount / MOST_LOOKED))
    this.#count = Math.ceil(mcuCount / this.#stride)
    this.#sums = new Float32Array(OFFSETS * (this.#count + 1))
    this.#fill(likelihood)
    this.#costs = this.#learn()
  }

  /** How much likelier places of a range are with `levels` added than without: a logarithm. */
  gain(from: number, to: number, levels: number): number {
    this.#score(from, to)
    return this.#best(SIDE + Math.round(levels / STEP)) - this.#best(SIDE)
  }

  /** The levels that must be added for a range to be likeliest, and by how much it is likelier so than it could be without. */
  likeliest(from: number, to: number): { readonly levels: number; readonly gain: number } {
    this.#score(from, to)
    let at = SIDE
    for (let i = 0; i < OFFSETS; i++) if (this.#scores[i] > this.#scores[at]) at = i
    return { levels: (at - SIDE) * STEP, gain: this.#scores[at] - this.#best(SIDE) }
  }

  /**
   * How well a row from `place` on is told from those in front of it and behind it, each with the levels that make it likeliest:
   * a logarithm.
   */
  contrast(place: number): number {
    const wide = this.#input.layout.mcuWide
    const apart = this.#most(place - wide, place) + this.#most(place, place + wide)
    const behind = this.#most(place + wide, place + 2 * wide)
    return apart + behind - this.#most(place - wide, place + 2 * wide)
  }

  #most(from: number, to: number): number {
    this.#score(from, to)
    let most = this.#scores[0]
    for (let i = 1; i < OFFSETS; i++) if (this.#scores[i] > most) most = this.#scores[i]
    return most
  }

  #score(from: number, to: number): void {
    const first = Math.max(0, Math.min(this.#count, Math.ceil(from / this.#stride)))
    const last = Math.max(first, Math.min(this.#count, Math.ceil(to / this.#stride)))
    const front = first * OFFSETS
    const behind = last * OFFSETS
    for (let i = 0; i < OFFSETS; i++) this.#scores[i] = this.#sums[behind + i] - this.#sums[front + i]
  }

  #best(offset: number): number {
    let best = Number.NEGATIVE_INFINITY
    for (let at = 0; at < OFFSETS; at++) {
      const score = this.#scores[at] + this.#costs[Math.abs(at - offset)]
      if (score > best) best = score
    }
    return best
  }

  #fill(likelihood: DcLikelihood): void {
    const { layout, sections, source, quantisation } = this.#input
    const component = this.#component
    const unit = quantisation[component][0] / BLOCK
    const { mcuWide: wide } = layout
    const row = new Float64Array(OFFSETS)
    for (let i = 0; i < this.#count; i++) {
      const place = i * this.#stride
      const lower = this.#ownerOf[place]
      const upper = place >= wide ? this.#ownerOf[place - wide] : -1
      if (lower >= 0 && upper >= 0) {
        const lift = (sections[lower].dc[component] - sections[upper].dc[component]) * unit
        const above = source[place - wide]
        likelihood.add(component, above, source[place], lift - MOST, STEP, this.#stride, row)
      }
      for (let j = 0, at = (i + 1) * OFFSETS; j < OFFSETS; j++, at++) this.#sums[at] = row[j]
    }
  }

  /** What it costs for a row to be off by so many steps: with the usual one by which rows of the picture are likeliest. */
  #learn(): readonly number[] {
    const { mcuWide: wide, mcuCount } = this.#input.layout
    const rows = Math.floor(mcuCount / wide) - 1
    const stride = Math.max(1, Math.ceil(rows / LEARNED))
    const choices = USUAL.map((usual) => ({ costs: costsOf(usual), sum: 0 }))
    for (let row = 1; row <= rows; row += stride) {
      this.#score(row * wide, (row + 1) * wide)
      const most = this.#scores.reduce((a, b) => Math.max(a, b))
      for (const choice of choices) {
        let sum = 0
        for (let at = 0; at < OFFSETS; at++)
          sum += Math.exp(this.#scores[at] - most + choice.costs[Math.abs(at - SIDE)])
        choice.sum += Math.log(sum)
      }
    }
    const [best] = choices.sort((a, b) => b.sum - a.sum)
    return best.costs.map((cost) => cost - best.costs[0])
  }
}

function costsOf(usual: number): number[] {
  return Array.from(
    { length: OFFSETS },
    (_, i) => -Math.log(usual) - ((FREEDOM + 1) / 2) * Math.log1p(((i * STEP) / usual) ** 2 / FREEDOM),
  )
}
