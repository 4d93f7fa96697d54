import { codecNamed } from '../../../../codecs/index.ts'
import { countBelow } from '../../../../model/bisect.ts'
import type { SampleTable } from '../../../../model/sample-table.ts'
import type { TrackDescription } from '../../../../model/track.ts'
import type { HeldIndex } from '../../assess.ts'
import { type Runs, runTotal } from '../../boxes/tables.ts'
import { differByOneBit } from '../../mend/bits.ts'
import type { MovieTrack } from '../../read/movie.ts'
import type { PlannedTrack } from '../../write/plan.ts'
import type { RecoveredTrack } from './surviving-index.ts'

/** Share of rows in which two tables must have the same samples for their times to be compared. */
const SAME_ROWS = 0.9
/** Share of samples whose times may differ from the bitstream's before the index's times are given up. */
const DIFFERENT = 0.005

/** Share of samples whose times may differ: a flipped bit in a count spoils a stretch, more is carving's error. */
const UNLIKE = 0.3

/** True when a track's time tables contradict each other or themselves, or were mended by guess: bits in them were flipped. */
function hasDoubtfulTimes(track: MovieTrack, delay = DELAY): boolean {
  const { tables, samples, mediaHeader } = track
  const { durations } = tables
  if (samples.length === 0 || track.layout.rows === 'runs' || track.extends) return false
  if (tables.durationsGuessed) return true
  let count = 0
  let total = 0
  for (let i = 0; durations && i < durations.length; i++) {
    count += durations.counts[i]
    total += durations.counts[i] * durations.values[i]
  }
  if (count !== samples.length) return true
  const header = mediaHeader.duration
  // some writers count the delay of the pictures, or forget the last one; whichever is the longer may have been hit
  const allowed = Math.max(total * 0.01, (Math.min(total, header) / samples.length) * delay)
  if (header > 0 && Math.abs(total - header) > allowed && !leavesOutStart(track, total - header)) return true
  return hasDoubtfulOrder(track)
}

/** Samples by which reordering delays pictures, at the most. */
const DELAY = 4

/** Ticks by which a writer's own figures differ for rounding. */
const ROUNDING = 4

/**
 * Whether a header's length leaves out that the first sample lasts until the others begin, as phones write sound that starts
 * late. No flipped bit makes it last so long.
 */
function leavesOutStart({ tables: { durations } }: MovieTrack, ticks: number): boolean {
  const late = lateStart(durations)
  return late > 0 && Math.abs(late - ticks) <= ROUNDING
}

/** Ticks that the first sample lasts longer than the next, where no flipped bit makes it last so long; 0 where it does not. */
function lateStart(durations: Runs | undefined): number {
  if (!durations || durations.length < 2 || durations.counts[0] !== 1) return 0
  const [first, next] = durations.values
  return differByOneBit(first, next) ? 0 : Math.max(0, first - next)
}

/** True when a track's composition offsets cannot all be right. */
export function hasDoubtfulOrder({ tables: { compositions, orderGuessed }, samples }: MovieTrack): boolean {
  if (compositions === undefined) return false
  if (orderGuessed) return true
  return runTotal(compositions.runs) !== samples.length || showsTwice(samples) || strays(samples)
}

/** Samples by which reordering may move one, at the most: ITU-T H.264 §A.3.1 h), and as many of HEVC. */
const PLACES = 16
/** Samples of usual length by which a composition time may be off the others' delay. */
const REORDERING = 64

/** True when a sample is composed further from the others' delay than pictures are reordered. */
function strays({ length, cts, dts, duration }: SampleTable): boolean {
  const usual = cts.slice(0, length).sort()[length >> 1]
  const end = dts[length - 1] + duration[length - 1]
  const mean = (end - dts[0]) / length
  for (let row = 0; row < length; row++) {
    const off = cts[row] - usual
    if (off === 0) continue
    const time = dts[row] + off
    const places = countBelow(dts, time, length) + Math.max(0, time - end) / mean - row
    if (Math.abs(off) > REORDERING * mean || Math.abs(places) > PLACES) return true
  }
  return false
}

/** True when two samples of a track have one composition time, which no picture may share. */
function showsTwice(samples: SampleTable): boolean {
  const times = new Float64Array(samples.length)
  for (let row = 0; row < samples.length; row++) times[row] = samples.dts[row] + samples.cts[row]
  times.sort()
  for (let row = 1; row < times.length; row++) if (times[row] === times[row - 1]) return true
  return false
}

