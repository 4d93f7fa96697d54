import type { Allowance } from '../../../model/allowance.ts'
import { Findings } from '../../../model/finding.ts'
import { type Edit, NORMAL_RATE } from '../boxes/elst.ts'
import type { MovieHeader } from '../boxes/mvhd.ts'
import { type Runs, runTotal } from '../boxes/tables.ts'
import { tableMended } from '../findings.ts'
import type { TrackDraft } from '../read-track.ts'
import { differByOneBit, flip } from './bits.ts'
import { isZeroed, mendCompositions } from './compositions.ts'
import { mendCounts, mostApart } from './counts.ts'
import { mendValues, weightedTotal } from './durations.ts'
import { mendRareDurations } from './rare-durations.ts'
import { mendMovieScale, mendTrackScale } from './time-scales.ts'
import { editsTotal, firstComposition, sampleCount, ticksOf } from './track-length.ts'

/** A movie's clocks: its header and its tracks. */
export interface Clocks {
  readonly header: MovieHeader
  readonly tracks: readonly TrackDraft[]
}

/** Ticks of the movie by which rounding may put two lengths apart. */
const ROUNDING = 2

/**
 * Mends flipped bits in everything that tells time: durations, composition offsets, time scales, edit lists. A track tells
 * its length up to four times (its samples, its media, its header, its edits) and the movie once more: what most agree on is right.
 * @param hit whether other parts of the movie box were found to be hit: then less proof is asked for
 * @param work steps that may be taken
 */
export function mendTimes(movie: Clocks, hit: boolean, findings: Findings, work: Allowance): Clocks {
  if (!hit) {
    // Lost samples make lengths differ as well.
    const sound = movie.tracks.every(
      (track) => mendTables(track, movie.header, hit, new Findings(0), work) === track,
    )
    if (sound) return movie
  }
  const header = mendMovieScale(movie.header, movie.tracks, findings)
  const tracks = movie.tracks.map((track) => {
    const scaled = mendTrackScale(track, movie.tracks, header, findings)
    return mendEdits(mendTables(scaled, header, hit, findings, work), header, findings)
  })
  return { header, tracks }
}

function mendTables(
  track: TrackDraft,
  movie: MovieHeader,
  hit: boolean,
  findings: Findings,
  work: Allowance,
): TrackDraft {
  const { tables, mediaHeader, header } = track
  const { id } = track.description
  const samples = sampleCount(tables)
  if (samples === 0 || !tables.durations) return track
  const shown = Math.round((header.duration / movie.timescale) * mediaHeader.timescale)
  const lengths = [mediaHeader.duration, ...(hit ? [shown] : [])].filter((length) => length > 0)
  const rounding = (ROUNDING * mediaHeader.timescale) / movie.timescale
  const sure = header.duration > 0 && Math.abs(mediaHeader.duration - shown) <= rounding
  const slack = hit ? 0 : mediaHeader.timescale
  const length = lengths[0] ?? 0
  const counted = mendDurationCounts(tables.durations, samples, length, work)
  const durations = mendDurations(counted.runs, samples, lengths, sure, slack, rounding, work)
  reportRuns(id, 'stts', tables.durations, durations, findings)
  const offsets =
    tables.compositions && mendCompositions(tables.compositions.runs, durations, samples, hit, work)
  if (offsets) findings.add(tableMended(id, 'ctts', offsets.changed, 0))
  if (durations === tables.durations && !offsets) return track
  const compositions =
    offsets && tables.compositions ? { ...tables.compositions, runs: offsets.runs } : undefined
  const order = offsets?.guessed ? { orderGuessed: true as const } : {}
  const guess = counted.guessed || isGuess(tables.durations, durations, lengths)
  const guessed = guess ? { durationsGuessed: true as const } : {}
  return {
    ...track,
    tables: { ...tables, durations, ...guessed, ...order, ...(compositions ? { compositions } : {}) },
  }
}

/** Runs of durations from which on a sum does not tell which of them was hit, and how many times the usual one stands out. */
const MANY_RUNS = 8
const STANDS_OUT = 4

/** Whether durations were changed that do not stand out among many, or others should have been: together they are of none of `lengths`. */
function isGuess(before: Runs, after: Runs, lengths: readonly number[]): boolean {
  if (after.length < MANY_RUNS || before.values === after.values) return false
  if (!lengths.includes(weightedTotal(after))) return true
  const usual = after.values.slice().sort()[after.length >> 1]
  return after.values.some(
    (value, i) => value !== before.values[i] && Math.abs(value - before.values[i]) < usual * STANDS_OUT,
  )
}

/** Share of a usual duration by which other counts that explain as much may put samples elsewhere. */
const NEAR = 0.5

