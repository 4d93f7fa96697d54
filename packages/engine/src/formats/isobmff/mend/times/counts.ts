import type { Allowance } from '../../../../model/allowance.ts'
import { type Runs, type RunValues, runTotal } from '../../boxes/tables.ts'
import { changed, explanations, MAX_RUNS, singles } from './durations.ts'
import type { Change } from './flipped-sums.ts'

/** Sets of changes tried, and how many that explain a table as well as the best are remembered. */
const SETS_TRIED = 256
const RIVALS = 8
/** What a run without a sample speaks against a table, which `fit` sees no difference in. */
const IDLE = 0.5

/** Counts of a table's runs, and other ones that nothing speaks less for, or hardly. */
export interface MendedCounts {
  readonly counts: Uint32Array
  readonly rivals: readonly Uint32Array[]
}

/**
 * The counts of a table mended so that they add up to `samples`: the fewest flipped bits that leave no run without a sample,
 * which none is written for, then the ones `fit` likes best. The counts as they are where nothing does.
 * @param slack by how much less others may be liked that are rivals, by what the best one is
 */
export function mendCounts(
  runs: Runs,
  samples: number,
  fit: (counts: Uint32Array) => number,
  work: Allowance,
  slack: (most: number) => number = () => 0,
): MendedCounts {
  if (samples <= 0 || runs.length > MAX_RUNS || runTotal(runs) === samples)
    return { counts: runs.counts, rivals: [] }
  // One bit explains more than the highest ones of counts that are too large, and another.
  const short = samples - runTotal(runs)
  const counts =
    singles(runs.counts, undefined, runs.length, short).length > 0
      ? runs.counts
      : withoutExcess(runs.counts, samples)
  const excess = counts.reduce((sum, count) => sum + count, 0) - samples
  let best = counts
  let most = excess === 0 ? fit(counts) : Number.NEGATIVE_INFINITY
  const tried: { counts: Uint32Array; score: number }[] = []
  const sets = excess === 0 ? [] : explanations(counts, undefined, runs.length, -excess, work, idle(counts))
  for (const changes of leastStrange(sets)) {
    if (!work.take(counts.length)) break
    const mended = changed(counts, changes)
    const score = fit(mended) - idle(mended) * IDLE
    tried.push({ counts: mended, score })
    if (score <= most) continue
    most = score
    best = mended
  }
  const rivals = tried.filter((other) => other.counts !== best && other.score >= most - slack(most))
  return { counts: best, rivals: rivals.slice(0, RIVALS).map((rival) => rival.counts) }
}

/** Runs without a sample. */
function idle(counts: Uint32Array): number {
  return counts.reduce((sum, count) => sum + (count === 0 ? 1 : 0), 0)
}

/** Counts that are more than there are samples, without their highest bit. */
function withoutExcess(counts: Uint32Array, samples: number): Uint32Array {
  return counts.map((count) => (count > samples ? count - 2 ** Math.floor(Math.log2(count)) : count))
}

/** The likeliest of several sets of changes, as many as are worth trying. */
function leastStrange(sets: readonly (readonly Change[])[]): readonly (readonly Change[])[] {
  if (sets.length <= SETS_TRIED) return sets
  const strange = (changes: readonly Change[]): number =>
    changes.reduce((sum, change) => sum + change.strange, 0)
  return [...sets].sort((a, b) => strange(a) - strange(b)).slice(0, SETS_TRIED)
}

/** Ticks by which a sample's decoding time differs between two tables of the same durations, at the most. */
export function mostApart(values: RunValues, a: Uint32Array, b: Uint32Array): number {
  const at = { a: 0, b: 0 }
  let apart = 0
  let most = 0
  let [left, other] = [a[0], b[0]]
  while (at.a < a.length && at.b < b.length) {
    const count = Math.min(left, other)
    apart += count * (values[at.a] - values[at.b])
    most = Math.max(most, Math.abs(apart))
    left -= count
    other -= count
    if (left === 0) left = a[++at.a]
    if (other === 0) other = b[++at.b]
  }
  return most
}
