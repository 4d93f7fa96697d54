import type { Paces } from './mend/pace.ts'
import { LEFT_OUT } from './read/block-table.ts'
import type { Survey } from './read/survey.ts'

/** Ticks at which the last block that stays ends. */
export function endOf(survey: Survey, paces: Paces): number {
  const { blocks } = survey
  let end = 0
  for (const { firstRow, endRow, time } of survey.runs) {
    if (time === undefined) continue
    for (let row = firstRow; row < endRow; row++) {
      if (blocks.is(row, LEFT_OUT)) continue
      end = Math.max(end, time + blocks.relative[row] + lastsOf(survey, paces, row))
    }
  }
  return end
}

/** Ticks that a block lasts: what it says, else its track's pace. */
export function lastsOf({ blocks }: Survey, paces: Paces, row: number): number {
  return blocks.duration[row] >= 0 ? blocks.duration[row] : (paces.get(blocks.track[row]) ?? 0)
}
