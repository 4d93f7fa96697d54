import { createHmac } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { freeUse } from '../billing/plan.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { formerFreeUse, type UserRow, users } from '../db/schema.ts'
import { randomId } from '../random.ts'
import { emailKey, nameOfEmail } from './users.ts'

export interface NewUser {
  readonly email: string
  readonly name?: string | undefined
  readonly passwordHash: string | null
  readonly verified: boolean
}

/** Creates a user. What a deleted account of the same address had used of the Free plan stays used. */
export async function createUser(context: Context, tx: Database, about: NewUser): Promise<UserRow> {
  const now = context.clock.now()
  const email = about.email.trim()
  const [former] = await tx
    .select()
    .from(formerFreeUse)
    .where(eq(formerFreeUse.person, personOf(context, email)))
  const user: UserRow = {
    id: randomId(),
    email,
    emailKey: emailKey(email),
    name: about.name?.trim().slice(0, 200) || nameOfEmail(email),
    country: '',
    passwordHash: about.passwordHash,
    emailVerifiedAt: about.verified ? now : null,
    priorFreeVideo: former?.video ?? 0,
    priorFreePhoto: former?.photo ?? 0,
    createdAt: now,
  }
  await tx.insert(users).values(user)
  return user
}

/** Remembers what an account that is being deleted has used, without its address. */
export async function rememberFreeUse(context: Context, tx: Database, user: UserRow): Promise<void> {
  const video = (await freeUse(tx, user.id, 'video')).spent
  const photo = (await freeUse(tx, user.id, 'photo')).spent
  if (video + photo === 0) return
  await tx
    .insert(formerFreeUse)
    .values({ person: personOf(context, user.email), video, photo })
    .onConflictDoUpdate({
      target: formerFreeUse.person,
      set: {
        video: sql`greatest(${formerFreeUse.video}, ${video})`,
        photo: sql`greatest(${formerFreeUse.photo}, ${photo})`,
      },
    })
}

function personOf(context: Context, email: string): string {
  return createHmac('sha256', context.secret)
    .update(`former:${emailKey(email)}`)
    .digest('base64url')
}
