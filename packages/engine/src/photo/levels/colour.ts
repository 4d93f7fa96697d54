import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import { contrastOf } from '../preview/preview-tone.ts'
import type { ComparedStretch, Reference } from '../preview/reference.ts'
import type { Piece, Section } from '../reading/pieces.ts'
import { medianOf, NORMAL } from '../statistics.ts'
import { type Balance, type Border, balance, FAR_OFF, PREVIEW_FAR_OFF } from './balance.ts'
import type { BorderSamples } from './border-samples.ts'
import type { BorderStep } from './border-steps.ts'
import { BorderMeter } from './borders.ts'
import type { EdgeMeans } from './edge-means.ts'
import { boundsOfLuminance, commonBounds, type LevelBounds } from './level-bounds.ts'
import { withErrorsBeside } from './preview-errors.ts'
import { inWholeSteps } from './whole-steps.ts'

const BLOCK = 8
/** Rows of lost MCUs across which colour is told, where nothing nearer tells it. */
const MOST_APART = 64
/** Rows of MCUs, or MCUs, that are compared with a preview together, and how many such stretches tell how far it is off. */
const STRETCH_ROWS = 2
const SHORT_STRETCH = 32
const LEAST_STRETCHES = 6
/** Error of what a preview tells, in levels: at least, and where it is not known. */
const LEAST_PREVIEW_ERROR = 0.1
const PREVIEW_ERROR = 1.3
/** Levels by which all of a preview is brighter or darker. */
const PREVIEW_APART = 2
/**
 * A step of DC that was seen within a piece is one where it is that many errors of the borders that tell it; rounds in which
 * others are undone.
 */
const CLEAR_STEP = 8
/** Levels that such a step has at least, of luminance and of others: slopes of the picture are less. */
const LEAST_STEP = [0.5, 1.5]
const TIE_ROUNDS = 3
export interface ColourInput {
  readonly coefficients: Int16Array
  readonly layout: McuLayout
  readonly quantisation: readonly ArrayLike<number>[]
  readonly pieces: readonly Piece[]
  readonly places: readonly number[]
  readonly source: Int32Array
  /** Levels along the edges of MCUs of the stream, by component. */
  readonly means: readonly EdgeMeans[]
  /** Samples beside borders of those MCUs, by component. */
  readonly borders: readonly BorderSamples[]
  readonly reference: Reference | undefined
}

/** A section with its place, and what is to be added to the DC of each component's blocks, in units of quantised DC. */
export interface ColouredSection extends Section {
  readonly place: number
  readonly dc: Int32Array
}

/**
 * The offsets of DC of all sections together: those that make all borders between them as even as can be, and agree with the
 * preview. Where reading lost its way, DC is known up to an offset only; one at a time, errors would add up.
 */
export function solveColour(input: ColourInput): ColouredSection[] {
  const { pieces, places, layout, quantisation, coefficients, means } = input
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
    const between = findBorders(input, ownerOf, sections, component)
    const told = withErrorsBeside(previewTells(input, sections, component), between)
    const least = LEAST_STEP[Math.min(component, 1)]
    const tied = new Uint8Array(sections.length)
    const bounds =
      component === 0 ? sections.map((each) => boundsOfLuminance(means[0], each, quantisation[0][0])) : []
    let groups = groupsOf(sections, component, tied)
    let solved = solveGroups(groups, between, told, bounds)
    for (let round = 0; round < TIE_ROUNDS && tie(tied, groups, solved.offsets, between, least); round++) {
      groups = groupsOf(sections, component, tied)
      solved = solveGroups(groups, between, told, bounds)
    }
    const unit = quantisation[component][0] / BLOCK
    const steps = inWholeSteps(solved, previewOf(groups), unit)
    sections.forEach((section, index) => {
      section.dc[component] = steps[groups.of[index]]
    })
  })
  return sections
}

/**
 * Offsets of groups of sections by the borders between sections, what a preview tells of each, and the bounds that each has, if
 * any.
 */
function solveGroups(
  groups: Groups,
  between: readonly Border[],
  told: readonly (BorderStep | undefined)[],
  bounds: readonly LevelBounds[],
): Balance {
  const preview = previewOf(groups)
  const borders = between.map((border) => ({
    ...border,
    below: groups.of[border.below],
    above: groups.of[border.above],
  }))
  told.forEach((each, index) => {
    if (!each) return
    const { difference, error } = each
    borders.push({
      below: groups.of[index],
      above: preview,
      difference,
      weight: error ** -2,
      farOff: PREVIEW_FAR_OFF,
    })
  })
  const still = groups.known.indexOf(true)
  const known = [...groups.known, still < 0]
  if (still >= 0) {
    const weight = PREVIEW_APART ** -2
    borders.push({ below: preview, above: still, difference: 0, weight, farOff: FAR_OFF })
  }
  const within: LevelBounds[][] = groups.known.map(() => [])
  bounds.forEach((each, index) => {
    within[groups.of[index]].push(each)
  })
  return balance(known, borders, within.map(commonBounds))
}

