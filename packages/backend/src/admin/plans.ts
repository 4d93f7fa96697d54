import { findPack, PACKS } from '@mendframe/contract'
import { desc, eq } from 'drizzle-orm'
import { recordSale, showPurchase } from '../billing/purchases.ts'
import type { Context } from '../context.ts'
import { purchases, users } from '../db/schema.ts'
import { SetupError } from '../failure.ts'
import { randomId } from '../random.ts'
import { userOfEmail } from './users.ts'

export interface AdminPlan {
  readonly id: string
  readonly invoice: string
  /** That of the invoice, or else of the account. */
  readonly email: string
  readonly pack: string
  readonly count: number
  readonly state: string
  readonly created: string
  readonly expires: string
}

/** Purchases, newest first; of one address, if given. */
export async function listPlans(
  context: Context,
  email: string | undefined,
  limit: number,
): Promise<AdminPlan[]> {
  const user = email === undefined ? undefined : await userOfEmail(context, email)
  const found = await context.db
    .select({ row: purchases, owner: users.email })
    .from(purchases)
    .leftJoin(users, eq(users.id, purchases.userId))
    .where(user ? eq(purchases.userId, user.id) : undefined)
    .orderBy(desc(purchases.createdAt))
    .limit(limit)
  return found.map(({ row, owner }) => {
    const shown = showPurchase(context, row)
    return {
      id: row.id,
      invoice: row.invoiceId,
      email: row.email || (owner ?? ''),
      pack: row.packId,
      count: row.count,
      state: shown.state,
      created: row.createdAt.toISOString(),
      expires: shown.expiresOn,
    }
  })
}

/** Gives a pack to a user as if it had been bought now. @throws SetupError for an unknown user or pack. */
export async function grantPlan(context: Context, email: string, packId: string): Promise<AdminPlan> {
  const user = await userOfEmail(context, email)
  const pack = findPack(packId)
  if (!pack)
    throw new SetupError(`There is no pack ${packId}. Packs: ${PACKS.map((known) => known.id).join(', ')}.`)
  const invoiceId = `granted-${randomId()}`
  await context.db.transaction((tx) =>
    recordSale(context, tx, {
      pack,
      userId: user.id,
      email: user.email,
      name: user.name,
      invoiceId,
      paymentRef: null,
      subscriptionRef: null,
      state: 'active',
      soldAt: context.clock.now(),
    }),
  )
  const granted = (await listPlans(context, email, 50)).find((plan) => plan.invoice === invoiceId)
  if (!granted) throw new Error('the grant was not recorded')
  return granted
}
