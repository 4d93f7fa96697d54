import type { SampleTable } from '../../model/sample-table.ts'
import { nearHoles } from '../timing/near-holes.ts'

/** How pictures follow one another that lie on an even grid of times of which some places are empty. */
export interface StepHabits {
  /** From one place of the grid to the next, in ticks. */
  readonly grid: number
  /** Places by which a picture may lie behind the last one. */
  readonly most: number
  /**
   * Row by row of `most` + 1: how likely, 0 to 1, a picture lies so many places behind the last, which lay as many as the row's
   * number behind the one before; row 0 where that is not known.
   */
  readonly chances: Float64Array
}

/** Fewer steps show no habit. */
const FEWEST = 16
/** The longest step, in places of the grid. */
const LONGEST = 8
/** Times the longest step seen, up to which others may come in another recording. */
const UNSEEN = 2
/** The grid may be so much finer than the usual distance of pictures. */
const FINEST = 4
/** Share of steps that lie on the grid, and of those that lead from near it to near it. */
const ON_GRID = 0.9
const NEAR_GRID = 0.98
/** Share of a step by which rounding may take it off the grid, and ticks. */
const OFF_GRID = 0.02
const ROUNDING = 1
/** Ticks of a place below which rounding would put anything on the grid. */
const LEAST_ROUNDED = 4

/** The habits of a recording's pictures; undefined where they keep no grid, or fill all of it. */
export function stepHabits(table: SampleTable): StepHabits | undefined {
  const apart = distances(table)
  if (apart.length < FEWEST) return undefined
  const usual = commonest(apart)
  for (let parts = 1; parts <= FINEST; parts++) {
    const grid = usual / parts
    const steps = stepsOf(apart, grid)
    if (!steps) continue
    const longest = steps.reduce((most, step) => Math.max(most, step), 0)
    const most = Math.min(LONGEST, longest * UNSEEN)
    return longest > 1 ? { grid, most, chances: chancesOf(steps, most) } : undefined
  }
  return undefined
}

/** Ticks from each picture to the next in decoding order; 0 where one of them lies near bytes that nobody knows. */
function distances(table: SampleTable): number[] {
  const isNear = nearHoles(table)
  return Array.from({ length: Math.max(0, table.length - 1) }, (_, row) =>
    isNear(row + 1) ? 0 : table.dts[row + 1] - table.dts[row],
  )
}

function commonest(values: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const value of values) if (value > 0) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [1, 0])[0]
}

/**
 * Places by which pictures lie behind one another, 0 where that is not known or too many. One that comes late leaves the grid,
 * and those behind it return. Undefined where too many distances are off the grid.
 */
function stepsOf(apart: readonly number[], grid: number): number[] | undefined {
  let [late, on, near] = [0, 0, 0]
  const steps = apart.map((ticks) => {
    const whole = Math.round(ticks / grid)
    const room = grid < LEAST_ROUNDED ? 0 : Math.max(ROUNDING, ticks * OFF_GRID)
    const isOn = Math.abs(ticks - whole * grid) <= room
    const step = isOn ? whole : Math.round((ticks + late) / grid)
    if (step < 1 || step > LONGEST) {
      late = 0
      return 0
    }
    if (isOn) on++
    else late += ticks - step * grid
    near++
    return step
  })
  return on < apart.length * ON_GRID || near < apart.length * NEAR_GRID ? undefined : steps
}

/** As often as the recording has each step behind each, a little evened out: another one's may come otherwise. */
function chancesOf(steps: readonly number[], most: number): Float64Array {
  const width = most + 1
  const counts = new Float64Array(width * width)
  for (const [i, step] of steps.entries()) {
    if (step === 0) continue
    counts[step]++
    const before = steps[i - 1] ?? 0
    if (before > 0) counts[before * width + step]++
  }
  const chances = new Float64Array(width * width)
  const unseen = 1 - 2 ** -most
  for (let before = 0; before < width; before++) {
    const all = counts
      .subarray(before * width + 1, (before + 1) * width)
      .reduce((sum, count) => sum + count, 0)
    for (let step = 1; step < width; step++) {
      const usual = before === 0 ? 2 ** -step / unseen : chances[step]
      chances[before * width + step] = (counts[before * width + step] + usual) / (all + 1)
    }
  }
  return chances
}
