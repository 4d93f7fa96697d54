import { SCALE_FACTOR_BITS } from './huffman-tables.ts'

/**
 * What the frames of one track have in common: how often each syntax field had each value. A field's evidence is
 * log2 of how much likelier its value is in this track than in random bits, so that the sum over a frame is a
 * likelihood ratio: random bytes reach a sum of e in at most one of 2^e places (Markov's inequality). Rare values lower
 * the sum by a bounded amount; none is refused for being rare.
 */
export class Statistics {
  /** Evidence in bits by field and value. */
  readonly score = new Float32Array(FIELDS_END)
  /** Evidence that sections of a group end at band `max_sfb` exactly, long windows. */
  readonly sectionsLong = new Float32Array(64)
  /** The same for short windows. */
  readonly sectionsShort = new Float32Array(16)
  readonly #counts = new Float64Array(FIELDS_END)

  /**
   * @param start how many observations each value starts with, by field and value, 0 for what syntax refuses; or others, of which
   * these are a copy that learns on its own
   */
  constructor(start: Float64Array | Statistics) {
    if (start instanceof Statistics) {
      this.#counts.set(start.#counts)
      this.score.set(start.score)
      this.sectionsLong.set(start.sectionsLong)
      this.sectionsShort.set(start.sectionsShort)
    } else {
      this.#counts.set(start)
      this.#rebuild()
    }
  }

  /** Adds the fields seen in some frames. */
  learn(seen: Uint32Array): void {
    for (let index = 0; index < FIELDS_END; index++) this.#counts[index] += seen[index]
    this.#rebuild()
  }

  #rebuild(): void {
    for (const field of FIELDS) {
      let total = 0
      for (let at = field.start; at < field.start + field.size; at++) total += this.#counts[at]
      for (let at = field.start; at < field.start + field.size; at++) {
        const likelihood = this.#counts[at] / total
        const score = chanceBits(field, at - field.start) + Math.log2(likelihood)
        this.score[at] = total > 0 ? Math.max(score, LOWEST_SCORE) : 0
      }
    }
    fillSections(this.sectionsLong, this.#counts.subarray(SECTION_LENGTH_LONG, SECTION_LENGTH_LONG + 32))
    fillSections(this.sectionsShort, this.#counts.subarray(SECTION_LENGTH_SHORT, SECTION_LENGTH_SHORT + 8))
  }
}

/** No single value may speak louder against a frame than this many bits. */
const LOWEST_SCORE = -5

interface Field {
  readonly start: number
  readonly size: number
  /** Bits random data spends on each value, or a code's lengths. */
  readonly bits: number | Uint8Array
}

const FIELDS: Field[] = []
let fieldsEnd = 0

/** Most channel elements of one frame that are told apart: 22.2 channels have 16. */
export const MAX_ELEMENTS = 16

/** `id_syn_ele` after n channel elements: n * 8 + id. */
export const ELEMENT = fields(MAX_ELEMENTS + 1, 8, 3)
/** element_instance_tag by kind of element: id * 16 + tag. */
export const TAG = fields(8, 16, 4)
export const COMMON_WINDOW = fields(1, 2, 1)
export const WINDOW_SEQUENCE = fields(1, 4, 2)
export const WINDOW_SHAPE = fields(1, 2, 1)
export const MAX_SFB_LONG = fields(1, 64, 6)
export const MAX_SFB_SHORT = fields(1, 16, 4)
export const GROUPING = fields(1, 128, 7)
export const PREDICTOR = fields(1, 2, 1)
export const MS_MASK = fields(1, 4, 2)
/** global_gain in steps of four: coarse enough to learn from few frames. */
export const GLOBAL_GAIN = fields(1, 64, 6)
export const SECTION_BOOK_LONG = fields(1, 16, 4)
export const SECTION_BOOK_SHORT = fields(1, 16, 4)
export const SECTION_LENGTH_LONG = fields(1, 32, 5)
export const SECTION_LENGTH_SHORT = fields(1, 8, 3)
export const SCALE_FACTOR = fields(1, 121, SCALE_FACTOR_BITS)
/** pulse, TNS and gain control flags as a number; short windows 8 higher. */
export const TOOLS = fields(2, 8, 3)
export const TNS_FILTERS_LONG = fields(1, 4, 2)
export const TNS_FILTERS_SHORT = fields(1, 2, 1)
export const TNS_ORDER_LONG = fields(1, 32, 5)
export const EXTENSION_TYPE = fields(1, 16, 4)
export const FIELDS_END = fieldsEnd

/** Lays out `count` fields of `size` values each, and returns where they start. */
function fields(count: number, size: number, bits: number | Uint8Array): number {
  const start = fieldsEnd
  for (let field = 0; field < count; field++) {
    FIELDS.push({ start: fieldsEnd, size, bits })
    fieldsEnd += size
  }
  return start
}

function chanceBits(field: Field, value: number): number {
  return typeof field.bits === 'number' ? field.bits : field.bits[value]
}

/**
 * Evidence in the fact that section lengths add up to each possible number of bands: minus log2 of the chance that
 * lengths drawn with the given weights do. The last weight is the escape, which adds its value and draws again.
 */
function fillSections(evidence: Float32Array, weights: Float64Array): void {
  const escapeLength = weights.length - 1
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  // Sections of no band repeat the draw.
  const begin = total - weights[0]
  const hit = new Float64Array(evidence.length)
  const afterEscape = new Float64Array(evidence.length)
  for (let left = 0; left < evidence.length; left++) {
    let drawn = 0
    for (let length = 1; length < escapeLength && length <= left; length++)
      drawn += weights[length] * hit[left - length]
    const escaped = escapeLength <= left ? weights[escapeLength] * afterEscape[left - escapeLength] : 0
    hit[left] = left === 0 ? 1 : (drawn + escaped) / begin
    // After an escapeLength a length of zero ends the section, which leaves `left` bands to be hit.
    afterEscape[left] = (weights[0] * hit[left] + drawn + escaped) / total
    evidence[left] = Math.max(0, -Math.log2(hit[left]))
  }
}
