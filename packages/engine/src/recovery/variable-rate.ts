import { SAMPLE_AFTER_HOLE, type SampleTable } from '../model/sample-table.ts'
import { inFileOrder } from './file-order.ts'
import { type Gate, type Point, tautString } from './taut-string.ts'

/**
 * How a multiplexer places pictures among sound: the decoding time of a picture minus the sound clock where the picture
 * lies in the file, in seconds, lowest and highest (outliers apart).
 */
export interface Lag {
  readonly low: number
  readonly high: number
  /** The same where a run of pictures begins behind sound: tight even where a run holds a second of pictures. */
  readonly runLow: number
  readonly runHigh: number
}

/** Share of outliers left out at each end. */
const OUTLIERS = 0.01
/** A picture further than this many of its durations outside its window contradicts a constant rate. */
const TOLERANCE = 0.75
/** Share of contradicting pictures that makes a rate variable. */
const CONTRADICTIONS = 0.03
/** Room around a window, in pictures, whatever the jitter. */
const MIN_SLACK = 0.05
const MAX_SLACK = 0.4
/** Where pictures jitter, one that misses its window by less than this share of a picture strayed; by more, one before it was left out. */
const STRAYED = 0.3
/** Pictures by which a run must miss the sound to speak against a sample of constant rate, and the share of runs that must. */
const UNEXPECTED = 2
const UNEXPECTED_RUNS = 0.2
/** Room around the window of a run's first picture, in pictures. */
const RUN_SLACK = 0
/** Fewer runs or pictures than these prove nothing against it. */
const FEWEST_RUNS = 4
const FEWEST_PICTURES = 6
/** Pictures this near a hole lack neighbours in display order, and with them their own decoding time. */
const NEAR_HOLE = 6
/** Windows wider than this many pictures say nothing of a single picture. */
const USEFUL_PICTURES = 2.5
/** Pictures are never squeezed closer than this share of their usual duration. */
const SQUEEZE = 0.25

/** Measures the lag in a recording with known times. Undefined with too few pictures or no sound. */
export function measureLag(
  tables: readonly SampleTable[],
  timescales: readonly number[],
  picture: number,
  sound: number,
): Lag | undefined {
  const lags: number[] = []
  const runLags: number[] = []
  const isNear = nearHoles(tables[picture])
  soundClockAtPictures(tables, timescales, picture, sound, (row, clock, runStart) => {
    if (isNear(row)) return
    const lag = tables[picture].dts[row] / timescales[picture] - clock
    lags.push(lag)
    if (runStart) runLags.push(lag)
  })
  if (lags.length < 16) return undefined
  const [low, high] = inner(lags)
  const [runLow, runHigh] = runLags.length >= 4 ? inner(runLags) : [low, high]
  return { low, high, runLow, runHigh }
}

/** Tells whether a row has a hole within a few rows before or behind it. */
export function nearHoles(table: SampleTable): (row: number) => boolean {
  const near = new Uint8Array(table.length)
  for (let row = 0; row < table.length; row++) {
    if ((table.flags[row] & SAMPLE_AFTER_HOLE) === 0 || row === 0) continue
    near.fill(1, Math.max(0, row - NEAR_HOLE), row + NEAR_HOLE)
  }
  return (row) => near[row] === 1
}

/** The range that holds all values but the outliers. */
function inner(values: number[]): [number, number] {
  const sorted = values.sort((a, b) => a - b)
  return [sorted[Math.floor(sorted.length * OUTLIERS)], sorted[Math.ceil(sorted.length * (1 - OUTLIERS)) - 1]]
}

/** What `variableRateTimes` needs to know of a picture lane and its sound. */
export interface Clockwork {
  readonly tables: readonly SampleTable[]
  readonly timescales: readonly number[]
  /** Lane of the pictures and of the sound that times them; the sound's own times must be filled. */
  readonly picture: number
  readonly sound: number
  readonly lag: Lag
  /** Usual duration of a picture in seconds, and how far pictures of the sample usually stray from it. */
  readonly unit: number
  readonly jitter: number
  /** The sample's rate is variable. */
  readonly knownVariable: boolean
  /** Seconds by which the pictures start after the sound, because their first ones are lost; negative for before, undefined for unknown. */
  readonly start: number | undefined
}

/** Decoding times in seconds from the first picture on, and how long after the sound that one comes. */
export interface VariableTimes {
  readonly times: Float64Array
  readonly start: number
  /** The sound leaves more than one place for a picture: nothing tells the time of a single one. */
  readonly loose: boolean
}

/**
 * Decoding times of pictures, in seconds, from the sound clock around them: each picture follows its predecessor by whole
 * picture durations, as many as its window in the file asks for. Undefined when the windows agree with a constant rate, or
 * are too wide to tell.
 */
