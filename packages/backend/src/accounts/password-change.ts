import type { Product, SignInReply } from '@mendframe/contract'
import { eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { users } from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { signedIn } from './email-sign-in.ts'
import { dropMailTokens, redeemMailToken } from './mail-tokens.ts'
import { hashPassword, passwordFits } from './passwords.ts'
import { closeSessions, type Session } from './sessions.ts'
import { findUserByEmail } from './users.ts'
import { markVerified } from './verification.ts'

/** Asks for a mail with a link; the answer is the same whether the account exists or not. */
export async function forgotPassword(
  context: Context,
  { email, product }: { readonly email: string; readonly product: Product },
): Promise<{ success: true }> {
  const user = await findUserByEmail(context.db, email)
  if (user) await context.queue.send(context.db, 'mail', { userId: user.id, kind: 'reset-password', product })
  return { success: true }
}

/** Sets a new password with the token of the mail, which also proves the address. All sessions end; one begins. */
export async function resetPassword(
  context: Context,
  {
    token,
    password,
    product,
  }: { readonly token: string; readonly password: string; readonly product: Product },
): Promise<SignInReply> {
  const passwordHash = await hashPassword(password)
  const reply = await context.db.transaction(async (tx) => {
    const user = await redeemMailToken(context, tx, token, 'reset')
    if (!user) return undefined
    await tx.update(users).set({ passwordHash }).where(eq(users.id, user.id))
    await markVerified(context, tx, user)
    await closeSessions(tx, user.id)
    await dropMailTokens(tx, user.id, 'reset')
    await context.queue.send(tx, 'mail', { userId: user.id, kind: 'password-changed' })
    const emailVerifiedAt = user.emailVerifiedAt ?? context.clock.now()
    return signedIn(context, tx, product, { ...user, emailVerifiedAt }, 'Your password is changed.')
  })
  if (!reply) throw new ServiceFailure('auth.reset-invalid')
  return reply
}

/** Changes the password. An account that has none (Google, Apple) sets its first one with an empty current one. */
export async function changePassword(
  context: Context,
  session: Session,
  current: string,
  next: string,
): Promise<{ success: true }> {
  const { user } = session
  const allowed = user.passwordHash === null ? current === '' : await passwordFits(user.passwordHash, current)
  if (!allowed) throw new ServiceFailure('auth.password-wrong')
  const passwordHash = await hashPassword(next)
  await context.db.transaction(async (tx) => {
    await tx.update(users).set({ passwordHash }).where(eq(users.id, user.id))
    await closeSessions(tx, user.id, session.tokenHash)
    await dropMailTokens(tx, user.id, 'reset')
    await context.queue.send(tx, 'mail', { userId: user.id, kind: 'password-changed' })
  })
  return { success: true }
}
