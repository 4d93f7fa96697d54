import type { Allowance } from '../../../../model/allowance.ts'
import type { Runs, RunValues } from '../../boxes/tables.ts'
import { isPowerOfTwo } from '../bits.ts'
import { type Change, changesOf, FlippedSums, powersFrom, strangeness, VALUE_BITS } from './flipped-sums.ts'

/** Runs of a table whose values, and whose counts, are searched for several flipped bits, and runs searched for one. */
const FEW_RUNS = 192
const FEW_COUNTS = 1024
export const MAX_RUNS = 1 << 20
/** Changes tried as the first of three. */
const FIRST_TRIED = 96

/**
 * The values of a table mended so that counts times values add up to `total`, by the fewest flipped bits and the least strange
 * values; undefined where none do.
 * @param sure whether the total is known from elsewhere, too
 */
export function mendValues(
  runs: Runs,
  total: number,
  sure: boolean,
  work: Allowance,
): Float64Array | undefined {
  const { counts } = runs
  if (runs.length > MAX_RUNS) return undefined
  const usual = usualOf(runs.values, counts, runs.length)
  // What alone is longer than all together has a high bit flipped.
  const values = Float64Array.from(runs.values, (value, i) => withinTotal(value, counts[i], total))
  const excess = weightedTotal({ ...runs, values }) - total
  if (excess === 0) return values
  let best: readonly Change[] | undefined
  let least = Number.POSITIVE_INFINITY
  for (const changes of explanations(values, counts, runs.length, -excess, work)) {
    const strange = changes.reduce((sum, change) => sum + change.strange, 0)
    if (strange >= least) continue
    least = strange
    best = changes
  }
  // What makes a table stranger than it is does not mend it, unless the total is sure: else that was hit.
  if (best && (sure || least <= 0)) return changed(values, best)
  // Bits of other values are flipped besides, nobody knows which: those far beyond all others are mended nevertheless.
  const cut = Float64Array.from(runs.values, (value, i) =>
    value > Math.max(1, usual) * FAR_BEYOND && value * counts[i] > total ? values[i] : value,
  )
  const mended = withoutOutliers(runs, cut, usual, total, work)
  return mended.some((value, i) => value !== runs.values[i]) ? mended : undefined
}

/**
 * Values that stand out mended where one flipped bit of each makes it usual, and that brings the table far nearer to its total.
 */
function withoutOutliers(
  runs: Runs,
  cut: Float64Array,
  usual: number,
  total: number,
  work: Allowance,
): Float64Array {
  const { counts, length } = runs
  let values = cut
  const outside = Array.from({ length }, (_, run) => run).filter(
    (run) => powersFrom(values[run], usual) >= STANDS_OUT,
  )
  let excess = weightedTotal({ ...runs, values }) - total
  while (work.take(1 + outside.length * VALUE_BITS)) {
    let best: Change | undefined
    for (const run of outside)
      for (const change of changesOf(run, values[run], counts[run], usual)) {
        if (powersFrom(change.value, usual) > USUAL || powersFrom(values[run], usual) < STANDS_OUT) continue
        if (Math.abs(excess + change.gain) < Math.abs(excess + (best?.gain ?? 0))) best = change
      }
    if (!best || Math.abs(excess + best.gain) > Math.abs(excess) * FAR_NEARER) break
    values = changed(values, [best])
    excess += best.gain
  }
  return values
}

/** Powers of two by which a value stands out, and is a usual one; the share of an error that is left where it is far smaller. */
const STANDS_OUT = 2
const USUAL = 1
const FAR_NEARER = 1 / 8

/** A value this many times the usual one is beyond what cameras pause. */
const FAR_BEYOND = 64
/** High bits of one value that are taken off. */
const MOST_BITS = 3

/** The value without the highest bits that make so many of it longer than all together. */
function withinTotal(value: number, count: number, total: number): number {
  let rest = value
  for (let bits = 0; bits < MOST_BITS && rest >= 1 && rest * count > total; bits++)
    rest -= 2 ** Math.floor(Math.log2(rest))
  return rest
}

/** Sum of counts times values. */
export function weightedTotal({ length, counts, values }: Runs): number {
  let sum = 0
  for (let i = 0; i < length; i++) sum += counts[i] * values[i]
  return sum
}

/** Sets of as few flipped bits as can be, `least` where so many explain it, that change a table's (weighted) sum by `wanted`. */
export function explanations(
  values: Float64Array | Uint32Array,
  weights: Uint32Array | undefined,
  length: number,
  wanted: number,
  work: Allowance,
  least = 1,
): readonly (readonly Change[])[] {
  const single = singles(values, weights, length, wanted)
  const alone = single.map((change) => [change])
  // what counts add up to is known for sure, and other evidence chooses among sets of them
  const few = weights ? FEW_RUNS : FEW_COUNTS
  if ((single.length > 0 && least < 2) || length > few || !work.take(length * VALUE_BITS)) return alone
  const sums = new FlippedSums(values, weights, length, usualOf(values, weights, length))
  const pairs: (readonly Change[])[] = []
  const pairUp = (first: readonly Change[], left: number): void => {
    if (!work.take(sums.steps) || !sums.hasPair(left)) return
    for (const change of sums.all()) {
      if (first.some(({ run }) => run === change.run)) continue
      const others = sums.withGain(left - change.gain)
      if (pairs.length > MAX_SETS || !work.take(1 + others.length)) return
      for (const other of others) {
        if (other.run > change.run && !first.some(({ run }) => run === other.run))
          pairs.push([...first, change, other])
      }
    }
  }
  pairUp([], wanted)
  if (pairs.length > 0 || single.length > 0) return [...pairs, ...alone]
  for (const change of sums.lessStrange(FIRST_TRIED)) {
    if (pairs.length > MAX_SETS) break
    pairUp([change], wanted - change.gain)
  }
  return pairs
}

/** Sets of three looked at. */
const MAX_SETS = 4096

/** Values of which one flipped bit changes the (weighted) sum by `wanted`. */
export function singles(
  values: Float64Array | Uint32Array,
  weights: Uint32Array | undefined,
  length: number,
  wanted: number,
): Change[] {
  const usual = usualOf(values, weights, length)
  const found: Change[] = []
  for (let run = 0; run < length; run++) {
    const weight = weights ? weights[run] : 1
    const step = wanted / weight
    if (weight === 0 || !isPowerOfTwo(Math.abs(step))) continue
    const value = values[run] + step
    if (flipped(values[run], step) && value >= 0)
      found.push({ run, value, gain: wanted, strange: strangeness(values[run], value, usual) })
  }
  return found
}

/** True when one bit of a value makes it larger by `step`. */
function flipped(value: number, step: number): boolean {
  const set = Math.floor(value / Math.abs(step)) % 2 === 1
  return step < 0 ? set : !set
}

/** The median value, each as often as its weight says. */
function usualOf(values: RunValues, weights: Uint32Array | undefined, length: number): number {
  const order = Array.from({ length }, (_, i) => i).sort((a, b) => values[a] - values[b])
  const total = weights ? order.reduce((sum, i) => sum + Math.min(weights[i], MAX_RUNS), 0) : length
  let seen = 0
  for (const i of order) {
    seen += weights ? Math.min(weights[i], MAX_RUNS) : 1
    if (seen * 2 >= total) return values[i]
  }
  return 0
}

export function changed<T extends Float64Array | Uint32Array>(values: T, changes: readonly Change[]): T {
  const mended = values.slice() as T
  for (const { run, value } of changes) mended[run] = value
  return mended
}
