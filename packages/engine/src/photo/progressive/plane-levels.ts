import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import { BorderSamples } from '../levels/border-samples.ts'
import { type ColouredSection, solveColour } from '../levels/colour.ts'
import { edgeMeans } from '../levels/edge-means.ts'
import { DcStepFinder } from '../levels/find-dc-steps.ts'
import { fromLoneStep } from '../levels/lone-steps.ts'
import { solveInSteps } from '../levels/solve-in-steps.ts'
import { weighDcSteps } from '../levels/weigh-dc-steps.ts'
import { alignPreview, likeliestPreview } from '../preview/align-preview.ts'
import type { Preview } from '../preview/preview.ts'
import { Reference } from '../preview/reference.ts'
import { cutAtSteps, type Piece, type Section } from '../reading/pieces.ts'

/** A picture whose coefficients are in their places, but for levels of stretches of it. */
export interface LevelledPlane {
  readonly coefficients: Int16Array
  readonly layout: McuLayout
  readonly quantisation: readonly ArrayLike<number>[]
  /** Stretches of MCUs of the picture in order that have DC, those whose levels are not `known` from zero on. */
  readonly stretches: readonly Section[]
  /** DC is a multiple of that but for bits of other scans. */
  readonly unit: number
  /** Bits were turned at places that do not show: steps of levels are looked for in stretches that are known, too. */
  readonly turned: boolean
  readonly previews: () => readonly Preview[]
}

/**
 * Adds to DC what makes stretches go on in each other and as previews show, those that bits within DC moved too. Returns 1 for
 * each MCU whose levels are told so.
 */
export function solveLevels(plane: LevelledPlane): Uint8Array {
  const { coefficients, layout, quantisation, stretches, unit, turned } = plane
  const { mcuCount, mcuLength } = layout
  const estimated = new Uint8Array(mcuCount)
  const source = new Int32Array(mcuCount).fill(-1)
  for (const { first, count } of stretches) for (let i = first; i < first + count; i++) source[i] = i
  const means = layout.components.map((_, component) =>
    edgeMeans(coefficients, mcuCount, layout, component, quantisation[component]),
  )
  const borders = layout.components.map(
    (_, component) => new BorderSamples(coefficients, layout, component, quantisation[component]),
  )
  const steps = new DcStepFinder(means, layout.mcuWide, (mcu) => hasDetail(coefficients, mcu, layout))
  let pieces = stretches.map((section) =>
    turned || !section.known ? steps.cut(pieceOf(section), section.first) : pieceOf(section),
  )
  const input = { coefficients, layout, quantisation, source, means, borders }
  if (turned && pieces.every(({ sections }) => sections.every(({ known }) => known))) {
    const sections = pieces.flatMap((piece) => piece.sections.map((section) => inPlace(section, layout)))
    pieces = cutAtSteps(pieces, sections, weighDcSteps({ ...input, sections }, true))
  }
  const places = pieces.map(({ first }) => first)
  const known = stretches.filter((section) => section.known).map((section) => inPlace(section, layout))
  const isKnown = pieces.every(({ sections }) => sections.every((section) => section.known))
  const preview = isKnown
    ? undefined
    : likeliestPreview(plane.previews(), known, coefficients, layout, quantisation)
  const aligned = preview && alignPreview(preview, known, coefficients, layout, quantisation)
  const reference = aligned && new Reference(coefficients, layout, quantisation, aligned.means(layout))
  const found = solveInSteps({ ...input, pieces, places, reference }, turned)
  const sections = turned
    ? solveColour({ ...input, pieces: withLoneSteps(plane, found), places, reference })
    : found
  for (const { first, count, known: sure, dc } of sections) {
    if (!sure) estimated.fill(1, first, first + count)
    layout.components.forEach(({ firstBlock, h, v }, component) => {
      const more = Math.round(dc[component] / unit) * unit
      if (more === 0) return
      for (let mcu = first; mcu < first + count; mcu++)
        for (let block = firstBlock; block < firstBlock + h * v; block++)
          coefficients[mcu * mcuLength + block * BLOCK_COEFFICIENTS] += more
    })
  }
  return estimated
}

/** Stretches cut at steps of DC that were found, those that are known at such as tell of turned bits. */
function withLoneSteps(
  { stretches, layout, quantisation }: LevelledPlane,
  found: readonly ColouredSection[],
): Piece[] {
  const steps = quantisation.map((table) => table[0])
  return stretches.map((stretch) => {
    const end = stretch.first + stretch.count
    const own = found.filter(({ first }) => first >= stretch.first && first < end)
    const sections = stretch.known ? fromLoneStep(own, layout.mcuWide, steps) : own
    return { ...pieceOf(stretch), sections }
  })
}

function pieceOf(section: Section): Piece {
  const { first, count } = section
  return {
    ...{ first, count, sections: [section], startBit: 0, endBit: 0 },
    ...{ step: 1, phase: 0, broken: false, flush: false },
  }
}

function inPlace(section: Section, { components }: McuLayout): ColouredSection {
  return { ...section, place: section.first, dc: new Int32Array(components.length) }
}

/** Whether an MCU has any coefficient but DC. */
function hasDetail(coefficients: Int16Array, mcu: number, { mcuLength }: McuLayout): boolean {
  for (let i = mcu * mcuLength; i < (mcu + 1) * mcuLength; i++)
    if (coefficients[i] !== 0 && i % BLOCK_COEFFICIENTS !== 0) return true
  return false
}