/**
 * Whether carving may tell more of the times, or of what lies outside: a length that writers count otherwise is reason to look.
 */
export function anyDoubtfulTimes(index: HeldIndex): boolean {
  return index.tracks.some((track) => hasDoubtfulTimes(track, 0))
}

/** Whether a codec says in which order pictures are shown. */
export function tellsOrder({ kind, codec }: TrackDescription): boolean {
  return kind !== 'video' || codecNamed(codec) !== undefined
}

/**
 * Gives an indexed track the times that its bitstream tells, where the index's are doubtful and disagree with them.
 * @returns whether they were replaced, or agree; undefined where the bitstream cannot tell
 */
export function adoptTimes(track: RecoveredTrack, carved: RecoveredTrack): 'adopted' | 'agree' | undefined {
  const { template } = track.plan
  if (!hasDoubtfulTimes(template) || !tellsOrder(template.description)) return undefined
  const mine = track.plan.table
  const other = carved.plan.table
  const rows = new Map<number, number>()
  for (let row = 0; row < other.length; row++) rows.set(other.offset[row], row)
  const pairs: number[] = []
  for (let row = 0; row < mine.length; row++) pairs.push(rows.get(mine.offset[row]) ?? -1)
  const matched = pairs.filter((pair) => pair >= 0).length
  if (matched < mine.length * SAME_ROWS) return undefined
  if (carved.estimated || carved.outcome.lost > 0) {
    if (hasDoubtfulOrder(track.plan.template)) adoptOrder(mine, other, pairs)
    return undefined
  }
  // sound that starts late, which its packets do not tell, has a first one that is early
  const early = template.description.kind === 'audio' && lateStart(template.tables.durations) > 0 ? 1 : 0
  const offsets = pairs
    .flatMap((pair, row) => (pair < 0 || row < early ? [] : [pts(mine, row) - pts(other, pair)]))
    .sort((a, b) => a - b)
  const shift = offsets[offsets.length >> 1]
  const different = offsets.filter((offset) => Math.abs(offset - shift) > 1).length
  if (different <= matched * DIFFERENT) return 'agree'
  if (different > matched * UNLIKE)
    return hasDoubtfulOrder(track.plan.template) && adoptPlaces(track, other, pairs) ? 'adopted' : undefined
  if (isBetterKnown(template.mediaHeader.duration, lastingOf(mine), lastingOf(other), mine.length))
    return undefined
  const first = pairs.findIndex((pair, row) => pair >= 0 && row >= early)
  const start = mine.dts[first] - other.dts[pairs[first]]
  if (early > 0) mine.cts[0] += Math.round(shift - start)
  for (let row = early; row < mine.length; row++) {
    const pair = pairs[row]
    if (pair < 0) continue
    mine.dts[row] = other.dts[pair] + start
    mine.cts[row] = other.cts[pair] + Math.round(shift - start)
    mine.duration[row] = other.duration[pair]
  }
  return 'adopted'
}

/**
 * Whether the samples of an index last together what its header says, and those of the bitstream do not, by more than one of
 * them.
 */
function isBetterKnown(header: number, mine: number, other: number, samples: number): boolean {
  const mean = mine / samples
  return header > 0 && Math.abs(mine - header) <= mean && Math.abs(other - header) > mean + ROUNDING
}

/** Ticks of a table's samples together. */
function lastingOf({ duration, length }: SampleTable): number {
  return duration.subarray(0, length).reduce((sum, ticks) => sum + ticks, 0)
}

/**
 * Shows an indexed track's samples at the instants at which the index has them decoded, in the order that the bitstream tells,
 * where both have the same instants: for composition offsets that are lost. @returns whether they have
 */
function adoptPlaces(
  { plan: { table: mine, template } }: RecoveredTrack,
  other: SampleTable,
  pairs: readonly number[],
): boolean {
  if (pairs.includes(-1)) return false
  const shown = pairs.map((_, row) => row).sort((a, b) => pts(other, pairs[a]) - pts(other, pairs[b]))
  const decoded = mine.dts.slice(0, mine.length).sort()
  const apart = shown.map((row, i) => pts(other, pairs[row]) - decoded[i]).sort((a, b) => a - b)
  const shift = apart[apart.length >> 1]
  const different = apart.filter((ticks) => Math.abs(ticks - shift) > 1).length
  if (different > shown.length * DIFFERENT) return false
  const start = template.edits?.find(({ mediaTime }) => mediaTime >= 0)?.mediaTime
  const delay =
    start === undefined
      ? shown.reduce((late, row, i) => Math.max(late, mine.dts[row] - decoded[i]), 0)
      : start - decoded[0]
  for (const [i, row] of shown.entries()) mine.cts[row] = decoded[i] + delay - mine.dts[row]
  return true
}

