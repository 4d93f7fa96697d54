import { inverseDctRow } from '../codecs/jpeg/dct.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from '../codecs/jpeg/mcu-layout.ts'
import type { Piece, Section } from './pieces.ts'
import type { Reference } from './reference.ts'
import { medianOf } from './statistics.ts'

const BLOCK = 8
/** Differences kept of one border: more tell no more. */
const MOST_VALUES = 4_096
/** Least error of a border's difference, in levels: what is steep there is not noise alone. */
const LEAST_ERROR = 0.05
/** Error of what a preview tells, in levels, when it was compared with parts whose colour is known, and when not. */
const PREVIEW_ERROR = 1.3
const PREVIEW_ERROR_ALONE = 3
/** MCUs of known colour from which on a preview's own offset is known. */
const LEAST_KNOWN = 64
/** Rounds of the solution at most, and the residue at which it is one. */
const MOST_ROUNDS = 2_000
const SETTLED = 1e-9

/** A border between two sections: the lower one's colour is the upper one's and `difference`. */
interface Border {
  readonly below: number
  readonly above: number
  readonly difference: number
  readonly weight: number
}

export interface ColourInput {
  readonly coefficients: Int16Array
  readonly layout: McuLayout
  readonly quantisation: readonly ArrayLike<number>[]
  readonly pieces: readonly Piece[]
  readonly places: readonly number[]
  readonly source: Int32Array
  readonly reference: Reference | undefined
}

/** A section with its place, and what is to be added to the DC of each component's blocks, in units of quantised DC. */
export interface ColouredSection extends Section {
  readonly place: number
  readonly dc: Int32Array
}

/**
 * The offsets of DC of all sections together: those that make all borders between them as even as can be, and agree with the preview.
 * Where reading lost its way, DC is known up to an offset only; one at a time, errors would add up.
 */
export function solveColour(input: ColourInput): ColouredSection[] {
  const { pieces, places, layout, quantisation, coefficients } = input
  const sections = pieces.flatMap((piece, index) =>
    piece.sections.map((section) => ({
      ...section,
      place: places[index] + section.first - piece.first,
      dc: new Int32Array(layout.components.length),
    })),
  )
  if (sections.every(({ known }) => known)) return sections
  const ownerOf = new Int32Array(coefficients.length / layout.mcuLength).fill(-1)
  sections.forEach(({ first, count }, index) => {
    ownerOf.fill(index, first, first + count)
  })
  layout.components.forEach((_, component) => {
    const groups = groupsOf(sections, component)
    const borders = findBorders(input, ownerOf, sections, component)
    const offsets = relax(groups, borders, previewOffsets(input, sections, component))
    const unit = quantisation[component][0] / BLOCK
    sections.forEach((section, index) => {
      section.dc[component] = Math.round(offsets[groups.of[index]] / unit)
    })
  })
  return sections
}

/** Sections that share one offset of a component: `known` of each group tells that it is 0. */
interface Groups {
  readonly of: Int32Array
  readonly known: readonly boolean[]
}

function groupsOf(sections: readonly Section[], component: number): Groups {
  const of = new Int32Array(sections.length)
  const known: boolean[] = []
  sections.forEach((section, index) => {
    const goesOn = index > 0 && section.free !== undefined && !section.free.includes(component)
    if (!goesOn) known.push(section.known)
    of[index] = known.length - 1
  })
  return { of, known }
}

function findBorders(
  { source, layout, coefficients, quantisation }: ColourInput,
  ownerOf: Int32Array,
  sections: readonly Section[],
  component: number,
): Border[] {
  const { mcuWide, mcuCount, components } = layout
  const rows = new BorderRows(coefficients, layout, quantisation[component], component)
  const found = new Map<number, { values: Float32Array; count: number; blocks: number }>()
  for (let position = mcuWide; position < mcuCount; position++) {
    const below = source[position]
    const above = source[position - mcuWide]
    if (below < 0 || above < 0) continue
    const lower = ownerOf[below]
    const upper = ownerOf[above]
    if (lower < 0 || upper < 0 || lower === upper || (sections[lower].known && sections[upper].known))
      continue
    const key = lower * sections.length + upper
    let border = found.get(key)
    if (!border) {
      border = { values: new Float32Array(MOST_VALUES), count: 0, blocks: 0 }
      found.set(key, border)
    }
    border.count = rows.differences(below, above, border.values, border.count)
    border.blocks += components[component].h
  }
  return Array.from(found, ([key, { values, count, blocks }]) => {
    const difference = medianOf(values, count)
    const spread = new Float32Array(count)
    for (let i = 0; i < count; i++) spread[i] = Math.abs(values[i] - difference)
    const error = Math.max(LEAST_ERROR, (1.5 * medianOf(spread)) / Math.sqrt(Math.max(1, blocks / 2)))
    return {
      below: Math.floor(key / sections.length),
      above: key % sections.length,
      difference,
      weight: 1 / (error * error),
    }
  })
}

