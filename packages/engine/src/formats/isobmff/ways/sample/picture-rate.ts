import { SampleTable } from '../../../../model/sample-table.ts'
import type { Rate } from '../../../../recording/deduce/candidates.ts'
import { agree, type Tally, tally } from '../../../../recording/deduce/clock.ts'
import type { DraftTrack } from '../../../../recording/draft.ts'
import type { Carved } from '../../../../recovery/carve.ts'
import type { Assessment } from '../../assess.ts'
import { otherSettings } from '../../findings.ts'
import type { MovieTrack } from '../../read/movie.ts'
import { FAMILY, type TrackBoxes } from '../../write/draft-movie.ts'
import type { Teacher } from '../carve-file.ts'

/** Rates differ when they are further apart than this, whatever was lost between what was counted. */
export const OTHER_RATE = 0.05
/** The same where nothing was lost between: below, clocks drift. */
const NEAR_RATE = 0.015

/**
 * Times by which pictures come so much oftener, or more seldom, that what another recording of a variable rate left out tells
 * nothing.
 */
const OTHER_PACE = 1.4
/** Share by which a rate may miss a multiple of another. */
const MULTIPLE = 0.03

/**
 * The sample with its pictures at the rate given, where that is another than `theirs`: only of a sample of constant rate, or of
 * which some pictures are left out. A multiple of its rate, or a fraction, is an assumption: as much sound lies among pictures
 * where there are as many tracks of it.
 */
export function atRate(
  sample: Teacher,
  picture: MovieTrack,
  { findings }: Pick<Assessment, 'findings'>,
  own: Rate | undefined,
  theirs: number | undefined = constantRate(picture),
): Teacher {
  if (!theirs || !own) return sample
  const factor = theirs / (own.num / own.den)
  if (Math.abs(factor - 1) < NEAR_RATE) return sample
  const ours = Number((theirs / factor).toFixed(3))
  findings.add(
    otherSettings([`pictures: ${Number(theirs.toFixed(3))} a second in the sample, ${ours} in the file`]),
  )
  const tracks = sample.tracks.map((track) =>
    track === picture ? { ...withEdits(track, factor), samples: retimed(track.samples, factor, 0) } : track,
  )
  const times = Math.max(factor, 1 / factor)
  const assumed = Math.abs(times / Math.round(times) - 1) < MULTIPLE
  const asRecorded = { id: picture.description.id, table: picture.samples }
  return { ...sample, tracks, asRecorded, ...(assumed ? { assumed } : {}) }
}

/** A track whose edits begin where its samples lie when their times are multiplied. */
function withEdits(track: MovieTrack, factor: number): MovieTrack {
  if (!track.edits) return track
  const edits = track.edits.map((edit) =>
    edit.mediaTime < 0 ? edit : { ...edit, mediaTime: Math.round(edit.mediaTime * factor) },
  )
  return { ...track, edits }
}

/** Units by which what was counted may be off at its ends. */
const AT_ENDS = 2

/** Whether so few pictures and units of sound, `unitSeconds` apart, may as well come at the sample's rate. */
export function allows(
  { pictures, sounds, holed, error = 1 }: Tally,
  unitSeconds: number,
  picture: MovieTrack,
): boolean {
  const theirs = constantRate(picture)
  if (!theirs) return true
  const expected = sounds * unitSeconds * theirs
  const drift = Math.max(holed ? OTHER_RATE : NEAR_RATE, error)
  return Math.abs(expected / pictures - 1) < Math.max(drift, AT_ENDS / pictures, AT_ENDS / sounds)
}

/** What is known of the rate of pictures that are not as the sample's. */
export interface OwnRate {
  readonly rate: Rate | undefined
  /** The sample's rate, or another one, goes with as much sound as there is. */
  readonly known: boolean
  /** Some pictures of that rate are left out. */
  readonly leftOut?: true
}

