import type { Product, SignInReply } from '@mendframe/contract'
import { planOf } from '../billing/plan.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { isUniqueViolation } from '../db/migrate.ts'
import type { UserRow } from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { createUser } from './create.ts'
import { hashPassword, passwordFits } from './passwords.ts'
import { openSession } from './sessions.ts'
import { findUserByEmail, showUser } from './users.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

/** Creates an account and signs in; a mail asks to confirm the address. @throws ServiceFailure `auth.signup-refused`. */
export async function signUp(
  context: Context,
  product: Product,
  credentials: Credentials,
): Promise<SignInReply> {
  const passwordHash = await hashPassword(credentials.password)
  try {
    return await context.db.transaction(async (tx) => {
      const user = await createUser(context, tx, { email: credentials.email, passwordHash, verified: false })
      await context.queue.send(tx, 'mail', { userId: user.id, kind: 'verify-email' })
      return signedIn(context, tx, product, user, 'Your account is ready.')
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new ServiceFailure('auth.signup-refused')
    throw error
  }
}

/** Signs in with email and password. @throws ServiceFailure `auth.login-refused`, whatever the reason. */
export async function logIn(
  context: Context,
  product: Product,
  credentials: Credentials,
): Promise<SignInReply> {
  const user = await findUserByEmail(context.db, credentials.email)
  const fits = await passwordFits(user?.passwordHash, credentials.password)
  if (!user || !fits) throw new ServiceFailure('auth.login-refused')
  return signedIn(context, context.db, product, user, 'You are logged in.')
}

/** Opens a session and answers as every way of signing in does. */
export async function signedIn(
  context: Context,
  db: Database,
  product: Product,
  user: UserRow,
  message: string,
): Promise<SignInReply> {
  const token = await openSession(context, db, user.id)
  const plan = await planOf(context, db, user.id, product)
  return { success: true, token, user: showUser(user, plan), message }
}
