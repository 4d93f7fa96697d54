/** A stretch of equal bytes, offsets among data bytes. */
export interface ConstantRun {
  readonly from: number
  readonly to: number
}

/** Equal bytes in a row that entropy-coded detail does not come to; what is flat may, which the reader of MCUs tells apart. */
const LEAST = 16
const STEP = LEAST / 2

/** Stretches of at least 16 equal bytes in the first `length` of `bytes`, in order. */
export function constantRuns(bytes: Uint8Array, length: number): ConstantRun[] {
  const runs: ConstantRun[] = []
  // a run of 16 holds two places of the grid of 8
  for (let at = 0; at + STEP < length; at += STEP) {
    if (bytes[at] !== bytes[at + STEP]) continue
    const value = bytes[at]
    let from = at
    while (from > 0 && bytes[from - 1] === value) from--
    let to = at + 1
    while (to < length && bytes[to] === value) to++
    if (to - from < LEAST) continue
    runs.push({ from, to })
    at = to - (to % STEP)
  }
  return runs
}
