import type { Report, Verdict } from '@mendframe/runner'

/** Exit codes of the command; scripts depend on them. */
export const EXIT = {
  /** Or nothing was wrong, and the output was improved as asked. */
  repaired: 0,
  /** The system refused: unreadable, disk full, killed, out of memory. */
  environment: 1,
  usage: 2,
  /** The output plays, with less than was recorded, or nothing proves that it is all. */
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

/** A file that an enhancement changed is no copy, even where nothing was wrong with it. */
export function exitCodeOf(report: Report): number {
  if (report.verdict === 'healthy' && isImproved(report)) return EXIT.repaired
  return OF_VERDICT[report.verdict]
}

/** Whether something was done to the file beyond the repair. */
export function isImproved({ enhancements }: Report): boolean {
  return enhancements?.some(({ outcome }) => outcome === 'applied') ?? false
}
