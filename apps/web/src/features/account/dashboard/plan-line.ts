import { formatLongDate, type Purchase, parseOrdinalDate, planExpiry } from '@mendframe/contract'

/** The line about the end of the plan, of the first purchase record. `now` in milliseconds since 1970. */
export function planLine(
  purchases: readonly Pick<Purchase, 'createdOn' | 'subscription'>[],
  loading: boolean,
  now: number,
): string {
  if (loading) return 'Loading purchase records...'
  const [first] = purchases
  const bought = first ? parseOrdinalDate(first.createdOn) : undefined
  if (!first || !bought) return 'No active plan.'
  const ends = planExpiry(bought, first.subscription)
  const date = formatLongDate(ends)
  return ends.getTime() <= now ? `Plan has expired on ${date}` : `Current Plan will expire on ${date}`
}
