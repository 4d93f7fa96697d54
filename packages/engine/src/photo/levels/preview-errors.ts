import { medianOf } from '../statistics.ts'
import type { Border } from './balance.ts'
import type { BorderStep } from './border-steps.ts'

/**
 * Parts of a preview are farther off than stretches within sections show: by so much where too few borders tell how far. Borders
 * whose error is less than so many levels tell it.
 */
const FARTHER_OFF = 1.5
const LEAST_BORDERS = 5
const SURE_BORDER = 1
/** The median of squares of a normal distribution is this part of their mean. */
const MEDIAN_OF_SQUARES = 0.455

/**
 * What a preview tells of sections, as far off as it is where borders tell what sections differ by, too: its colours are another
 * rendering's, off to one side in all of a sky and to the other below.
 */
export function withErrorsBeside(
  told: readonly (BorderStep | undefined)[],
  between: readonly Border[],
): (BorderStep | undefined)[] {
  const squares: number[] = []
  const expected: number[] = []
  for (const { below, above, difference, weight } of between) {
    const lower = told[below]
    const upper = told[above]
    if (!lower || !upper || weight < SURE_BORDER ** -2) continue
    squares.push((lower.difference - upper.difference - difference) ** 2)
    expected.push(lower.error ** 2 + upper.error ** 2 + 1 / weight)
  }
  if (squares.length < LEAST_BORDERS)
    return told.map((each) => each && { ...each, error: FARTHER_OFF * each.error })
  const more =
    medianOf(Float32Array.from(squares)) / MEDIAN_OF_SQUARES - medianOf(Float32Array.from(expected))
  return told.map((each) => each && { ...each, error: Math.sqrt(each.error ** 2 + Math.max(0, more) / 2) })
}
