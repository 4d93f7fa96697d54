import type { Allowance } from '../../../../model/allowance.ts'
import type { Runs } from '../../boxes/tables.ts'
import { differByOneBit } from '../bits.ts'

/** A duration of few runs, and the duration of many that one flipped bit makes of it. */
interface Candidate {
  readonly run: number
  readonly value: number
  /** By how much the table's sum changes. */
  readonly gain: number
}

/** A length in ticks that the movie's clock tells, 0 for none; the more durations are mended to it the better. */
export interface Rounded {
  readonly length: number
  /** Ticks by which it may be off. */
  readonly by: number
  /** Whether the movie's own length speaks for it, and against the media's. */
  readonly upheld: boolean
}

/** Runs from which on a duration is a habit, and how many times as many it has as one that was hit. */
const HABIT = 3
const TIMES_AS_MANY = 4
/** Runs that a flipped bit gives the same duration by chance. */
const MOST_RUNS = 2
/** Runs that are searched for several flipped bits together: all their sets are tried. */
const MOST_CANDIDATES = 12

/**
 * Durations of a table whose values recur, as where pictures were dropped: those of hardly any run go back to the ones of many
 * that are one bit away, where together they are then as long as the media is. A length that is itself one bit from the sum was
 * hit as well.
 * @param exact lengths in ticks that headers tell to the tick
 * @param rounded a length in the movie's clock
 * @returns the values, undefined where no set of them agrees with any length
 */
export function mendRareDurations(
  runs: Runs,
  exact: readonly number[],
  rounded: Rounded,
  work: Allowance,
): Float64Array | undefined {
  const candidates = candidatesOf(runs)
  if (candidates.length === 0 || candidates.length > MOST_CANDIDATES) return undefined
  if (!work.take(2 ** candidates.length + runs.length)) return undefined
  let sum = 0
  for (let run = 0; run < runs.length; run++) sum += runs.counts[run] * runs.values[run]
  let best = 0
  let least = 0
  for (let set = 1; set < 2 ** candidates.length; set++) {
    let total = sum
    let size = 0
    for (const [i, { gain }] of candidates.entries()) {
      if ((set & (1 << i)) === 0) continue
      total += gain
      size++
    }
    const quality = agreement(total, size, exact, rounded)
    if (quality <= least) continue
    least = quality
    best = set
  }
  if (best === 0) return undefined
  const values = Float64Array.from(runs.values)
  for (const [i, { run, value }] of candidates.entries()) if ((best & (1 << i)) !== 0) values[run] = value
  return values
}

/**
 * How well a sum after `size` changes agrees with the lengths: 0 not at all. The fewest changes for a length to the tick, else
 * the most. A length that is told twice comes before one that is told to the tick: hit durations add up to a hit length by
 * chance.
 */
function agreement(total: number, size: number, exact: readonly number[], rounded: Rounded): number {
  const near = rounded.length > 0 && Math.abs(total - rounded.length) <= rounded.by
  if (exact.includes(total)) return (near ? 6 : 4) - size / 100
  if (near && exact.some((length) => differByOneBit(length, total)))
    return (rounded.upheld ? 5 : 2) + size / 100
  return near ? 1 + size / 100 : 0
}

/** Runs of a rare duration, each with the commonest duration that is one bit away from it. */
function candidatesOf({ length, counts, values }: Runs): Candidate[] {
  const uses = new Map<number, number>()
  for (let run = 0; run < length; run++) uses.set(values[run], (uses.get(values[run]) ?? 0) + 1)
  const habits = [...uses].filter(([, runs]) => runs >= HABIT).sort((a, b) => b[1] - a[1])
  const candidates: Candidate[] = []
  for (let run = 0; run < length && candidates.length <= MOST_CANDIDATES; run++) {
    const own = uses.get(values[run]) ?? 0
    if (own > MOST_RUNS) continue
    const habit = habits.find(
      ([value, runs]) => runs >= own * TIMES_AS_MANY && differByOneBit(value, values[run]),
    )
    if (habit) candidates.push({ run, value: habit[0], gain: (habit[0] - values[run]) * counts[run] })
  }
  return candidates
}
