import type { SampleTable } from '../../../model/sample-table.ts'
import type { HeldIndex } from '../assess.ts'
import type { MovieTrack } from '../movie.ts'
import type { RecoveredTrack } from './surviving-index.ts'

/** Share of rows in which two tables must have the same samples for their times to be compared. */
const SAME_ROWS = 0.9
/** Share of samples whose times may differ from the bitstream's before the index's times are given up. */
const DIFFERENT = 0.005

/** Share of samples whose times may differ: a flipped bit in a count spoils a stretch, more is carving's error. */
const UNLIKE = 0.3

/** True when a track's time tables contradict each other or themselves, or were mended by guess: bits in them were flipped. */
function hasDoubtfulTimes(track: MovieTrack): boolean {
  const { tables, samples, mediaHeader } = track
  const { durations, compositions } = tables
  if (samples.length === 0 || track.layout.rows === 'runs' || track.extends) return false
  if (tables.durationsGuessed) return true
  let count = 0
  let total = 0
  for (let i = 0; durations && i < durations.length; i++) {
    count += durations.counts[i]
    total += durations.counts[i] * durations.values[i]
  }
  if (count !== samples.length) return true
  if (mediaHeader.duration > 0 && Math.abs(total - mediaHeader.duration) > total * 0.01) return true
  return compositions !== undefined && showsTwice(samples)
}

/** True when two samples of a track have one composition time, which no picture may share. */
function showsTwice(samples: SampleTable): boolean {
  const times = new Float64Array(samples.length)
  for (let row = 0; row < samples.length; row++) times[row] = samples.dts[row] + samples.cts[row]
  times.sort()
  for (let row = 1; row < times.length; row++) if (times[row] === times[row - 1]) return true
  return false
}

export function anyDoubtfulTimes(index: HeldIndex): boolean {
  return index.tracks.some(hasDoubtfulTimes)
}

/**
 * Gives an indexed track the times that its bitstream tells, where the index's are doubtful and disagree with them.
 * @returns whether they were replaced, or agree; undefined where the bitstream cannot tell
 */
export function adoptTimes(track: RecoveredTrack, carved: RecoveredTrack): 'adopted' | 'agree' | undefined {
  if (carved.estimated || carved.outcome.lost > 0 || !hasDoubtfulTimes(track.plan.template)) return undefined
  const mine = track.plan.table
  const other = carved.plan.table
  const rows = new Map<number, number>()
  for (let row = 0; row < other.length; row++) rows.set(other.offset[row], row)
  const pairs: number[] = []
  for (let row = 0; row < mine.length; row++) pairs.push(rows.get(mine.offset[row]) ?? -1)
  const matched = pairs.filter((pair) => pair >= 0).length
  if (matched < mine.length * SAME_ROWS) return undefined
  const offsets = pairs
    .flatMap((pair, row) => (pair < 0 ? [] : [pts(mine, row) - pts(other, pair)]))
    .sort((a, b) => a - b)
  const shift = offsets[offsets.length >> 1]
  const different = offsets.filter((offset) => Math.abs(offset - shift) > 1).length
  if (different <= matched * DIFFERENT) return 'agree'
  if (different > matched * UNLIKE) return undefined
  const first = pairs.findIndex((pair) => pair >= 0)
  const start = mine.dts[first] - other.dts[pairs[first]]
  for (let row = 0; row < mine.length; row++) {
    const pair = pairs[row]
    if (pair < 0) continue
    mine.dts[row] = other.dts[pair] + start
    mine.cts[row] = other.cts[pair] + Math.round(shift - start)
    mine.duration[row] = other.duration[pair]
  }
  return 'adopted'
}

/**
 * The tracks of a recovery whose index was hit, those with doubtful times that nothing settled marked as estimated.
 * @param settled ids of tracks whose times the bitstream confirmed or gave
 */
export function markDoubtfulTimes(
  tracks: readonly RecoveredTrack[],
  settled: ReadonlySet<number>,
): readonly RecoveredTrack[] {
  return tracks.map((track) => {
    const { plan } = track
    const doubtful =
      plan.times === 'index' && !settled.has(plan.template.header.id) && hasDoubtfulTimes(plan.template)
    return doubtful ? { ...track, estimated: true, timesDoubtful: true } : track
  })
}

function pts(table: SampleTable, row: number): number {
  return table.dts[row] + table.cts[row]
}
