import type { Findings } from '../../../../model/finding.ts'
import { type Edit, NORMAL_RATE } from '../../boxes/elst.ts'
import type { MovieHeader } from '../../boxes/mvhd.ts'
import { tableMended } from '../../findings.ts'
import type { TrackDraft } from '../../read/read-track.ts'
import { bitsBetween, differByOneBit, flip } from '../bits.ts'
import { isZeroed } from './compositions.ts'
import { editsTotal, firstComposition, firstDecoded, ROUNDING, sampleCount, ticksOf } from './track-length.ts'

/** The edit list, where its durations, its start or its rate have a bit flipped. */
export function mendEdits(track: TrackDraft, movie: MovieHeader, findings: Findings): TrackDraft {
  const { edits, header, description } = track
  if (!edits || edits.length === 0) return track
  // ticks of a clock that is lost tell nothing against a start counted by it
  if (track.lost.has('mdhd') && track.tables.scaleGuessed) return track
  const shown = edits.filter(({ mediaTime }) => mediaTime >= 0)
  let mended = edits.map((edit) =>
    edits.length <= FEW_EDITS && edit.rate !== NORMAL_RATE && differByOneBit(edit.rate >>> 0, NORMAL_RATE)
      ? { ...edit, rate: NORMAL_RATE }
      : edit,
  )
  if (header.duration <= movie.duration) mended = mended.map((edit) => withShortWait(edit, movie))
  // edits that last as long as the movie speak against a track header that says otherwise
  const total = editsTotal(mended)
  if (total !== header.duration && total !== movie.duration && header.duration > 0) {
    const excess = total - header.duration
    const at = mended.findIndex(
      ({ duration }) => duration - excess >= 0 && differByOneBit(duration, (duration - excess) >>> 0),
    )
    if (at >= 0 && isLikelier(track, movie, mended, at, mended[at].duration - excess))
      mended = mended.map((edit, i) => (i === at ? { ...edit, duration: edit.duration - excess } : edit))
  }
  // the first sample shown is not known where offsets are lost
  if (track.tables.compositions && isZeroed(track.tables.compositions.runs, sampleCount(track.tables)))
    return track
  // of samples in fragments nothing is known yet
  const counted = sampleCount(track.tables) > 0
  // nor where they are a guess
  const known = counted && !track.tables.orderGuessed
  if (counted && !known && shown.length === 1) {
    mended = mended.map((edit) => (edit.mediaTime > 0 ? withPictureStart(track, movie, edit) : edit))
  } else if (known && shown.length === 1) {
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

/** An empty edit that is longer than the movie as a whole, where one bit makes it so. */
function withShortWait(edit: Edit, { duration }: MovieHeader): Edit {
  if (edit.mediaTime >= 0 || duration === 0 || edit.duration <= duration) return edit
  const rest = edit.duration - 2 ** Math.floor(Math.log2(edit.duration))
  return rest <= duration ? { ...edit, duration: rest } : edit
}

/** Edit lists of more entries are a film cut by hand, where any rate may be meant. */
const FEW_EDITS = 2

/**
 * Whether a track with another duration of one edit is nearer to the length of its media, and waits no longer than the movie
 * lasts: else its header was hit.
 */
function isLikelier(
  track: TrackDraft,
  movie: MovieHeader,
  edits: readonly Edit[],
  at: number,
  duration: number,
): boolean {
  if (edits[at].mediaTime < 0) return movie.duration === 0 || duration <= movie.duration
  const media = (ticksOf(track) - edits[at].mediaTime) / track.description.timescale
  return (
    Math.abs(duration / movie.timescale - media) <= Math.abs(edits[at].duration / movie.timescale - media)
  )
}

/**
 * A track's only edit that lasts as long as the media, where pictures' order is a guess: it begins with a picture, thus at a time
 * at which one is decoded or as late as the first is shown. Where it does not, and one flipped bit alone makes it do so, that is
 * mended.
 */
function withPictureStart(track: TrackDraft, movie: MovieHeader, edit: Edit): Edit {
  const scale = track.description.timescale / movie.timescale
  const ticks = ticksOf(track)
  if (Math.abs(edit.duration * scale - ticks) > ROUNDING * scale) return edit
  const times = new Set([firstComposition(track.tables), ...firstDecoded(track.tables, PLACES)])
  if (times.has(edit.mediaTime)) return edit
  const starts = Array.from({ length: 31 }, (_, bit) => flip(edit.mediaTime, bit)).filter((start) =>
    times.has(start),
  )
  return starts.length === 1 ? { ...edit, mediaTime: starts[0] } : edit
}

/** Samples by which reordering delays pictures, at the most. */
const PLACES = 4

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
  // The edit may end early where its duration was hit; its header tells.
  const other = track.header.duration
  const own = (other / movie.timescale) * timescale
  const short = misses(edit.mediaTime) > tolerance && Math.abs(edit.mediaTime + own - end) <= tolerance
  const near = Math.max(edit.duration, other) < 2 ** 32 && bitsBetween(edit.duration, other) <= MOST_FLIPS
  if (short && near && sane(edit.mediaTime)) return { ...edit, duration: other }
  if (edit.mediaTime === first || (misses(edit.mediaTime) <= tolerance && sane(edit.mediaTime))) return edit
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

/** Bits of a duration that are flipped at the most where the track's header and its media agree on another. */
const MOST_FLIPS = 3

/** Longest start of a recording that its edit list skips, in seconds. */
const LONGEST_PRIMING = 0.5
