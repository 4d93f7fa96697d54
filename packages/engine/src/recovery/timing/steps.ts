import type { Beat } from './beat.ts'
import type { Bounds } from './run-bounds.ts'
import { SQUEEZE } from './stretched-runs.ts'

/** Share of a picture by which a run may miss the beat for a rate that is known a little too high or low. */
const DRIFT = 0.5
/** Share of a picture by which rounding may take a whole number of pictures out of bounds. */
const ROUNDED = 0.1
/** Share of a run from which on what is missing from it is missing all along it: its pictures come at a lower rate. */
const SPARSE = 0.5
/** Share of runs that may contradict the steps that the others tell. */
const CONTRADICTIONS = 0.1
/** Share of runs behind one that lacks pictures which may lack some, too: more do at another rate. */
const IN_A_ROW = 0.25
/** Share of a period by which sound may be off where the beat tells time, and by which a hole's length may be overestimated. */
const VAGUE = 0.5
const OVERESTIMATED = 0.25

/** Pictures at an even rate of which some were left out, and what tells when runs of them begin. */
export interface Runs {
  /** Times with none left out but in holes, in seconds from the first picture. */
  readonly nominal: Float64Array
  readonly bounds: readonly Bounds[]
  readonly beat: Beat
  /** Seconds from a picture to the next. */
  readonly unit: number
  /** Nothing tells how long the recording ran before its first picture: runs keep the beat by what the first of them tells. */
  readonly isHeadLost: boolean
  isBehindHole(row: number): boolean
}

/**
 * Times of pictures that come at whole multiples of a unit: as few are left out as make each run begin on the beat. Which ones of
 * a run are missing nothing tells: those at a hole, those in its middle, or some all along a run that lacks most. 'none': no run
 * needs any. Undefined where too many runs contradict, or lack some one after another: then the rate is another.
 */
export function steppedTimes(runs: Runs): Float64Array | 'none' | undefined {
  const { nominal, bounds, unit, isBehindHole } = runs
  const windows = new Windows(runs)
  const late = new Float64Array(nominal.length)
  let [from, now, slope] = [0, 0, 0]
  // of the run before, behind its beat
  let delay = 0
  let [steps, inARow, contradictions, last] = [0, 0, 0, 0]
  for (let i = 0; i < bounds.length; i++) {
    const { row } = bounds[i]
    const hole = firstHole(from + 1, row, isBehindHole)
    const { low, high, isBeat } = windows.of(bounds[i], now, hole !== undefined)
    const length = nominal[row] - nominal[from]
    const isMissing = now < low - unit * DRIFT && !windows.goesBack(bounds[i + 1], now)
    const missing = isMissing ? leftOut(low - now, high - now, delay, unit) * unit : 0
    const then = Math.min(Math.max(now + missing, low), high)
    if (isBeat) delay = then - low
    if (hole === undefined && Math.abs(then - now - missing) > unit * DRIFT) contradictions++
    if (missing > 0) {
      steps++
      if (last > 0) inARow++
    }
    last = missing
    const isSparse = hole === undefined && missing > length * SPARSE
    const step = isSparse ? 0 : hole === undefined ? missing : then - now
    slope = isSparse ? (then - now) / length : 0
    const at = hole ?? Math.ceil((from + row) / 2)
    for (let each = from; each < row; each++) {
      const share = length > 0 ? (nominal[each] - nominal[from]) / length : 0
      late[each] = now + (then - now - step) * share + (each < at ? 0 : step)
    }
    ;[from, now] = [row, then]
  }
  if (contradictions > bounds.length * CONTRADICTIONS || inARow > steps * IN_A_ROW) return undefined
  if (steps === 0) return 'none'
  for (let row = from; row < nominal.length; row++) late[row] = now + slope * (nominal[row] - nominal[from])
  const times = nominal.map((time, row) => time + late[row])
  for (let row = 1; row < times.length; row++)
    times[row] = Math.max(times[row], times[row - 1] + unit * SQUEEZE)
  return times
}

/**
 * Pictures that bring a run between `low` and `high`: by as much behind the beat as the run before, where that is in there; else
 * the fewest.
 */
function leftOut(low: number, high: number, delay: number, unit: number): number {
  const alike = Math.round((low + delay) / unit)
  const isThere = alike * unit > low - unit * ROUNDED && alike * unit < high + unit * ROUNDED
  return isThere ? alike : Math.ceil(low / unit - ROUNDED)
}

function firstHole(from: number, until: number, isBehindHole: (row: number) => boolean): number | undefined {
  for (let row = from; row <= until; row++) if (isBehindHole(row)) return row
  return undefined
}

interface Window {
  readonly low: number
  readonly high: number
  /** By the beat, not by sound alone. */
  readonly isBeat: boolean
}

/** How late runs may be behind an even rate, in seconds. */
class Windows {
  readonly #runs: Runs
  /** When the beat's first period is over; unknown behind a lost head until a run begins. */
  #start: number | undefined
  readonly #room: number

  constructor(runs: Runs) {
    this.#runs = runs
    this.#start = runs.isHeadLost ? undefined : runs.beat.low
    this.#room = runs.beat.high - runs.beat.low
  }

  /** Of a run behind one that was `now` seconds late, or that has a hole in it. */
  of({ row, low, high, begins }: Bounds, now: number, isHoled: boolean): Window {
    const { nominal, beat, unit } = this.#runs
    const period = beat.shortest
    const time = nominal[row]
    const heard = { low: low - period * VAGUE, high: high + period * VAGUE }
    if (!begins)
      return { low: Math.min(heard.low - time, now), high: Math.max(heard.high - time, now), isBeat: false }
    if (this.#start === undefined) {
      this.#start = time + now - this.#room / 2
    }
    const end = this.#start + this.#room
    const back = isHoled ? period * OVERESTIMATED : unit * DRIFT
    const count = Math.ceil((Math.max(time + now - back, heard.low) - end) / period)
    const first = this.#start + count * period
    if (first > heard.high) return { low: now, high: now, isBeat: false }
    return { low: first - time, high: first + this.#room - time, isBeat: true }
  }

  /** Whether the next run is no later than the one before this was: this one strayed, and nothing is missing before it. */
  goesBack(next: Bounds | undefined, now: number): boolean {
    return next !== undefined && this.of(next, now, false).low <= now + this.#runs.unit * DRIFT
  }
}
