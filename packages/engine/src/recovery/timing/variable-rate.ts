import { SAMPLE_AFTER_HOLE, type SampleTable } from '../../model/sample-table.ts'
import { inFileOrder } from '../learning/rows-by-place.ts'
import type { StepHabits } from '../learning/step-habits.ts'
import { beatenBounds, beatOf, breaksBeat, keepsPeriod, type RunStart, startOfBeat } from './beat.ts'
import { drifts } from './drift.ts'
import { type GridTimes, gridTimes } from './grid-times.ts'
import type { Lag } from './lag.ts'
import { nearHoles } from './near-holes.ts'
import { type Bounds, RUN_BEGINS, RUN_GOES_ON, runBounds } from './run-bounds.ts'
import { steppedTimes } from './steps.ts'
import { SQUEEZE, stretchedRuns } from './stretched-runs.ts'

/** Share of outliers left out at each end. */
const OUTLIERS = 0.01
/** A picture further than this many of its durations outside its window contradicts a constant rate. */
const TOLERANCE = 0.75
/** Share of contradicting pictures that makes a rate variable. */
const CONTRADICTIONS = 0.03
/** Room around a window, in pictures. */
const SLACK = 0.05
/**
 * Where pictures jitter, one that misses its window by less than this share of a picture strayed; by more, one before it was left
 * out.
 */
const STRAYED = 0.3
/** Fewer pictures than these prove nothing against it. */
const FEWEST_PICTURES = 6
/** Windows wider than this many pictures say nothing of a single picture. */
const USEFUL_PICTURES = 2.5
/** Pictures that a first one must last longer than usual for recordings to begin irregularly. */
const IRREGULAR = 1

/** Measures the lag in a recording with known times. Undefined with too few pictures or no sound. */
export function measureLag(
  tables: readonly SampleTable[],
  timescales: readonly number[],
  picture: number,
  sound: number,
): Lag | undefined {
  const lags: number[] = []
  const runLags: number[] = []
  const runTimes: number[] = []
  const runs: RunStart[] = []
  const { dts } = tables[picture]
  const begin = dts[0] / timescales[picture]
  const isNear = nearHoles(tables[picture])
  soundClockAtPictures(tables, timescales, picture, sound, (row, clock, runStart) => {
    if (clock === UNHEARD || isNear(row)) return
    const time = dts[row] / timescales[picture]
    lags.push(time - clock)
    if (!runStart) return
    if (row > 0) runs.push({ row, time: time - begin, before: dts[row - 1] / timescales[picture] - begin })
    runTimes.push(time)
    runLags.push(time - clock)
  })
  if (lags.length < 16) return undefined
  const durations = durationsOf(tables[picture])
  const unit = (durations[durations.length >> 1] ?? 0) / timescales[picture]
  const beat = beatOf(runs)
  const isDrifting = drifts(runTimes, runLags, unit)
  const [low, high] = inner(lags)
  const slow = startsSlowly(tables[picture])
  if (slow) runLags.shift()
  const [runLow, runHigh] = runLags.length >= 4 ? inner(runLags) : [low, high]
  return {
    ...{ low, high, runLow, runHigh },
    ...(slow ? { slowStart: true } : {}),
    ...(isDrifting ? { drifts: true } : {}),
    ...(beat ? { beat } : {}),
  }
}

/** The sound clock at pictures that lie before any sound: they may come at any time until it begins. */
const UNHEARD = Number.NEGATIVE_INFINITY

/** Ticks from each row to the next in decoding order, shortest first. */
function durationsOf({ length, dts }: Pick<SampleTable, 'length' | 'dts'>): Float64Array {
  return Float64Array.from({ length: length - 1 }, (_, row) => dts[row + 1] - dts[row]).sort()
}

