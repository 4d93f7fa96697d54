import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { Section } from '../reading/pieces.ts'
import { deviationOf, medianOf } from '../statistics.ts'

const SAMPLES_ACROSS = 8
/** MCUs of a section that are compared. */
const MOST_SAMPLES = 200
/** What one compared MCU counts beside one of a seam, and what all may. */
const WEIGHT = 0.12
/** A difference up to this many levels speaks for a place; above `MOST` it counts no more. */
const FITS = 9
const MOST = 40
/** MCUs of a section by which its levels are told. */
const MOST_COMPARED = 2_000
/** MCUs beside each other are off alike: so many count as one. */
const ALIKE = 3
/**
 * Levels from which on half of what an MCU tells is gone: where it is even, and for each level by which those beside it differ.
 * Cameras sharpen previews, and take samples out of them: where a photo is restless they are far off, to one side.
 */
const EVEN = 1
const OF_UNREST = 0.5
const ROUNDS = 8
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

/** A section as it is held against a preview: the luminance of each `step`th MCU, and by place how well it agrees there. */
interface Sampled {
  readonly count: number
  readonly samples: Float32Array
  readonly step: number
  readonly known: Map<number, number>
}

/** Every how manieth MCU of so many is looked at where at most others are. */
function stepOf(count: number, most: number): number {
  return Math.max(1, Math.ceil(count / most))
}

/** Compares sections with a preview: an absolute witness of place and colour. */
export class Reference {
  readonly #coefficients: Int16Array
  readonly #layout: McuLayout
  readonly #planes: readonly Float32Array[]
  readonly #units: readonly number[]
  readonly #differences = new Float32Array(MOST_COMPARED + 1)
  /** Differences from which on half of what each tells is gone. */
  readonly #scales = new Float32Array(MOST_COMPARED + 1)
  /** Rows of MCUs by which the preview may be off: a sample of its own, since cameras crop and round. */
  readonly #rowsOff: number
  readonly #ordered = new Float32Array(MOST_SAMPLES + 1)
  /** By the section's first MCU. */
  readonly #sections = new Map<number, Sampled>()
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
   * How well the section at `place` agrees with the preview in luminance, whatever its offset: above 0 when it does. A preview a
   * row of its samples too high or too low agrees as well.
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
    const { known, samples, step } = this.#sampled(section)
    let score = known.get(place)
    if (score !== undefined) return score
    const plane = this.#planes[0]
    const room = Math.ceil((this.#layout.mcuCount - place) / step)
    const count = plane ? Math.max(0, Math.min(samples.length, room)) : 0
    const differences = this.#differences
    const ordered = this.#ordered
    for (let i = 0, at = place; i < count; i++, at += step) {
      differences[i] = plane[at] - samples[i]
      ordered[i] = differences[i]
    }
    const offset = section.known ? 0 : medianOf(ordered, count)
    score = 0
    for (let i = 0; i < count; i++) score += FITS - Math.min(MOST, Math.abs(differences[i] - offset))
    score *= WEIGHT / FITS
    known.set(place, score)
    return score
  }

  /** Luminance of MCUs of a section, spread evenly, that are held against the preview wherever it is tried. */
  #sampled(section: Section): Sampled {
    let sampled = this.#sections.get(section.first)
    if (sampled?.count !== section.count) {
      const step = stepOf(section.count, MOST_SAMPLES)
      const samples = new Float32Array(Math.ceil(section.count / step))
      for (let i = 0; i < samples.length; i++) samples[i] = this.#mean(section.first + i * step, 0)
      sampled = { count: section.count, samples, step, known: new Map() }
      this.#sections.set(section.first, sampled)
    }
    return sampled
  }

  /**
   * Levels to add to a component of a section at `place` so that it has the preview's, which has `contrast` more for each of its
   * levels; undefined when nothing can be compared.
   */
  offset(section: Section, place: number, component: number, contrast = 0): number | undefined {
    const count = this.#compare(section, place, component, contrast)
    return count === 0 ? undefined : this.#likeliest(count)
  }

  /** How far such levels may be off by how much MCUs of the section differ among themselves; endless where one alone tells. */
  offsetError(section: Section, place: number, component: number): number {
    const count = this.#compare(section, place, component)
    if (count < 2) return Number.POSITIVE_INFINITY
    const spread = deviationOf(this.#differences.subarray(0, count), this.#likeliest(count))
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
    const step = stepOf(count, MOST_COMPARED)
    let compared = 0
    for (let i = 0; i < count && place + i < this.#layout.mcuCount; i += step) {
      this.#differences[compared] = (1 - contrast) * plane[place + i] - this.#mean(first + i, component)
      this.#scales[compared++] = EVEN + OF_UNREST * this.#unrest(first, count, i, component)
    }
    return compared
  }

  /** The likeliest middle of differences whose errors are Cauchy's, each of its own scale. */
  #likeliest(count: number): number {
    let middle = medianOf(this.#differences.slice(0, count), count)
    for (let round = 0; round < ROUNDS; round++) {
      let sum = 0
      let total = 0
      for (let i = 0; i < count; i++) {
        const weight = 1 / (this.#scales[i] ** 2 + (this.#differences[i] - middle) ** 2)
        total += weight
        sum += weight * this.#differences[i]
      }
      middle = sum / total
    }
    return middle
  }

  /** By how many levels MCUs beside the one at `index` of a section differ from it, on average. */
  #unrest(first: number, count: number, index: number, component: number): number {
    const { mcuWide } = this.#layout
    const own = this.#mean(first + index, component)
    let sum = 0
    let compared = 0
    for (const aside of [-mcuWide, -1, 1, mcuWide]) {
      if (index + aside < 0 || index + aside >= count) continue
      sum += Math.abs(this.#mean(first + index + aside, component) - own)
      compared++
    }
    return compared === 0 ? 0 : sum / compared
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
