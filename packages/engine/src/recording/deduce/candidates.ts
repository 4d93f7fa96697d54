import type { DraftTrack } from '../draft.ts'

/** Where a track's description was taken from. */
export type Origin = 'index' | 'in-band' | 'profile' | 'syntax' | 'trial'

/** A picture or sound track that the payload may hold. */
export interface Candidate {
  readonly track: DraftTrack
  readonly codec: string
  readonly origin: Origin
  /** Units a second, when the bitstream says so. */
  readonly rate?: Rate
  /** Some units of that rate are left out. */
  readonly leftOut?: true
  /** What the description rests on. */
  readonly facts?: readonly DeducedFact[]
}

/** A fact worked out where neither index nor sample tells it. */
export interface DeducedFact {
  readonly what: string
  /** What it rests on, in plain words. */
  readonly by: string
  /** True when nothing in the bytes proves it. */
  readonly estimated: boolean
  /** It rests on nothing but what is usual: the result may be wrong altogether. */
  readonly guessed?: true
  /** It is a rate that the bitstream alone states, which players do not follow where a container has another. */
  readonly unconfirmed?: true
}

/** A fact that decides how pictures look, and that nothing in the file tells. */
export function usualFact(what: string): DeducedFact {
  return { what, by: 'what most encoders use', estimated: true, guessed: true }
}

/** A number of units a second as a fraction. */
export interface Rate {
  readonly num: number
  readonly den: number
}

/** Ticks a second of a track whose rate is unknown, and what a unit lasts until it is known: 30 a second. */
const USUAL_TIMESCALE = 90_000
const USUAL_RATE = 30
/** A time scale at least this fine leaves room for edits. */
const FINE = 10_000

/** Time scale and unit of a track by its rate; at an assumed 30 units a second when there is none. */
export function clockOf(rate: Rate | undefined): { readonly timescale: number; readonly unit: number } {
  if (!rate) return { timescale: USUAL_TIMESCALE, unit: USUAL_TIMESCALE / USUAL_RATE }
  const shared = greatestCommonDivisor(rate.num, rate.den)
  const num = rate.num / shared
  const den = rate.den / shared
  const factor = num < FINE ? Math.ceil(FINE / num) : 1
  if (!Number.isInteger(num) || num * factor > 1_000_000)
    return { timescale: USUAL_TIMESCALE, unit: Math.round((USUAL_TIMESCALE * den) / num) }
  return { timescale: num * factor, unit: den * factor }
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

/** Rates that cameras keep; outside of them a rate read from a bitstream is a mistake. */
const SLOWEST = 1
const FASTEST = 1000

export function isSaneRate(rate: Rate | undefined): rate is Rate {
  if (!rate || !(rate.den > 0)) return false
  const each = rate.num / rate.den
  return each >= SLOWEST && each <= FASTEST
}
