import type { Findings } from '../../../model/finding.ts'
import { type Edit, NORMAL_RATE } from '../boxes/elst.ts'
import type { MovieHeader } from '../boxes/mvhd.ts'
import { type Runs, runTotal } from '../boxes/tables.ts'
import { tableMended } from '../findings.ts'
import type { TrackTables } from '../movie.ts'
import type { TrackDraft } from '../read-track.ts'
import { differByOneBit, flip } from './bits.ts'
import { mendCompositions } from './compositions.ts'
import { mendCounts, mendValues, weightedTotal } from './durations.ts'

/** A movie's clocks: its header and its tracks. */
export interface Clocks {
  readonly header: MovieHeader
  readonly tracks: readonly TrackDraft[]
}

/** Share by which two lengths of one track may differ: edit lists skip priming, writers round. */
const ALIKE = 0.02
const ALIKE_SECONDS = 0.25
/** Ticks of the movie by which rounding may put two lengths apart. */
const ROUNDING = 2

/**
 * Mends flipped bits in everything that tells time: durations, composition offsets, time scales, edit lists. A track tells
 * its length up to four times (its samples, its media, its header, its edits) and the movie once more: what most agree on is right.
 * @param hit whether other parts of the movie box were found to be hit: then less proof is asked for
 */
export function mendTimes(movie: Clocks, hit: boolean, findings: Findings): Clocks {
  const counted = movie.tracks.map((track) => mendTables(track, movie.header, hit, findings))
  // Lost samples make lengths differ as well.
  if (!hit && counted.every((track, i) => track === movie.tracks[i])) return movie
  const header = mendMovieScale(movie.header, counted, findings)
  const tracks = counted.map((track) => mendEdits(mendScale(track, header, findings), header, findings))
  return { header, tracks }
}

function sampleCount({ sizes }: TrackTables): number {
  if (!sizes) return 0
  return sizes.constant > 0 ? sizes.count : sizes.sizes.length
}

function mendTables(track: TrackDraft, movie: MovieHeader, hit: boolean, findings: Findings): TrackDraft {
  const { tables, mediaHeader, header } = track
  const { id } = track.description
  const samples = sampleCount(tables)
  if (samples === 0 || !tables.durations) return track
  const shown = Math.round((header.duration / movie.timescale) * mediaHeader.timescale)
  const lengths = [mediaHeader.duration, ...(hit ? [shown] : [])].filter((length) => length > 0)
  const durations = mendDurations(tables.durations, samples, lengths, hit ? 0 : mediaHeader.timescale)
  reportRuns(id, 'stts', tables.durations, durations, findings)
  const offsets = tables.compositions && mendCompositions(tables.compositions.runs, durations, samples, hit)
  if (offsets) findings.add(tableMended(id, 'ctts', offsets.changed, 0))
  if (durations === tables.durations && !offsets) return track
  const compositions =
    offsets && tables.compositions ? { ...tables.compositions, runs: offsets.runs } : undefined
  return { ...track, tables: { ...tables, durations, ...(compositions ? { compositions } : {}) } }
}

/**
 * Durations whose counts add up to the samples, and which add up to the media's length, as far as single bits explain it.
 * @param lengths what the media's length may be, the likeliest first
 * @param slack ticks by which it may be missed without anything being wrong
 */
function mendDurations(runs: Runs, samples: number, lengths: readonly number[], slack: number): Runs {
  const length = lengths[0] ?? 0
  const near = (counts: Uint32Array): number =>
    length > 0 ? -Math.abs(weightedTotal({ ...runs, counts }) / length - 1) : 0
  const counts = mendCounts(runs, samples, near)
  const counted = counts === runs.counts ? runs : { ...runs, counts }
  if (runTotal(counted) !== samples || length === 0 || samples < FEW) return counted
  const usual = usualDuration(counted, samples, lengths, slack)
  // The media's own length may be what was hit, and writers forget the last sample, or count the delay of its pictures.
  const allowed = Math.max(slack, (length / samples) * 2)
  const misses = (total: number): number => Math.abs(weightedTotal(usual) - total)
  if (lengths.some((total) => misses(total) <= (counted.length > 1 ? slack : allowed))) return usual
  const values = mendValues(usual, length)
  return values ? { ...usual, values } : usual
}

