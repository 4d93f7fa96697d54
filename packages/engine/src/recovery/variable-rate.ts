import type { SampleTable } from '../model/sample-table.ts'
import { inFileOrder } from './file-order.ts'

/**
 * How a multiplexer places pictures among sound: the decoding time of a picture minus the sound clock where the picture
 * lies in the file, in seconds, lowest and highest (outliers apart).
 */
export interface Lag {
  readonly low: number
  readonly high: number
}

/** Share of outliers left out at each end. */
const OUTLIERS = 0.01
/** A picture further than this many of its durations outside its window contradicts a constant rate. */
const TOLERANCE = 0.75
/** Share of contradicting pictures that makes a rate variable. */
const CONTRADICTIONS = 0.03
/** Windows wider than this many pictures say nothing of a single picture. */
const USEFUL_PICTURES = 2.5

/** Measures the lag in a recording with known times. Undefined with too few pictures or no sound. */
export function measureLag(
  tables: readonly SampleTable[],
  timescales: readonly number[],
  picture: number,
  sound: number,
): Lag | undefined {
  const lags: number[] = []
  soundClockAtPictures(tables, timescales, picture, sound, (row, clock) => {
    lags.push(tables[picture].dts[row] / timescales[picture] - clock)
  })
  if (lags.length < 16) return undefined
  lags.sort((a, b) => a - b)
  return {
    low: lags[Math.floor(lags.length * OUTLIERS)],
    high: lags[Math.ceil(lags.length * (1 - OUTLIERS)) - 1],
  }
}

/**
 * Decoding times of pictures, in seconds, from the sound clock around them: each picture follows its predecessor by whole
 * picture durations, as many as its window in the file asks for. Undefined when the windows agree with a constant rate, or
 * are too wide to tell. The sound's own times must be filled.
 */
export function variableRateTimes(
  tables: readonly SampleTable[],
  timescales: readonly number[],
  picture: number,
  sound: number,
  lag: Lag,
  unit: number,
  knownVariable: boolean,
): Float64Array | undefined {
  if (unit <= 0 || lag.high - lag.low > unit * USEFUL_PICTURES) return undefined
  const table = tables[picture]
  const clocks = new Float64Array(table.length)
  soundClockAtPictures(tables, timescales, picture, sound, (row, clock) => {
    clocks[row] = clock
  })
  if (!knownVariable && !contradictsConstantRate(table, timescales[picture], clocks, lag, unit))
    return undefined
  const times = new Float64Array(table.length)
  for (let row = 1; row < table.length; row++) {
    const low = clocks[row] + lag.low
    const high = clocks[row] + lag.high
    let time = times[row - 1] + unit
    if (time < low) {
      const steps = Math.ceil((low - time) / unit - 0.05)
      time += steps * unit
      if (time > high + unit / 2) time = low
    } else if (time > high + unit / 2) {
      time = Math.max(times[row - 1] + unit / 4, high)
    }
    times[row] = time
  }
  return times
}

function contradictsConstantRate(
  table: SampleTable,
  timescale: number,
  clocks: Float64Array,
  lag: Lag,
  unit: number,
): boolean {
  let contradictions = 0
  for (let row = 0; row < table.length; row++) {
    const time = table.dts[row] / timescale
    const outside = Math.max(clocks[row] + lag.low - time, time - clocks[row] - lag.high)
    if (outside > unit * TOLERANCE) contradictions++
  }
  return contradictions > table.length * CONTRADICTIONS
}

/** Calls `visit` for each picture with the end time of the sound that lies before it in the file. */
function soundClockAtPictures(
  tables: readonly SampleTable[],
  timescales: readonly number[],
  picture: number,
  sound: number,
  visit: (row: number, clock: number) => void,
): void {
  let clock = 0
  const pair = [tables[picture], tables[sound]]
  inFileOrder(pair, (which, row) => {
    if (which === 0) visit(row, clock)
    else clock = (pair[1].dts[row] + pair[1].duration[row]) / timescales[sound]
  })
}
