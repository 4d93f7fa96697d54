import type { StepHabits } from '../learning/step-habits.ts'
import { GridChain, type Places, type Span } from './grid-chain.ts'
import type { Bounds } from './run-bounds.ts'
import { LAST_RUNS, SQUEEZE } from './stretched-runs.ts'

/** Places of the grid by which rounding and clocks may take the bounds of a run off. */
const ROUNDED = 0.25
/** Share of runs that may contradict the others. */
const CONTRADICTIONS = 0.1
/** How likely the second of two places must be for a picture to come in the middle between both. */
const RIVAL = 0.15
/** Likelihoods that are no more apart than this are alike. */
const ALIKE = 1e-6
/** Places of a run's first picture that are weighed at the most, and places that a hole may have taken. */
const MOST_PLACES = 64
const MOST_LOST = 256
/** Pictures that are weighed at the most: a quarter of an hour of them, and a second of work. */
const MOST_PICTURES = 1 << 15

/** Pictures on a grid, and when sound and beat have runs of them begin. */
export interface GridRuns {
  /** Times at the usual distance, in seconds from the first picture, what holes took included. */
  readonly nominal: Float64Array
  /** Of all runs but the first, by rising row. */
  readonly bounds: readonly (Bounds & { readonly isBeat: boolean })[]
  readonly habits: StepHabits
  /** From one place of the grid to the next, and usually from a picture to the next, in seconds. */
  readonly grid: number
  readonly unit: number
  /** Bounds count from anywhere: the recording's head is lost. */
  readonly isHeadLost: boolean
  isBehindHole(row: number): boolean
}

/** Times in seconds from the first picture, and how long that one comes behind where the bounds count from. */
export interface GridTimes {
  readonly times: Float64Array
  readonly late: number
}

/**
 * Times of pictures on a grid of which some places are empty: which ones nothing tells but that
 * each run begins within its bounds, and that pictures follow one another as the sample's do. Each comes where it most likely
 * does; in the middle of two places that are about as likely, so that it is half a place off at the most. Undefined where too
 * many runs contradict each other, or there would be too much to weigh.
 */
export function gridTimes(given: GridRuns): GridTimes | undefined {
  const { nominal, bounds, grid, habits } = given
  if (nominal.length > MOST_PICTURES) return undefined
  const chain = new GridChain(habits, longestSteps(given))
  const spans = spansOf(given, chain)
  if (!spans || spans.length === 0 || bounds.length - spans.length > bounds.length * CONTRADICTIONS)
    return undefined
  const places = new Float64Array(nominal.length).fill(Number.NaN)
  chain.visit(spans, (row, likely) => {
    if (likely) places[row] = likeliest(likely)
  })
  if (Number.isNaN(places[0])) return undefined
  // it has a place of its own: all others are told from there
  places[0] = Math.ceil(places[0])
  for (const span of spans) fillEvenly(places, span)
  const times = places.map((place) => (place - places[0]) * grid)
  goOn(times, nominal, spans)
  for (let row = 1; row < times.length; row++)
    times[row] = Math.max(times[row], times[row - 1] + grid * SQUEEZE)
  return { times, late: places[0] * grid }
}

/** Places by which each picture may lie behind the last one: those lost between may have come as far apart as any. */
function longestSteps({ nominal, unit, habits: { most }, isBehindHole }: GridRuns): Uint16Array {
  return Uint16Array.from(nominal, (time, row) => {
    if (row === 0) return 0
    if (!isBehindHole(row)) return most
    const lost = Math.max(0, Math.round((time - nominal[row - 1]) / unit) - 1)
    return Math.min(MOST_LOST, (lost + 2) * most)
  })
}

/** The pictures between runs that all can begin within their bounds; undefined where there is too much room. */
function spansOf({ bounds, grid, isHeadLost, habits }: GridRuns, chain: GridChain): Span[] | undefined {
  const ends = bounds.map(({ row, low, high, isBeat }) => ({
    row,
    low: Math.ceil(low / grid - ROUNDED),
    high: Math.max(Math.floor(high / grid + ROUNDED), Math.ceil(low / grid - ROUNDED)),
    // whatever comes on the beat or behind it begins a run
    limit: isBeat ? Math.ceil(low / grid - ROUNDED) : Number.POSITIVE_INFINITY,
  }))
  const [first] = ends
  if (!first) return undefined
  const start = isHeadLost
    ? { row: 0, low: first.low - first.row * habits.most, high: first.high - first.row, limit: 0 }
    : { row: 0, low: 0, high: 0, limit: 0 }
  const kept = [start]
  for (const end of ends) {
    const last = kept[kept.length - 1]
    const least = last.low + end.row - last.row
    const low = Math.max(end.low, least)
    const high = Math.min(end.high, last.high + chain.farthest(last.row, end.row))
    if (low > high) continue
    // pictures that stray from the grid leave room for all in front of the beat, or nearly
    const limit = least <= end.limit + 1 ? Math.max(least, end.limit) : Number.POSITIVE_INFINITY
    kept.push({ ...end, low, high, limit })
  }
  const spans: Span[] = []
  for (let i = kept.length - 1; i > 0; i--) {
    const [from, until] = [kept[i - 1], kept[i]]
    from.low = Math.max(from.low, until.low - chain.farthest(from.row, until.row))
    from.high = Math.min(from.high, until.high - (until.row - from.row))
    if (until.high - until.low > MOST_PLACES) return undefined
    spans.push({
      ...{ from: from.row, until: until.row, low: from.low, high: from.high },
      ...{ nextLow: until.low, nextHigh: until.high },
      limit: until.limit,
    })
  }
  return spans.reverse()
}

/**
 * Where a picture most likely comes, or the middle of the two places next to each other that are likeliest: of several as likely
 * those nearest to the mean.
 */
function likeliest({ low, chances }: Places): number {
  const mean = chances.reduce((sum, chance, i) => sum + chance * i, 0)
  let [best, most] = [0, 0]
  for (let i = 0; i < chances.length; i++) {
    const rival = chances[i + 1] ?? 0
    const isTwo = Math.min(chances[i], rival) >= RIVAL
    const both = isTwo ? chances[i] + rival : chances[i]
    const place = isTwo ? i + 0.5 : i
    const isNearer = both > most - ALIKE && Math.abs(place - mean) < Math.abs(best - mean)
    if (both > most + ALIKE || isNearer) [best, most] = [place, both]
  }
  return low + best
}

/** Pictures whose bounds contradict each other come evenly between those that have places. */
function fillEvenly(places: Float64Array, { from, until }: Span): void {
  for (let row = from + 1; row < until; row++) {
    if (!Number.isNaN(places[row])) continue
    places[row] = places[row - 1] + (places[until] - places[row - 1]) / (until - row + 1)
  }
}

/** Behind the last bounded picture the rate goes on as in the last runs. */
function goOn(times: Float64Array, nominal: Float64Array, spans: readonly Span[]): void {
  const last = spans[spans.length - 1].until
  const { from } = spans[Math.max(0, spans.length - LAST_RUNS)]
  const pace = (times[last] - times[from]) / (nominal[last] - nominal[from])
  for (let row = last + 1; row < times.length; row++)
    times[row] = times[last] + (nominal[row] - nominal[last]) * pace
}
