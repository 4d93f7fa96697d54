import { SAMPLE_KEY, SAMPLE_RESTART, type SampleTable } from '../model/sample-table.ts'
import type { Hole } from './assembler.ts'
import type { Lane } from './lane.ts'

/** Rows around a hole whose sizes tell what was in it. */
const NEIGHBOURS = 6
/** Units tried one by one; larger holes are counted by rates. */
const MOST_TRIED = 400
/** Rows looked at for the rhythm of key units. */
const MOST_SURVEYED = 4096

/** What a hole's bytes may have held, as one lane's neighbours tell. */
export interface LaneBytes {
  readonly lane: Lane
  /** Seconds of a unit. */
  readonly unitSeconds: number
  /** First row behind the hole. */
  readonly row: number
  /** Seconds this lane lost beyond the reference lane. */
  readonly apart: number
}

/**
 * How many units of the reference lane a hole swallowed, given what every other lane lost beyond it: the likeliest count,
 * when units' sizes spread as their neighbours' do. The hole alone is weighed, and the hole with the unit before it, which may be a
 * fragment of the first one lost. Never below `least`.
 */
export function unitsInHole(
  hole: Hole,
  least: number,
  reference: LaneBytes,
  others: readonly LaneBytes[],
): number {
  return new HoleBytes(hole, reference, others).likeliest(least)
}

/**
 * How many units were lost when the hole's bytes speak for a lost key unit rather than for the `counted` units that the numbering
 * misses; undefined when they do not. A lost key unit takes its sequence's numbering with it: what follows reads as if it went on in
 * the old one.
 */
export function unitsWithLostKey(
  hole: Hole,
  counted: number,
  reference: LaneBytes,
  others: readonly LaneBytes[],
): number | undefined {
  const bytes = new HoleBytes(hole, reference, others)
  const { key, ordinary, restarting } = bytes.around
  if (!restarting) return undefined
  if (counted === 0 && hole.length < key.mean * ROOM_FOR_KEY) return undefined
  if (counted > 0 && key.mean < ordinary.mean * MARKED_KEY) return undefined
  const { units, cost } = bytes.likeliestWithKey()
  return cost + KEY_COST < bytes.costOf(counted) ? units : undefined
}

/** What a hole's bytes say of the units in it. */
class HoleBytes {
  readonly around: Neighbourhood
  readonly #hole: Hole
  readonly #before: number
  readonly #unitSeconds: number
  readonly #others: readonly { apart: number; unitSeconds: number; mean: number }[]