/** Durations whose counts add up to the samples, and whether other counts that do as well give samples other times. */
function mendDurationCounts(
  runs: Runs,
  samples: number,
  length: number,
  work: Allowance,
): { readonly runs: Runs; readonly guessed: boolean } {
  const near = (counts: Uint32Array): number =>
    length > 0 ? -Math.abs(weightedTotal({ ...runs, counts }) / length - 1) : 0
  const { counts, rivals } = mendCounts(runs, samples, near, work)
  if (counts === runs.counts) return { runs, guessed: false }
  const mended = { ...runs, counts }
  const usual = weightedTotal(mended) / samples
  const guessed = rivals.some((rival) => mostApart(runs.values, counts, rival) > usual * NEAR)
  return { runs: mended, guessed }
}

/**
 * Durations whose counts add up to the samples mended to add up to the media's length, as far as single bits explain it.
 * @param lengths what the media's length may be, the likeliest first
 * @param sure whether two headers tell the likeliest
 * @param slack ticks by which it may be missed without anything being wrong
 * @param rounding ticks by which a length that the movie's clock tells may be off
 */
function mendDurations(
  counted: Runs,
  samples: number,
  lengths: readonly number[],
  sure: boolean,
  slack: number,
  rounding: number,
  work: Allowance,
): Runs {
  const length = lengths[0] ?? 0
  if (runTotal(counted) !== samples || length === 0 || samples < FEW) return counted
  const usual = usualDuration(counted, samples, lengths, sure, slack)
  // The media's own length may be what was hit, and writers forget the last sample, or count the delay of its pictures.
  const allowed = Math.max(slack, (length / samples) * 2)
  const misses = (total: number): number => Math.abs(weightedTotal(usual) - total)
  if (lengths.some((total) => misses(total) <= (counted.length > 1 ? slack : allowed))) return usual
  const rounded = { length: lengths[1] ?? 0, by: rounding }
  const rare = mendRareDurations(usual, lengths.slice(0, 1), rounded, work)
  if (rare) return { ...usual, values: rare }
  for (const total of lengths) {
    const values = mendValues(usual, total, sure, work)
    if (values) return { ...usual, values }
  }
  return usual
}

/** The duration that most samples have, with one bit flipped where that makes all about as long as the media. */
function usualDuration(
  runs: Runs,
  samples: number,
  lengths: readonly number[],
  sure: boolean,
  slack: number,
): Runs {
  let largest = 0
  for (let i = 1; i < runs.length; i++) if (runs.counts[i] > runs.counts[largest]) largest = i
  const was = runs.values[largest]
  const misses = (value: number, total: number): number =>
    Math.abs(weightedTotal(runs) + runs.counts[largest] * (value - was) - total)
  const isClose = (value: number, total: number): boolean =>
    misses(value, total) <= Math.max(slack, 2 * Math.max(1, value))
  if (runs.counts[largest] < samples / 2 || lengths.some((total) => isClose(was, total))) return runs
  for (const total of lengths) {
    const close = Array.from({ length: 32 }, (_, bit) => flip(was, bit)).filter(
      (value) => value > 0 && isClose(value, total),
    )
    if (close.length === 0) continue
    const best = close.reduce((a, b) => (misses(b, total) < misses(a, total) ? b : a))
    // As near comes the length of the media, with a bit of that flipped: then nothing speaks for the one or the other.
    const hit = Array.from({ length: 32 }, (_, bit) => misses(was, flip(total, bit)))
    if (!sure && Math.min(...hit) <= misses(best, total)) continue
    return { ...runs, values: runs.values.map((value, i) => (i === largest ? best : value)) }
  }
  return runs
}

/** Samples below which a track's length says nothing of their durations: time codes last as long as the pictures. */
const FEW = 4

function reportRuns(track: number, type: string, before: Runs, after: Runs, findings: Findings): void {
  if (before === after) return
  for (let i = 0; i < before.length; i++) {
    if (before.counts[i] !== after.counts[i])
      findings.add(tableMended(track, type, before.counts[i], after.counts[i]))
    if (before.values[i] !== after.values[i])
      findings.add(tableMended(track, type, before.values[i], after.values[i]))
  }
}

