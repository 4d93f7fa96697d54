import { and, eq, gt } from 'drizzle-orm'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { mailTokens, type UserRow, users } from '../db/schema.ts'
import { hashToken, randomToken } from '../random.ts'

export type MailPurpose = 'verify' | 'reset'

const HOUR_MS = 3_600_000

/** A token for a link in a mail, good for `hours` and for the address the mail goes to. */
export async function issueMailToken(
  context: Context,
  user: UserRow,
  purpose: MailPurpose,
  hours: number,
): Promise<string> {
  const token = randomToken()
  await context.db.insert(mailTokens).values({
    tokenHash: hashToken(token),
    userId: user.id,
    purpose,
    emailKey: user.emailKey,
    expiresAt: new Date(context.clock.now().getTime() + hours * HOUR_MS),
  })
  return token
}

/** Uses a token up and answers whose it was; `undefined` for one that is wrong, used or too old. */
export async function redeemMailToken(
  context: Context,
  tx: Database,
  token: string,
  purpose: MailPurpose,
): Promise<UserRow | undefined> {
  const [used] = await tx
    .delete(mailTokens)
    .where(
      and(
        eq(mailTokens.tokenHash, hashToken(token)),
        eq(mailTokens.purpose, purpose),
        gt(mailTokens.expiresAt, context.clock.now()),
      ),
    )
    .returning()
  if (!used) return undefined
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, used.userId), eq(users.emailKey, used.emailKey)))
  return user
}

/** Makes all links of a purpose worthless. */
export async function dropMailTokens(tx: Database, userId: string, purpose: MailPurpose): Promise<void> {
  await tx.delete(mailTokens).where(and(eq(mailTokens.userId, userId), eq(mailTokens.purpose, purpose)))
}
