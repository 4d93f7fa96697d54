import { SESSION_TOKEN_PREFIX } from '@mendframe/contract'
import { and, eq, ne } from 'drizzle-orm'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { sessions, type UserRow, users } from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { hashToken, randomToken } from '../random.ts'

const DAY_MS = 86_400_000

/** Who calls. */
export interface Session {
  readonly user: UserRow
  readonly tokenHash: string
}

/** Opens a session and returns its token, which is stored only as a hash. */
export async function openSession(context: Context, db: Database, userId: string): Promise<string> {
  const token = SESSION_TOKEN_PREFIX + randomToken()
  const now = context.clock.now()
  await db.insert(sessions).values({
    tokenHash: hashToken(token),
    userId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + context.config.sessionDays * DAY_MS),
  })
  return token
}

/**
 * The session of an Authorization header. A sealed client identity is a guest: it grants nothing.
 * @throws ServiceFailure `auth.required` for a guest, `auth.invalid-session` for a token that is wrong, expired or revoked.
 */
export async function authenticate(context: Context, header: string | undefined): Promise<Session> {
  const token = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1]
  if (token === undefined || !token.startsWith(SESSION_TOKEN_PREFIX))
    throw new ServiceFailure('auth.required')
  const tokenHash = hashToken(token)
  const now = context.clock.now()
  const found = await context.remembered.sessions.get(tokenHash, now, async () => {
    const [value] = await context.db
      .select({ user: users, expiresAt: sessions.expiresAt })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(sessions.tokenHash, tokenHash))
    return { value }
  })
  if (!found || found.expiresAt <= now) throw new ServiceFailure('auth.invalid-session')
  return { user: found.user, tokenHash }
}

/** Ends the session. */
export async function closeSession(context: Context, session: Session): Promise<void> {
  await context.db.delete(sessions).where(eq(sessions.tokenHash, session.tokenHash))
}

/** Ends all sessions of a user, but the one with `keep`. */
export async function closeSessions(db: Database, userId: string, keep?: string): Promise<void> {
  const all = eq(sessions.userId, userId)
  await db.delete(sessions).where(keep === undefined ? all : and(all, ne(sessions.tokenHash, keep)))
}
