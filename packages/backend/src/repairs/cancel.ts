import { and, eq, inArray } from 'drizzle-orm'
import type { Session } from '../accounts/sessions.ts'
import { lockUser, settlePlace } from '../billing/quota.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { type RepairRow, repairs } from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { ownUpload } from '../uploads/own.ts'

const CANCELLED = 'The repair was cancelled.'

/** Cancels the waiting or running repair of the user's file. @throws ServiceFailure `repair.not-running`. */
export async function cancelRepair(
  context: Context,
  session: Session,
  timestamp: string,
): Promise<{ success: true }> {
  const upload = await ownUpload(context, session, timestamp)
  const cancelled = await cancelOpen(context, context.db, upload.id, session.user.id)
  if (!cancelled) throw new ServiceFailure('repair.not-running')
  await context.bus.publish(upload.timestamp)
  return { success: true }
}

/** Cancels whatever repair of an upload is open and gives its place back. The worker notices at its next step. */
export async function cancelOpen(
  context: Context,
  db: Database,
  uploadId: string,
  userId: string,
): Promise<RepairRow | undefined> {
  return db.transaction(async (tx) => {
    await lockUser(tx, userId)
    const [cancelled] = await tx
      .update(repairs)
      .set({ state: 'cancelled', message: CANCELLED, finishedAt: context.clock.now() })
      .where(and(eq(repairs.uploadId, uploadId), inArray(repairs.state, ['queued', 'running'])))
      .returning()
    if (cancelled) await settlePlace(tx, cancelled.id, 'returned')
    return cancelled
  })
}