/** Whether the first picture lasts longer than any usual one. */
function startsSlowly({ length, dts }: SampleTable): boolean {
  const [durations, first] = [durationsOf({ length, dts }), dts[1] - dts[0]]
  const usual = durations[durations.length >> 1]
  return (
    first - usual > usual * IRREGULAR && first >= durations[Math.floor(durations.length * (1 - OUTLIERS))]
  )
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
  /** Seconds from a picture to the next in the mean, where hardly one duration is the usual; `unit` otherwise. */
  readonly pace?: number
  /** How pictures of the sample follow one another on a grid, if they do. */
  readonly steps?: StepHabits | undefined
  /** The sample's rate is variable. */
  readonly knownVariable: boolean
  /**
   * Seconds by which the pictures start after the sound, because their first ones are lost; negative for before, undefined for
   * unknown.
   */
  readonly start: number | undefined
  /** The recording began before its first picture that is left. */
  readonly isHeadLost?: boolean
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
  const { tables, picture, lag, unit, jitter, knownVariable, isHeadLost = false, pace = unit } = clockwork
  if (unit <= 0) return undefined
  const table = tables[picture]
  const timescale = clockwork.timescales[picture]
  const { clocks, runStarts, shift } = heardAtPictures(clockwork)
  if (lag.high - lag.low > unit * USEFUL_PICTURES) {
    const nominal = Float64Array.from(
      table.dts.subarray(0, table.length),
      (time, row) => (time - table.dts[0]) / timescale + row * (pace - unit),
    )
    const bounds = runBounds(clocks, runStarts, lag)
    const stepped = jitter <= unit * SLACK ? stepsOnBeat(clockwork, bounds) : undefined
    if (stepped === 'none' && !knownVariable) return undefined
    const isLastUnheard = endsInPictures(table, clockwork.tables[clockwork.sound])
    // behind a lost head nobody knows the recording's own time
    const beat = isHeadLost || lag.beat?.orCount ? undefined : lag.beat
    const isSlow = lag.slowStart === true
    if (typeof stepped === 'object') return { times: stepped, start: shift, loose: true }
    const onGrid = timesOnGrid(clockwork, nominal, bounds)
    if (onGrid) return { times: onGrid.times, start: shift + onGrid.late, loose: true }
    const stretched = stretchedRuns(nominal, bounds, beat, unit, knownVariable, isSlow, isLastUnheard)
    const times = stretched ?? (pace === unit ? undefined : nominal)
    return times && { times, start: shift, loose: true }
  }
  if (!knownVariable && !contradictsConstantRate(table, timescale, clocks, lag, unit)) return undefined
  const slack = unit * SLACK
  // pictures that merely stray are near their times wherever they lie in their windows
  const strays = jitter > unit * SLACK
  const beyond = strays ? 0 : unit / 2
  const times = new Float64Array(table.length)
  for (let row = 1; row < table.length; row++) {
    const low = clocks[row] + lag.low - slack
    const high = Math.max(clocks[row], -shift) + lag.high + slack
    let time = times[row - 1] + unit
    if (time < low) {
      // pictures were left out: as many as bring it into its window
      const strayed = jitter > 0 && low - time < unit * STRAYED
      time = strayed ? low : time + Math.ceil((low - time) / unit) * unit
      if (time > high + beyond) time = low
    } else if (time > high + beyond) {
      time = Math.max(times[row - 1] + unit * SQUEEZE, high)
    }
    times[row] = time
  }
  return { times, start: shift, loose: !strays && lag.high - lag.low > unit }
}

/** Pictures within which runs begin behind each period of a beat that tells how many of an even rate were left out. */
const NARROW = 1.5

/** Times of pictures whose runs begin on a beat, as `steppedTimes` has them; undefined where there is no such beat. */
function stepsOnBeat(
  { tables, timescales, picture, lag: { beat, slowStart }, unit, isHeadLost = false }: Clockwork,
  bounds: readonly Bounds[],
): ReturnType<typeof steppedTimes> {
  if (!beat || slowStart || beat.high - beat.low > unit * NARROW || beat.longest > beat.shortest)
    return undefined
  const { dts, flags, length } = tables[picture]
  const nominal = dts.subarray(0, length).map((time) => (time - dts[0]) / timescales[picture])
  const isBehindHole = (row: number): boolean => (flags[row] & SAMPLE_AFTER_HOLE) !== 0
  return steppedTimes({ nominal, bounds, beat, unit, isHeadLost, isBehindHole })
}

