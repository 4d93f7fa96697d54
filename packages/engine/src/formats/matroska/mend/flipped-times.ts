import { HIT, MOVED } from '../read/block-table.ts'
import type { Run, Survey } from '../read/survey.ts'
import type { MatroskaTrack } from '../read/track.ts'
import { type Paces, steadyTracks } from './pace.ts'

/** Blocks of a track on either side that a block's time is compared with. */
const NEIGHBOURS = 6
/** Paces by which a block's time must lie outside its neighbours' to be wrong for sure: no reordering reaches so far. */
const OUTSIDE = 20
/** Ticks by which rounding puts a block off an even pace. */
const ROUNDING = 2
const BITS = 16

/**
 * Puts right the times of blocks in which one bit is flipped: those far outside their neighbours' times for which one bit alone
 * gives a time that is free among them and at an even pace. Blocks that last some long, some short, as of Vorbis, lie far from
 * each other by themselves: of their tracks a time is wrong only where it is out of order, too. Only in runs whose bytes are not
 * proven. Returns the rows.
 */
export function mendBlockTimes(survey: Survey, paces: Paces, proven: (run: Run) => boolean): number[] {
  const { blocks } = survey
  const mended: number[] = []
  const steady = steadyTracks(survey, paces)
  for (const run of survey.runs) {
    if (proven(run)) continue
    const rowsOf = new Map<number, number[]>()
    for (let row = run.firstRow; row < run.endRow; row++) {
      const rows = rowsOf.get(blocks.track[row])
      if (rows) rows.push(row)
      else rowsOf.set(blocks.track[row], [row])
    }
    for (const [track, pace] of paces) {
      if (pace <= 0) continue
      const rows = rowsOf.get(track) ?? []
      for (let i = 0; i < rows.length; i++) {
        if (!steady.has(track) && isInOrder(blocks.relative, rows, i)) continue
        if (isAmongMost(blocks.relative, rows, i, pace * OUTSIDE)) continue
        const near = [...rows.slice(Math.max(0, i - NEIGHBOURS), i), ...rows.slice(i + 1, i + 1 + NEIGHBOURS)]
        const right = rightTime(
          blocks.relative[rows[i]],
          near.map((row) => blocks.relative[row]),
          pace,
        )
        if (right === undefined) continue
        blocks.relative[rows[i]] = right
        blocks.flags[rows[i]] |= MOVED
        mended.push(rows[i])
      }
    }
  }
  return mended
}

/**
 * Whether times of a track of sound, which nothing reorders, fall back far within one run: some of them are wrong, and which ones
 * nothing tells.
 */
export function soundFallsBack(
  { blocks, runs }: Survey,
  tracks: readonly MatroskaTrack[],
  paces: Paces,
  proven: (run: Run) => boolean,
): boolean {
  const sounds = new Set(
    tracks.filter(({ description }) => description.kind === 'audio').map(({ number }) => number),
  )
  for (const run of runs) {
    if (proven(run)) continue
    const latest = new Map<number, number>()
    for (let row = run.firstRow; row < run.endRow; row++) {
      const track = blocks.track[row]
      // hit blocks of sound are left out
      if (!sounds.has(track) || blocks.is(row, HIT)) continue
      const time = blocks.relative[row]
      const before = latest.get(track) ?? time
      const reach = (paces.get(track) ?? 0) * OUTSIDE
      if (reach > 0 && time < before - reach) return true
      latest.set(track, Math.max(before, time))
    }
  }
  return false
}

/** Whether a block's time lies behind the one before it and before the next one's. */
function isInOrder(times: ArrayLike<number>, rows: readonly number[], i: number): boolean {
  return !(times[rows[i - 1]] > times[rows[i]]) && !(times[rows[i + 1]] < times[rows[i]])
}

/**
 * Whether a block's time is within `reach` of so many neighbours' that it is of the middle one's: true of nearly all, and told at
 * once.
 */
function isAmongMost(times: ArrayLike<number>, rows: readonly number[], i: number, reach: number): boolean {
  const from = Math.max(0, i - NEIGHBOURS)
  const to = Math.min(rows.length, i + 1 + NEIGHBOURS)
  let within = -1
  for (let k = from; k < to; k++) if (Math.abs(times[rows[k]] - times[rows[i]]) <= reach) within++
  return within > (to - from - 1) / 2
}

/** The time that a wrong one was before a bit flipped; undefined where it is not wrong, or nothing or several fit. */
export function rightTime(time: number, near: readonly number[], pace: number): number | undefined {
  if (near.length < NEIGHBOURS) return undefined
  const sorted = [...near].sort((a, b) => a - b)
  const middle = sorted[sorted.length >> 1]
  if (Math.abs(time - middle) <= pace * OUTSIDE) return undefined
  // others that are as wrong are no neighbours
  const kept = sorted.filter((other) => Math.abs(other - middle) <= pace * OUTSIDE)
  const found: number[] = []
  for (let bit = 0; bit < BITS; bit++) {
    const other = ((time ^ (1 << bit)) << 16) >> 16
    const least = Math.min(...kept.map((neighbour) => Math.abs(neighbour - other)))
    const steps = Math.round(least / pace)
    if (steps < 1 || steps > 2 || Math.abs(least - steps * pace) > ROUNDING) continue
    if (other >= kept[0] - pace - ROUNDING && other <= kept[kept.length - 1] + pace + ROUNDING)
      found.push(other)
  }
  return found.length === 1 ? found[0] : undefined
}
