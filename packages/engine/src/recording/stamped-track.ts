import type { TrackReport } from '../model/report.ts'
import { SAMPLE_AFTER_HOLE, SAMPLE_DAMAGED, SAMPLE_UNFED, SampleTable } from '../model/sample-table.ts'
import type { TrackDescription } from '../model/track.ts'
import { TrackOutcome } from './track-outcome.ts'

/** Packets whose distances tell the usual one, at most. */
const LOOKED_AT = 2_000
/** A step this much longer than the usual one holds more than one packet. */
const LONGER = 1.5

/** What a report needs to know of a track whose packets carry time stamps. */
export interface StampedTrack {
  readonly about: Pick<TrackDescription, 'id' | 'kind' | 'codec'>
  /**
   * A row a time stamp: `dts` in ticks, NaN where it is not known, `flags` as far as rows are damaged, unfed or stand behind a
   * hole.
   */
  readonly table: SampleTable
  /** Ticks a second. */
  readonly clock: number
  /** Ticks of a picture or frame of sound; 0 where each row is one. */
  readonly unit: number
  /** The last row is not in the result. */
  readonly dropsLast: boolean
}

/**
 * What became of a track, by the times of its packets: what lies between two of them is as many units as fit, `origin` is time
 * zero.
 */
export function reportStamped(track: StampedTrack, origin: number): TrackReport {
  const { table, clock, unit, dropsLast } = track
  fillTimes(table)
  const usual = usualStep(
    table.dts,
    Uint32Array.from({ length: Math.min(table.length, LOOKED_AT) }, (_, row) => row),
  )
  const outcome = new TrackOutcome(clock, origin)
  const lost = new SampleTable(1)
  lost.push(0, 0, 1, 0, 0, 0)
  const last = table.length - 1
  for (let row = 0; row <= last; row++) {
    const damaged = (table.flags[row] & SAMPLE_DAMAGED) !== 0
    const ticks = row < last ? table.dts[row + 1] - table.dts[row] : usual
    const holed = row < last && (damaged || (table.flags[row + 1] & SAMPLE_AFTER_HOLE) !== 0)
    const own = holed && usual > 0 && ticks > usual * LONGER ? usual : Math.max(0, ticks)
    table.duration[row] = own
    table.count[row] = unit > 0 ? Math.max(1, Math.round(own / unit)) : 1
    if (row === last && dropsLast) outcome.add('lost', table, row, table.offset[row], 'cut')
    else {
      const isWhole = (table.flags[row] & (SAMPLE_DAMAGED | SAMPLE_UNFED)) === 0
      outcome.add(isWhole ? 'recovered' : 'damaged', table, row, table.offset[row])
    }
    if (ticks > own && holed) {
      lost.dts[0] = table.dts[row] + own
      lost.duration[0] = ticks - own
      lost.count[0] = Math.max(1, Math.round((ticks - own) / (unit > 0 ? unit : usual)))
      outcome.add('lost', lost, 0, -1, 'hole')
    }
  }
  const kept = dropsLast ? last - 1 : last
  const ticks = kept < 0 ? 0 : table.dts[kept] + table.duration[kept] - table.dts[0]
  return outcome.report(track.about, Math.max(0, ticks) / clock, 'exact')
}

/** Times of packets without a time stamp lie evenly between those around. */
function fillTimes(table: SampleTable): void {
  let known = -1
  for (let row = 0; row < table.length; row++) {
    if (Number.isNaN(table.dts[row])) continue
    const from = known < 0 ? table.dts[row] : table.dts[known]
    const step = known < 0 ? 0 : (table.dts[row] - from) / (row - known)
    for (let between = known + 1; between < row; between++)
      table.dts[between] = from + step * (between - Math.max(known, 0))
    known = row
  }
  for (let row = known + 1; row < table.length; row++) table.dts[row] = known < 0 ? 0 : table.dts[known]
}

/** The median of the distances between the first times of rows, in ticks; 0 when there are none. */
export function usualStep(dts: Float64Array, rows: Uint32Array): number {
  const steps: number[] = []
  for (let i = 1; i < Math.min(rows.length, LOOKED_AT); i++) {
    const step = dts[rows[i]] - dts[rows[i - 1]]
    if (step > 0) steps.push(step)
  }
  steps.sort((a, b) => a - b)
  return steps.length === 0 ? 0 : steps[steps.length >> 1]
}

/** The earliest first time of tables, in ticks; 0 where none is known. */
export function startOf(tables: readonly SampleTable[]): number {
  const starts = tables.filter(({ length }) => length > 0).map(({ dts }) => dts[0])
  const known = starts.filter((start) => !Number.isNaN(start))
  return known.length === 0 ? 0 : Math.min(...known)
}

/** Seconds from the first to the last known time. */
export function secondsOf({ dts, length }: SampleTable, clock: number): number {
  const known = dts.subarray(0, length).filter((time) => !Number.isNaN(time))
  return known.length === 0 ? 0 : Math.max(0, known[known.length - 1] - known[0]) / clock
}
