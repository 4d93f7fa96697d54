import { BLOCK_COEFFICIENTS, type McuLayout } from '../codecs/jpeg/mcu-layout.ts'
import type { Section } from './pieces.ts'
import { deviationOf, medianOf } from './statistics.ts'

const SAMPLES_ACROSS = 8
/** MCUs of a section that are compared. */
const MOST_SAMPLES = 200
/** What one compared MCU counts beside one of a seam, and what all may. */
const WEIGHT = 0.12
/** A difference up to this many levels speaks for a place; above `MOST` it counts no more. */
const FITS = 9
const MOST = 40
/** MCUs beside each other are off alike: so many count as one. */
const ALIKE = 3
/** Rows of MCUs that a preview may be off, at most. */
const MOST_ROWS_OFF = 3

/** A small picture of the same scene at the damaged one's size: planes of mean levels, a value for each MCU and component. */
export interface MeanPlanes {
  readonly planes: readonly Float32Array[]
  /** Rows of MCUs that one row of its samples shows. */
  readonly rowsOfSample: number
}

/** A part of a section beside a preview: levels that the preview is higher, and the section's own. */
export interface ComparedStretch {
  readonly offset: number
  readonly level: number
}

/** Compares sections with a preview: an absolute witness of place and colour. */
export class Reference {
  readonly #coefficients: Int16Array
  readonly #layout: McuLayout
  readonly #planes: readonly Float32Array[]
  readonly #units: readonly number[]
  readonly #differences = new Float32Array(MOST_SAMPLES + 1)
  /** Rows of MCUs by which the preview may be off: a sample of its own, since cameras crop and round. */
  readonly #rowsOff: number
  /** How well sections agree with what the preview shows at a place, by the section's first MCU and the place. */
  readonly #agreements = new Map<number, number>()
  /** By component and MCU, NaN until asked for. */
  readonly #means: readonly Float32Array[]

  constructor(
    coefficients: Int16Array,
    layout: McuLayout,
    quantisation: readonly ArrayLike<number>[],
    { planes, rowsOfSample }: MeanPlanes,
  ) {
    this.#rowsOff = Math.min(MOST_ROWS_OFF, Math.round(rowsOfSample))
    this.#coefficients = coefficients
    this.#layout = layout
    this.#planes = planes
    this.#units = quantisation.map((table) => table[0] / SAMPLES_ACROSS)
    const count = coefficients.length / layout.mcuLength
    this.#means = layout.components.map(() => new Float32Array(count).fill(Number.NaN))
  }

  /**
   * How well the section at `place` agrees with the preview in luminance, whatever its offset: above 0 when it does. A preview a row of its samples
   * too high or too low agrees as well.
   */
  agreement(section: Section, place: number): number {
    const { mcuWide, mcuCount } = this.#layout
    let best = this.#agreementAt(section, place)
    for (let row = 1; row <= this.#rowsOff; row++) {
      const above = place - row * mcuWide
      const below = place + row * mcuWide
      if (above >= 0) best = Math.max(best, this.#agreementAt(section, above))
      if (below + section.count <= mcuCount) best = Math.max(best, this.#agreementAt(section, below))
    }
    return best
  }

  #agreementAt(section: Section, place: number): number {
    const key = section.first * this.#layout.mcuCount + place
    let score = this.#agreements.get(key)
    if (score !== undefined) return score
    const count = this.#compare(section, place, 0)
    const offset = section.known || count === 0 ? 0 : medianOf(this.#differences.slice(0, count))
    score = 0
    for (let i = 0; i < count; i++)
      score += (FITS - Math.min(MOST, Math.abs(this.#differences[i] - offset))) / FITS
    score *= WEIGHT
    this.#agreements.set(key, score)
    return score
  }

  /**
   * Levels to add to a component of a section at `place` so that it has the preview's, which has `contrast` more for each of its levels; undefined
   * when nothing can be compared.
   */
  offset(section: Section, place: number, component: number, contrast = 0): number | undefined {
    const count = this.#compare(section, place, component, contrast)
    return count === 0 ? undefined : medianOf(this.#differences, count)
  }

  /** How far such levels may be off by how much MCUs of the section differ among themselves; endless where one alone tells. */
  offsetError(section: Section, place: number, component: number): number {
    const count = this.#compare(section, place, component)
    if (count < 2) return Number.POSITIVE_INFINITY
    const spread = deviationOf(this.#differences.subarray(0, count), medianOf(this.#differences, count))
    return spread * Math.sqrt(ALIKE / section.count)
  }

  /** What `offset` is for each stretch of `size` MCUs of a section, beside the section's own mean level there. */
  stretches(section: Section, place: number, component: number, size: number): ComparedStretch[] {
    const stretches: ComparedStretch[] = []
    for (let from = 0; from + size <= section.count; from += size) {
      const first = section.first + from
      const offset = this.offset({ ...section, first, count: size }, place + from, component)
      if (offset === undefined) continue
      let level = 0
      for (let i = 0; i < size; i++) level += this.#mean(first + i, component) / size
      stretches.push({ offset, level })
    }
    return stretches
  }

  /** Differences preview − section, of some MCUs spread evenly; returns how many. */
  #compare({ first, count }: Section, place: number, component: number, contrast = 0): number {
    const plane = this.#planes[component]
    if (!plane) return 0
    const step = Math.max(1, Math.ceil(count / MOST_SAMPLES))
    let compared = 0
    for (let i = 0; i < count && place + i < this.#layout.mcuCount; i += step) {
      this.#differences[compared++] = (1 - contrast) * plane[place + i] - this.#mean(first + i, component)
    }
    return compared
  }

  /** Mean level of a component's blocks in an MCU. */
  #mean(mcu: number, component: number): number {
    const known = this.#means[component]
    if (Number.isNaN(known[mcu])) known[mcu] = this.#meanOf(mcu, component)
    return known[mcu]
  }

  #meanOf(mcu: number, component: number): number {
    const { firstBlock, h, v } = this.#layout.components[component]
    const from = mcu * this.#layout.mcuLength + firstBlock * BLOCK_COEFFICIENTS
    let sum = 0
    for (let block = 0; block < h * v; block++) sum += this.#coefficients[from + block * BLOCK_COEFFICIENTS]
    return (sum / (h * v)) * this.#units[component]
  }
}
