import type { Lag } from './lag.ts'

/**
 * How a picture comes behind sound: first of its run, or first behind a hole in front of which others of the run may have been.
 */
export const RUN_BEGINS = 1
export const RUN_GOES_ON = 2

/** When sound has the first picture of a run come, in seconds from the first of all. */
export interface Bounds {
  readonly row: number
  readonly low: number
  readonly high: number
  /** Nothing was lost right before it. */
  readonly begins: boolean
}

/** The bounds of each run of pictures but the one at the start, by rising row. `clocks`: the sound's before each picture. */
export function runBounds(clocks: Float64Array, runStarts: Uint8Array, { runLow, runHigh }: Lag): Bounds[] {
  const bounds: Bounds[] = []
  for (let row = 1; row < clocks.length; row++) {
    if (runStarts[row] === 0) continue
    const begins = runStarts[row] === RUN_BEGINS
    bounds.push({ row, low: clocks[row] + runLow, high: clocks[row] + runHigh, begins })
  }
  return bounds
}