export function variableRateTimes(clockwork: Clockwork): VariableTimes | undefined {
  const { tables, timescales, picture, sound, lag, unit, jitter, knownVariable, start } = clockwork
  if (unit <= 0) return undefined
  const table = tables[picture]
  const clocks = new Float64Array(table.length)
  const runStarts = new Uint8Array(table.length)
  soundClockAtPictures(tables, timescales, picture, sound, (row, clock, runStart) => {
    clocks[row] = clock
    runStarts[row] = runStart ? 1 : 0
  })
  const timescale = timescales[picture]
  const shift = start ?? startOf(table, timescale, clocks, lag)
  for (let row = 0; row < clocks.length; row++) clocks[row] -= shift
  if (lag.high - lag.low > unit * USEFUL_PICTURES) {
    const nominal = Float64Array.from(
      table.dts.subarray(0, table.length),
      (time) => (time - table.dts[0]) / timescale,
    )
    const stretched = stretchedRuns(nominal, clocks, runStarts, lag, unit, knownVariable)
    return stretched && { times: stretched, start: shift, loose: true }
  }
  if (!knownVariable && !contradictsConstantRate(table, timescale, clocks, lag, unit)) return undefined
  const slack = Math.min(Math.max(jitter * 2, unit * MIN_SLACK), unit * MAX_SLACK)
  const times = new Float64Array(table.length)
  for (let row = 1; row < table.length; row++) {
    const low = clocks[row] + lag.low - slack
    const high = clocks[row] + lag.high + slack
    let time = times[row - 1] + unit
    if (time < low) {
      // pictures were left out: as many as bring it into its window
      const strayed = jitter > 0 && low - time < unit * STRAYED
      time = strayed ? low : time + Math.ceil((low - time) / unit) * unit
      if (time > high + unit / 2) time = low
    } else if (time > high + unit / 2) {
      time = Math.max(times[row - 1] + unit * SQUEEZE, high)
    }
    times[row] = time
  }
  // pictures that merely stray are near their times wherever they lie in their windows
  const strays = jitter > unit * MIN_SLACK
  return { times, start: shift, loose: !strays && lag.high - lag.low > unit }
}

/** Pictures whose windows tell when the first one was. */
const START_PICTURES = 48

/**
 * Seconds by which the pictures start after the sound: within the first picture's window, and early enough that pictures a unit
 * apart do not run ahead of the windows of those that follow.
 */
function startOf(table: SampleTable, timescale: number, clocks: Float64Array, lag: Lag): number {
  if (table.length === 0) return 0
  let start = clocks[0] + (lag.low + lag.high) / 2
  for (let row = 0; row < Math.min(table.length, START_PICTURES); row++) {
    start = Math.min(start, clocks[row] + lag.high - (table.dts[row] - table.dts[0]) / timescale)
  }
  return Math.max(start, clocks[0] + lag.low)
}

/**
 * Times from where runs of pictures begin, which must meet the sound there: the rate changes as little and as seldom as that allows.
 * `nominal`: times at a constant rate, what holes took included. Undefined when hardly any run needs it: the rate is constant.
 */
function stretchedRuns(
  nominal: Float64Array,
  clocks: Float64Array,
  runStarts: Uint8Array,
  lag: Lag,
  unit: number,
  knownVariable: boolean,
): Float64Array | undefined {
  const gates: Gate[] = []
  let changed = 0
  let runs = 0
  let late = 0
  for (let row = 1; row < clocks.length; row++) {
    if (runStarts[row] === 0) continue
    runs++
    const low = clocks[row] + lag.runLow - nominal[row]
    const high = clocks[row] + lag.runHigh - nominal[row]
    const unexpected = knownVariable ? unit / 2 : unit * UNEXPECTED
    const wanted = Math.min(Math.max(late, low - unexpected), high + unexpected)
    if (wanted !== late) changed++
    late = wanted
    const x = nominal[row]
    if (x > (gates.at(-1)?.x ?? 0))
      gates.push({ x, low: low - unit * RUN_SLACK, high: high + unit * RUN_SLACK })
  }
  if (changed <= (knownVariable ? 0 : Math.max(FEWEST_RUNS, runs * UNEXPECTED_RUNS))) return undefined
  if (gates.length === 0) return undefined
  return along(lateness(gates), nominal, unit)
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

/** The line from one gate to the next through all of them, and on for as long as a run usually is: what comes then has the usual rate. */
function lateness(gates: readonly Gate[]): Point[] {
  const line = tautString({ x: 0, y: 0 }, gates)
  const [from, to] = line.slice(-2)
  const run = to.x / gates.length
  return [...line, { x: to.x + run, y: to.y + (run * (to.y - from.y)) / (to.x - from.x) }]
}

/**
 * Whether pictures an even distance apart miss the sound around them. Sound that was lost in a hole is known only by the unit, so that
 * behind one the distance of both clocks may be another: what counts is that it changes between holes.
 */
function contradictsConstantRate(
  table: SampleTable,
  timescale: number,
  clocks: Float64Array,
  lag: Lag,
  unit: number,
): boolean {
  let contradictions = 0
  const isNear = nearHoles(table)
  const apart = clocks.map((clock, row) => table.dts[row] / timescale - clock)
  for (let from = 0; from < table.length; ) {
    let until = from + 1
    while (until < table.length && (table.flags[until] & SAMPLE_AFTER_HOLE) === 0) until++
    const usual = apart.subarray(from, until).slice().sort()[(until - from) >> 1]
    // within the window as a rule: then the window is right
    const moved = from === 0 ? 0 : Math.max(0, usual - lag.high) - Math.max(0, lag.low - usual)
    for (let row = from; row < until; row++) {
      if (isNear(row)) continue
      const outside = Math.max(lag.low - (apart[row] - moved), apart[row] - moved - lag.high)
      if (outside > unit * TOLERANCE) contradictions++
    }
    from = until
  }
  return contradictions > Math.max(FEWEST_PICTURES, table.length * CONTRADICTIONS)
}

/** Calls `visit` for each picture with the end time of the sound that lies before it in the file. */
function soundClockAtPictures(
  tables: readonly SampleTable[],
  timescales: readonly number[],
  picture: number,
  sound: number,
  visit: (row: number, clock: number, runStart: boolean) => void,
): void {
  let clock = 0
  let afterSound = true
  const pair = [tables[picture], tables[sound]]
  inFileOrder(pair, (which, row) => {
    if (which === 0) visit(row, clock, afterSound)
    else clock = (pair[1].dts[row] + pair[1].duration[row]) / timescales[sound]
    afterSound = which === 1
  })
}