  constructor(hole: Hole, reference: LaneBytes, others: readonly LaneBytes[]) {
    this.#hole = hole
    this.#before = fragmentBefore(hole, reference)
    this.around = neighbourhood(reference, this.#before > 0)
    this.#unitSeconds = reference.unitSeconds
    this.#others = others.map((other) => ({
      apart: other.apart,
      unitSeconds: other.unitSeconds,
      mean: neighbourhood(other).ordinary.mean,
    }))
  }

  /** The likeliest count of units, at least `least`. */
  likeliest(least: number): number {
    const { around } = this
    const perUnit = around.average + this.#rest(this.#unitSeconds * 100) / 100
    if (perUnit <= 0) return least
    if (this.#hole.length > perUnit * MOST_TRIED)
      return Math.max(least, Math.round(this.#hole.length / perUnit))
    let units = least
    let lowest = Number.POSITIVE_INFINITY
    let mean = 0
    let variance = (around.ordinary.mean * FLOOR) ** 2
    for (let count = 0; count <= MOST_TRIED * 2; count++) {
      if (count > 0) {
        const size = around.isKey(count) ? around.key : around.ordinary
        mean += size.mean
        variance += size.variance
      }
      if (count < least) continue
      const costs = this.#cost(count, mean, variance)
      if (costs < lowest) {
        lowest = costs
        units = count
      } else if (mean > this.#hole.length * 2) break
    }
    return units
  }

  /** The likeliest count of units of which one is a key unit, and its unlikelihood in nats. */
  likeliestWithKey(): { units: number; cost: number } {
    const { ordinary, key, isKey } = this.around
    const floor = (ordinary.mean * FLOOR) ** 2
    let units = 0
    let lowest = Number.POSITIVE_INFINITY
    let due = false
    for (let count = 1; count <= MOST_TRIED; count++) {
      due ||= isKey(count)
      const mean = key.mean + (count - 1) * ordinary.mean
      const variance = floor + key.variance + (count - 1) * ordinary.variance
      const costs = this.#cost(count, mean, variance) + (due ? 0 : UNEXPECTED_KEY_COST)
      if (costs < lowest) {
        lowest = costs
        units = count
      }
      if (mean > this.#hole.length * 2) break
    }
    return { units, cost: lowest }
  }

  /** Unlikelihood, in nats, that exactly `count` ordinary units were lost. */
  costOf(count: number): number {
    const { ordinary } = this.around
    const floor = (ordinary.mean * FLOOR) ** 2
    return this.#cost(count, count * ordinary.mean, floor + count * ordinary.variance)
  }

  #cost(count: number, mean: number, variance: number): number {
    const { around } = this
    const first = around.isKey(0) ? around.key : around.ordinary
    const expected = mean + this.#rest(count * this.#unitSeconds)
    const alone = cost(this.#hole.length - expected, variance)
    const joined =
      cost(this.#hole.length + this.#before - first.mean - expected, variance + first.variance) +
      FRAGMENT_COST
    const fragment = this.#before > 0 && this.#before < first.mean
    return (
      (fragment ? Math.min(alone, joined) : alone) +
      count * COUNT_COST +
      (around.keepsRhythm(count) ? 0 : RHYTHM_COST)
    )
  }

  /** Bytes of the other lanes in `seconds`. */
  #rest(seconds: number): number {
    return this.#others.reduce((sum, { apart, unitSeconds, mean }) => {
      const units = unitSeconds > 0 ? Math.round((seconds + apart) / unitSeconds) : 0
      return sum + Math.max(0, units) * mean
    }, 0)
  }
}

/** Seconds of sound that a hole too small for a picture held. */
export function soundInHole(hole: Hole, sound: LaneBytes): number {
  const { mean } = neighbourhood(sound).ordinary
  return mean > 0 ? Math.round(hole.length / mean) * sound.unitSeconds : 0
}

/** Unlikelihood of missing the expected bytes by `miss`, in nats, under a normal distribution. */
function cost(miss: number, variance: number): number {
  return (miss * miss) / (2 * variance) + Math.log(variance) / 2
}

/** Sizes differ by this share of their mean at the least. */
const FLOOR = 0.1
/** In nats: fewer lost units are likelier than more, and whole units before the hole than fragments. */
const COUNT_COST = 0.3
const FRAGMENT_COST = 1
/** In nats: a count that breaks the even spacing of key units, where the recording keeps it. */
const RHYTHM_COST = 5
/** In nats: what the bytes must say for a lost key unit against the numbering. */
const KEY_COST = 3
/** How much larger than others key units must be before bytes can tell them apart. */
const MARKED_KEY = 1.5
/** In nats: a key unit where none was due, as encoders put them at cuts. */
const UNEXPECTED_KEY_COST = 3
/** Share of key units that makes a habit of theirs (one distance, numbering from zero) a rule. */
const EVEN = 0.9
/** Share of a key unit that a hole must have room for before one is missed where the numbering misses nothing. */
const ROOM_FOR_KEY = 0.6

/** Bytes of the reference unit that ends where the hole begins, 0 when another lane's does. */
function fragmentBefore(hole: Hole, { lane: { table }, row }: LaneBytes): number {
  const last = row - 1
  return last >= 0 && table.offset[last] + table.size[last] === hole.offset ? table.size[last] : 0
}

interface Sizes {
  readonly mean: number
  readonly variance: number
}

interface Neighbourhood {
  /** Bytes of ordinary units near the hole. */
  readonly ordinary: Sizes
  /** Bytes of key units near the hole, else of the whole track. */
  readonly key: Sizes
  /** Key units start the numbering anew, as far as the track shows: open groups of pictures do not. */
  readonly restarting: boolean
  /** Mean bytes over a group of pictures. */
  readonly average: number
  /** Whether the n-th lost unit was due to be a key unit. */
  isKey(count: number): boolean
  /** Whether losing `count` units keeps key units evenly spaced; true where they are not. */
  keepsRhythm(count: number): boolean
}

/** `suspect`: the unit right before the hole may be a fragment and is no witness. */
function neighbourhood({ lane, row }: LaneBytes, suspect = false): Neighbourhood {
  const { table } = lane
  const ordinary: number[] = []
  const key: number[] = []
  for (let i = Math.max(0, row - NEIGHBOURS); i < Math.min(table.length, row + NEIGHBOURS); i++) {
    if (suspect && i === row - 1) continue
    const each = table.size[i] / table.count[i]
    if ((table.flags[i] & SAMPLE_KEY) === 0) ordinary.push(each)
    else key.push(each)
  }
  const { spacing, sizes, even, restarting } = keys(table)
  const near = key.length > 1 ? spread(key) : sizes
  if (ordinary.length === 0 || spacing <= 1) {
    const all = spread([...ordinary, ...key])
    return {
      ordinary: all,
      key: near,
      restarting,
      average: all.mean,
      isKey: () => true,
      keepsRhythm: () => true,
    }
  }
  const usual = spread(ordinary)
  let since = 0
  while (row - 1 - since >= 0 && (table.flags[row - 1 - since] & SAMPLE_KEY) === 0) since++
  let until = 0
  while (row + until < table.length && (table.flags[row + until] & SAMPLE_KEY) === 0) until++
  return {
    ordinary: usual,
    key: near,
    restarting,
    average: usual.mean + (near.mean - usual.mean) / spacing,
    isKey: (count) => (since + count) % spacing === 0,
    keepsRhythm: (count) =>
      !even || row + until >= table.length || (since + 1 + count + until) % spacing === 0,
  }
}

function spread(values: readonly number[]): Sizes {
  if (values.length === 0) return { mean: 0, variance: 0 }
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return { mean, variance: Math.max(variance, (mean * FLOOR) ** 2) }
}

/** The usual distance of key units and their sizes, over a bounded part of the track. */
function keys(table: SampleTable): { spacing: number; sizes: Sizes; even: boolean; restarting: boolean } {
  const distances = new Map<number, number>()
  const bytes: number[] = []
  let last = -1
  let restarts = 0
  for (let row = 0; row < Math.min(table.length, MOST_SURVEYED); row++) {
    if ((table.flags[row] & SAMPLE_KEY) === 0) continue
    if ((table.flags[row] & SAMPLE_RESTART) !== 0) restarts++
    if (last >= 0) distances.set(row - last, (distances.get(row - last) ?? 0) + 1)
    last = row
    bytes.push(table.size[row] / table.count[row])
  }
  let spacing = 0
  let most = 0
  for (const [distance, times] of distances) {
    if (times > most) {
      most = times
      spacing = distance
    }
  }
  const pairs = bytes.length - 1
  return {
    spacing,
    sizes: spread(bytes),
    even: pairs >= 3 && most >= pairs * EVEN,
    restarting: restarts >= bytes.length * EVEN,
  }
}
