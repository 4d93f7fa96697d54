import { count, desc, eq, ilike, or } from 'drizzle-orm'
import { emailKey } from '../accounts/users.ts'
import { planOf } from '../billing/plan.ts'
import type { Context } from '../context.ts'
import { type UserRow, uploads, users } from '../db/schema.ts'
import { SetupError } from '../failure.ts'

export interface AdminUser {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly verified: boolean
  readonly videoPlan: string
  readonly photoPlan: string
  readonly uploads: number
  readonly created: string
}

/** Users whose address or name contains a text, newest first. */
export async function listUsers(context: Context, search: string, limit: number): Promise<AdminUser[]> {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const found = await context.db
    .select({ user: users, uploads: count(uploads.id) })
    .from(users)
    .leftJoin(uploads, eq(uploads.userId, users.id))
    .where(search === '' ? undefined : or(ilike(users.email, pattern), ilike(users.name, pattern)))
    .groupBy(users.id)
    .orderBy(desc(users.createdAt))
    .limit(limit)
  return Promise.all(
    found.map(async ({ user, uploads: sent }) => ({
      id: user.id,
      email: user.email,
      name: user.name,
      verified: user.emailVerifiedAt !== null,
      videoPlan: await planOf(context, context.db, user.id, 'video'),
      photoPlan: await planOf(context, context.db, user.id, 'photo'),
      uploads: sent,
      created: user.createdAt.toISOString(),
    })),
  )
}

/** The user with an address. @throws SetupError when there is none. */
export async function userOfEmail(context: Context, email: string): Promise<UserRow> {
  const [user] = await context.db
    .select()
    .from(users)
    .where(eq(users.emailKey, emailKey(email)))
  if (!user) throw new SetupError(`There is no user ${email}.`)
  return user
}
