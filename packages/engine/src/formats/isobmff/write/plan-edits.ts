import type { SampleTable } from '../../../model/sample-table.ts'
import { type Edit, NORMAL_RATE } from '../boxes/elst.ts'
import type { MovieTrack } from '../read/movie.ts'
import type { PlannedTrack } from './plan.ts'
import type { TrackTimes } from './plan-times.ts'

/** Longest start delay taken over from another recording, in seconds: more is that recording's cut, not the camera's habit. */
const HABITUAL_DELAY = 1
/** Longest start of a recording that its own edit list skips out of habit, in seconds. */
const LONGEST_PRIMING = 0.5

/**
 * The edit list of a planned track, ISO/IEC 14496-12:2022 §8.6.6; undefined when none is needed. Durations in ticks of
 * `movieScale`, media times in the track's.
 * @param origin time in seconds at which the file starts to be shown: the earliest of its tracks' `shownFrom`, 0 at least
 */
export function planEdits(
  track: PlannedTrack,
  times: TrackTimes,
  movieScale: number,
  origin: number,
): readonly Edit[] | undefined {
  if (track.edits) return track.edits
  const scale = track.template.description.timescale
  const toMovie = (ticks: number): number => Math.round((ticks * movieScale) / scale)
  const ahead = shownFrom(track, times) - origin
  const late = Math.max(0, Math.round(ahead * movieScale))
  const skipped = Math.max(0, Math.round(-ahead * scale))
  const edits =
    track.times === 'index'
      ? clippedEdits(track, times, toMovie, late)
      : habitualEdits(track.template, times, toMovie, late, skipped, movieScale)
  return edits && edits.length > 0 ? edits : undefined
}

/**
 * Time in seconds at which the first row of a planned track would be shown; less than 0 where the camera skips what it holds.
 * Priming and trimmed starts belong to the beginning of a recording: behind a head that is lost they are only what tracks are
 * apart by.
 */
export function shownFrom(track: PlannedTrack, times: TrackTimes): number {
  const start = times.start / track.template.description.timescale
  return track.times === 'index' || track.edits ? start : start - (track.skips ?? habitualSkip(track))
}

/** Pictures near the start among which those that an edit list hides are. */
const NEAR_START = 512

/**
 * Seconds of media that another recording's edit list skips before its first picture or sound. Of pictures no more than that
 * hides there: they may have come faster.
 */
function habitualSkip({ template, table }: PlannedTrack): number {
  const { kind, timescale } = template.description
  const ticks = skippedBy(template)
  const skipped = ticks / timescale
  if (skipped <= 0 || skipped > LONGEST_PRIMING) return 0
  if (kind !== 'video') return skipped
  const until = firstComposition(template) + ticks
  const hidden = shownTimes(template.samples).filter((time) => time < until).length
  const times = shownTimes(table)
  return hidden < times.length ? Math.min(skipped, (times[hidden] - times[0]) / timescale) : skipped
}

/** Ticks of a track's media in front of what its edit list shows first; less than 0 where that comes before all of it. */
function skippedBy(track: MovieTrack): number {
  const first = track.edits?.find((edit) => edit.mediaTime >= 0)
  return first ? first.mediaTime - firstComposition(track) : 0
}

/** Ticks of the movie that pass before a track's edit list shows anything of it. */
function delayOf({ edits = [] }: MovieTrack): number {
  const first = edits.findIndex((edit) => edit.mediaTime >= 0)
  return editedDuration(first < 0 ? edits : edits.slice(0, first))
}

/**
 * Seconds by which the edit lists of a recording move its tracks against each other beyond any habit of its camera: it was cut,
 * and by how much those of another recording of the kind are out of step, its media does not tell.
 */
export function cutApart(tracks: readonly MovieTrack[], movieScale: number): number {
  const starts = tracks.map((track) => {
    const [skipped, delay] = [skippedBy(track) / track.description.timescale, delayOf(track) / movieScale]
    return (delay > HABITUAL_DELAY ? delay : 0) - (skipped > LONGEST_PRIMING ? skipped : 0)
  })
  return starts.length > 1 ? Math.max(...starts) - Math.min(...starts) : 0
}

/** Composition times of the first pictures of a table, in order. */
function shownTimes({ length, dts, cts }: SampleTable): number[] {
  const rows = Math.min(length, NEAR_START)
  return Array.from({ length: rows }, (_, row) => dts[row] + cts[row]).sort((a, b) => a - b)
}

