import { BLOCK_COEFFICIENTS } from '../../codecs/jpeg/mcu-layout.ts'
import type { StepInput } from '../levels/weigh-dc-steps.ts'
import type { MeanPlanes } from '../preview/reference.ts'
import { medianOf, NORMAL } from '../statistics.ts'

const BLOCK = 8
/** Rows of MCUs on each side of a place that are compared. */
const ROWS = 3
/** Columns that are compared, about, and the least part of them that must be there. */
const SAMPLES = 64
const LEAST_PART = 0.5
/** Places by which it is learned how far the two sides usually are apart. */
const LEARNED = 400
const LEAST_LEARNED = 24
/** Least of that, in levels: a preview is coded with loss, too. */
const LEAST_ERROR = 0.15
/** Degrees of freedom of Student's distribution. */
const FREEDOM = 3

/**
 * What a preview says of steps of DC within the photo: whether what it shows and what was read drift apart from a place on, by rows of MCUs in
 * front of it and behind it. Its own error hardly changes from one row to the next.
 */
export class PreviewSteps {
  readonly #input: StepInput
  readonly #ownerOf: Int32Array
  /** By component and place: levels by which the preview is brighter; NaN where nothing was read. */
  readonly #brighter: readonly Float32Array[]
  readonly #errors: (number | undefined)[] = []
  readonly #differences = new Float32Array(SAMPLES + 1)

  /** `ownerOf`: by place what shares one offset of DC, -1 where nothing is. */
  constructor(input: StepInput, ownerOf: Int32Array, { planes }: MeanPlanes) {
    this.#input = input
    this.#ownerOf = ownerOf
    this.#brighter = planes.map((plane, component) => brighterBy(input, plane, component))
  }

  /** How much likelier what the preview shows is when `levels` are added from a place on: a logarithm, 0 where it says nothing. */
  gain(component: number, place: number, levels: number): number {
    const apart = this.#apart(component, place)
    const error = this.#errorOf(component)
    if (apart === undefined || error === undefined) return 0
    return likely(apart - levels, error) - likely(apart, error)
  }

  /** Levels by which the preview is brighter behind a place than in front of it: the median of columns. */
  #apart(component: number, place: number): number | undefined {
    const brighter = this.#brighter[component]
    if (!brighter) return undefined
    const { mcuWide: wide, mcuCount } = this.#input.layout
    const owner = this.#ownerOf[place]
    const stride = Math.max(1, Math.floor(wide / SAMPLES))
    let count = 0
    let looked = 0
    for (let i = 0; i < wide && count < SAMPLES; i += stride, looked++) {
      let sum = 0
      let rows = 0
      for (let row = 0; row < ROWS; row++) {
        const behind = place + i + row * wide
        const before = place + i - (row + 1) * wide
        if (before < 0 || behind >= mcuCount) break
        if (this.#ownerOf[before] !== owner || this.#ownerOf[behind] !== owner) break
        sum += brighter[behind] - brighter[before]
        rows++
      }
      if (rows > 0) this.#differences[count++] = sum / rows
    }
    return count < LEAST_PART * looked ? undefined : medianOf(this.#differences, count)
  }

  #errorOf(component: number): number | undefined {
    if (component in this.#errors) return this.#errors[component]
    const { mcuWide: wide, mcuCount } = this.#input.layout
    const stride = Math.max(1, Math.floor(mcuCount / LEARNED)) | 1
    const found: number[] = []
    for (let place = wide; place < mcuCount; place += stride) {
      if (this.#ownerOf[place] < 0) continue
      const apart = this.#apart(component, place)
      if (apart !== undefined) found.push(Math.abs(apart))
    }
    const error =
      found.length < LEAST_LEARNED
        ? undefined
        : Math.max(LEAST_ERROR, NORMAL * medianOf(Float32Array.from(found)))
    this.#errors[component] = error
    return error
  }
}

function likely(off: number, error: number): number {
  return (-(FREEDOM + 1) * Math.log1p((off / error) ** 2 / FREEDOM)) / 2
}

/** Levels by which a plane of the preview is brighter than what was read, by place. */
function brighterBy(
  { layout, sections, source, coefficients, quantisation }: StepInput,
  plane: Float32Array,
  component: number,
): Float32Array {
  const { h, v, firstBlock } = layout.components[component]
  const unit = quantisation[component][0] / BLOCK
  const brighter = new Float32Array(layout.mcuCount).fill(Number.NaN)
  for (const { first, count, place, dc } of sections) {
    for (let i = 0; i < count && place + i < layout.mcuCount; i++) {
      if (source[place + i] !== first + i) continue
      const from = (first + i) * layout.mcuLength + firstBlock * BLOCK_COEFFICIENTS
      let sum = 0
      for (let block = 0; block < h * v; block++) sum += coefficients[from + block * BLOCK_COEFFICIENTS]
      brighter[place + i] = plane[place + i] - (sum / (h * v) + dc[component]) * unit
    }
  }
  return brighter
}