/**
 * The tracks of a recovery whose index was hit, those with doubtful times that nothing settled or the pictures contradict marked
 * as estimated.
 * @param settled ids of tracks whose times the bitstream confirmed or gave
 * @param contradicts whether the pictures of a track tell another order
 */
export function markDoubtfulTimes(
  tracks: readonly RecoveredTrack[],
  settled: ReadonlySet<number>,
  contradicts: (plan: PlannedTrack) => boolean,
): readonly RecoveredTrack[] {
  return tracks.map((track) => {
    const { plan } = track
    const isSettled = settled.has(plan.template.header.id) || !hasDoubtfulTimes(plan.template)
    const doubtful = plan.times === 'index' && (!isSettled || contradicts(plan))
    return doubtful ? { ...track, estimated: true, timesDoubtful: true } : track
  })
}

/**
 * Shows an indexed track's samples in the order that its bitstream tells: for composition offsets that were hit, where the
 * bitstream knows the order but not the times. Few that are out of order come between their neighbours; else all are shown as the
 * index has them decoded.
 * @param pairs the row of `other` for each row of `mine`, -1 for none
 */
function adoptOrder(mine: SampleTable, other: SampleTable, pairs: readonly number[]): void {
  const rows = pairs.flatMap((pair, row) => (pair < 0 ? [] : [row]))
  const shown = [...rows].sort((a, b) => pts(other, pairs[a]) - pts(other, pairs[b]))
  let against = 0
  for (let i = 1; i < shown.length; i++) if (pts(mine, shown[i]) <= pts(mine, shown[i - 1])) against++
  // who sees no order in the bitstream shows pictures as they are decoded, which many offsets then speak against
  const ordered = other.cts.subarray(0, other.length).some((offset) => offset !== other.cts[0])
  if (against === 0 || (!ordered && against > shown.length * UNLIKE)) return
  const kept = inOrder(shown.map((row) => pts(mine, row)))
  const few = kept.length >= shown.length * (1 - UNLIKE) && kept.length > 1
  const times = few ? between(shown, kept, mine) : asDecoded(shown, rows, mine)
  for (const [i, row] of shown.entries()) mine.cts[row] = times[i] - mine.dts[row]
}

/** Times at which rows are shown that are decoded at the index's times, late by what most are. */
function asDecoded(shown: readonly number[], rows: readonly number[], mine: SampleTable): number[] {
  const decoded = rows.map((row) => mine.dts[row]).sort((a, b) => a - b)
  const late = shown.map((row, i) => pts(mine, row) - decoded[i]).sort((a, b) => a - b)
  const delay = late[late.length >> 1]
  return decoded.map((time) => time + delay)
}

/** The times of rows in display order where they are in order; the others come evenly between their neighbours. */
function between(shown: readonly number[], kept: readonly number[], mine: SampleTable): number[] {
  const times = shown.map((row) => pts(mine, row))
  const step = (times[kept[kept.length - 1]] - times[kept[0]]) / (kept[kept.length - 1] - kept[0])
  for (let i = 0; i <= kept.length; i++) {
    const from = i > 0 ? kept[i - 1] : -1
    const until = i < kept.length ? kept[i] : times.length
    const start = from >= 0 ? times[from] : times[until] - step * (until - from)
    const each = from >= 0 && until < times.length ? (times[until] - start) / (until - from) : step
    for (let at = from + 1; at < until; at++) times[at] = Math.round(start + each * (at - from))
  }
  return times
}

/** Positions of the longest rising run of times. */
function inOrder(times: readonly number[]): number[] {
  const tails: number[] = []
  const before = new Int32Array(times.length).fill(-1)
  for (const [at, time] of times.entries()) {
    let low = 0
    for (let high = tails.length; low < high; ) {
      const middle = (low + high) >> 1
      if (times[tails[middle]] < time) low = middle + 1
      else high = middle
    }
    if (low > 0) before[at] = tails[low - 1]
    tails[low] = at
  }
  const found: number[] = []
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]) found.push(at)
  return found.reverse()
}

function pts(table: SampleTable, row: number): number {
  return table.dts[row] + table.cts[row]
}
