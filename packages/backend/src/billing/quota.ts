import { freeRepairs, type Plan, type Product } from '@mendframe/contract'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { charges, users } from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { randomId } from '../random.ts'
import { activePurchases, freeUse } from './plan.ts'

/** Makes everything that counts a user's places wait in line until the transaction ends. */
export async function lockUser(tx: Database, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
}

/**
 * Takes one place for a repair, in the transaction that creates it. The place is charged to the unexpired purchase that
 * expires first and has one left; without purchases, to the Free plan, which lets one repair run at a time.
 * @throws ServiceFailure `plan.exhausted` (photo: `plan.photo-exhausted`) or `plan.repair-running`.
 */
export async function takePlace(
  context: Context,
  tx: Database,
  userId: string,
  product: Product,
  repairId: string,
): Promise<Plan> {
  await lockUser(tx, userId)
  const active = await activePurchases(context, tx, userId, product)
  if (active.length > 0) {
    const open = active.find((item) => item.spent + item.held < item.purchase.count)
    if (!open) throw new ServiceFailure(exhausted(product))
    await hold(context, tx, userId, product, repairId, open.purchase.id)
    return 'Premium'
  }
  const { spent, held } = await freeUse(tx, userId, product)
  if (held > 0) throw new ServiceFailure('plan.repair-running')
  if (spent >= freeRepairs(product)) throw new ServiceFailure(exhausted(product))
  await hold(context, tx, userId, product, repairId, null)
  return 'Free'
}

/** The text of an exhausted plan names what the product repairs. */
export function exhausted(product: Product): 'plan.exhausted' | 'plan.photo-exhausted' {
  return product === 'video' ? 'plan.exhausted' : 'plan.photo-exhausted'
}

async function hold(
  context: Context,
  tx: Database,
  userId: string,
  product: Product,
  repairId: string,
  purchaseId: string | null,
): Promise<void> {
  const createdAt = context.clock.now()
  await tx
    .insert(charges)
    .values({ id: randomId(), userId, repairId, product, purchaseId, state: 'held', createdAt })
}

/** Settles the place that a repair holds: spent when it completed, given back otherwise. */
export async function settlePlace(
  tx: Database,
  repairId: string,
  outcome: 'spent' | 'returned',
): Promise<void> {
  await tx
    .update(charges)
    .set({ state: outcome })
    .where(and(eq(charges.repairId, repairId), eq(charges.state, 'held')))
}
