import type { Allowance } from '../../../../model/allowance.ts'
import { Findings } from '../../../../model/finding.ts'
import type { MovieHeader } from '../../boxes/mvhd.ts'
import { type Runs, runTotal } from '../../boxes/tables.ts'
import { tableMended } from '../../findings.ts'
import type { TrackTables } from '../../read/movie.ts'
import type { TrackDraft } from '../../read/read-track.ts'
import { differByOneBit, flip } from '../bits.ts'
import { mendCompositions } from './compositions.ts'
import { mendCounts, mostApart } from './counts.ts'
import { mendValues, weightedTotal } from './durations.ts'
import { mendEdits } from './edits.ts'
import { lostDurations } from './lost-durations.ts'
import { mendRareDurations, type Rounded } from './rare-durations.ts'
import { isImpossibleScale, mendMovieScale, mendTrackScale } from './time-scales.ts'
import { firstComposition, ROUNDING, sampleCount } from './track-length.ts'

/** A movie's clocks: its header and its tracks. */
export interface Clocks {
  readonly header: MovieHeader
  readonly tracks: readonly TrackDraft[]
}

/**
 * Mends flipped bits in everything that tells time: durations, composition offsets, time scales, edit lists. A track tells
 * its length up to four times (its samples, its media, its header, its edits) and the movie once more: what most agree on is
 * right.
 * @param others whether other parts of the movie box were found to be hit: then less proof is asked for, as where a clock is
 * faster than any
 * @param work steps that may be taken
 * @param most samples that the file can hold in one track
 */
export function mendTimes(
  movie: Clocks,
  others: boolean,
  findings: Findings,
  work: Allowance,
  most?: number,
): Clocks {
  const clocks = [movie.header, ...movie.tracks.map(({ mediaHeader }) => mediaHeader)]
  const hit = others || clocks.some(({ timescale }) => isImpossibleScale(timescale))
  if (!hit) {
    // Lost samples make lengths differ as well.
    const sound = movie.tracks.every(
      (track) => mendTables(track, movie.header, hit, new Findings(0), work, most) === track,
    )
    if (sound) return movie
  }
  const header = mendMovieScale(movie.header, movie.tracks, findings)
  const tracks = movie.tracks.map((track) => {
    const scaled = mendTrackScale(track, movie.tracks, header, findings)
    return mendEdits(mendTables(scaled, header, hit, findings, work, most), header, findings)
  })
  return { header, tracks }
}

function mendTables(
  track: TrackDraft,
  movie: MovieHeader,
  hit: boolean,
  findings: Findings,
  work: Allowance,
  most: number | undefined,
): TrackDraft {
  const { tables, mediaHeader, header } = track
  const { id } = track.description
  const samples = sampleCount(tables)
  if (samples === 0 || !tables.durations) return track
  const shown = Math.round((header.duration / movie.timescale) * mediaHeader.timescale)
  const exact = [mediaHeader.duration, mediaHeader.duration - sameDelay(tables)]
  const lengths = [...new Set([...exact, ...(hit ? [shown] : [])])].filter((length) => length > 0)
  const rounding = (ROUNDING * mediaHeader.timescale) / movie.timescale
  const sure = header.duration > 0 && Math.abs(mediaHeader.duration - shown) <= rounding
  const length = lengths[0] ?? 0
  const counted = mendDurationCounts(tables.durations, samples, length, work)
  const lost = lostDurations(track, counted.runs, work)
  const slack = hit || counted.runs !== tables.durations ? 0 : mediaHeader.timescale
  const upheld = isUpheld(track, movie)
  const rounded = { length: hit ? shown : 0, by: rounding, upheld }
  const durations =
    lost?.runs ??
    (hit && isBorneOut(track, movie, counted.runs)
      ? counted.runs
      : mendDurations(counted.runs, samples, lengths, sure, slack, rounded, work))
  if (lost) findings.add(tableMended(id, 'stts', runTotal(tables.durations), samples))
  else reportRuns(id, 'stts', tables.durations, durations, findings)
  const offsets =
    tables.compositions && mendCompositions(tables.compositions.runs, durations, samples, hit, work, most)
  if (offsets) findings.add(tableMended(id, 'ctts', offsets.changed, 0))
  const lasting = hit ? withLength(track, movie, durations, findings) : track
  if (durations === tables.durations && !offsets) return lasting
  const compositions =
    offsets && tables.compositions ? { ...tables.compositions, runs: offsets.runs } : undefined
  const order = offsets?.guessed ? { orderGuessed: true as const } : {}
  const contradicted = upheld && !track.edits?.length && isFarOff(track, movie, durations)
  const told = !contradicted && isTold(weightedTotal(durations), lengths, rounded)
  const guess = lost?.guessed ?? (counted.guessed || isGuess(tables.durations, durations, told))
  const guessed = guess ? { durationsGuessed: true as const } : {}
  return {
    ...lasting,
    tables: { ...tables, durations, ...guessed, ...order, ...(compositions ? { compositions } : {}) },
  }
}

