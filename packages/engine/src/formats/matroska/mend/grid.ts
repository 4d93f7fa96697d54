import type { Survey } from '../read/survey.ts'
import type { Paces } from './pace.ts'

/** Blocks of a track that its phase is taken from. */
const LOOKED = 256
/** Ticks by which rounding puts a block off its place. */
const ROUNDING = 1.01
/** Share of the blocks that must lie on a track's grid for it to have one. */
const REGULAR = 0.95
/** Paces finer than this tell nothing. */
const FINEST = 8

interface Grid {
  readonly pace: number
  /** Ticks of any block of the track. */
  readonly phase: number
}

/** Says where blocks of tracks that go on evenly may be: at whole paces from each other. */
export class Grids {
  readonly #grids = new Map<number, Grid>()

  constructor(survey: Survey, paces: Paces) {
    for (const [track, pace] of paces) {
      const times = timesOf(survey, track)
      const [first] = times
      if (pace < FINEST || first === undefined || times.length < 8) continue
      const fine = refined(times, pace)
      const phase = first + middle(times.map((time) => offGrid(time, fine, first)))
      const on = times.filter((time) => Math.abs(offGrid(time, fine, phase)) <= ROUNDING)
      if (on.length >= times.length * REGULAR) this.#grids.set(track, { pace: fine, phase })
    }
  }

  /** Ticks by which a block of a track at `time` is off its place, signed; undefined for tracks that have no grid. */
  off(track: number, time: number): number | undefined {
    const grid = this.#grids.get(track)
    return grid && offGrid(time, grid.pace, grid.phase)
  }
}

function offGrid(time: number, pace: number, phase: number): number {
  const steps = Math.round((time - phase) / pace)
  return time - phase - steps * pace
}

function middle(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0
}

/** Times of the first run of a track that is long enough, in display order. */
function timesOf(survey: Survey, track: number): number[] {
  const { blocks, runs } = survey
  const times: number[] = []
  for (const { firstRow, endRow, time, headed } of runs) {
    if (time === undefined || !headed) continue
    for (let row = firstRow; row < endRow && times.length < LOOKED; row++)
      if (blocks.track[row] === track) times.push(time + blocks.relative[row])
    if (times.length >= LOOKED) break
  }
  return times.sort((a, b) => a - b)
}

/** The pace that whole steps from the first to the last of the times give. */
function refined(times: readonly number[], pace: number): number {
  const span = times[times.length - 1] - times[0]
  const steps = Math.round(span / pace)
  return steps > 0 && Math.abs(span / steps - pace) < pace * 0.01 ? span / steps : pace
}
