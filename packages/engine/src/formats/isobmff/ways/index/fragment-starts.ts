import { countBelow } from '../../../../model/bisect.ts'
import { SAMPLE_ESTIMATED, type SampleTable } from '../../../../model/sample-table.ts'
import type { RecoveredTrack } from './surviving-index.ts'

/** What was found in one place outside the index, by track. */
export interface Piece {
  readonly offset: number
  readonly tables: readonly SampleTable[]
}

/** What lies behind `offset` starts so many seconds later than the index has it. */
export interface Delay {
  readonly offset: number
  readonly seconds: number
  /** Nothing else is missing there. */
  readonly settled: boolean
}

/**
 * The times of fragments that do not say when they start run on behind missing ones by what these are guessed to have lasted:
 * what is found of them tells it, of the pictures where there are any, for all tracks. `pieces` come by rising offset.
 */
export function delaysBehind(tracks: readonly RecoveredTrack[], pieces: readonly Piece[]): readonly Delay[] {
  const lane = tellerOf(tracks, pieces)
  if (lane < 0) return []
  const { table, template } = tracks[lane].plan
  const { tables, description } = template
  const ticks = tables.fragmentTicks ?? 0
  /** Found before each row of the index: where it begins, and how long it is. */
  const gaps = new Map<number, { readonly offset: number; length: number }>()
  for (const { offset, tables: found } of pieces) {
    const piece = found[lane]
    const next = countBelow(table.offset, offset, table.length)
    if (piece.length === 0 || next === 0 || next === table.length) continue
    const gap = gaps.get(next) ?? { offset, length: 0 }
    gap.length += endOf(piece, piece.length - 1)
    gaps.set(next, gap)
  }
  return [...gaps].map(([next, { offset, length }]) => {
    const guessed = Math.max(0, table.dts[next] - endOf(table, next - 1))
    const settled = Math.round(guessed / ticks) <= Math.round(length / ticks)
    const lasts = settled ? length : Math.max(length, guessed)
    return { offset, seconds: (lasts - guessed) / description.timescale, settled }
  })
}

/** The track of which was found what tells most, −1 without any whose fragments leave out when they start. */
function tellerOf(tracks: readonly RecoveredTrack[], pieces: readonly Piece[]): number {
  const isTelling = ({ plan }: RecoveredTrack, lane: number): boolean =>
    (plan.template.tables.fragmentTicks ?? 0) > 0 && pieces.some(({ tables }) => tables[lane].length > 0)
  const isOf = (kind: string): number =>
    tracks.findIndex((track, lane) => track.plan.template.description.kind === kind && isTelling(track, lane))
  return [isOf('video'), isOf('audio'), tracks.findIndex(isTelling)].find((lane) => lane >= 0) ?? -1
}

/** Whether it is guessed how long fragments of a track were that are missing. */
export function guessesStarts({ plan: { table, template } }: RecoveredTrack): boolean {
  if (template.tables.fragmentTicks === undefined) return false
  return table.flags.subarray(0, table.length).some((flags) => (flags & SAMPLE_ESTIMATED) !== 0)
}

function endOf({ dts, duration }: SampleTable, row: number): number {
  return dts[row] + duration[row]
}
