import type { PlannedTrack } from './plan.ts'

/** Longest silence put into one gap, in seconds: longer ones are wrong times, not lost sound. */
const MAX_SILENCE = 3600

/**
 * Ticks that one unit of a run lasts in a track laid out as runs, at least 1. What is lost behind a row lengthens it: of the first and
 * the last row, the shorter tells.
 */
export function unitTicks(track: PlannedTrack): number {
  const { table, template } = track
  if (template.layout.rows !== 'runs' || table.length === 0) return 1
  const [first, last] = [0, table.length - 1].map(
    (row) => table.duration[row] / Math.max(1, table.count[row]),
  )
  return Math.max(1, Math.round(Math.min(first, last)))
}

/** Units of silence that fill the gap behind a row, 0 when there is none or the track is not laid out as runs. */
export function gapUnits(track: PlannedTrack, row: number): number {
  const { table, template } = track
  if (template.layout.rows !== 'runs' || row + 1 >= table.length) return 0
  const ticks = unitTicks(track)
  const missing = Math.round((table.dts[row + 1] - table.dts[row]) / ticks) - table.count[row]
  const bound = (MAX_SILENCE * template.description.timescale) / ticks
  return missing > 0 && missing <= bound ? missing : 0
}
