import type { Verdict } from '@mendframe/runner'

/** Exit codes of the command; scripts depend on them. */
export const EXIT = {
  repaired: 0,
  /** The system refused: unreadable, disk full, killed, out of memory. */
  environment: 1,
  usage: 2,
  /** The output plays, with less than was recorded. */
  partial: 3,
  /** Nothing was wrong; the output is a copy. */
  healthy: 4,
  unrepairable: 5,
} as const

const OF_VERDICT: Readonly<Record<Verdict, number>> = {
  repaired: EXIT.repaired,
  partial: EXIT.partial,
  healthy: EXIT.healthy,
  unrepairable: EXIT.unrepairable,
}

export function exitCodeOf(verdict: Verdict): number {
  return OF_VERDICT[verdict]
}