/**
 * Ties sections of a piece to those in front of them where borders do not clearly tell a step of `least` levels; false when none
 * is.
 */
function tie(
  tied: Uint8Array,
  groups: Groups,
  offsets: Float64Array,
  between: readonly Border[],
  least: number,
): boolean {
  const certainty = new Float64Array(groups.known.length)
  for (const { below, above, weight } of between) {
    if (groups.of[below] === groups.of[above]) continue
    certainty[groups.of[below]] += weight
    certainty[groups.of[above]] += weight
  }
  let any = false
  for (let index = 1; index < tied.length; index++) {
    const own = groups.of[index]
    const before = groups.of[index - 1]
    if (own === before || !groups.within[index]) continue
    const error = Math.sqrt(1 / Math.max(1e-9, Math.min(certainty[own], certainty[before])))
    if (Math.abs(offsets[own] - offsets[before]) >= Math.max(least, CLEAR_STEP * error)) continue
    tied[index] = 1
    any = true
  }
  return any
}

/** Sections that share one offset of a component: `known` of each group tells that it is 0. */
interface Groups {
  readonly of: Int32Array
  readonly known: readonly boolean[]
  /** Whether a section goes on where the one before it ends: only a step of DC parts them. */
  readonly within: readonly boolean[]
}

/** The preview is one more group, of an offset of its own. */
function previewOf({ known }: Groups): number {
  return known.length
}

function groupsOf(sections: readonly Section[], component: number, tied: Uint8Array): Groups {
  const of = new Int32Array(sections.length)
  const known: boolean[] = []
  sections.forEach((section, index) => {
    const goesOn = index > 0 && section.free !== undefined && !section.free.includes(component)
    if (!goesOn && tied[index] === 0) known.push(section.known)
    of[index] = known.length - 1
  })
  return { of, known, within: sections.map(({ free }, index) => index > 0 && free !== undefined) }
}

function findBorders(
  { source, layout, borders, means }: ColourInput,
  ownerOf: Int32Array,
  sections: readonly Section[],
  component: number,
): Border[] {
  const { mcuWide, mcuCount } = layout
  const meter = new BorderMeter(borders[component], means[component], ownerOf)
  for (let position = mcuWide; position < mcuCount; position++) {
    const below = source[position]
    if (below < 0 || ownerOf[below] < 0) continue
    let apart = 0
    while (apart < MOST_APART && position >= (apart + 1) * mcuWide) {
      if (source[position - (apart + 1) * mcuWide] >= 0) break
      apart++
    }
    const from = position - (apart + 1) * mcuWide
    const above = from < 0 ? -1 : source[from]
    if (above < 0) continue
    const lower = ownerOf[below]
    const upper = ownerOf[above]
    if (upper < 0 || lower === upper || (sections[lower].known && sections[upper].known)) continue
    meter.add(lower * sections.length + upper, below, above, apart)
  }
  return Array.from(meter.steps(), ([key, { difference, error }]) => ({
    below: Math.floor(key / sections.length),
    above: key % sections.length,
    difference,
    weight: 1 / (error * error),
    farOff: FAR_OFF,
  }))
}

/** What the preview tells of each section's offset. */
function previewTells(
  { reference, layout }: ColourInput,
  sections: readonly ColouredSection[],
  component: number,
): (BorderStep | undefined)[] {
  if (!reference) return []
  const stretches = (size: number): ComparedStretch[][] =>
    sections.map((section) => reference.stretches(section, section.place, component, size))
  const short = stretches(SHORT_STRETCH)
  const contrast = contrastOf(short)
  const stretch = STRETCH_ROWS * layout.mcuWide
  const far = spreadOf(stretches(stretch), contrast)
  const near = spreadOf(short, contrast)
  return sections.map((section) => {
    // MCU by MCU: the middle of differences is not what belongs to the mean of levels
    const difference = reference.offset(section, section.place, component, contrast)
    if (difference === undefined) return undefined
    // the more rows the less: beside each other they are off alike, far from each other they are not
    const ofRows = far / Math.cbrt(Math.max(1, section.count / stretch))
    const usual = Math.hypot(ofRows, near * Math.sqrt(SHORT_STRETCH / section.count))
    // few MCUs, or such along an edge, are farther off than others usually are
    const own = reference.offsetError(section, section.place, component)
    const error = Math.hypot(LEAST_PREVIEW_ERROR, usual, own)
    return { difference, error }
  })
}

/** How far stretches of sections are from their sections' own middle, where the preview has that much more contrast. */
function spreadOf(stretches: readonly (readonly ComparedStretch[])[], contrast: number): number {
  const off = stretches.flatMap((parts) => {
    if (parts.length < 2) return []
    const values = parts.map(({ offset, level }) => offset - contrast * level)
    const middle = medianOf(Float32Array.from(values))
    return values.map((value) => Math.abs(value - middle))
  })
  return off.length < LEAST_STRETCHES ? PREVIEW_ERROR : NORMAL * medianOf(Float32Array.from(off))
}
