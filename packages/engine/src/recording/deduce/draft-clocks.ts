import type { SampleTable } from '../../model/sample-table.ts'
import type { CameraProfile } from '../cameras/camera-profile.ts'
import type { Draft, DraftTrack } from '../draft.ts'
import type { DeducedFact, Rate } from './candidates.ts'
import { agree, type Clocks, COMMON_RATES, tally } from './clock.ts'
import { type Steps, stepsOf } from './left-out.ts'
import type { Trial } from './trial.ts'

/** Sampling rates that AAC syntax cannot tell apart: their scale factor bands are the same, or only the highest differ. */
export const SOUND_ALIKE: readonly (readonly number[])[] = [
  [48_000, 44_100, 32_000],
  [24_000, 22_050],
  [16_000, 12_000, 11_025],
  [96_000, 88_200],
]

/** The same where Apple's devices and programs write: most of them record at 44.1 kHz. */
export const QUICKTIME_RATES = [44_100, 48_000, 32_000]

/** What is known of clocks before a trial. */
export interface Planned {
  readonly draft: Draft
  /** Pictures a second, where the bitstream or the camera's profile says so. */
  readonly rate: Rate | undefined
  /** The rate is what goes with the sound between the pictures, and how sure that is. */
  readonly bySound?: 'sure' | 'unsure'
  /** Sound whose rate nothing tells goes with the pictures at theirs. */
  readonly fitsSound?: boolean
  readonly profile?: CameraProfile
}

/** Clocks, and when pictures come where some were left out. */
export interface PacedClocks extends Clocks {
  readonly steps?: Steps
}

/**
 * The clocks of pictures and sound, the tracks `picture` and `sound` of a trial of what was planned, and what they rest on, added
 * to `facts`. `usual` are sampling rates, the likeliest first. Undefined without pictures.
 */
export function clocksOf(
  trial: Trial,
  plan: Planned,
  picture: number,
  sound: number,
  usual: readonly number[],
  facts: DeducedFact[],
): PacedClocks | undefined {
  if (picture < 0) return undefined
  const tables = trial.carved.tracks.map(({ table }) => table)
  const said = plan.rate
  const draftRate = plan.draft.tracks[picture].timescale / plan.draft.tracks[picture].unit
  const assumed = `nothing: ${draftRate} a second assumed`
  const sayer = plan.profile ? 'the bitstream or the profile' : 'the bitstream'
  if (sound < 0 || tables[sound].length === 0) {
    facts.push(
      said
        ? saidRate(plan, sayer)
        : { what: 'frame rate', by: assumed, estimated: true, guessed: true as const },
    )
    return { picture: said, sound: 0, by: said ? 'bitstream' : 'nothing', soundKnown: false }
  }
  const { timescale, unit } = plan.draft.tracks[sound]
  const alike = ratesOf(plan.draft.tracks[sound], usual)
  const ranked = plan.profile ? [timescale, ...alike.filter((rate) => rate !== timescale)] : alike
  const { codec } = trial.descriptions[sound]
  const rates = codec === 'aac' || codec === 'alac' ? ranked : [timescale]
  const counted = tally(tables[picture], tables[sound], trial.carved.holes)
  const steps =
    counted.pace === 'uneven' ? stepsOf(tables[picture], tables[sound], COMMON_RATES, rates, unit) : undefined
  if (steps) return stepping(steps, facts)
  const agreed = agree({ ...counted, cut: breaksOff(trial) }, said, rates, unit)
  const clocks = counted.pace === 'uneven' ? { ...agreed, unsure: true as const } : agreed
  const each = clocks.picture ? clocks.picture.num / clocks.picture.den : draftRate
  const { length: shown } = tables[picture]
  const heard = tables[sound].count.subarray(0, tables[sound].length).reduce((sum, count) => sum + count, 0)
  const apart = Math.abs(shown / each - (heard * unit) / clocks.sound)
  const isUneven = clocks.by === 'sound' && trial.carved.holes.length === 0 && apart > UNEVEN_END
  const by = { bitstream: sayer, sound: 'the sound beside it', nothing: 'nothing' }[clocks.by]
  facts.push({
    what: `frame rate ${Number(each.toFixed(3))}`,
    by: clocks.picture ? by : assumed,
    estimated: clocks.by !== 'bitstream',
    ...(clocks.unsure || isUneven ? { guessed: true as const } : {}),
  })
  if (rates.length > 1)
    facts.push({
      what: `sampling rate ${clocks.sound}`,
      by: clocks.soundKnown ? 'the pictures beside it' : 'nothing: the usual one',
      estimated: !clocks.soundKnown,
      ...(clocks.soundKnown ? {} : { guessed: true as const }),
    })
  return clocks
}

/** What a rate that is known without counting rests on. */
function saidRate({ bySound, fitsSound, profile }: Planned, sayer: string): DeducedFact {
  const isConfirmed = fitsSound === true || profile !== undefined
  if (!bySound)
    return { what: 'frame rate', by: sayer, estimated: false, ...(isConfirmed ? {} : { unconfirmed: true }) }
  const by = 'the sound between the pictures'
  return { what: 'frame rate', by, estimated: true, ...(bySound === 'unsure' ? { guessed: true } : {}) }
}

/** The clocks where pictures of a constant rate were left out. */
function stepping(steps: Steps, facts: DeducedFact[]): PacedClocks {
  const { rate, sound } = steps
  const each = Number((rate.num / rate.den).toFixed(3))
  const by = 'the sound beside it'
  facts.push({ what: `frame rate ${each}, some pictures left out`, by, estimated: true })
  facts.push({ what: `sampling rate ${sound}`, by: 'the pictures beside it', estimated: false })
  return { picture: rate, sound, by: 'sound', soundKnown: true, steps }
}

/**
 * Seconds between the ends of pictures and sound that were both counted to their ends, from which on pictures may have begun
 * late, or come at no even rate: a phone's first picture was shown until its camera was under way.
 */
const UNEVEN_END = 0.25

/** Whether something lies behind all units that is none: the recording goes on, or was cut. */
function breaksOff({ carved: { holes, tracks } }: Trial): boolean {
  const last = holes.at(-1)
  return last !== undefined && tracks.every(({ table }, lane) => last.rows[lane] === table.length)
}

/** Rates at which a track of sound may be sampled, as far as its syntax tells, the usual first. */
export function ratesOf({ timescale }: DraftTrack, usual: readonly number[]): readonly number[] {
  return [usual, ...SOUND_ALIKE].find((list) => list.includes(timescale)) ?? [timescale]
}

/** Ticks of a table at another clock. */
export function rescale(table: SampleTable, factor: number): void {
  if (factor === 1) return
  for (let row = 0; row < table.length; row++) {
    table.dts[row] = Math.round(table.dts[row] * factor)
    table.cts[row] = Math.round(table.cts[row] * factor)
    table.duration[row] = Math.round(table.duration[row] * factor)
  }
}

/** Sets when pictures are decoded, each of which lasts until the next. */
export function setSteps(table: SampleTable, at: Float64Array, unit: number): void {
  for (let row = 0; row < table.length; row++) {
    table.dts[row] = at[row] * unit
    table.duration[row] = (row + 1 < table.length ? at[row + 1] - at[row] : 1) * unit
  }
}

/** Moves all of a table by so many ticks. */
export function delay({ dts, length }: SampleTable, ticks: number): void {
  for (let row = 0; row < length; row++) dts[row] += ticks
}
