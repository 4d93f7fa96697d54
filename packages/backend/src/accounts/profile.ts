import { COUNTRIES, type Product, type Purchase, type UploadedFile, type User } from '@mendframe/contract'
import { eq } from 'drizzle-orm'
import { allowanceOf, listPurchases, planOf } from '../billing/plan.ts'
import { showPurchase } from '../billing/purchases.ts'
import type { Context } from '../context.ts'
import { users } from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { listUploads } from '../uploads/records.ts'
import { checkOwnEmail } from './sealed.ts'
import type { Session } from './sessions.ts'
import { showUser } from './users.ts'

export interface AccountQuery {
  readonly email: string
  readonly product: Product
}

/** The user with his uploads. */
export async function readUser(
  context: Context,
  session: Session,
  query: AccountQuery,
): Promise<{ success: true; user: User; uploadedFiles: UploadedFile[] }> {
  checkOwnEmail(session, query.email)
  const { plan } = await allowanceOf(context, session.user.id, query.product)
  const uploadedFiles = await listUploads(context, session, query.product)
  return { success: true, user: showUser(session.user, plan), uploadedFiles }
}

/** Places of all unexpired purchases, and how many completed repairs have used: of them, or of the Free plan. */
export async function readRecharges(
  context: Context,
  session: Session,
  query: AccountQuery,
): Promise<{ success: true; totalRecharges: number; usedRecharges: number }> {
  checkOwnEmail(session, query.email)
  const allowance = await allowanceOf(context, session.user.id, query.product)
  const totalRecharges = allowance.plan === 'Free' ? 0 : allowance.total
  return { success: true, totalRecharges, usedRecharges: allowance.spent }
}

export async function readUploads(
  context: Context,
  session: Session,
  query: AccountQuery,
): Promise<{ success: true; uploadedFiles: UploadedFile[] }> {
  checkOwnEmail(session, query.email)
  return { success: true, uploadedFiles: await listUploads(context, session, query.product) }
}

export async function readPurchases(
  context: Context,
  session: Session,
  query: AccountQuery,
): Promise<Purchase[]> {
  checkOwnEmail(session, query.email)
  const found = await listPurchases(context.db, session.user.id, query.product)
  return found.map((row) => showPurchase(context, row))
}

/** Saves the country. The one an account already has stays allowed, wherever it came from. */
export async function saveCountry(
  context: Context,
  session: Session,
  { country, product }: { readonly country: string; readonly product: Product },
): Promise<{ success: true; user: User }> {
  const known =
    COUNTRIES.some((name) => name === country) || country === '' || country === session.user.country
  if (!known) throw new ServiceFailure('account.country-unknown')
  await context.db.update(users).set({ country }).where(eq(users.id, session.user.id))
  const plan = await planOf(context, context.db, session.user.id, product)
  return { success: true, user: showUser({ ...session.user, country }, plan) }
}
