import { desc, eq, inArray } from 'drizzle-orm'
import { takePlace } from '../billing/quota.ts'
import type { Context } from '../context.ts'
import { type RepairState, repairs, type UploadRow, uploads, users } from '../db/schema.ts'
import { ServiceFailure, SetupError } from '../failure.ts'
import { randomId } from '../random.ts'
import { cancelOpen } from '../repairs/cancel.ts'

export interface AdminJob {
  readonly id: string
  readonly timestamp: string
  readonly email: string
  readonly product: string
  readonly file: string
  readonly state: RepairState
  readonly stage: string
  readonly progress: number
  readonly attempt: number
  readonly verdict: string
  readonly message: string
  readonly created: string
}

/** Repairs, newest first; of some states, if given. */
export async function listJobs(
  context: Context,
  states: readonly RepairState[] | undefined,
  limit: number,
): Promise<AdminJob[]> {
  const found = await context.db
    .select({ repair: repairs, upload: uploads, email: users.email })
    .from(repairs)
    .innerJoin(uploads, eq(uploads.id, repairs.uploadId))
    .innerJoin(users, eq(users.id, repairs.userId))
    .where(states ? inArray(repairs.state, [...states]) : undefined)
    .orderBy(desc(repairs.createdAt))
    .limit(limit)
  return found.map(({ repair, upload, email }) => ({
    id: repair.id,
    timestamp: String(upload.timestamp),
    email,
    product: repair.product,
    file: upload.originalName,
    state: repair.state,
    stage: repair.stage,
    progress: repair.progress,
    attempt: repair.attempt,
    verdict: repair.verdict ?? '',
    message: repair.message ?? '',
    created: repair.createdAt.toISOString(),
  }))
}

/** Starts a failed or cancelled repair again, for its user and on his plan. @throws SetupError when it cannot be. */
export async function retryJob(context: Context, id: string): Promise<void> {
  const { repair, upload } = await findJob(context, id)
  if (repair.state !== 'failed' && repair.state !== 'cancelled') {
    throw new SetupError(`Job ${id} is ${repair.state}; only failed and cancelled jobs can be tried again.`)
  }
  if (upload.deleted) throw new SetupError('The files of this job are deleted.')
  if (upload.status === 'Repair_Completed') throw new SetupError('This file is repaired already.')
  const next = randomId()
  try {
    await context.db.transaction(async (tx) => {
      await tx.insert(repairs).values({
        id: next,
        uploadId: upload.id,
        userId: repair.userId,
        product: repair.product,
        code: randomId(),
        state: 'queued',
        attempt: 0,
        stage: 'queued',
        fraction: 0,
        progress: 0,
        createdAt: context.clock.now(),
      })
      const plan = await takePlace(context, tx, repair.userId, repair.product, next)
      await tx.update(uploads).set({ plan }).where(eq(uploads.id, upload.id))
      await context.queue.send(tx, 'repair', { repairId: next }, { account: repair.userId })
    })
  } catch (error) {
    if (error instanceof ServiceFailure) throw new SetupError(error.message, { cause: error })
    throw error
  }
}

/** Cancels a waiting or running repair and gives its place back. */
export async function cancelJob(context: Context, id: string): Promise<void> {
  const { repair, upload } = await findJob(context, id)
  if (!(await cancelOpen(context, context.db, upload.id, repair.userId))) {
    throw new SetupError(`Job ${id} is ${repair.state}; there is nothing to cancel.`)
  }
  await context.bus.publish(upload.timestamp)
}

/** A job by its id or by the timestamp of its upload (then its newest repair). */
async function findJob(
  context: Context,
  id: string,
): Promise<{ repair: typeof repairs.$inferSelect; upload: UploadRow }> {
  const number = /^\d{1,15}$/.test(id) ? Number(id) : undefined
  const [found] = await context.db
    .select({ repair: repairs, upload: uploads })
    .from(repairs)
    .innerJoin(uploads, eq(uploads.id, repairs.uploadId))
    .where(number === undefined ? eq(repairs.id, id) : eq(uploads.timestamp, number))
    .orderBy(desc(repairs.createdAt))
    .limit(1)
  if (!found) throw new SetupError(`There is no job ${id}.`)
  return found
}
