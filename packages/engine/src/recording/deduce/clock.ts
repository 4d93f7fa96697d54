import type { Region } from '../../bytes/regions.ts'
import type { SampleTable } from '../../model/sample-table.ts'
import { inFileOrder } from '../../recovery/learning/rows-by-place.ts'
import type { Rate } from './candidates.ts'

/** How many units of sound lie among how many pictures of the same stretch of the recording. */
export interface Tally {
  readonly pictures: number
  readonly sounds: number
  /** Both clocks stood level at both ends: otherwise one track may be longer than the other. */
  readonly level: boolean
  /** Units between those counted may be lost. */
  readonly holed?: boolean
  /** The recording breaks off behind the units counted: those of one track are missing that belong to the other's. */
  readonly cut?: boolean
  /** Share by which sound a picture may be off where it was counted at many places; absent where it was not. */
  readonly error?: number
  /**
   * Whether pictures come at a constant rate: `uneven` where they and sound go apart and together by more than a writer that
   * takes turns lets them, `even` where they hardly do. Absent where that does not tell.
   */
  readonly pace?: Pace
}

/** Bytes that a recording's own unknown tracks may take between two units; more is damage, and clocks start anew behind it. */
const SMALL_HOLE = 1 << 15

/**
 * Counts pictures and sound over the longest stretch without a large hole, from the start of one run of the track that leads to
 * that of another: multiplexers put the same time of each track into a round, so that both clocks stand level there. Over
 * all where there are no two rounds. `small`: bytes of the largest hole that is none.
 */
export function tally(
  picture: SampleTable,
  sound: SampleTable,
  holes: readonly Region[],
  small = SMALL_HOLE,
): Tally {
  const breaks = holes.filter((hole) => hole.length > small)
  const tables = [picture, sound]
  const count = [0, 0]
  let best: Slope | undefined
  let slope: Slope | undefined
  let nextBreak = 0
  let leader = -1
  let last = -1
  inFileOrder(tables, (lane, row) => {
    const offset = tables[lane].offset[row]
    while (nextBreak < breaks.length && breaks[nextBreak].offset < offset) {
      nextBreak++
      slope = undefined
      last = -1
    }
    if (leader < 0) leader = lane
    if (lane === leader && last !== leader) {
      slope ??= new Slope(count[0], count[1])
      slope.add(count[0], count[1])
      if (!best || slope.pictures > best.pictures) best = slope
    }
    last = lane
    count[lane] += lane === 0 ? 1 : tables[1].count[row]
  })
  const sounds = best && best.places >= FEWEST_ROUNDS ? best.pictures * best.soundsAPicture : 0
  return best && sounds > 0
    ? {
        pictures: best.pictures,
        sounds,
        level: true,
        error: best.error,
        pace: paceOf(best),
        holed: small > 0 && holes.length > 0,
      }
    : { pictures: count[0], sounds: count[1], level: false }
}

/** Rounds that make a slope: with fewer, all that was counted tells more. */
const FEWEST_ROUNDS = 4
/** See `Tally.pace`. */
export type Pace = 'even' | 'uneven' | undefined

/** Units of sound, and rounds' sounds, by which constant rates may go apart between two places. */
const MOST_WANDERING = 6
const ROUNDS_APART = 2
/** Units of sound, and places, by which they are known to be constant. */
const LEAST_WANDERING = 3
const MANY_PLACES = 32

function paceOf({ wandering, sounds, places }: Slope): Pace {
  if (wandering > Math.max(MOST_WANDERING, (ROUNDS_APART * sounds) / places)) return 'uneven'
  return places >= MANY_PLACES && wandering <= LEAST_WANDERING ? 'even' : undefined
}

/** How much sound comes with a picture, by least squares over places where both clocks stand level, or nearly. */
class Slope {
  /** Pictures from the first place to the last. */
  pictures = 0
  /** Places added. */
  places = 0
  /** Sound from the first place to the last. */
  sounds = 0
  readonly #places: [x: number, y: number][] = []
  readonly #firstPicture: number
  readonly #firstSound: number
  #x = 0
  #y = 0
  #xx = 0
  #xy = 0
  #yy = 0

  constructor(picture: number, sound: number) {
    this.#firstPicture = picture
    this.#firstSound = sound
  }

  add(picture: number, sound: number): void {
    const x = picture - this.#firstPicture
    const y = sound - this.#firstSound
    this.pictures = x
    this.sounds = y
    this.places++
    this.#places.push([x, y])
    this.#x += x
    this.#y += y
    this.#xx += x * x
    this.#xy += x * y
    this.#yy += y * y
  }

