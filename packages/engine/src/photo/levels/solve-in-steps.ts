import { cutAtSteps } from '../reading/pieces.ts'
import { type ColouredSection, type ColourInput, solveColour } from './colour.ts'
import { weighDcSteps } from './weigh-dc-steps.ts'

/** Rounds of looking for steps of DC: what one hides shows in the next. */
const STEP_ROUNDS = 3

/**
 * Solves colours, looks for steps of DC that show then, and solves them with these. Where bits were turned back steps are looked
 * for `everywhere`, in what is known from the scan's start on, too, but not if all of it is: then most that stand out are the
 * picture's own. With `lost`, 1 for each MCU of the stream at which reading may have lost its way, steps are taken there only,
 * and of all components, since nothing of what was is left.
 */
export function solveInSteps(
  input: ColourInput,
  everywhere = false,
  lost: Uint8Array | undefined = undefined,
): ColouredSection[] {
  const all = input.layout.components.map((_, component) => component)
  let { pieces } = input
  let sections = solveColour(input)
  if (sections.length === 1) return sections
  // a step of DC ends at the next restart marker, not where its section does
  if (pieces.some(({ step }) => step > 1)) return sections
  for (let round = 0; round < STEP_ROUNDS; round++) {
    const found = weighDcSteps({ ...input, sections }, everywhere)
    const steps = lost
      ? found
          .filter(({ section, at }) => lost[sections[section].first + at] === 1)
          .map((step) => ({ ...step, components: all }))
      : found
    if (steps.length === 0) break
    pieces = cutAtSteps(pieces, sections, steps)
    sections = solveColour({ ...input, pieces })
  }
  return sections
}

/** Whether sections keep all their levels: what seemed to be a step of DC was none. */
export function isUnchanged(sections: readonly ColouredSection[]): boolean {
  return sections.every(({ dc }) => dc.every((value) => value === 0))
}
