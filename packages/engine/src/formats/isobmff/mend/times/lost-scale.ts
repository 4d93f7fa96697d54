import type { TrackDescription } from '../../../../model/track.ts'
import type { Edit } from '../../boxes/elst.ts'
import type { TrackTables } from '../../read/movie.ts'
import { weightedTotal } from './durations.ts'
import { frameSeconds } from './sound-frames.ts'
import { editsTotal, firstComposition, ROUNDING } from './track-length.ts'
import { USUAL_SCALES } from './usual-scales.ts'

/** What a track tells besides the header of its media. */
export interface ScaleWitnesses {
  /** Its time scale means nothing. */
  readonly description: TrackDescription
  readonly tables: TrackTables
  readonly edits: readonly Edit[] | undefined
  /** Ticks of the movie that its header says, 0 where that is lost, and the movie's ticks a second. */
  readonly duration: number
  readonly movieScale: number
}

/** A time scale that no header tells. */
export interface FoundScale {
  readonly timescale: number
  /** Nothing but a rounded length tells it, or what tells it contradicts itself. */
  readonly guessed: boolean
}

/** Share by which the length of a track may miss that of its media. */
const NEAR = 0.002
/** Share by which a number of ticks that is computed may miss a whole one. */
const EXACT = 1e-6
/** Ticks a second of media that nothing is known of. */
const PLAIN_SCALE = 90_000
/** The clock of Opus, RFC 7845 §5.1, and its shortest frame in ticks of that, RFC 6716 §2.1.4. */
const OPUS = { rate: 48_000, frame: 120 }

/**
 * The time scale of media whose header is lost, ISO/IEC 14496-12:2022 §8.4.2: the one by which sound's frames last what its
 * configuration says, or a usual one by which the media is as long as the track; at worst whatever that length makes of it, which
 * is a guess.
 */
export function lostScale(track: ScaleWitnesses): FoundScale {
  const { description, tables, edits, duration, movieScale } = track
  const rate = Math.round(description.sampleRate ?? 0)
  const ticks = tables.durations ? weightedTotal(tables.durations) : 0
  const empty = (edits ?? []).reduce((sum, edit) => sum + (edit.mediaTime < 0 ? edit.duration : 0), 0)
  const seconds = ((duration || editsTotal(edits)) - empty) / movieScale
  const configured = configuredScale(track)
  if (ticks === 0 || !(seconds > 0))
    return { timescale: configured ?? (rate || PLAIN_SCALE), guessed: ticks > 0 && configured === undefined }
  // Writers count the start that an edit skips, or do not.
  const first = edits?.find(({ mediaTime }) => mediaTime >= 0)?.mediaTime ?? 0
  const skipped = Math.max(0, first - Math.max(0, firstComposition(tables)))
  const measured = [ticks, ticks - skipped].map((lasting) => lasting / seconds)
  const missOf = (scale: number): number => Math.min(...measured.map((one) => Math.abs(one / scale - 1)))
  const near = missOf(rate) < NEAR ? rate : nearest(missOf)
  const slack = frameSeconds(description) + ROUNDING / movieScale
  const isShown = configured !== undefined && seconds <= ticks / configured + slack
  if (near !== undefined) return { timescale: near, guessed: isShown && near !== configured }
  if (isShown) return { timescale: configured, guessed: false }
  return { timescale: Math.round(measured[0]) || rate || PLAIN_SCALE, guessed: true }
}

/**
 * The usual time scale by which the length of the media misses that of the track least, where it does by no more than rounding.
 */
function nearest(missOf: (scale: number) => number): number | undefined {
  let best: number | undefined
  let least = NEAR
  for (const scale of USUAL_SCALES) {
    const miss = missOf(scale)
    if (miss >= least) continue
    least = miss
    best = scale
  }
  return best
}

/** The usual time scale by which most frames of sound last what its configuration says; undefined where there is none. */
function configuredScale({ description, tables: { durations } }: ScaleWitnesses): number | undefined {
  if (!durations || durations.length === 0) return undefined
  const { counts, values } = durations
  const largest = counts.reduce((best, count, run) => (count > counts[best] ? run : best), 0)
  const ticks = values[largest]
  if (description.codec === 'opus') return ticks > 0 && ticks % OPUS.frame === 0 ? OPUS.rate : undefined
  const seconds = frameSeconds(description)
  const scale = seconds > 0 ? Math.round(ticks / seconds) : 0
  return USUAL_SCALES.has(scale) && Math.abs(scale * seconds - ticks) < EXACT * ticks ? scale : undefined
}
