import type { Region } from '../../../../bytes/regions.ts'
import type { SampleTable } from '../../../../model/sample-table.ts'
import type { Rate } from '../../../../recording/deduce/candidates.ts'
import { agree, COMMON_RATES, type Tally, tally } from '../../../../recording/deduce/clock.ts'
import { SOUND_ALIKE } from '../../../../recording/deduce/draft-clocks.ts'
import { gridOf } from '../../../../recording/deduce/left-out.ts'
import { type Sweep, sweep } from '../../../../recording/deduce/sweep.ts'
import type { Ground } from '../../../../recording/deduce/trial.ts'
import type { Carved } from '../../../../recovery/carve.ts'
import { together } from '../../../../recovery/telling-apart/sound-runs.ts'
import type { MovieTrack } from '../../read/movie.ts'
import type { Teacher } from '../carve-file.ts'
import { allows, constantRate, draftLike, meanUnit, unitOf } from './picture-rate.ts'

/** Pictures for each hole from which on holes are damage: more are tracks that nobody knows. */
const FEW_HOLES = 8

/**
 * Share by which pictures that come as often as the sample's may come oftener or more seldom, and the same where its rate varies.
 */
const AS_OFTEN = 0.01
const AS_OFTEN_ABOUT = 0.02
/** Hz from which on sampling rates are common. */
const COMMON_SOUND = 44_100

/** A usual rate of pictures that speaks for another clock of the sound is met this well. */
const WELL_MET = 0.003

/** Pictures, and the frames of AAC that lie between them, found by themselves. */
export interface Heard {
  /** The sample's tracks of AAC, at least one: frames of one pass for each other's. */
  readonly tracks: readonly MovieTrack[]
  readonly pictures: Sweep
  readonly sounds: Sweep
}

/** What is found of the sample's pictures and its AAC; undefined without, or where its tracks of it are not coded alike. */
export async function hear(
  ground: Ground,
  near: readonly Region[],
  sample: Teacher,
  picture: MovieTrack,
): Promise<Heard | undefined> {
  const tracks = sample.tracks.filter(({ description }) => description.codec === 'aac')
  const [sound] = tracks
  if (!sound || tracks.some(({ description }) => description.channels !== sound.description.channels))
    return undefined
  const pictures = await sweep(ground, near, draftLike(picture))
  const sounds = pictures && (await sweepAll(ground, pictures.gaps, tracks))
  return pictures && sounds && { tracks, pictures, sounds }
}

/** What tracks of one codec find: not all that one of them has reads at another's rate. */
async function sweepAll(
  ground: Ground,
  regions: readonly Region[],
  tracks: readonly MovieTrack[],
): Promise<Sweep | undefined> {
  const rates = new Set<number>()
  let all: Sweep | undefined
  for (const track of tracks) {
    const { timescale } = track.description
    if (rates.has(timescale)) continue
    rates.add(timescale)
    const found = await sweep(ground, all?.gaps ?? regions, draftLike(track))
    if (!found) return undefined
    all = all
      ? { table: together([all.table, found.table]), bytes: all.bytes + found.bytes, gaps: found.gaps }
      : found
  }
  return all
}

/** What the pictures and the sound of the damaged file tell of each other's clocks. */
export interface OwnClocks {
  /** Absent where it is as the sample's, or not told. */
  readonly picture?: Rate
  /** Hz, where it is not the sample's. */
  readonly sound?: number
  /**
   * What comes with each picture is not what comes with the sample's, and nothing with the sample's sound tells why: some may be
   * left out, or the sound be another.
   */
  readonly strange: boolean
  /**
   * Either another sampling rate, which is given where it is rather that, or another rate of pictures explains what was counted.
   */
  readonly guessed?: boolean
  /** Pictures come at a constant rate of which some were left out, which the sample's are not. */
  readonly leftOut?: true
}

/** What the clocks are by the pictures and sounds that were heard. */
export function clocksHeard({ tracks, pictures, sounds }: Heard, picture: MovieTrack): OwnClocks {
  const { gaps } = sounds
  const counted =
    gaps.length * FEW_HOLES < pictures.table.length
      ? tally(pictures.table, sounds.table, gaps, 0)
      : tally(pictures.table, sounds.table, gaps)
  const units = together([sounds.table], unitAmong(tracks))
  return clocksBySound(counted, tracks, picture, [pictures.table, units])
}

/** As `clocksHeard`, by what was carved along with the teacher's only track of AAC. */
export function clocksCarved(carved: Carved, { tracks }: Teacher, picture: MovieTrack): OwnClocks {
  const [sound, ...others] = tracks.filter(({ description }) => description.codec === 'aac')
  const sounds = carved.tracks[tracks.indexOf(sound)]?.table
  const pictures = carved.tracks[tracks.indexOf(picture)]?.table
  if (others.length > 0 || !sounds || !pictures) return { strange: true }
  return clocksBySound(tally(pictures, sounds, carved.holes), [sound], picture, [pictures, sounds])
}

/**
 * The damaged file's rate of pictures, where as many of them come with as much sound as at one of the usual rates, or the
 * sampling rate with which they come as often as the sample's: where both may be, rather what is common. Where neither is, a
 * usual rate of pictures that is met well with another sampling rate of the same syntax tells that rate, too.
 */
