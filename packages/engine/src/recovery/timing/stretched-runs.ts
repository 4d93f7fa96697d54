import { type Beat, onBeat } from './beat.ts'
import type { Bounds } from './run-bounds.ts'
import { type Gate, type Point, tautString } from './taut-string.ts'

/** Pictures by which a run must miss the sound to speak against a sample of constant rate, and the share of runs that must. */
const UNEXPECTED = 2
const UNEXPECTED_RUNS = 0.2
/** Pictures by which runs may be late altogether before so much speaks against it, whatever the share of runs. */
const MOST_LATE = 16
/** Fewer runs than these prove nothing against it. */
const FEWEST_RUNS = 4
/** Pictures are never squeezed closer than this share of their usual duration. */
export const SQUEEZE = 0.25
/** Runs whose rate goes on behind the last of them. */
export const LAST_RUNS = 4
/** Starts tried, each in the part of the last that is left: to a thousandth. */
const TRIES = 18
const PART = 0.62

/**
 * Times from where runs of pictures begin, which must keep `bounds` and beat there: the rate changes as little and as seldom as
 * that allows. `nominal`: times at a constant rate, what holes took included. `startsSlowly`: the first picture lasts until the
 * camera is under way. `isLastUnheard`: no sound lies behind the last run. Undefined when hardly any run needs it: the rate is
 * constant.
 */
export function stretchedRuns(
  nominal: Float64Array,
  bounds: readonly Bounds[],
  beat: Beat | undefined,
  unit: number,
  knownVariable: boolean,
  startsSlowly: boolean,
  isLastUnheard: boolean,
): Float64Array | undefined {
  const gates: Gate[] = []
  let changed = 0
  let late = 0
  let beats = 0
  const unexpected = knownVariable ? unit / 2 : unit * UNEXPECTED
  for (const { row, low: heardLow, high: heardHigh, begins } of bounds) {
    const beaten = beat && begins ? onBeat(heardLow, heardHigh, beat, beats) : undefined
    beats = beaten?.count ?? beats
    const low = (beaten?.low ?? heardLow) - nominal[row]
    const high = (beaten?.high ?? heardHigh) - nominal[row]
    const wanted = Math.min(Math.max(late, low - unexpected), high + unexpected)
    if (wanted !== late) changed++
    late = wanted
    const x = nominal[row]
    if (x > (gates.at(-1)?.x ?? 0)) gates.push({ x, low, high })
  }
  const share = Math.abs(late) > unit * MOST_LATE ? 0 : UNEXPECTED_RUNS
  if (changed <= (knownVariable ? 0 : Math.max(FEWEST_RUNS, bounds.length * share))) return undefined
  if (gates.length === 0) return undefined
  if (isLastUnheard) openLast(gates)
  const start = startsSlowly ? laterStart(gates) : 0
  return along(lateness(gates, start, nominal[nominal.length - 1]), nominal, unit)
}

/**
 * A recording ends in the midst of a run of sound, and all pictures that are left follow it: they may come as much later as that
 * run might have gone on.
 */
function openLast(gates: Gate[]): void {
  const last = gates[gates.length - 1]
  const run = last.x / gates.length
  gates[gates.length - 1] = { ...last, high: last.high + run }
}

/** Times that are later than `nominal` by as much as a line tells. */
function along(line: readonly Point[], nominal: Float64Array, unit: number): Float64Array {
  const times = new Float64Array(nominal.length)
  let next = 1
  for (let row = 1; row < nominal.length; row++) {
    while (next < line.length - 1 && line[next].x < nominal[row]) next++
    const [from, to] = [line[next - 1], line[next]]
    const share = Math.min(1, (nominal[row] - from.x) / (to.x - from.x))
    const late = from.y + (to.y - from.y) * share
    times[row] = Math.max(nominal[row] + late, times[row - 1] + unit * SQUEEZE)
  }
  return times
}

/**
 * The line from `start` at the first picture through all gates, and on: until `end` as in the last runs, or, of few runs, for as
 * long as one usually is.
 */
function lateness(gates: readonly Gate[], start: number, end: number): Point[] {
  const line = tautString({ x: 0, y: start }, gates)
  const last = line[line.length - 1]
  const run = last.x / gates.length
  const isLong = gates.length > LAST_RUNS
  const from = isLong ? last.x - run * LAST_RUNS : line[line.length - 2].x
  const until = isLong ? Math.max(end, last.x + run) : last.x + run
  const slope = (last.y - heightAt(line, from)) / (last.x - from)
  return [...line, { x: until, y: last.y + (until - last.x) * slope }]
}

function heightAt(line: readonly Point[], x: number): number {
  const next = Math.max(
    1,
    line.findIndex((point) => point.x >= x),
  )
  const [from, to] = [line[next - 1], line[next]]
  return from.y + ((to.y - from.y) * (x - from.x)) / (to.x - from.x)
}

/**
 * How late all pictures but the first are where that one's length is unknown: so that the line turns least. Turns grow to both
 * sides of the best start.
 */
function laterStart(gates: readonly Gate[]): number {
  const turn = (start: number): number => turnOf(tautString({ x: 0, y: start }, gates))
  let low = 0
  let high = Math.max(0, ...gates.map((gate) => gate.high))
  for (let i = 0; i < TRIES; i++) {
    const [left, right] = [high - (high - low) * PART, low + (high - low) * PART]
    if (turn(left) <= turn(right)) high = right
    else low = left
  }
  return turn(low) < turn(0) ? low : 0
}

/** By how much a line turns altogether, in slopes. */
function turnOf(line: readonly Point[]): number {
  let turned = 0
  let before: number | undefined
  for (let i = 1; i < line.length; i++) {
    const slope = (line[i].y - line[i - 1].y) / (line[i].x - line[i - 1].x)
    if (before !== undefined) turned += Math.abs(slope - before)
    before = slope
  }
  return turned
}
