import type { Findings } from '../../../../model/finding.ts'
import { DEFAULT_MOVIE_HEADER, type MovieHeader } from '../../boxes/mvhd.ts'
import { tableMended } from '../../findings.ts'
import type { TrackDraft } from '../../read/read-track.ts'
import { bitsBetween, flip } from '../bits.ts'
import { editsTotal, firstComposition, sampleCount, ticksOf } from './track-length.ts'
import { USUAL_SCALES } from './usual-scales.ts'

/**
 * Bits against a time scale: that a certain bit of it was flipped, that all of one faster than any was overwritten, that no
 * writer uses it, that it is faster than any.
 */
const COST = { flip: 10, overwritten: 32, unusual: 8, impossible: 30 }
/** Bits for one that sound has for its rate, or that another track has as well. */
const GAIN = { rate: 10, shared: 3 }
/** Bits by which a length speaks: at most; for a track of which edits leave out a part; against media shorter than shown. */
const LENGTH = { most: 16, cut: 2, short: -4 }
/**
 * What the movie's length says less than the track's own, other tracks may be longer; and ticks other than the samples' own less
 * than those.
 */
const NOT_OWN = 4
/** Ticks of the movie by which a length is rounded. */
const ROUNDING = 1
/** Ticks a second that no writer goes beyond. */
const FASTEST = 30_000_000

/** Rates of sound in Hz. */
const SOUND_RATES: ReadonlySet<number> = new Set([
  8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
])

/**
 * The movie's time scale, ISO/IEC 14496-12:2022 §8.2.2, or the one that flipped bits made of another: the one by which
 * the lengths of all tracks are most nearly what their media say, unless no writer uses it.
 */
export function mendMovieScale(
  header: MovieHeader,
  tracks: readonly TrackDraft[],
  findings: Findings,
): MovieHeader {
  const known = knownOf(tracks)
  const best = likeliestScale(header.timescale, (scale) =>
    known.reduce(
      (sum, { track, told }) =>
        sum + lengthBits(told, track.description.timescale, { ...header, timescale: scale }),
      usualBits(scale),
    ),
  )
  if (best === header.timescale) return header
  findings.add(tableMended(0, 'mvhd', header.timescale, best))
  return { ...header, timescale: best }
}

/**
 * The time scale of a movie whose header is lost: of those that writers use, of the tracks' own, and of the least that all of
 * those divide, the one by which the lengths of all tracks are most nearly what their media say. Undefined where no track tells a
 * length that agrees.
 */
export function lostMovieScale(tracks: readonly TrackDraft[]): number | undefined {
  const known = knownOf(tracks)
  const own = known.map(({ track }) => track.mediaHeader.timescale)
  const common = own.reduce(leastCommonMultiple, 1)
  let best: number | undefined
  let most = LENGTH.cut * Math.max(1, known.length)
  for (const scale of new Set([...USUAL_SCALES, ...own, common])) {
    if (scale === 0) continue
    const header = { ...DEFAULT_MOVIE_HEADER, timescale: scale }
    const bits = known.reduce(
      (sum, { track, told }) => sum + lengthBits(told, track.description.timescale, header),
      scale <= FASTEST && scale === common ? 0 : usualBits(scale),
    )
    if (bits <= most) continue
    most = bits
    best = scale
  }
  return best
}

/**
 * A track with the time scale of its media, ISO/IEC 14496-12:2022 §8.4.2, or the one that flipped bits made of another: by how
 * nearly its media then is as long as the track's header, its edits or the movie say, and by what other tracks and the rate of
 * its sound have. Its times are marked as a guess where another fits better, but not so much that it must be right, or where
 * nothing proves it.
 */
export function mendTrackScale(
  track: TrackDraft,
  tracks: readonly TrackDraft[],
  movie: MovieHeader,
  findings: Findings,
): TrackDraft {
  const { mediaHeader, description } = track
  const told = toldOf(track)
  if (told.media.length === 0) return track
  const was = mediaHeader.timescale
  const rate = soundRate(track)
  const others = new Set(
    tracks.filter((other) => other !== track).map((other) => other.mediaHeader.timescale),
  )
  const bits = (scale: number): number => {
    const length = lengthBits(told, scale, movie)
    const shared = length > 0 && others.has(scale) ? GAIN.shared : 0
    return usualBits(scale) + (scale === rate ? GAIN.rate : 0) + shared + length
  }
  const best = likeliestScale(was, bits)
  if (best === was) return hasRival(was, bits) ? guessed(track) : track
  findings.add(tableMended(description.id, 'mdhd', was, best))
  const mended = withScale(track, best)
  const proven = best === rate || lengthBits(told, best, movie) > LENGTH.cut
  return proven ? mended : guessed(mended)
}

/** Tracks whose beginning waits for ticks of a movie whose time scale nothing tells: when they begin is a guess. */
export function withUnknownWaits(tracks: readonly TrackDraft[]): readonly TrackDraft[] {
  return tracks.map((track) => (toldOf(track).empty > 0 ? guessed(track) : track))
}

function leastCommonMultiple(a: number, b: number): number {
  let [divisor, rest] = [a, b]
  while (rest > 0) [divisor, rest] = [rest, divisor % rest]
  return divisor > 0 ? (a / divisor) * b : 0
}

function guessed(track: TrackDraft): TrackDraft {
  return { ...track, tables: { ...track.tables, durationsGuessed: true, scaleGuessed: true } }
}

