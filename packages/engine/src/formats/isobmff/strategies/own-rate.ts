import { SampleTable } from '../../../model/sample-table.ts'
import type { Carved } from '../../../recovery/carve.ts'
import type { Assessment } from '../assess.ts'
import type { Rate } from '../deduce/candidates.ts'
import { agree, type Tally, tally } from '../deduce/clock.ts'
import { SOUND_ALIKE } from '../deduce/deduce.ts'
import type { DraftTrack } from '../deduce/draft.ts'
import { type Sweep, sweep } from '../deduce/sweep.ts'
import type { Ground } from '../deduce/trial.ts'
import { otherSettings } from '../findings.ts'
import type { MovieTrack } from '../movie.ts'
import type { Region } from '../regions.ts'
import type { Teacher } from './carve.ts'

/** Rates differ when they are further apart than this; below, clocks drift. */
export const OTHER_RATE = 0.05

/** Times by which pictures come so much oftener, or more seldom, that what another recording of a variable rate left out tells nothing. */
const OTHER_PACE = 1.4
/** Share by which a rate may miss a multiple of another. */
const MULTIPLE = 0.03

/**
 * The sample with its pictures at the rate given, where that is another. Only of a sample of constant rate. A multiple of its rate, or a
 * fraction, is an assumption: as much sound lies among pictures where there are as many tracks of it.
 */
export function atRate(
  sample: Teacher,
  picture: MovieTrack,
  assessment: Assessment,
  own: Rate | undefined,
): Teacher {
  const theirs = constantRate(picture)
  if (!theirs || !own) return sample
  const factor = theirs / (own.num / own.den)
  if (Math.abs(factor - 1) < OTHER_RATE) return sample
  const ours = Number((theirs / factor).toFixed(3))
  assessment.findings.add(
    otherSettings([`pictures: ${Number(theirs.toFixed(3))} a second in the sample, ${ours} in the file`]),
  )
  const tracks = sample.tracks.map((track) =>
    track === picture ? { ...track, samples: retimed(track.samples, factor, 0) } : track,
  )
  const times = Math.max(factor, 1 / factor)
  const assumed = Math.abs(times / Math.round(times) - 1) < MULTIPLE
  return { ...sample, tracks, ...(assumed ? { assumed } : {}) }
}

/** Pictures, and the frames of AAC that lie between them, found by themselves. */
export interface Heard {
  readonly sound: MovieTrack
  readonly pictures: Sweep
  readonly sounds: Sweep
}

/** What is found of the sample's pictures and its AAC; undefined without, or where frames of several tracks would be taken for one's. */
export async function hear(
  ground: Ground,
  near: readonly Region[],
  sample: Teacher,
  picture: MovieTrack,
): Promise<Heard | undefined> {
  const [sound, ...more] = sample.tracks.filter(({ description }) => description.codec === 'aac')
  if (!sound || more.length > 0) return undefined
  const pictures = await sweep(ground, near, draftLike(picture))
  const sounds = pictures && (await sweep(ground, pictures.gaps, draftLike(sound)))
  return pictures && sounds && { sound, pictures, sounds }
}

/** What the pictures and the sound of the damaged file tell of each other's clocks. */
export interface OwnClocks {
  /** Absent where it is as the sample's, or not told. */
  readonly picture?: Rate | undefined
  /** Hz, where it is not the sample's. */
  readonly sound?: number
  /** What was counted goes with the sample's sound. */
  readonly agree: boolean
}

/** A usual rate of pictures that speaks for another clock of the sound is met this well. */
const WELL_MET = 0.003

/** What the damaged file's clocks are by the pictures and sounds that were heard. */
export function clocksHeard({ sound, pictures, sounds }: Heard, picture: MovieTrack): OwnClocks {
  return clocksBySound(tally(pictures.table, sounds.table, sounds.gaps), sound, picture)
}

/** As `clocksHeard`, of what was carved along with the teacher's first track of AAC. */
export function clocksCarved(carved: Carved, { tracks }: Teacher, picture: MovieTrack): OwnClocks {
  const at = tracks.findIndex(({ description }) => description.codec === 'aac')
  const sounds = carved.tracks[at]?.table
  const pictures = carved.tracks[tracks.indexOf(picture)]?.table
  if (!sounds || !pictures) return { agree: false }
  return clocksBySound(tally(pictures, sounds, carved.holes), tracks[at], picture)
}

/**
 * The damaged file's rate of pictures, where as many of them come with as much sound as at one of the usual rates. Where none is usual with
 * the sample's sound, one that is met well with another sampling rate of the same syntax tells that rate, too.
 */
function clocksBySound(counted: Tally, sound: MovieTrack, picture: MovieTrack): OwnClocks {
  const { timescale } = sound.description
  const unit = unitOf(sound)
  if (!counted.level || allows(counted, sound, picture)) return { agree: true }
  const own = agree(counted, undefined, [timescale], unit)
  if (own.soundKnown) return { picture: own.picture, agree: true }
  if (constantRate(picture) === undefined) return { agree: true }
  for (const rate of SOUND_ALIKE.find((rates) => rates.includes(timescale)) ?? []) {
    const { picture: usual, soundKnown } = agree(counted, undefined, [rate], unit)
    const measured = (rate * counted.pictures) / (counted.sounds * unit)
    if (soundKnown && usual && Math.abs(usual.num / usual.den / measured - 1) < WELL_MET)
      return { picture: usual, sound: rate, agree: false }
  }
  return { agree: false }
}

/** Units by which what was counted may be off at its ends. */
const AT_ENDS = 2

/** Whether so few pictures and units of sound may as well come at the sample's rate. */
function allows({ pictures, sounds }: Tally, sound: MovieTrack, picture: MovieTrack): boolean {
  const theirs = constantRate(picture)
  if (!theirs) return false
  const expected = (sounds * unitOf(sound) * theirs) / sound.description.timescale
  return Math.abs(expected / pictures - 1) < Math.max(OTHER_RATE, AT_ENDS / pictures, AT_ENDS / sounds)
}

/** What is known of the rate of pictures that are not as the sample's. */
export interface OwnRate {
  readonly rate: Rate | undefined
  /** The sample's rate, or another one, goes with as much sound as there is. */
  readonly known: boolean
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
  const rate = counted.level && soundKnown && !allows(counted, sound, picture) ? own : undefined
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
  return {
    ...{ handler: track.handlerType, timescale: track.description.timescale, unit: 1 },
    entry: track.entries[0]?.bytes ?? new Uint8Array(0),
  }
}

/** Pictures a second of a track whose samples all last equally long, or nearly; undefined for others. */
export function constantRate({ samples, description }: MovieTrack): number | undefined {
  const first = samples.duration[0]
  for (let row = 1; row < samples.length - 1; row++)
    if (Math.abs(samples.duration[row] - first) > 1) return undefined
  return samples.length > 1 && first > 0 ? description.timescale / meanUnit(samples) : undefined
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
function unitOf({ samples }: MovieTrack): number {
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