/** The rows of samples next to a border between an MCU and the one above it. */
class BorderRows {
  readonly #coefficients: Int16Array
  readonly #layout: McuLayout
  readonly #quantisation: ArrayLike<number>
  readonly #component: number
  /** Both rows next to the border of a block, the nearer one first: 8 samples each. */
  readonly #upper = new Float32Array(2 * BLOCK)
  readonly #lower = new Float32Array(2 * BLOCK)

  constructor(
    coefficients: Int16Array,
    layout: McuLayout,
    quantisation: ArrayLike<number>,
    component: number,
  ) {
    this.#coefficients = coefficients
    this.#layout = layout
    this.#quantisation = quantisation
    this.#component = component
  }

  /** Adds how much brighter the upper MCU is, each side continued to the border by its slope, to `values`; returns their new count. */
  differences(below: number, above: number, values: Float32Array, count: number): number {
    const { components, mcuLength } = this.#layout
    const { h, v, firstBlock } = components[this.#component]
    let filled = count
    for (let x = 0; x < h; x++) {
      const lower = below * mcuLength + (firstBlock + x) * BLOCK_COEFFICIENTS
      const upper = above * mcuLength + (firstBlock + (v - 1) * h + x) * BLOCK_COEFFICIENTS
      for (let row = 0; row < 2; row++) {
        inverseDctRow(this.#coefficients, lower, this.#quantisation, row, this.#lower, row * BLOCK)
        inverseDctRow(this.#coefficients, upper, this.#quantisation, 7 - row, this.#upper, row * BLOCK)
      }
      for (let i = 0; i < BLOCK && filled < values.length; i++) {
        const from = 1.5 * this.#upper[i] - 0.5 * this.#upper[BLOCK + i]
        const to = 1.5 * this.#lower[i] - 0.5 * this.#lower[BLOCK + i]
        values[filled++] = from - to
      }
    }
    return filled
  }
}

/** What the preview tells of each section's offset, with its weight; weight 0 where it tells nothing. */
function previewOffsets(
  { reference }: ColourInput,
  sections: readonly ColouredSection[],
  component: number,
): { readonly offset: number; readonly weight: number }[] {
  const told = sections.map((section) => reference?.offset(section, section.place, component))
  let known = 0
  let sum = 0
  sections.forEach((section, index) => {
    const offset = told[index]
    if (!section.known || offset === undefined) return
    known += section.count
    sum += offset * section.count
  })
  const own = known >= LEAST_KNOWN ? sum / known : 0
  const error = known >= LEAST_KNOWN ? PREVIEW_ERROR : PREVIEW_ERROR_ALONE
  return told.map((offset) =>
    offset === undefined ? { offset: 0, weight: 0 } : { offset: offset - own, weight: 1 / (error * error) },
  )
}

/** Offsets that balance all borders and the preview, known sections at 0: least squares by conjugate gradients. */
function relax(
  groups: Groups,
  borders: readonly Border[],
  told: readonly { readonly offset: number; readonly weight: number }[],
): Float64Array {
  const count = groups.known.length
  const free = Float64Array.from(groups.known, (known) => (known ? 0 : 1))
  const own = new Float64Array(count)
  const residual = new Float64Array(count)
  told.forEach(({ offset, weight }, index) => {
    own[groups.of[index]] += weight
    residual[groups.of[index]] += offset * weight
  })
  const edges = borders.map((border) => ({
    ...border,
    below: groups.of[border.below],
    above: groups.of[border.above],
  }))
  /** The normal equations' matrix times `x`, where known groups stand still. */
  const multiply = (x: Float64Array): Float64Array => {
    const out = new Float64Array(count)
    for (let i = 0; i < count; i++) out[i] = own[i] * x[i]
    for (const { below, above, weight } of edges) {
      const pull = weight * (x[below] - x[above])
      out[below] += pull
      out[above] -= pull
    }
    for (let i = 0; i < count; i++) out[i] *= free[i]
    return out
  }
  for (const { below, above, difference, weight } of edges) {
    residual[below] += weight * difference
    residual[above] -= weight * difference
  }
  for (let i = 0; i < count; i++) residual[i] *= free[i]
  const offsets = new Float64Array(count)
  let direction = Float64Array.from(residual)
  let energy = dot(residual, residual)
  for (let round = 0; round < Math.min(MOST_ROUNDS, 2 * count) && energy > SETTLED; round++) {
    const image = multiply(direction)
    const curve = dot(direction, image)
    if (curve <= 0) break
    const step = energy / curve
    for (let i = 0; i < count; i++) {
      offsets[i] += step * direction[i]
      residual[i] -= step * image[i]
    }
    const next = dot(residual, residual)
    const keep = next / energy
    direction = direction.map((value, i) => residual[i] + keep * value)
    energy = next
  }
  return offsets
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
