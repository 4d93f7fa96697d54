import { eq } from 'drizzle-orm'
import { bindPurchases } from '../billing/purchases.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { type UserRow, users } from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { redeemMailToken } from './mail-tokens.ts'
import type { Session } from './sessions.ts'

/** Confirms an address by the token of the mail. @throws ServiceFailure `auth.verify-invalid`. */
export async function verifyEmail(context: Context, token: string): Promise<{ success: true }> {
  const user = await context.db.transaction(async (tx) => {
    const found = await redeemMailToken(context, tx, token, 'verify')
    if (found) await markVerified(context, tx, found)
    return found
  })
  if (!user) throw new ServiceFailure('auth.verify-invalid')
  return { success: true }
}

/** Records that the address is the user's; purchases made under it become his. */
export async function markVerified(context: Context, tx: Database, user: UserRow): Promise<void> {
  if (user.emailVerifiedAt !== null) return
  await tx.update(users).set({ emailVerifiedAt: context.clock.now() }).where(eq(users.id, user.id))
  await bindPurchases(context, tx, user)
}

/** Sends the mail again, unless the address is confirmed. */
export async function sendVerification(context: Context, session: Session): Promise<{ success: true }> {
  if (session.user.emailVerifiedAt === null) {
    await context.queue.send(context.db, 'mail', { userId: session.user.id, kind: 'verify-email' })
  }
  return { success: true }
}