/** Rate in Hz that a track's sample entry gives its sound, where it is one that sound has. */
export function soundRate({
  description,
  entries,
}: Pick<TrackDraft, 'description' | 'entries'>): number | undefined {
  const rate = description.kind === 'audio' ? entries[0]?.audio?.rate : undefined
  return rate !== undefined && SOUND_RATES.has(rate) ? rate : undefined
}

/** A track with another time scale of its media. */
export function withScale<Track extends Pick<TrackDraft, 'mediaHeader' | 'description'>>(
  track: Track,
  timescale: number,
): Track {
  const { mediaHeader, description } = track
  const told = description.sampleRate === mediaHeader.timescale
  return {
    ...track,
    mediaHeader: { ...mediaHeader, timescale },
    description: { ...description, timescale, ...(told ? { sampleRate: timescale } : {}) },
  }
}

/**
 * A scale, or the one of those in a single bit's distance, and of usual ones in the distance of few, that has so many more bits
 * that the flips are believed. In place of one faster than any, any usual one.
 */
export function likeliestScale(was: number, bits: (scale: number) => number): number {
  let best = was
  let most = bits(was)
  const near = Array.from({ length: 32 }, (_, bit) => flip(was, bit))
  for (const scale of new Set([...near, ...USUAL_SCALES])) {
    const flips = bitsBetween(scale, was)
    if (scale === 0 || scale === was || (flips > MOST_FLIPS && !isImpossibleScale(was))) continue
    const score = bits(scale) - (flips > MOST_FLIPS ? COST.overwritten : COST.flip * flips)
    if (score <= most) continue
    most = score
    best = scale
  }
  return best
}

/** Bits of one number that are flipped at the most. */
const MOST_FLIPS = 3

/** Bits by which another scale must fit better to leave a doubt where they do not make up for the flip that it takes. */
const BETTER = 3

/** Whether a scale in a single bit's distance fits clearly better, though not so much better that its flip is believed. */
function hasRival(was: number, bits: (scale: number) => number): boolean {
  const least = bits(was) + BETTER
  return Array.from({ length: 32 }, (_, bit) => flip(was, bit)).some(
    (scale) => scale > 0 && bits(scale) > least,
  )
}

/** Whether no clock is so fast, or it does not run. */
export function isImpossibleScale(scale: number): boolean {
  return scale === 0 || scale > FASTEST
}

/** Bits that speak against a time scale, as less than 0: one that no writer uses, or that is faster than any. */
export function usualBits(scale: number): number {
  if (isImpossibleScale(scale)) return -COST.impossible
  return USUAL_SCALES.has(scale) ? 0 : -COST.unusual
}

/** Tracks that say something of their length, and what. */
function knownOf(tracks: readonly TrackDraft[]): { readonly track: TrackDraft; readonly told: Told }[] {
  return tracks.map((track) => ({ track, told: toldOf(track) })).filter(({ told }) => told.media.length > 0)
}

/** What a track's tables, headers and edits say of its length, read once for all scales that are tried. */
interface Told {
  /** What the ticks of its media may be: its samples' together, what its header says, the usual duration for all of them. */
  readonly media: readonly number[]
  /** Ticks of its media that its edits skip. */
  readonly skipped: number
  /** Ticks of the movie: of its header, of its edits, and before it begins. */
  readonly header: number
  readonly edits: number | undefined
  readonly empty: number
}

function toldOf(track: TrackDraft): Told {
  const { header, edits, tables } = track
  const first = edits?.find(({ mediaTime }) => mediaTime >= 0)
  return {
    media: lengthsOf(track),
    skipped: first ? Math.max(0, first.mediaTime - Math.max(0, firstComposition(tables))) : 0,
    header: header.duration,
    edits: edits && editsTotal(edits),
    empty: (edits ?? []).reduce((sum, edit) => sum + (edit.mediaTime < 0 ? edit.duration : 0), 0),
  }
}

/** Bits by which the lengths of a track agree with each other where its media has this time scale: the best of its witnesses. */
function lengthBits(told: Told, scale: number, movie: MovieHeader): number {
  const { skipped, empty } = told
  const media = told.media.map((ticks) => ticks / scale)
  const witnesses = [told.header - empty, (told.edits ?? 0) - empty, movie.duration - empty].map(
    (duration, i) => {
      if (duration <= 0) return 0
      const shown = duration / movie.timescale
      const slack = ROUNDING / movie.timescale
      const bits = media.map((seconds, source) => {
        // Writers count the start that an edit skips, or do not.
        const miss = Math.min(Math.abs(seconds - skipped / scale - shown), Math.abs(seconds - shown))
        const near = Math.min(LENGTH.most, -Math.log2(Math.max(miss, slack) / shown))
        const isCut = told.edits !== undefined && seconds - skipped / scale + slack >= shown
        return Math.max(near, isCut ? LENGTH.cut : LENGTH.short) - (source > 0 ? NOT_OWN : 0)
      })
      return Math.max(...bits) - (i === 2 ? NOT_OWN : 0)
    },
  )
  const given = witnesses.filter((bits) => bits !== 0)
  return given.length === 0 ? 0 : Math.max(...given)
}

function lengthsOf(track: TrackDraft): number[] {
  const { tables, mediaHeader } = track
  const { durations } = tables
  let usual = 0
  if (durations && durations.length > 0) {
    let largest = 0
    for (let i = 1; i < durations.length; i++)
      if (durations.counts[i] > durations.counts[largest]) largest = i
    usual = durations.values[largest] * sampleCount(tables)
  }
  return [ticksOf(track), mediaHeader.duration, usual].filter((ticks) => ticks > 0)
}
