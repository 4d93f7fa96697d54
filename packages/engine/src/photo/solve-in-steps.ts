import { type ColouredSection, type ColourInput, solveColour } from './colour.ts'
import { cutAtSteps } from './pieces.ts'
import { weighDcSteps } from './weigh-dc-steps.ts'

/** Rounds of looking for steps of DC: what one hides shows in the next. */
const STEP_ROUNDS = 3

/** Where so many bits were turned back others may be left in a scan that is whole then; one alone makes a whole of what is none by chance. */
export const SEVERAL_TURNED = 3

/**
 * Solves colours, looks for steps of DC that show then, and solves them with these. Where bits were `turned` back, so many, steps are looked for
 * in what is known from the scan's start on, too: what is left of a difference of DC of which several bits were turned.
 */
export function solveInSteps(input: ColourInput, turned: number): ColouredSection[] {
  let { pieces } = input
  let sections = solveColour(input)
  // where nothing else is wrong, what little stands out is the picture's own
  if (sections.length === 1 && turned < SEVERAL_TURNED) return sections
  // a step of DC ends at the next restart marker, not where its section does
  if (pieces.some(({ step }) => step > 1)) return sections
  for (let round = 0; round < STEP_ROUNDS; round++) {
    const steps = weighDcSteps({ ...input, sections }, turned > 0)
    if (steps.length === 0) break
    pieces = cutAtSteps(pieces, sections, steps)
    sections = solveColour({ ...input, pieces })
  }
  return sections
}
