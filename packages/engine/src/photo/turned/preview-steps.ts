import { BLOCK_COEFFICIENTS } from '../../codecs/jpeg/mcu-layout.ts'
import type { StepInput } from '../levels/weigh-dc-steps.ts'
import type { MeanPlanes } from '../preview/reference.ts'
import { medianOf, NORMAL } from '../statistics.ts'

const BLOCK = 8
/** Of more rows than these the median counts: what lies in a part of them tells nothing of the rest. */
const FEW_ROWS = 3
/** Rows of MCUs on each side of a place that are compared: those beside it, and those farther off, up to which a step lasts. */
const BESIDE: Rows = { from: 0, to: 3 }
const FARTHER: Rows = { from: 3, to: 12 }
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

/** Rows on each side of a place, from the nearest one, 0, on. */
interface Rows {
  readonly from: number
  readonly to: number
}

/**
 * What a preview says of steps of DC within the photo: whether what it shows and what was read drift apart from a place on, by
 * rows of MCUs in front of it and behind it. Its own error hardly changes from one row to the next.
 */
export class PreviewSteps {
  readonly #input: StepInput
  readonly #ownerOf: Int32Array
  /** By component and place: levels by which the preview is brighter; NaN where nothing was read. */
  readonly #brighter: readonly Float32Array[]
  readonly #errors = new Map<string, number | undefined>()
  readonly #differences = new Float32Array(SAMPLES + 1)
  readonly #ofRows = new Float32Array(FARTHER.to)

  /** `ownerOf`: by place what shares one offset of DC, -1 where nothing is. */
  constructor(input: StepInput, ownerOf: Int32Array, { planes }: MeanPlanes) {
    this.#input = input
    this.#ownerOf = ownerOf
    this.#brighter = planes.map((plane, component) => brighterBy(input, plane, component))
  }

  /**
   * How much likelier what the preview shows is when `levels` are added from a place on: a logarithm, 0 where it says nothing.
   * Where something in the picture begins the two differ, too, but only beside it: rows farther off may speak against a step, not
   * for it.
   */
  gain(component: number, place: number, levels: number): number {
    return (
      this.#gainOf(component, place, levels, BESIDE) +
      Math.min(0, this.#gainOf(component, place, levels, FARTHER))
    )
  }

  /** What `gain` comes to at most, where a step of `levels` is as it should be: 0 where nothing is told. */
  mostGain(component: number, place: number, levels: number): number {
    const error = this.#errorOf(component, BESIDE)
    if (error === undefined || this.#apart(component, place, BESIDE) === undefined) return 0
    return likely(0, error) - likely(levels, error)
  }

  #gainOf(component: number, place: number, levels: number, rows: Rows): number {
    const apart = this.#apart(component, place, rows)
    const error = this.#errorOf(component, rows)
    if (apart === undefined || error === undefined) return 0
    return likely(apart - levels, error) - likely(apart, error)
  }

  /**
   * Levels by which the preview is brighter behind a place than in front of it: the median of columns, each the middle of its
   * rows.
   */
  #apart(component: number, place: number, { from, to }: Rows): number | undefined {
    const brighter = this.#brighter[component]
    if (!brighter) return undefined
    const { mcuWide: wide, mcuCount } = this.#input.layout
    const owner = this.#ownerOf[place]
    const stride = Math.max(1, Math.floor(wide / SAMPLES))
    let count = 0
    let looked = 0
    for (let i = 0; i < wide && count < SAMPLES; i += stride, looked++) {
      let rows = 0
      for (let row = from; row < to; row++) {
        const behind = place + i + row * wide
        const before = place + i - (row + 1) * wide
        if (before < 0 || behind >= mcuCount) break
        if (this.#ownerOf[before] !== owner || this.#ownerOf[behind] !== owner) break
        this.#ofRows[rows++] = brighter[behind] - brighter[before]
      }
      if (rows > 0) this.#differences[count++] = middleOf(this.#ofRows, rows)
    }
    return count < LEAST_PART * looked ? undefined : medianOf(this.#differences, count)
  }

  #errorOf(component: number, rows: Rows): number | undefined {
    const key = `${component}/${rows.from}`
    if (this.#errors.has(key)) return this.#errors.get(key)
    const { mcuWide: wide, mcuCount } = this.#input.layout
    const stride = Math.max(1, Math.floor(mcuCount / LEARNED)) | 1
    const found: number[] = []
    for (let place = wide; place < mcuCount; place += stride) {
      if (this.#ownerOf[place] < 0) continue
      const apart = this.#apart(component, place, rows)
      if (apart !== undefined) found.push(Math.abs(apart))
    }
    const error =
      found.length < LEAST_LEARNED
        ? undefined
        : Math.max(LEAST_ERROR, NORMAL * medianOf(Float32Array.from(found)))
    this.#errors.set(key, error)
    return error
  }
}

/** The mean of few values, the median of more. */
function middleOf(values: Float32Array, count: number): number {
  if (count > FEW_ROWS) return medianOf(values, count)
  let sum = 0
  for (let i = 0; i < count; i++) sum += values[i]
  return sum / count
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
