import { formatLongDate, type Purchase, parseOrdinalDate, planExpiry } from '@mendframe/contract'

/**
 * The line on when the plan ends, from the first purchase that counts (they come latest-expiring first). A plan that
 * ends today has ended.
 */
export function expiryLine(purchases: readonly Purchase[], loading: boolean, now: Date): string {
  if (loading) return 'Loading purchase records...'
  const first = purchases.find(({ state }) => state === 'Active' || state === 'Expired')
  const bought = first ? parseOrdinalDate(first.createdOn) : undefined
  if (!first || !bought) return 'No active plan.'
  const expiry = planExpiry(bought, first.subscription)
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const date = formatLongDate(expiry)
  return expiry.getTime() <= today ? `Plan has expired on ${date}` : `Current Plan will expire on ${date}`
}