/**
 * Ticks by which every sample is composed later than it is decoded, if all are by as many: some writers count them in the media's
 * length.
 */
function sameDelay({ compositions }: TrackTables): number {
  return compositions?.runs.length === 1 ? compositions.runs.values[0] : 0
}

/** Samples by which reordering delays pictures, at the most. */
const DELAY = 4

/**
 * A track whose media is as long as its samples together: where its header or its edits say so, too, or where one flipped bit in
 * the length of the media explains that it is not, and none makes a usual duration of another that does.
 */
function withLength(track: TrackDraft, movie: MovieHeader, durations: Runs, findings: Findings): TrackDraft {
  const { mediaHeader, tables, description } = track
  const total = weightedTotal(durations)
  const samples = sampleCount(tables)
  const apart = mediaHeader.duration - total
  // some writers count the delay of the pictures, or forget the last one
  if (runTotal(durations) !== samples || Math.abs(apart) <= (DELAY * total) / samples) return track
  const isHit = differByOneBit(mediaHeader.duration, total) && !isExplained(durations, apart, total / samples)
  if (!isHit && offShown(track, movie, total) > ROUNDING) return track
  findings.add(tableMended(description.id, 'mdhd', mediaHeader.duration, total))
  return { ...track, mediaHeader: { ...mediaHeader, duration: total } }
}

/**
 * Whether samples last together what a track's header or its edits say, nearer to it than the length of the media: then that was
 * hit, not their durations.
 */
function isBorneOut(track: TrackDraft, movie: MovieHeader, durations: Runs): boolean {
  const total = weightedTotal(durations)
  return (
    runTotal(durations) === sampleCount(track.tables) &&
    offShown(track, movie, total) <= ROUNDING &&
    offShown(track, movie, total) < offShown(track, movie, track.mediaHeader.duration)
  )
}

/**
 * Whether the movie's length speaks for the one that a track's header says and against that of its media: the latter is beyond
 * the movie's, or both others are the same.
 */
function isUpheld({ header, mediaHeader }: TrackDraft, movie: MovieHeader): boolean {
  const media = (mediaHeader.duration / mediaHeader.timescale) * movie.timescale
  const { duration } = header
  if (duration <= 0 || duration > movie.duration + ROUNDING || Math.abs(media - duration) <= ROUNDING)
    return false
  return media > movie.duration + ROUNDING || movie.duration - duration <= ROUNDING
}

/** Whether samples last longer or shorter together than their track is shown, by more of them than writers leave out. */
function isFarOff(track: TrackDraft, movie: MovieHeader, durations: Runs): boolean {
  const total = weightedTotal(durations)
  const delay = (DELAY * total) / sampleCount(track.tables) / track.mediaHeader.timescale
  return offShown(track, movie, total) > delay * movie.timescale + ROUNDING
}

/** Whether one flipped bit of a duration, which would be a usual one, makes all of them so many ticks longer. */
function isExplained({ values, counts, length }: Runs, ticks: number, mean: number): boolean {
  for (let run = 0; run < length; run++) {
    const value = values[run] + ticks / counts[run]
    if (value > 0 && value <= STANDS_OUT * mean && differByOneBit(values[run], value)) return true
  }
  return false
}

/**
 * Ticks of the movie by which a track's header and its edits miss, at the least, that it is shown for so many of its media from
 * where they begin.
 */
