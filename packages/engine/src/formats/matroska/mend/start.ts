import { CHAPTERS } from '../ids.ts'
import { LEFT_OUT, MOVED } from '../read/block-table.ts'
import type { Survey } from '../read/survey.ts'

/** Seconds into a recording at which its first block may be shown without any being lost in front. */
const USUAL_START = 0.25
const NANOSECONDS = 1e9
const LONGEST = 32_767

/**
 * Lets a recording whose beginning is lost begin where its first block is shown, so that it lasts as long as it says: all times
 * become less by as many ticks, which are returned. Chapters keep the times that they name.
 */
export function startAtFirst(survey: Survey, scale: number): number {
  const { runs, blocks, elements } = survey
  if (elements.some(({ id, filled }) => id === CHAPTERS && filled)) return 0
  let first = Number.POSITIVE_INFINITY
  for (const { time, firstRow, endRow } of runs)
    for (let row = firstRow; row < endRow; row++)
      if (time !== undefined && !blocks.is(row, LEFT_OUT))
        first = Math.min(first, time + blocks.relative[row])
  const lostInFront = survey.gaps.some(
    ({ offset, length }) => length > 0 && offset < (runs[0]?.offset ?? 0) + 1,
  )
  if (!Number.isFinite(first) || first <= (USUAL_START * NANOSECONDS) / scale || !lostInFront) return 0
  for (const run of runs) {
    if (run.time === undefined) continue
    const time = run.time - first
    // a Cluster's time is never negative: its blocks take up the rest
    if (time < 0)
      for (let row = run.firstRow; row < run.endRow; row++) {
        blocks.relative[row] = Math.max(-LONGEST, Math.min(LONGEST, blocks.relative[row] + time))
        blocks.flags[row] |= MOVED
      }
    run.time = Math.max(0, time)
  }
  return first
}