/**
 * Times of pictures that lie on a grid as the sample's do, and whose runs begin on a beat, see `gridTimes`; undefined where those
 * show no such habit.
 */
function timesOnGrid(
  { tables, timescales, picture, lag: { beat, slowStart }, unit, steps, isHeadLost = false }: Clockwork,
  nominal: Float64Array,
  bounds: readonly Bounds[],
): GridTimes | undefined {
  const isKept = beat !== undefined && (!beat.orCount || keepsPeriod(bounds, beat))
  if (!steps || slowStart || !isKept) return undefined
  const { flags } = tables[picture]
  // behind a lost head the beat begins anywhere
  const early = isHeadLost ? startOfBeat(bounds, beat) : 0
  const moved = bounds.map((each) => ({ ...each, low: each.low - early, high: each.high - early }))
  const found = gridTimes({
    ...{ nominal, habits: steps, grid: steps.grid / timescales[picture], unit, isHeadLost },
    bounds: beatenBounds(moved, beat),
    isBehindHole: (row) => (flags[row] & SAMPLE_AFTER_HOLE) !== 0,
  })
  return found && { times: found.times, late: found.late + early }
}

/** Whether the last picture lies behind all sound. */
function endsInPictures(pictures: SampleTable, sounds: SampleTable): boolean {
  return pictures.offset[pictures.length - 1] > sounds.offset[sounds.length - 1]
}

/** Share of a recording's own pictures that its sound may time half a picture off. */
const MISTIMED = 0.03

/** Whether `variableRateTimes` gives nearly all pictures of a recording of known times those times, or says that it cannot. */
export function timesItself(clockwork: Omit<Clockwork, 'knownVariable' | 'start'>): boolean {
  const { tables, timescales, picture, sound, unit } = clockwork
  const [pictures, sounds] = [tables[picture], tables[sound]]
  if (pictures.length === 0 || sounds.length === 0) return true
  const start = pictures.dts[0] / timescales[picture] - sounds.dts[0] / timescales[sound]
  const found = variableRateTimes({ ...clockwork, knownVariable: true, start })
  if (!found || found.loose) return true
  const apart = found.times.map((time, row) => time - pictures.dts[row] / timescales[picture])
  const usual = apart.slice().sort()[apart.length >> 1]
  return apart.filter((each) => Math.abs(each - usual) > unit / 2).length <= apart.length * MISTIMED
}

/** Whether the times that pictures have miss the sound around them, as those of `variableRateTimes` would not. */
export function missesSound(clockwork: Omit<Clockwork, 'jitter' | 'knownVariable'>): boolean {
  const { tables, timescales, picture, lag, unit } = clockwork
  const { clocks } = heardAtPictures(clockwork)
  return contradictsConstantRate(tables[picture], timescales[picture], clocks, lag, unit)
}

/** Whether pictures at an even rate begin their runs otherwise than the beat of their writer has them: some were left out. */
export function missesBeat(clockwork: Omit<Clockwork, 'jitter' | 'knownVariable'>): boolean {
  const { tables, timescales, picture, lag, unit } = clockwork
  if (!lag.beat || lag.beat.orCount) return false
  const { runStarts } = heardAtPictures(clockwork)
  const { dts, length } = tables[picture]
  const times: number[] = []
  for (let row = 0; row < length; row++)
    if (runStarts[row] === RUN_BEGINS) times.push(dts[row] / timescales[picture])
  return breaksBeat(times, lag.beat, unit)
}