/** The track's own edits, cut to the media that is left. */
function clippedEdits(
  track: PlannedTrack,
  times: TrackTimes,
  toMovie: (ticks: number) => number,
  late: number,
): Edit[] | undefined {
  const { template } = track
  const end = times.compositionEnd
  if (!template.edits || template.edits.length === 0) {
    if (late === 0 && times.moved === 0) return undefined
    return [
      ...empty(late),
      { duration: toMovie(end - times.moved), mediaTime: times.moved, rate: NORMAL_RATE },
    ]
  }
  const edits: Edit[] = []
  for (const edit of mendedEdits(template, track.grown ?? false)) {
    if (edit.mediaTime < 0 || edit.rate !== NORMAL_RATE) {
      edits.push(edit)
      continue
    }
    const planned = edit.mediaTime + times.moved - times.start
    const mediaTime = Math.max(0, planned)
    if (mediaTime >= end) continue
    // Head of the media lost: what the edit showed before is shown as nothing.
    const missing = toMovie(mediaTime - planned)
    const open = edit.duration === 0
    const wanted = Math.max(0, edit.duration - missing)
    const possible = toMovie(end - mediaTime)
    const duration = open ? possible : Math.min(wanted, possible)
    if (missing > 0 && late > 0) edits.push(...empty(Math.min(late, missing)))
    if (duration > 0) edits.push({ ...edit, duration, mediaTime })
  }
  // An edit list that shows nothing of the media was hit itself.
  if (edits.some((edit) => edit.mediaTime >= 0)) return edits
  const mediaTime = times.firstComposition
  return [...empty(late), { duration: toMovie(end - mediaTime), mediaTime, rate: NORMAL_RATE }]
}

/**
 * A track's edits, with the start of the only one mended where the movie box was hit and the start is late by a
 * power of two, which is a flipped bit.
 */
function mendedEdits(template: MovieTrack, grown: boolean): readonly Edit[] {
  const edits = template.extends || grown ? openEdits(template.edits ?? []) : (template.edits ?? [])
  const shown = edits.filter((edit) => edit.mediaTime >= 0)
  if (template.whole || shown.length !== 1) return edits
  const first = firstComposition(template)
  const late = shown[0].mediaTime - first
  if (late < template.description.timescale / 2 || !Number.isInteger(Math.log2(late))) return edits
  return edits.map((edit) => (edit.mediaTime >= 0 ? { ...edit, mediaTime: first } : edit))
}

/** The edit list of a fragmented file, or of another recording, says where media starts; it cannot know how long that will be. */
export function openEdits(edits: readonly Edit[]): Edit[] {
  const first = edits.findIndex((edit) => edit.mediaTime >= 0)
  return edits.slice(0, first + 1).map((edit, i) => (i === first ? { ...edit, duration: 0 } : edit))
}

/** One edit that starts where the sample's tracks start theirs: `skipped` ticks behind the first picture, or `late`. */
function habitualEdits(
  template: MovieTrack,
  times: TrackTimes,
  toMovie: (ticks: number) => number,
  late: number,
  skipped: number,
  movieScale: number,
): Edit[] | undefined {
  const habit = template.edits ?? []
  const first = habit.find((edit) => edit.mediaTime >= 0)
  const waits = delayOf(template)
  const delay = waits > HABITUAL_DELAY * movieScale ? 0 : waits
  if (!first && late === 0 && times.moved === 0) return undefined
  const mediaTime = (first ? times.firstComposition : times.moved) + Math.min(skipped, times.total)
  const duration = toMovie(times.compositionEnd - mediaTime)
  return [...empty(late + delay), { duration, mediaTime, rate: NORMAL_RATE }]
}

/** Smallest composition time of a track as its file has it. Only the first samples can hold it. */
export function firstComposition(template: MovieTrack): number {
  const { samples } = template
  let first = samples.length > 0 ? Number.POSITIVE_INFINITY : 0
  for (let row = 0; row < Math.min(samples.length, 64); row++)
    first = Math.min(first, samples.dts[row] + samples.cts[row])
  return first
}

function empty(duration: number): Edit[] {
  return duration > 0 ? [{ duration, mediaTime: -1, rate: NORMAL_RATE }] : []
}

/** Length of an edit list in ticks of the movie's timescale. */
export function editedDuration(edits: readonly Edit[]): number {
  return edits.reduce((sum, edit) => sum + edit.duration, 0)
}