function offShown(
  { header, edits, mediaHeader, tables }: TrackDraft,
  movie: MovieHeader,
  total: number,
): number {
  const scale = mediaHeader.timescale / movie.timescale
  const start = edits?.find(({ mediaTime }) => mediaTime >= 0)?.mediaTime
  const skipped = start === undefined ? 0 : start - firstComposition(tables)
  const lasting = (edits ?? []).reduce((sum, edit) => sum + (edit.mediaTime < 0 ? 0 : edit.duration), 0)
  return [header.duration, lasting].reduce(
    (least, ticks) => (ticks > 0 ? Math.min(least, Math.abs(ticks + (skipped - total) / scale)) : least),
    Number.POSITIVE_INFINITY,
  )
}

/** Runs of durations from which on a sum does not tell which of them was hit, and how many times the usual one stands out. */
const MANY_RUNS = 8
const STANDS_OUT = 4

/** Whether a sum of durations is one of `lengths`, or one bit from one and rounded the one that the movie's clock tells. */
function isTold(total: number, lengths: readonly number[], { length, by, upheld }: Rounded): boolean {
  if (lengths.includes(total)) return true
  return upheld && Math.abs(total - length) <= by && lengths.some((told) => differByOneBit(told, total))
}

/** Whether durations were changed that do not stand out among many, or others should have been: no length tells their sum. */
function isGuess(before: Runs, after: Runs, told: boolean): boolean {
  if (after.length < MANY_RUNS || before.values === after.values) return false
  if (!told) return true
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
 * @param rounded that of them which the movie's clock tells
 */
function mendDurations(
  counted: Runs,
  samples: number,
  lengths: readonly number[],
  sure: boolean,
  slack: number,
  rounded: Rounded,
  work: Allowance,
): Runs {
  const length = lengths[0] ?? 0
  if (runTotal(counted) !== samples || length === 0) return counted
  const hit = slack === 0
  if (samples < FEW) return hit ? withStrangest(counted, samples, length) : counted
  const even = hit ? evenly(counted, samples, length, sure) : undefined
  if (even) return even
  const usual = usualDuration(counted, samples, lengths, sure, slack)
  // The media's own length may be what was hit, and writers forget the last sample, or count the delay of its pictures.
  const allowed = Math.max(slack, (length / samples) * 2)
  const misses = (total: number): number => Math.abs(weightedTotal(usual) - total)
  if (lengths.some((total) => misses(total) <= (counted.length > 1 ? slack : allowed))) return usual
  const exact = lengths.filter((total, i) => i === 0 || total !== rounded.length)
  const rare = mendRareDurations(usual, exact, rounded, work)
  if (rare) return { ...usual, values: rare }
  for (const total of lengths) {
    const values = mendValues(usual, total, sure, work)
    if (values) return { ...usual, values }
  }
  return usual
}

/**
 * Durations that are all one, with the flipped bit of it by which all are as long as the media, unless that is longer by whole
 * samples, or may have been hit itself: two headers tell it, or no flipped bit makes it of what they are together.
 */
function evenly(
  { counts, values, length }: Runs,
  samples: number,
  media: number,
  sure: boolean,
): Runs | undefined {
  const [value] = values
  const other = media / samples
  const total = value * samples
  if (length !== 1 || value === other || (media - total) % value === 0) return undefined
  if (!differByOneBit(value, other) || (!sure && differByOneBit(media, total))) return undefined
  return { length, counts, values: Float64Array.of(other) }
}

/**
 * Durations of a few samples, of which one is longer than the media, with the flipped bit of it by which all are as long, give or
 * take rounding.
 */
function withStrangest(runs: Runs, samples: number, media: number): Runs {
  const { counts, values } = runs
  const strange = values.findIndex((value, i) => value * counts[i] > media)
  if (strange < 0) return runs
  const others = Array.from({ length: 32 }, (_, bit) => {
    const other = flip(values[strange], bit)
    return { ...runs, values: values.map((value, i) => (i === strange ? other : value)) }
  })
  return others.find((other) => Math.abs(weightedTotal(other) - media) <= samples) ?? runs
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