  get soundsAPicture(): number {
    const spread = this.places * this.#xx - this.#x * this.#x
    return spread > 0 ? (this.places * this.#xy - this.#x * this.#y) / spread : 0
  }

  /** By how many units of sound the places lie apart, at most, from where the slope has them. */
  get wandering(): number {
    const slope = this.soundsAPicture
    let least = Number.POSITIVE_INFINITY
    let most = Number.NEGATIVE_INFINITY
    for (const [x, y] of this.#places) {
      const off = y - slope * x
      least = Math.min(least, off)
      most = Math.max(most, off)
    }
    return most - least
  }

  /** Share by which that may be off: `DEVIATIONS` standard errors of a line's slope. */
  get error(): number {
    const n = this.places
    const xx = this.#xx - (this.#x * this.#x) / n
    const xy = this.#xy - (this.#x * this.#y) / n
    const yy = this.#yy - (this.#y * this.#y) / n
    if (n < 3 || xx <= 0 || xy <= 0) return 1
    const left = Math.max(0, yy - (xy * xy) / xx) / (n - 2)
    return (DEVIATIONS * Math.sqrt(left / xx) * xx) / xy
  }
}

/**
 * Standard errors within which the truth is taken to lie: neighbouring places err alike. Those by which a rate that is right is
 * off at most, mostly.
 */
const DEVIATIONS = 5
const LIKELY = 3

/** A camera's measured rate as the usual one it is meant to be, where it is that near to one. */
export function meantRate(rate: Rate): Rate {
  const each = rate.num / rate.den
  return USUAL_RATES.find(({ num, den }) => Math.abs(num / den / each - 1) < MEANT) ?? rate
}

/** Pictures of phones come a thousandth early or late. */
const MEANT = 0.0015

/** What clocks a recording keeps, and how sure that is. */
export interface Clocks {
  /** Pictures a second; undefined when they cannot be told. */
  readonly picture: Rate | undefined
  /** Hz of the sound. */
  readonly sound: number
  /** What the picture rate rests on. */
  readonly by: 'bitstream' | 'sound' | 'nothing'
  /** The sampling rate follows from the pictures', or is one of several that sound the same. */
  readonly soundKnown: boolean
  /**
   * The picture rate is not sure: none of the usual ones, what was counted, as exact as a recording's length; or one of several
   * that the count does not tell apart, though pictures would come at other times.
   */
  readonly unsure?: true
}

/** Picture rates that cameras offer, the usual first. */
export const USUAL_RATES: readonly Rate[] = [
  { num: 30, den: 1 },
  { num: 30_000, den: 1001 },
  { num: 25, den: 1 },
  { num: 60, den: 1 },
  { num: 60_000, den: 1001 },
  { num: 24, den: 1 },
  { num: 24_000, den: 1001 },
  { num: 50, den: 1 },
  { num: 15, den: 1 },
  { num: 120, den: 1 },
  { num: 120_000, den: 1001 },
  { num: 240, den: 1 },
  { num: 240_000, den: 1001 },
  { num: 100, den: 1 },
  { num: 20, den: 1 },
  { num: 10, den: 1 },
  { num: 25, den: 2 },
  { num: 12, den: 1 },
]
/** Those of nearly all. */
export const COMMON_RATES: readonly Rate[] = USUAL_RATES.slice(0, 8)
/** A tally from level to level is this exact at best: multiplexers keep tracks together to a packet or so. */
const FINEST = 0.0004
/** Units of sound, and pictures, by which tracks may be apart where a multiplexer starts a round, and at their ends. */
const LAG = 2
const OVERHANG = 2.5
/** Sound and pictures that drift apart more than this are not of one constant rate. */
const MOST_DRIFT = 0.02
/** Of sampling rates that sound alike those below are rare, and must agree so closely with a common rate of pictures. */
const RARE_SOUND = 40_000
const RARE_DRIFT = 0.003
/** Rates that fit so well are believed whatever the precision: multiplexers let tracks drift by a packet or two. */
const WELL = 0.015

/**
 * Finds the rates that agree with a tally: sound units of `unitSamples` at one of `soundRates` (Hz, the likeliest first)
 * against pictures at `said`, the bitstream's own rate, if it says one. A bitstream that counts fields, or half of them, is set
 * right.
 */
export function agree(
  counted: Tally,
  said: Rate | undefined,
  soundRates: readonly number[],
  unitSamples: number,
): Clocks {
  const [usual] = soundRates
  if (counted.pictures === 0 || counted.sounds === 0)
    return { picture: said, sound: usual, by: said ? 'bitstream' : 'nothing', soundKnown: false }
  const uneven = !counted.level && counted.cut
  if (said && uneven) return { picture: said, sound: usual, by: 'bitstream', soundKnown: false }
  const samples = (counted.sounds * unitSamples) / counted.pictures
  const slack = counted.level ? LAG : OVERHANG
  const precision = Math.max(FINEST, slack / counted.pictures, slack / counted.sounds)
  if (said) {
    for (const factor of [1, 0.5, 2]) {
      const measured = samples * (said.num / said.den) * factor
      const sound = soundRates.find(
        (rate) => Math.abs(rate / measured - 1) <= Math.max(MOST_DRIFT, precision),
      )
      if (sound === undefined) continue
      const picture = factor === 1 ? said : { num: said.num * factor * 2, den: said.den * 2 }
      return { picture, sound, by: 'bitstream', soundKnown: true }
    }
    // without rounds tracks of other lengths are counted against each other
    if (!counted.level) return { picture: said, sound: usual, by: 'bitstream', soundKnown: false }
  }
  const alike = Math.min(precision, FINEST + (counted.error ?? 1))
  for (const sound of soundRates) {
    if (sound < RARE_SOUND && sound !== usual && !counted.level) continue
    // pictures of a variable rate are near some rate with one clock or another: only common rates speak for an unusual clock
    const measured = (sound * counted.pictures) / (counted.sounds * unitSamples)
    const picture =
      sound === usual
        ? rateWithin(measured, USUAL_RATES, Math.max(precision, WELL), alike)
        : rateWithin(measured, COMMON_RATES, sound < RARE_SOUND ? RARE_DRIFT : MOST_DRIFT, alike)
    if (picture) {
      const isNear = picture.miss <= FINEST + (LIKELY / DEVIATIONS) * (counted.error ?? 1)
      const isSure = !uneven && isNear && counted.pictures * picture.rivals <= TIMELY
      return {
        picture: picture.rate,
        sound,
        by: 'sound',
        soundKnown: true,
        ...(isSure ? {} : { unsure: true }),
      }
    }
  }
  // units that are lost make any rate seem another
  if (said && counted.holed)
    return { picture: said, sound: usual, by: 'bitstream', soundKnown: false, unsure: true }
  // a variable rate: its mean, to the thousandth
  const mean = { num: Math.round((usual / samples) * 1000), den: 1000 }
  return { picture: mean, sound: usual, by: 'sound', soundKnown: false, unsure: true }
}

/** Pictures by which the last one may be early or late and still count as at its time. */
const TIMELY = 0.5

/**
 * The rate, among some, nearest to `rate`, if it is within `bound`; of those that lie so close that they cannot be told apart,
 * the first. `rivals` is the share of a picture by which the others of those are off, at most, `miss` the share by which the
 * nearest is.
 */
function rateWithin(
  rate: number,
  among: readonly Rate[],
  bound: number,
  alike: number,
): { readonly rate: Rate; readonly rivals: number; readonly miss: number } | undefined {
  const misses = among.map(({ num, den }) => Math.abs(num / den / rate - 1))
  const least = Math.min(...misses)
  if (least > bound) return undefined
  const close = among.filter((_, i) => misses[i] <= least + alike)
  const [first] = close
  const rivals = close.map(({ num, den }) => Math.abs((num * first.den) / (den * first.num) - 1))
  return { rate: first, rivals: Math.max(...rivals), miss: least }
}

/** Time scales that writers of fragments use, the usual first. */
const TIME_SCALES = [1000, 90_000, 30_000, 24_000, 60_000, 25_000, 12_800, 15_360, 600, 48_000, 50_000]
/** Mean durations of whole ticks are this near to a rate. */
const NEAR = 0.006

/** Whether writers of fragments use a time scale. */
export function isUsualTimescale(timescale: number): boolean {
  return TIME_SCALES.includes(timescale)
}

/** The time scale by which pictures of `ticks` ticks each, in the mean, come at a usual rate; 0 when none does. */
export function timescaleOf(ticks: number): number {
  const near = (timescale: number): boolean =>
    COMMON_RATES.concat({ num: 15, den: 1 }).some(
      ({ num, den }) => Math.abs((timescale / ticks) * (den / num) - 1) < NEAR,
    )
  return ticks > 0 ? (TIME_SCALES.find(near) ?? 0) : 0
}
