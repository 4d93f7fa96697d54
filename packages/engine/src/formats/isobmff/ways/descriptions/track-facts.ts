import { type Edit, NORMAL_RATE } from '../../boxes/elst.ts'
import { resized } from '../../boxes/orientation.ts'
import { type TrackHeader, trackSize } from '../../boxes/tkhd.ts'
import type { Movie, MovieTrack, TrackFact } from '../../read/movie.ts'
import { firstComposition } from '../../write/plan-edits.ts'
import { equipmentOf, isPersonal } from './equipment.ts'

/** Of all facts, the track header's stays marked as another's: which way up a film was held is true of that film alone. */
const NO_HEADER: ReadonlySet<TrackFact> = new Set(['tkhd'])
const NOTHING: ReadonlySet<TrackFact> = new Set()
/** Time scales that differ by less are one: the own was measured from the tables. */
const ONE_SCALE = 0.01
/** Longest start that an edit list skips out of habit, in seconds. */
const LONGEST_PRIMING = 0.5

/** A track of another recording without what only that recording is: its dates, its places, its names. */
export function withoutPersonal(track: MovieTrack): MovieTrack {
  return {
    ...track,
    trackBoxes: [...track.trackBoxes.filter((box) => !isPersonal(box)), ...equipmentOf(track.trackBoxes)],
    header: { ...track.header, creation: 0, modification: 0 },
    mediaHeader: { ...track.mediaHeader, creation: 0, modification: 0 },
    lost: NO_HEADER,
  }
}

/** A movie of another recording without tracks and without what only that recording is. */
export function movieLike(other: Movie): Movie {
  return {
    ...other,
    header: { ...other.header, creation: 0, modification: 0 },
    boxes: equipmentOf(other.boxes),
  }
}

/**
 * A movie with its header filled in from another recording of the camera, where damage took it; its own lengths stay in the scale
 * they tell.
 */
export function withHeaderOf(own: Movie, other: Movie): Movie {
  if (!own.headerLost) return own
  const isTold = own.tracks.some(
    ({ header, edits }) => header.duration > 0 || edits?.some(({ duration }) => duration > 0),
  )
  const { timescale } = isTold ? own.header : other.header
  return {
    ...own,
    header: { ...other.header, creation: 0, modification: 0, duration: 0, timescale },
    headerLost: other.headerLost,
  }
}

/**
 * A track with those facts of its header, media and handler that damage took filled in from another recording of the camera. What
 * the track has of its own stays.
 */
export function withFactsOf(own: MovieTrack, other: MovieTrack): MovieTrack {
  const { lost } = own
  if (lost.size === 0) return own
  const stranger = withoutPersonal(other)
  const timescale = lost.has('mdhd') ? scaleOf(own, other) : own.mediaHeader.timescale
  return {
    ...own,
    description: { ...own.description, timescale },
    header: lost.has('tkhd') ? headerOf(own, stranger) : own.header,
    mediaHeader: lost.has('mdhd') ? { ...stranger.mediaHeader, duration: 0, timescale } : own.mediaHeader,
    ...(lost.has('hdlr') && other.handler.length > 0
      ? { handler: other.handler, handlerType: other.handlerType }
      : {}),
    ...(lost.has('minf') ? { information: other.information } : {}),
    ...(lost.has('boxes') ? { trackBoxes: stranger.trackBoxes } : {}),
    ...(lost.has('elst') && own.samples.length > 0 ? { edits: habitOf(own, other) } : {}),
    lost: lost.has('tkhd') ? NO_HEADER : NOTHING,
  }
}

/** A track worked out from the payload, with what another recording of the camera says of its tracks whatever their settings. */
export function withHabitsOf(track: MovieTrack, other: MovieTrack): MovieTrack {
  const stranger = withoutPersonal(other)
  const { language, quality } = other.mediaHeader
  // apertures are given in pixels
  const boxes = stranger.trackBoxes.filter((box) => String.fromCharCode(...box.subarray(4, 8)) !== 'tapt')
  return {
    ...track,
    header: headerOf(track, stranger),
    mediaHeader: { ...track.mediaHeader, language, quality },
    ...(other.handler.length > 0 ? { handler: other.handler } : {}),
    ...(other.information.length > 0 ? { information: other.information } : {}),
    ...(track.trackBoxes.length === 0 ? { trackBoxes: boxes } : {}),
    lost: NO_HEADER,
  }
}

/** Another recording's track with the facts that a damaged movie box still has of the track in its place. */
export function withRemnant(other: MovieTrack, remnant: MovieTrack): MovieTrack {
  const { lost } = remnant
  const { header, mediaHeader } = other
  const { creation, modification, language, quality } = remnant.mediaHeader
  return {
    ...other,
    ...(lost.has('tkhd') ? {} : { header: { ...remnant.header, id: header.id } }),
    ...(lost.has('mdhd')
      ? {}
      : { mediaHeader: { ...mediaHeader, creation, modification, language, quality } }),
    ...(lost.has('hdlr') ? {} : { handler: remnant.handler }),
    ...(lost.has('boxes') || remnant.trackBoxes.length === 0 ? {} : { trackBoxes: remnant.trackBoxes }),
    lost: lost.has('tkhd') ? NO_HEADER : NOTHING,
  }
}

/**
 * The place in its file of a track among those of its kind, found again in another recording. A track whose handler is lost is
 * the one at the same place among all.
 */
export function counterpartOf(
  track: MovieTrack,
  tracks: readonly MovieTrack[],
  others: readonly MovieTrack[],
): MovieTrack | undefined {
  if (track.handlerType === '') return others[tracks.indexOf(track)]
  const alike = (other: MovieTrack): boolean => other.handlerType === track.handlerType
  return others.filter(alike)[tracks.filter(alike).indexOf(track)]
}

/** The other track's header at the own track's id and size. */
function headerOf(own: MovieTrack, other: MovieTrack): TrackHeader {
  const { flags, tail } = other.header
  const { width, height } = trackSize(own.header)
  const size = trackSize(other.header)
  const coded =
    own.description.width !== other.description.width || own.description.height !== other.description.height
  const fits = own.description.kind !== 'video' || !coded || width === 0 || height === 0
  return {
    ...own.header,
    flags,
    tail: fits || (size.width === width && size.height === height) ? tail : resized(tail, width, height),
  }
}

/** The other recording's time scale, unless the track's own tables and length speak of another. */
function scaleOf(own: MovieTrack, other: MovieTrack): number {
  const theirs = other.mediaHeader.timescale
  const measured = !own.lost.has('tkhd') && own.header.duration > 0 && own.tables.durations !== undefined
  const ours = own.mediaHeader.timescale
  return measured && Math.abs(ours / theirs - 1) > ONE_SCALE ? ours : theirs
}

/** An edit list as the other recording's tracks start: from the first picture on, priming skipped. */
function habitOf(own: MovieTrack, other: MovieTrack): readonly Edit[] | undefined {
  const first = other.edits?.find(({ mediaTime }) => mediaTime >= 0)
  if (!first) return undefined
  const skipped = first.mediaTime - firstComposition(other)
  const priming = skipped <= LONGEST_PRIMING * other.description.timescale ? Math.max(0, skipped) : 0
  const scaled = (priming * own.description.timescale) / other.description.timescale
  return [{ duration: 0, mediaTime: firstComposition(own) + Math.round(scaled), rate: NORMAL_RATE }]
}