function clocksBySound(
  counted: Tally,
  tracks: readonly MovieTrack[],
  picture: MovieTrack,
  found: readonly [pictures: SampleTable, sounds: SampleTable],
): OwnClocks {
  const [{ description }] = tracks
  const { timescale } = description
  const unit = unitAmong(tracks)
  if (!counted.level || !tracks.every(isEven)) return { strange: false }
  const isOneRate = tracks.every((track) => track.description.timescale === timescale)
  const alike = isOneRate ? (SOUND_ALIKE.find((rates) => rates.includes(timescale)) ?? []) : []
  const paceWith = (rate: number): number => (rate * counted.pictures) / (counted.sounds * unit)
  const steady = constantRate(picture)
  if (!steady && counted.pace === 'even' && variesBy(picture, paceWith(timescale))) return { strange: false }
  const told = isOneRate
    ? clocksTold(counted, [timescale, ...alike.filter((rate) => rate !== timescale)], steady, unit, found)
    : undefined
  if (told || (!steady && counted.pace !== 'even')) return told ?? { strange: false }
  // what goes apart and together is of no constant rate, whatever its mean; several tracks of sound do so by the turns they take
  if (counted.pace === 'uneven' && tracks.length === 1) return { strange: true }
  const theirs = steady ?? picture.description.timescale / meanUnit(picture.samples)
  const within = steady ? AS_OFTEN : AS_OFTEN_ABOUT
  const other = alike.find((rate) => rate !== timescale && Math.abs(paceWith(rate) / theirs - 1) < within)
  if (allows(counted, unit / timescale, picture) && (steady || !other)) return { strange: false }
  const own = agree(counted, undefined, [timescale], unit)
  const isOwn = !steady || (own.soundKnown && own.picture !== undefined)
  const paced = isOwn && own.picture ? { picture: own.picture } : {}
  if (other && (!isOwn || other >= COMMON_SOUND))
    return isOwn ? { ...paced, sound: other, strange: true, guessed: true } : { sound: other, strange: true }
  if (isOwn) return { ...paced, strange: false, guessed: other !== undefined }
  if (tracks.length > 1 || !steady) return { strange: true }
  for (const rate of alike) {
    const { picture: usual, soundKnown } = agree(counted, undefined, [rate], unit)
    if (soundKnown && usual && Math.abs(usual.num / usual.den / paceWith(rate) - 1) < WELL_MET)
      return { picture: usual, sound: rate, strange: true }
  }
  return { strange: true }
}

/**
 * The sampling rate that pictures tell of which some were left out; beside a sample of variable rate, too, the only one with
 * which pictures that come evenly come at a usual rate. Undefined where none is certain.
 */
function clocksTold(
  { pace, pictures, sounds }: Tally,
  rates: readonly number[],
  steady: number | undefined,
  unit: number,
  found: readonly [pictures: SampleTable, sounds: SampleTable],
): OwnClocks | undefined {
  const [theirs] = rates
  if (pace === 'uneven') {
    const steps = gridOf(...found, COMMON_RATES, rates, unit)
    if (!steps) return undefined
    const own = steps.rate.num / steps.rate.den
    const paced = steady && Math.abs(own / steady - 1) > AS_OFTEN ? { picture: steps.rate } : {}
    const leftOut = steady ? { leftOut: true as const } : {}
    return steps.sound === theirs
      ? { ...paced, ...leftOut, strange: false }
      : { ...paced, ...leftOut, sound: steps.sound, strange: true }
  }
  if (steady || pace !== 'even') return undefined
  const usual = rates.filter((rate) => {
    const each = (rate * pictures) / (sounds * unit)
    return COMMON_RATES.some(({ num, den }) => Math.abs(num / den / each - 1) < WELL_MET)
  })
  if (usual.length !== 1) return undefined
  return usual[0] === theirs ? { strange: false } : { sound: usual[0], strange: true, guessed: true }
}

/**
 * Share of units that may last otherwise in sound that is a clock all the same, and of pictures that are outliers at each end.
 */
const OTHERS = 0.02

/** Whether sound comes evenly, so that its units tell how much time passes. */
function isEven(track: MovieTrack): boolean {
  const { duration, count, length } = track.samples
  const unit = unitOf(track)
  let others = 0
  for (let row = 0; row < length - 1; row++) if (Math.abs(duration[row] - count[row] * unit) > 1) others++
  return others <= length * OTHERS
}

/** Whether pictures of a variable rate themselves come as often at times as `rate` a second. */
function variesBy({ samples, description }: MovieTrack, rate: number): boolean {
  const durations = samples.duration.slice(0, Math.max(0, samples.length - 1)).sort()
  const at = (share: number): number => durations[Math.floor((durations.length - 1) * share)]
  const ticks = description.timescale / rate
  return ticks > at(OTHERS) * (1 - AS_OFTEN_ABOUT) && ticks < at(1 - OTHERS) * (1 + AS_OFTEN_ABOUT)
}

/** Ticks of the first of several tracks from a unit of any of them to the next. */
function unitAmong(tracks: readonly MovieTrack[]): number {
  const rate = tracks.reduce((sum, track) => sum + track.description.timescale / unitOf(track), 0)
  return tracks[0].description.timescale / rate
}