/**
 * The sound's clock in seconds at each picture, as if the first came with the pictures' own start, which is `shift` after the
 * sound's.
 */
function heardAtPictures({
  tables,
  timescales,
  picture,
  sound,
  lag,
  start,
}: Omit<Clockwork, 'jitter' | 'knownVariable'>): {
  clocks: Float64Array
  runStarts: Uint8Array
  shift: number
} {
  const table = tables[picture]
  const clocks = new Float64Array(table.length)
  const runStarts = new Uint8Array(table.length)
  soundClockAtPictures(tables, timescales, picture, sound, (row, clock, runStart) => {
    clocks[row] = clock
    if (runStart) runStarts[row] = (table.flags[row] & SAMPLE_AFTER_HOLE) === 0 ? RUN_BEGINS : RUN_GOES_ON
  })
  const shift = start ?? startOf(table, timescales[picture], clocks, lag)
  for (let row = 0; row < clocks.length; row++) clocks[row] -= shift
  return { clocks, runStarts, shift }
}

/** Pictures whose windows tell when the first one was. */
const START_PICTURES = 48

/**
 * Seconds by which the pictures start after the sound: within the first picture's window, and early enough that pictures a unit
 * apart do not run ahead of the windows of those that follow.
 */
function startOf(table: SampleTable, timescale: number, clocks: Float64Array, lag: Lag): number {
  if (table.length === 0) return 0
  const heard = clocks[0] !== UNHEARD
  let start = heard ? clocks[0] + (lag.low + lag.high) / 2 : lag.high
  for (let row = 0; row < Math.min(table.length, START_PICTURES); row++) {
    if (clocks[row] !== UNHEARD)
      start = Math.min(start, clocks[row] + lag.high - (table.dts[row] - table.dts[0]) / timescale)
  }
  return Math.max(start, clocks[0] + lag.low)
}

/**
 * Whether pictures an even distance apart miss the sound around them. Sound that was lost in a hole is known only by the unit, so
 * that behind one the distance of both clocks may be another: what counts is that it changes between holes.
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
      if (clocks[row] === UNHEARD || isNear(row)) continue
      const outside = Math.max(lag.low - (apart[row] - moved), apart[row] - moved - lag.high)
      if (outside > unit * TOLERANCE) contradictions++
    }
    from = until
  }
  return contradictions > Math.max(FEWEST_PICTURES, table.length * CONTRADICTIONS)
}

/**
 * Calls `visit` for each picture with the end time of the sound that lies before it in the file, `UNHEARD` where none does; in
 * front of a hole without what that took.
 */
function soundClockAtPictures(
  tables: readonly SampleTable[],
  timescales: readonly number[],
  picture: number,
  sound: number,
  visit: (row: number, clock: number, runStart: boolean) => void,
): void {
  let clock = UNHEARD
  let behindHole = UNHEARD
  let afterSound = true
  const [pictures, sounds] = [tables[picture], tables[sound]]
  inFileOrder([pictures, sounds], (which, row) => {
    if (which === 0) {
      if ((pictures.flags[row] & SAMPLE_AFTER_HOLE) !== 0) clock = behindHole
      visit(row, clock, afterSound)
    } else {
      clock = (sounds.dts[row] + ownDuration(sounds, row)) / timescales[sound]
      behindHole = (sounds.dts[row] + sounds.duration[row]) / timescales[sound]
    }
    afterSound = which === 1
  })
}

/** Ticks that a row itself lasts: in front of a hole, whose length its duration includes, no longer than its neighbours. */
function ownDuration({ length, count, duration, flags }: SampleTable, row: number): number {
  if (row + 1 >= length || (flags[row + 1] & SAMPLE_AFTER_HOLE) === 0) return duration[row]
  const unit = (other: number): number =>
    other >= 0 && other < length ? duration[other] / count[other] : Number.POSITIVE_INFINITY
  return Math.min(duration[row], count[row] * Math.min(unit(row - 1), unit(row + 1)))
}