/** The rate of pictures carved along with the sample's first track of sound. */
export function carvedRate(carved: Carved, { tracks }: Teacher, picture: MovieTrack): OwnRate {
  const at = tracks.findIndex(({ description }) => description.kind === 'audio')
  const sound = tracks[at]
  const table = carved.tracks[at]?.table
  const pictures = carved.tracks[tracks.indexOf(picture)]?.table
  if (!sound || !table || table.length === 0 || !pictures) return { rate: undefined, known: false }
  const counted = tally(pictures, table, carved.holes)
  const { timescale } = sound.description
  const { picture: own, soundKnown } = agree(counted, undefined, [timescale], unitOf(sound))
  const rate =
    counted.level && soundKnown && !allows(counted, unitOf(sound) / timescale, picture) ? own : undefined
  const theirs = constantRate(picture)
  // what is of a variable rate is timed by its sound, where it is of that rate
  if (!theirs) {
    const times = rate ? rate.num / rate.den / (picture.description.timescale / meanUnit(picture.samples)) : 1
    return { rate: undefined, known: Math.max(times, 1 / times) < OTHER_PACE }
  }
  const isTheirs = (pace: number, within: number): boolean =>
    Math.abs(pace / theirs - 1) < Math.max(OTHER_RATE, within)
  const overall = (pictures.length * timescale) / (unitsIn(table) * unitOf(sound))
  const near =
    own !== undefined && isTheirs(own.num / own.den, counted.error ?? 0) && isTheirs(overall, OTHER_RATE)
  return { rate, known: near || rate !== undefined }
}

/** A draft of what the track is, without its samples. */
export function draftLike(track: MovieTrack): DraftTrack {
  const { kind, timescale } = track.description
  const entry = track.entries[0]?.bytes ?? new Uint8Array(0)
  const verbatim: TrackBoxes = { family: FAMILY, handler: track.handlerType, entry }
  return { kind, timescale, unit: 1, verbatim }
}

/** Pictures a second of a track whose samples all last equally long, or nearly; undefined for others. */
export function constantRate({ samples, description }: MovieTrack): number | undefined {
  const first = samples.duration[0]
  for (let row = 1; row < samples.length - 1; row++)
    if (Math.abs(samples.duration[row] - first) > 1) return undefined
  return samples.length > 1 && first > 0 ? description.timescale / meanUnit(samples) : undefined
}

/** Pictures a second by the commonest time that one lasts: of a rate of which some are left out. */
export function commonestRate({
  samples: { duration, length },
  description,
}: MovieTrack): number | undefined {
  const counts = new Map<number, number>()
  for (let row = 0; row < length - 1; row++) counts.set(duration[row], (counts.get(duration[row]) ?? 0) + 1)
  const [ticks] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [0]
  return ticks > 0 ? description.timescale / ticks : undefined
}

/** Ticks from a picture to the next, in the mean. */
export function meanUnit(samples: SampleTable): number {
  return (samples.dts[samples.length - 1] - samples.dts[0]) / (samples.length - 1)
}

function unitsIn({ count, length }: SampleTable): number {
  let units = 0
  for (let row = 0; row < length; row++) units += count[row]
  return units
}

/** Ticks of one of the units that a track's rows count. */
export function unitOf({ samples }: MovieTrack): number {
  const row = samples.length > 1 ? 1 : 0
  return samples.length > 0 ? samples.duration[row] / samples.count[row] : 1024
}

/** A copy of a table with its durations times a factor, and its decoding times so many ticks later. */
export function retimed(samples: SampleTable, factor: number, later: number): SampleTable {
  const copy = new SampleTable(Math.max(1, samples.length))
  for (let row = 0; row < samples.length; row++) {
    const { offset, size, count, duration, order, flags } = samples
    copy.push(offset[row], size[row], count[row], duration[row] * factor, order[row], flags[row])
    copy.dts[row] = samples.dts[row] * factor + later
    copy.cts[row] = Math.round(samples.cts[row] * factor)
  }
  return copy
}