/** The edit list, where its durations, its start or its rate have a bit flipped. */
function mendEdits(track: TrackDraft, movie: MovieHeader, findings: Findings): TrackDraft {
  const { edits, header, description } = track
  if (!edits || edits.length === 0) return track
  const shown = edits.filter(({ mediaTime }) => mediaTime >= 0)
  let mended = edits.map((edit) =>
    edits.length <= FEW_EDITS && edit.rate !== NORMAL_RATE && differByOneBit(edit.rate >>> 0, NORMAL_RATE)
      ? { ...edit, rate: NORMAL_RATE }
      : edit,
  )
  if (editsTotal(mended) !== header.duration && header.duration > 0) {
    const excess = editsTotal(mended) - header.duration
    const at = mended.findIndex(
      ({ duration }) => duration - excess >= 0 && differByOneBit(duration, (duration - excess) >>> 0),
    )
    if (at >= 0 && isLikelier(track, movie, mended, at, mended[at].duration - excess))
      mended = mended.map((edit, i) => (i === at ? { ...edit, duration: edit.duration - excess } : edit))
  }
  // the first sample shown is not known where offsets are lost
  if (track.tables.compositions && isZeroed(track.tables.compositions.runs, sampleCount(track.tables)))
    return track
  // nor where they are a guess; of samples in fragments nothing is known yet
  const known = sampleCount(track.tables) > 0 && !track.tables.orderGuessed
  if (known && shown.length === 1) {
    mended = mended.map((edit) =>
      edit.mediaTime < 0 && edits.length === 1
        ? edit
        : edit.mediaTime >= 0
          ? mendStart(track, movie, edit)
          : edit,
    )
  } else if (known && shown.length === 0 && mended.length === 1) {
    // The start of the only edit made negative: an edit of nothing alone shows nothing.
    const start = (mended[0].mediaTime >>> 0) & 0x7fff_ffff
    mended = [mendStart(track, movie, { ...mended[0], mediaTime: start })]
  }
  const changed = mended.filter(
    (edit, i) =>
      edit.duration !== edits[i].duration ||
      edit.mediaTime !== edits[i].mediaTime ||
      edit.rate !== edits[i].rate,
  )
  if (changed.length === 0) return track
  findings.add(tableMended(description.id, 'elst', changed.length, 0))
  return { ...track, edits: mended }
}

/** Edit lists of more entries are a film cut by hand, where any rate may be meant. */
const FEW_EDITS = 2

/** Whether a track with another duration of one edit is nearer to the length of its media: else its header was hit. */
function isLikelier(
  track: TrackDraft,
  movie: MovieHeader,
  edits: readonly Edit[],
  at: number,
  duration: number,
): boolean {
  if (edits[at].mediaTime < 0) return true
  const media = (ticksOf(track) - edits[at].mediaTime) / track.description.timescale
  return (
    Math.abs(duration / movie.timescale - media) <= Math.abs(edits[at].duration / movie.timescale - media)
  )
}

/** The start and the length of a track's only edit, so that it shows the media to its end. */
function mendStart(track: TrackDraft, movie: MovieHeader, edit: Edit): Edit {
  const { timescale } = track.description
  const ticks = ticksOf(track)
  const first = Math.max(0, firstComposition(track.tables))
  const end = ticks + first
  const rounding = (ROUNDING / movie.timescale) * timescale
  const tolerance = rounding + ticks / Math.max(1, sampleCount(track.tables))
  const length = (edit.duration / movie.timescale) * timescale
  const misses = (start: number): number => Math.abs(start + length - end)
  const sane = (start: number): boolean =>
    start - first <= LONGEST_PRIMING * timescale && start >= first - tolerance
  // All of it would be shown, but for a part of the first picture.
  const hidesPart =
    edit.mediaTime > first &&
    misses(first) <= rounding &&
    misses(edit.mediaTime) > rounding &&
    sane(edit.mediaTime)
  if (track.description.kind === 'video' && hidesPart && differByOneBit(edit.mediaTime, first))
    return { ...edit, mediaTime: first }
  if (edit.mediaTime === first || (misses(edit.mediaTime) <= tolerance && sane(edit.mediaTime))) {
    // The edit may end early where its duration was hit; its header tells.
    const other = track.header.duration
    const own = (other / movie.timescale) * timescale
    const short = misses(edit.mediaTime) > tolerance && Math.abs(edit.mediaTime + own - end) <= tolerance
    return short && differByOneBit(edit.duration, other) ? { ...edit, duration: other } : edit
  }
  // A cut within the media that both durations agree on is meant.
  if (
    edit.mediaTime + length <= end + tolerance &&
    edit.duration === track.header.duration &&
    edit.mediaTime < end
  )
    return differByOneBit(edit.mediaTime, first) && misses(first) <= tolerance
      ? { ...edit, mediaTime: first }
      : edit
  const starts = [first]
  for (let bit = 0; bit < 32; bit++) starts.push(flip(edit.mediaTime, bit))
  let best = edit.mediaTime
  let least = Number.POSITIVE_INFINITY
  for (const start of starts.filter(sane)) {
    const miss = misses(start) - (start === first && differByOneBit(first, edit.mediaTime) ? tolerance : 0)
    if (miss >= least) continue
    least = miss
    best = start
  }
  return { ...edit, mediaTime: best }
}

/** Longest start of a recording that its edit list skips, in seconds. */
const LONGEST_PRIMING = 0.5
