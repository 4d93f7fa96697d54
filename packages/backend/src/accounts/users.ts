import type { Plan, User } from '@mendframe/contract'
import { eq } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { type UserRow, users } from '../db/schema.ts'

/** Under which an address is unique: people do not tell upper from lower case in it. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

export async function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  const [user] = await db
    .select()
    .from(users)
    .where(eq(users.emailKey, emailKey(email)))
  return user
}

/** The user as the contract shows him. */
export function showUser(user: UserRow, plan: Plan): User {
  return {
    name: user.name,
    email: user.email,
    current_plan: plan,
    country: user.country,
    created_at: user.createdAt.toISOString(),
    email_verified: user.emailVerifiedAt !== null,
  }
}

/** A name made of an address, for people who gave none. */
export function nameOfEmail(email: string): string {
  return email.split('@')[0] ?? ''
}
