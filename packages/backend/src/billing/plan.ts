import { freeRepairs, type Plan, type Product } from '@mendframe/contract'
import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { charges, type PurchaseRow, purchases, users } from '../db/schema.ts'
import type { Allowance } from './allowance.ts'

/** A purchase that counts, and how many of its places are taken. */
export interface ActivePurchase {
  readonly purchase: PurchaseRow
  /** Spent by completed repairs. */
  readonly spent: number
  /** Held by repairs that run. */
  readonly held: number
}

/** Purchases that make the plan Premium now, the one that expires first in front. */
export async function activePurchases(
  context: Context,
  db: Database,
  userId: string,
  product: Product,
): Promise<readonly ActivePurchase[]> {
  const count = (state: 'held' | 'spent') =>
    sql<number>`count(*) FILTER (WHERE ${charges.state} = ${state})`.mapWith(Number)
  return db
    .select({ purchase: purchases, spent: count('spent'), held: count('held') })
    .from(purchases)
    .leftJoin(charges, eq(charges.purchaseId, purchases.id))
    .where(
      and(
        eq(purchases.userId, userId),
        eq(purchases.product, product),
        eq(purchases.state, 'active'),
        gt(purchases.expiresAt, context.clock.now()),
      ),
    )
    .groupBy(purchases.id)
    .orderBy(asc(purchases.expiresAt), asc(purchases.createdAt))
}

/** Premium while an unexpired purchase exists. */
export async function planOf(
  context: Context,
  db: Database,
  userId: string,
  product: Product,
): Promise<Plan> {
  const [found] = await db
    .select({ id: purchases.id })
    .from(purchases)
    .where(
      and(
        eq(purchases.userId, userId),
        eq(purchases.product, product),
        eq(purchases.state, 'active'),
        gt(purchases.expiresAt, context.clock.now()),
      ),
    )
    .limit(1)
  return found ? 'Premium' : 'Free'
}

/** All purchases of a user and product, latest-expiring first. */
export async function listPurchases(
  db: Database,
  userId: string,
  product: Product,
): Promise<readonly PurchaseRow[]> {
  return db
    .select()
    .from(purchases)
    .where(and(eq(purchases.userId, userId), eq(purchases.product, product)))
    .orderBy(desc(purchases.expiresAt), desc(purchases.createdAt))
}

/** How many places of the Free plan are taken, and how many of those by repairs that run. */
export async function freeUse(
  db: Database,
  userId: string,
  product: Product,
): Promise<{ readonly spent: number; readonly held: number }> {
  const prior = product === 'video' ? users.priorFreeVideo : users.priorFreePhoto
  const number = (state: 'held' | 'spent') =>
    sql<number>`count(*) FILTER (WHERE ${charges.state} = ${state})`.mapWith(Number)
  const [found] = await db
    .select({ prior, held: number('held'), spent: number('spent') })
    .from(users)
    .leftJoin(
      charges,
      and(eq(charges.userId, users.id), eq(charges.product, product), isNull(charges.purchaseId)),
    )
    .where(eq(users.id, userId))
    .groupBy(users.id)
  return { spent: (found?.prior ?? 0) + (found?.spent ?? 0), held: found?.held ?? 0 }
}

/** The allowance as it stands. Whoever takes places counts them himself, under a lock. */
export function allowanceOf(context: Context, userId: string, product: Product): Promise<Allowance> {
  const key = `${userId} ${product}`
  return context.remembered.allowances.get(key, context.clock.now(), async () => {
    const { db } = context
    const active = await activePurchases(context, db, userId, product)
    const [first] = active
    if (!first) {
      const use = await freeUse(db, userId, product)
      return { value: { plan: 'Free', total: freeRepairs(product), ...use } }
    }
    const sum = (value: (item: ActivePurchase) => number) =>
      active.reduce((total, item) => total + value(item), 0)
    return {
      value: {
        plan: 'Premium',
        total: sum((item) => item.purchase.count),
        spent: sum((item) => item.spent),
        held: sum((item) => item.held),
      },
      until: first.purchase.expiresAt,
    }
  })
}
