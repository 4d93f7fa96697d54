import {
  formatOrdinalDate,
  type Pack,
  PREMIUM_KEEP_HOURS,
  type Product,
  type Purchase,
  planExpiry,
} from '@mendframe/contract'
import { and, desc, eq, gt, isNotNull, isNull, notExists } from 'drizzle-orm'
import { emailKey } from '../accounts/users.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import {
  charges,
  type PurchaseRow,
  type PurchaseState,
  purchases,
  repairs,
  type UserRow,
  uploads,
} from '../db/schema.ts'
import { randomId } from '../random.ts'
import { HOUR_MS } from '../uploads/begin.ts'
import { activePurchases } from './plan.ts'
import { lockUser } from './quota.ts'

export interface Sale {
  readonly pack: Pack
  readonly userId: string | null
  readonly email: string
  readonly name: string
  readonly invoiceId: string
  readonly paymentRef: string | null
  readonly subscriptionRef: string | null
  readonly state: PurchaseState
  readonly soldAt: Date
}

/** Records a sale; `undefined` when its invoice is recorded already. */
export async function recordSale(
  context: Context,
  tx: Database,
  sale: Sale,
): Promise<PurchaseRow | undefined> {
  const { pack } = sale
  const [purchase] = await tx
    .insert(purchases)
    .values({
      id: randomId(),
      userId: sale.userId,
      email: sale.email,
      emailKey: emailKey(sale.email),
      name: sale.name,
      invoiceId: sale.invoiceId,
      packId: pack.id,
      product: pack.product,
      count: pack.count,
      subscription: pack.subscription,
      state: sale.state,
      paymentRef: sale.paymentRef,
      subscriptionRef: sale.subscriptionRef,
      createdAt: sale.soldAt,
      expiresAt: planExpiry(sale.soldAt, pack.subscription),
    })
    .onConflictDoNothing({ target: purchases.invoiceId })
    .returning()
  if (purchase?.userId) await unlockResults(context, tx, purchase.userId, purchase.product)
  return purchase
}

/** Makes purchases that came for a confirmed address its owner's. */
export async function bindPurchases(context: Context, tx: Database, user: UserRow): Promise<void> {
  const bound = await tx
    .update(purchases)
    .set({ userId: user.id })
    .where(and(eq(purchases.emailKey, user.emailKey), isNull(purchases.userId)))
    .returning({ product: purchases.product })
  for (const product of new Set(bound.map((row) => row.product))) {
    await unlockResults(context, tx, user.id, product)
  }
}

/**
 * An upgrade reaches back: results of the Free plan that still exist are kept as Premium's are. A video's takes one place
 * of the pack, for its full download; photos are whole on the Free plan already, so theirs take none. With a repair only
 * its result.
 */
export async function unlockResults(
  context: Context,
  tx: Database,
  userId: string,
  product: Product,
  repairId?: string,
): Promise<void> {
  await lockUser(tx, userId)
  if ((await activePurchases(context, tx, userId, product)).length === 0) return
  const found = await tx
    .select({ upload: uploads, repair: repairs.id, finishedAt: repairs.finishedAt })
    .from(repairs)
    .innerJoin(uploads, eq(uploads.id, repairs.uploadId))
    .where(
      and(
        eq(repairs.userId, userId),
        eq(repairs.product, product),
        repairId === undefined ? undefined : eq(repairs.id, repairId),
        eq(repairs.state, 'completed'),
        isNotNull(repairs.resultKey),
        eq(uploads.deleted, false),
        gt(uploads.expiresAt, context.clock.now()),
        notExists(
          tx
            .select({ id: charges.id })
            .from(charges)
            .where(
              and(
                eq(charges.repairId, repairs.id),
                isNotNull(charges.purchaseId),
                eq(charges.state, 'spent'),
              ),
            ),
        ),
      ),
    )
    .orderBy(desc(uploads.timestamp))
  for (const { upload, repair, finishedAt } of found) {
    if (product === 'video' && !(await spendPlace(context, tx, userId, product, repair))) return
    const end = finishedAt ?? context.clock.now()
    const expiresAt = new Date(end.getTime() + PREMIUM_KEEP_HOURS * HOUR_MS)
    await tx.update(uploads).set({ plan: 'Premium', expiresAt }).where(eq(uploads.id, upload.id))
  }
}

async function spendPlace(
  context: Context,
  tx: Database,
  userId: string,
  product: Product,
  repairId: string,
): Promise<boolean> {
  const active = await activePurchases(context, tx, userId, product)
  const open = active.find((item) => item.spent + item.held < item.purchase.count)
  if (!open) return false
  const createdAt = context.clock.now()
  const purchaseId = open.purchase.id
  await tx
    .insert(charges)
    .values({ id: randomId(), userId, repairId, product, purchaseId, state: 'spent', createdAt })
  return true
}

/** A purchase as the contract shows it. */
export function showPurchase(context: Context, row: PurchaseRow): Purchase {
  const expired = row.expiresAt <= context.clock.now()
  const states = {
    active: expired ? 'Expired' : 'Active',
    refunded: 'Refunded',
    disputed: 'Disputed',
  } as const
  return {
    id: row.id,
    invoiceId: row.invoiceId,
    name: row.name,
    email: row.email,
    createdOn: formatOrdinalDate(row.createdAt),
    count: row.count,
    subscription: row.subscription,
    product: row.product,
    expiresOn: row.expiresAt.toISOString(),
    state: states[row.state],
  }
}
