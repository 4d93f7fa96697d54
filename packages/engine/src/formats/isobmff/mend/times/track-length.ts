import type { Edit } from '../../boxes/elst.ts'
import type { MovieTrack, TrackTables } from '../../read/movie.ts'
import { weightedTotal } from './durations.ts'

/** Ticks of the movie by which rounding may put two lengths apart. */
export const ROUNDING = 2

/** Samples that a track's table of sizes counts, whether or not all their sizes are there. */
export function sampleCount({ sizes }: TrackTables): number {
  if (!sizes) return 0
  return sizes.constant > 0 || sizes.cut ? sizes.count : sizes.sizes.length
}

/** Ticks of a track's samples together. */
export function ticksOf({ tables, mediaHeader }: Pick<MovieTrack, 'tables' | 'mediaHeader'>): number {
  return tables.durations ? weightedTotal(tables.durations) : mediaHeader.duration
}

/** Ticks of the movie that a track's edits last together. */
export function editsTotal(edits: readonly Edit[] | undefined): number {
  return (edits ?? []).reduce((sum, edit) => sum + edit.duration, 0)
}

/** Ticks at which a track's first samples are decoded, so many. */
export function firstDecoded({ durations }: TrackTables, samples: number): readonly number[] {
  const times: number[] = []
  let time = 0
  for (let run = 0; durations && run < durations.length && times.length < samples; run++) {
    for (let i = 0; i < durations.counts[run] && times.length < samples; i++) {
      times.push(time)
      time += durations.values[run]
    }
  }
  return times
}

/** Samples among which the first shown one is. */
const FIRST = 64

/** Smallest composition time of a track's first samples, in ticks. */
export function firstComposition({ durations, compositions }: TrackTables): number {
  if (!compositions || !durations) return 0
  let first = Number.POSITIVE_INFINITY
  let time = 0
  let sample = 0
  let run = 0
  let used = 0
  for (let i = 0; i < durations.length && sample < FIRST; i++) {
    for (let n = 0; n < durations.counts[i] && sample < FIRST; n++, sample++) {
      while (run < compositions.runs.length && used >= compositions.runs.counts[run]) {
        run++
        used = 0
      }
      first = Math.min(first, time + (run < compositions.runs.length ? compositions.runs.values[run] : 0))
      used++
      time += durations.values[i]
    }
  }
  return Number.isFinite(first) ? first : 0
}