/** The duration that most samples have, with one bit flipped where that makes all about as long as the media. */
function usualDuration(runs: Runs, samples: number, lengths: readonly number[], slack: number): Runs {
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

/** Ticks of a track's samples. */
function ticksOf({ tables, mediaHeader }: TrackDraft): number {
  return tables.durations ? weightedTotal(tables.durations) : mediaHeader.duration
}

function editsTotal(edits: readonly Edit[] | undefined): number {
  return (edits ?? []).reduce((sum, edit) => sum + edit.duration, 0)
}

function alike(a: number, b: number): boolean {
  return Math.abs(a - b) <= ALIKE_SECONDS + ALIKE * Math.max(a, b)
}

/** The movie's time scale, where one bit of it makes the lengths of all tracks what their media say. */
function mendMovieScale(header: MovieHeader, tracks: readonly TrackDraft[], findings: Findings): MovieHeader {
  const known = tracks.filter((track) => ticksOf(track) > 0 && track.header.duration > 0)
  if (known.length === 0) return header
  const agreeing = (scale: number): number =>
    known.filter((track) => {
      const seconds = ticksOf(track) / track.description.timescale
      return [track.header.duration, editsTotal(track.edits), header.duration].some((ticks) =>
        alike(seconds, ticks / scale),
      )
    }).length
  const now = agreeing(header.timescale)
  if (now > 0) return header
  let best = header.timescale
  let most = 0
  for (let bit = 0; bit < 32; bit++) {
    const scale = flip(header.timescale, bit)
    const count = scale === 0 ? 0 : agreeing(scale)
    if (count > most || (count === most && count > 0 && USUAL_SCALES.has(scale) && !USUAL_SCALES.has(best))) {
      best = scale
      most = count
    }
  }
  // One track alone says as little of the movie's clock as of its own.
  if (most === 0 || (most < 2 && !USUAL_SCALES.has(best))) return header
  findings.add(tableMended(0, 'mvhd', header.timescale, best))
  return { ...header, timescale: best }
}

/** Time scales of movies that cameras and muxers use. */
const USUAL_SCALES: ReadonlySet<number> = new Set([
  600, 1000, 2400, 2500, 3000, 10_000, 24_000, 25_000, 30_000, 44_100, 48_000, 50_000, 60_000, 90_000,
  120_000,
])

/** The media's time scale, where one bit of it makes the track as long as its header, its edits or the movie say. */
function mendScale(track: TrackDraft, movie: MovieHeader, findings: Findings): TrackDraft {
  const { mediaHeader, header, edits, description } = track
  const ticks = ticksOf(track)
  const witnesses = [header.duration, editsTotal(edits), movie.duration]
    .filter((length) => length > 0)
    .map((length) => length / movie.timescale)
  const agreeing = (scale: number): number =>
    witnesses.filter((seconds) => alike(ticks / scale, seconds)).length
  const was = mediaHeader.timescale
  const rate = description.kind === 'audio' ? track.entries[0]?.audio?.rate : undefined
  if (ticks === 0 || was === rate) return track
  // Sound has a tick for every sample of its rate.
  const isRate =
    rate !== undefined && SOUND_RATES.has(rate) && !SOUND_RATES.has(was) && differByOneBit(rate, was)
  let best = isRate ? rate : was
  let most = isRate ? witnesses.length : 0
  if (!isRate && agreeing(was) > 0) return track
  for (let bit = 0; bit < 32; bit++) {
    const scale = flip(was, bit)
    const count = scale === 0 || scale > FASTEST || isRate ? 0 : agreeing(scale)
    if (count <= most && !(count === most && count > 0 && USUAL_SCALES.has(scale))) continue
    best = scale
    most = count
  }
  if (most < Math.min(2, witnesses.length)) return track
  findings.add(tableMended(description.id, 'mdhd', was, best))
  return {
    ...track,
    mediaHeader: { ...mediaHeader, timescale: best },
    description: {
      ...description,
      timescale: best,
      ...(description.sampleRate === was ? { sampleRate: best } : {}),
    },
  }
}

/** Rates of sound in Hz. */
const SOUND_RATES: ReadonlySet<number> = new Set([
  8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
])
/** Ticks a second that no writer goes beyond. */
const FASTEST = 30_000_000

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
  if (shown.length === 1) {
    mended = mended.map((edit) =>
      edit.mediaTime < 0 && edits.length === 1
        ? edit
        : edit.mediaTime >= 0
          ? mendStart(track, movie, edit)
          : edit,
    )
  } else if (shown.length === 0 && mended.length === 1) {
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
  const first = firstComposition(track.tables)
  const end = ticks + first
  const tolerance = (ROUNDING / movie.timescale) * timescale + ticks / Math.max(1, sampleCount(track.tables))
  const length = (edit.duration / movie.timescale) * timescale
  const misses = (start: number): number => Math.abs(start + length - end)
  const sane = (start: number): boolean =>
    start - first <= LONGEST_PRIMING * timescale && start >= first - tolerance
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
    if (!differByOneBit(edit.mediaTime, first)) return edit
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
/** Samples among which the first shown one is. */
const FIRST = 64

/** Smallest composition time. */
function firstComposition({ durations, compositions }: TrackTables): number {
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
