import type { PlannedTrack } from './plan.ts'

/** Longest silence put into one gap, in seconds: longer ones are wrong times, not lost sound. */
const MAX_SILENCE = 3600
/**
 * Times as much silence as sound that a track may hold: with more, its times are wrong. It bounds what is written by what was
 * read.
 */
const MOST_SHARE = 8

/** What fills the gaps of a track laid out as runs. A track that is not has none. */
export class Silence {
  /** Ticks that one unit of a run lasts, at least 1. */
  readonly unitTicks: number
  readonly #track: PlannedTrack
  readonly #fills: boolean

  constructor(track: PlannedTrack) {
    this.#track = track
    this.unitTicks = unitTicks(track)
    this.#fills = track.template.layout.rows === 'runs' && this.#isLikely()
  }

  /** Units of silence that fill the gap behind a row, 0 when there is none. */
  behind(row: number): number {
    const { table, template } = this.#track
    if (!this.#fills || row + 1 >= table.length) return 0
    const missing = Math.round((table.dts[row + 1] - table.dts[row]) / this.unitTicks) - table.count[row]
    const bound = (MAX_SILENCE * template.description.timescale) / this.unitTicks
    return missing > 0 && missing <= bound ? missing : 0
  }

  #isLikely(): boolean {
    const { table } = this.#track
    let units = 0
    for (let row = 0; row < table.length; row++) units += table.count[row]
    const last = table.length - 1
    return last >= 0 && (table.dts[last] - table.dts[0]) / this.unitTicks <= units * (1 + MOST_SHARE)
  }
}

/** What is lost behind a row lengthens it: of the first and the last row, the shorter tells what a unit lasts. */
function unitTicks({ table, template }: PlannedTrack): number {
  if (template.layout.rows !== 'runs' || table.length === 0) return 1
  const [first, last] = [0, table.length - 1].map(
    (row) => table.duration[row] / Math.max(1, table.count[row]),
  )
  return Math.max(1, Math.round(Math.min(first, last)))
}
