import type { RecordedTrack } from '../carving/lane.ts'
import { inFileOrder } from '../learning/rows-by-place.ts'

/** How tracks of one codec take turns in a recording. */
export interface TurnClocks {
  /** Seconds at which each track's clock starts, so that the unit that starts soonest always comes next. */
  readonly phases: readonly number[]
  /** Share of the runs of such units, between units of other tracks, that each track begins. */
  readonly begins: readonly number[]
}

/** Share of the recording's units that may come out of turn. */
const OUT_OF_TURN = 0.02
/** Units of the recording that are looked at. */
const MOST_UNITS = 20_000
/** Seconds within which two clocks are level: rounding. */
const LEVEL = 1e-9

/**
 * The clocks by which the tracks `which` of a recording take turns, undefined when they lie otherwise (a share of each in one
 * piece). Each track counts from its first unit; encoders that need a run-up start theirs before the recording does, by a
 * unit of their own rate (ISO/IEC 14496-3:2019 §4.5.2.1: 1024 samples), so that clocks start apart.
 */
export function learnTurns(
  tracks: readonly RecordedTrack[],
  which: readonly number[],
): TurnClocks | undefined {
  const order = turnsOf(tracks, which)
  if (order.which.length <= which.length) return undefined
  const phases = which.map((_, index) => (index === 0 ? 0 : startApart(order, index)))
  let wrong = 0
  for (let i = 0; i < order.which.length; i++) {
    const own = order.start[i] + phases[order.which[i]]
    if (order.next[i].some((start, index) => start + phases[index] < own - LEVEL)) wrong++
  }
  return wrong <= order.which.length * OUT_OF_TURN ? { phases, begins: order.begins } : undefined
}

interface Turns {
  readonly which: number[]
  /** Seconds since its track's first unit at which each unit starts. */
  readonly start: number[]
  /** The same of what each track has next, where each unit stands; Infinity behind a track's last. */
  readonly next: number[][]
  readonly begins: readonly number[]
}

function turnsOf(tracks: readonly RecordedTrack[], which: readonly number[]): Turns {
  const turns: Turns = { which: [], start: [], next: [], begins: which.map(() => 0) }
  const begins = which.map(() => 0)
  const seconds = (index: number, row: number): number => {
    const { table, description } = tracks[which[index]]
    return row < table.length
      ? (table.dts[row] - table.dts[0]) / description.timescale
      : Number.POSITIVE_INFINITY
  }
  const rows = which.map(() => 0)
  let inRun = false
  inFileOrder(
    tracks.map(({ table }) => table),
    (lane) => {
      const index = which.indexOf(lane)
      if (index >= 0 && turns.which.length < MOST_UNITS) {
        turns.which.push(index)
        turns.start.push(seconds(index, rows[index]))
        turns.next.push(rows.map((row, other) => seconds(other, row)))
        rows[index]++
        if (!inRun) begins[index]++
      }
      inRun = index >= 0
    },
  )
  const runs = Math.max(
    1,
    begins.reduce((sum, count) => sum + count, 0),
  )
  return { ...turns, begins: begins.map((count) => count / runs) }
}

/** By how much the clock of track `index` starts behind that of the first: the middle of what the order of their units leaves. */
function startApart({ which, start, next }: Turns, index: number): number {
  const least: number[] = []
  const most: number[] = []
  for (let i = 0; i < which.length; i++) {
    const [first, own] = [next[i][0], next[i][index]]
    if (!Number.isFinite(first) || !Number.isFinite(own)) continue
    if (which[i] === 0) least.push(start[i] - own)
    else if (which[i] === index) most.push(first - start[i])
  }
  if (least.length === 0 || most.length === 0) return 0
  least.sort((a, b) => b - a)
  most.sort((a, b) => a - b)
  // some units out of turn do not count, where there are any
  const isStrict = least[0] <= most[0] + LEVEL
  const passedOver = (bounds: readonly number[]): number =>
    isStrict ? 0 : Math.floor(bounds.length * (OUT_OF_TURN / 4))
  const lower = least[passedOver(least)]
  const upper = most[passedOver(most)]
  return (lower + upper) / 2
}
