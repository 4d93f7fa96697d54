import { asc, eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import {
  charges,
  identities,
  manualCases,
  purchases,
  repairs,
  sessions,
  uploads,
  users,
} from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { cancelOpen } from '../repairs/cancel.ts'
import { removeFiles } from '../retention/remove-files.ts'
import { rememberFreeUse } from './create.ts'
import { passwordFits } from './passwords.ts'
import { checkOwnEmail } from './sealed.ts'
import type { Session } from './sessions.ts'

/** Everything stored about an account, but secrets and names inside the store. */
export async function exportData(
  context: Context,
  session: Session,
): Promise<{ success: true } & Record<string, unknown>> {
  const { db } = context
  const { passwordHash, emailKey: _key, ...user } = session.user
  const id = session.user.id
  return {
    success: true,
    exportedAt: context.clock.now().toISOString(),
    user: { ...user, hasPassword: passwordHash !== null },
    signInProviders: await db
      .select({ provider: identities.provider, since: identities.createdAt })
      .from(identities)
      .where(eq(identities.userId, id)),
    sessions: await db
      .select({ since: sessions.createdAt, until: sessions.expiresAt })
      .from(sessions)
      .where(eq(sessions.userId, id)),
    uploads: await db.select().from(uploads).where(eq(uploads.userId, id)).orderBy(asc(uploads.timestamp)),
    repairs: await db.select().from(repairs).where(eq(repairs.userId, id)).orderBy(asc(repairs.createdAt)),
    charges: await db.select().from(charges).where(eq(charges.userId, id)).orderBy(asc(charges.createdAt)),
    purchases: await db
      .select()
      .from(purchases)
      .where(eq(purchases.userId, id))
      .orderBy(asc(purchases.createdAt)),
    manualRepairs: await db.select().from(manualCases).where(eq(manualCases.userId, id)),
  }
}

export interface Farewell {
  readonly email: string
  readonly password?: string | undefined
}

/**
 * Deletes the account with all its files. What the law wants of purchases stays, without the person.
 * @throws ServiceFailure `auth.identity-mismatch`, `auth.password-wrong`.
 */
export async function deleteAccount(
  context: Context,
  session: Session,
  farewell: Farewell,
): Promise<{ success: true }> {
  checkOwnEmail(session, farewell.email)
  const { user } = session
  if (user.passwordHash !== null && !(await passwordFits(user.passwordHash, farewell.password ?? ''))) {
    throw new ServiceFailure('auth.password-wrong')
  }
  const files = await context.db.select().from(uploads).where(eq(uploads.userId, user.id))
  for (const upload of files) {
    await cancelOpen(context, context.db, upload.id, user.id)
    await removeFiles(context, upload)
  }
  await context.db.transaction(async (tx) => {
    await rememberFreeUse(context, tx, user)
    await tx.update(purchases).set({ email: '', emailKey: '', name: '' }).where(eq(purchases.userId, user.id))
    await tx.delete(users).where(eq(users.id, user.id))
  })
  return { success: true }
}
