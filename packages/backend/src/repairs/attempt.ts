import {
  FREE_KEEP_HOURS,
  PREMIUM_KEEP_HOURS,
  type RepairReport,
  type RepairStage,
  TEXTS,
} from '@mendframe/contract'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { unlockResults } from '../billing/purchases.ts'
import { lockUser, settlePlace } from '../billing/quota.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { type RepairRow, repairs, type UploadRow, uploads } from '../db/schema.ts'
import { HOUR_MS } from '../uploads/begin.ts'
import { overallPercent } from './progress.ts'

/*
 * A repair as the worker holds it. Each taking counts the attempt up, and every write names the attempt: a worker that was
 * thought dead and comes back changes nothing.
 */

export interface Attempt {
  readonly repair: RepairRow
  readonly upload: UploadRow
}

/** Objects that an attempt has stored. */
export interface Products {
  readonly resultKey: string
  readonly resultSize: number
  readonly previewKey?: string
  readonly playableKey?: string
  readonly stillKey?: string
  readonly still2Key?: string
  readonly jpegKey?: string
  readonly pngKey?: string
}

/** Takes a repair; `undefined` when it has ended or was cancelled. */
export async function takeRepair(context: Context, repairId: string): Promise<Attempt | undefined> {
  const [repair] = await context.db
    .update(repairs)
    .set({
      state: 'running',
      attempt: sql`${repairs.attempt} + 1`,
      stage: 'fetch',
      fraction: 0,
      startedAt: context.clock.now(),
    })
    .where(and(eq(repairs.id, repairId), inArray(repairs.state, ['queued', 'running'])))
    .returning()
  if (!repair) return undefined
  const [upload] = await context.db.select().from(uploads).where(eq(uploads.id, repair.uploadId))
  return upload ? { repair, upload } : undefined
}

const held = (attempt: Attempt) =>
  and(
    eq(repairs.id, attempt.repair.id),
    eq(repairs.attempt, attempt.repair.attempt),
    eq(repairs.state, 'running'),
  )

/** Records progress, which never goes back over attempts. Answers whether the attempt still holds the repair. */
export async function reportProgress(
  context: Context,
  attempt: Attempt,
  stage: RepairStage,
  fraction: number,
): Promise<boolean> {
  const percent = overallPercent(stage, fraction)
  const updated = await context.db
    .update(repairs)
    .set({
      stage,
      fraction: Math.min(1, Math.max(0, fraction)),
      progress: sql`greatest(${repairs.progress}, ${percent})`,
    })
    .where(held(attempt))
    .returning({ id: repairs.id })
  if (updated.length === 0) return false
  await context.bus.publish(attempt.upload.timestamp)
  return true
}

/**
 * Ends a repair that brought a result back: the row, the record's status, the place of the plan and the mail in one
 * transaction. Answers false, and changes nothing, when the attempt no longer holds the repair.
 */
export async function completeRepair(
  context: Context,
  attempt: Attempt,
  report: RepairReport,
  products: Products,
): Promise<boolean> {
  const now = context.clock.now()
  const ended = await context.db.transaction(async (tx) => {
    await lockUser(tx, attempt.repair.userId)
    const won = await end(tx, attempt, {
      ...products,
      state: 'completed',
      stage: 'done',
      fraction: 1,
      progress: 100,
      verdict: report.verdict,
      message: null,
      report,
      finishedAt: now,
    })
    if (!won) return false
    await settlePlace(tx, attempt.repair.id, 'spent')
    const hours = attempt.upload.plan === 'Premium' ? PREMIUM_KEEP_HOURS : FREE_KEEP_HOURS
    await tx
      .update(uploads)
      .set({ status: 'Repair_Completed', expiresAt: new Date(now.getTime() + hours * HOUR_MS) })
      .where(eq(uploads.id, attempt.upload.id))
    const { userId, product } = attempt.repair
    // An upgrade may have been bought while it ran.
    await unlockResults(context, tx, userId, product, attempt.repair.id)
    await context.queue.send(tx, 'mail', { userId, kind: 'repair-ready', uploadId: attempt.upload.id })
    return true
  })
  if (ended) await context.bus.publish(attempt.upload.timestamp)
  return ended
}

/** Text for a file in which nothing is wrong. */
const HEALTHY = 'Nothing is wrong with this file. This did not count against your plan.'

/** Ends a repair that found nothing wrong; its place is given back and the record stays as it was. */
export async function endHealthy(context: Context, attempt: Attempt, report: RepairReport): Promise<boolean> {
  return endWithout(context, attempt, {
    state: 'completed',
    stage: 'done',
    fraction: 1,
    progress: 100,
    verdict: 'healthy',
    message: HEALTHY,
    report,
  })
}

export interface Failure {
  /** One line for the visitor. */
  readonly message?: string
  readonly report?: RepairReport
}

/** Ends a repair that failed; its place is given back. */
export async function failRepair(context: Context, attempt: Attempt, failure: Failure): Promise<boolean> {
  return endWithout(
    context,
    attempt,
    {
      state: 'failed',
      message: failure.message ?? TEXTS.repairFailed,
      ...(failure.report ? { report: failure.report, verdict: failure.report.verdict } : {}),
    },
    'repair-failed',
  )
}

/**
 * Counts that the repair's own process broke off. Answers whether that was the last time: what always breaks is not tried for
 * ever. A worker that is stopped or dies counts for nothing here.
 */
export async function countCrash(context: Context, attempt: Attempt): Promise<boolean> {
  const [counted] = await context.db
    .update(repairs)
    .set({ crashes: sql`${repairs.crashes} + 1` })
    .where(held(attempt))
    .returning({ crashes: repairs.crashes })
  return (counted?.crashes ?? 0) >= context.config.worker.attempts
}

/** Hands a repair back because this worker stops or cannot go on; whoever takes it then begins as if nothing had happened. */
export async function requeueRepair(context: Context, attempt: Attempt, waitSeconds = 0): Promise<void> {
  await context.db.transaction(async (tx) => {
    const won = await end(tx, attempt, { state: 'queued', stage: 'queued', fraction: 0 })
    const { id: repairId, userId: account } = attempt.repair
    if (won) await context.queue.send(tx, 'repair', { repairId }, { account, waitSeconds })
  })
}

/** Ends a repair all of whose attempts were lost with their workers. */
export async function loseRepair(context: Context, repairId: string): Promise<void> {
  const [repair] = await context.db.select().from(repairs).where(eq(repairs.id, repairId))
  if (!repair) return
  const [upload] = await context.db.select().from(uploads).where(eq(uploads.id, repair.uploadId))
  if (!upload) return
  if (repair.state === 'queued' || repair.state === 'running') {
    await context.db
      .update(repairs)
      .set({ state: 'running' })
      .where(and(eq(repairs.id, repair.id), eq(repairs.state, 'queued')))
    await failRepair(context, { repair, upload }, { message: TEXTS.repairThrew })
  }
}

async function endWithout(
  context: Context,
  attempt: Attempt,
  change: Partial<RepairRow>,
  mail?: 'repair-failed',
): Promise<boolean> {
  const now = context.clock.now()
  const ended = await context.db.transaction(async (tx) => {
    await lockUser(tx, attempt.repair.userId)
    if (!(await end(tx, attempt, { ...change, finishedAt: now }))) return false
    await settlePlace(tx, attempt.repair.id, 'returned')
    await keepAtLeast(tx, attempt.upload.id, new Date(now.getTime() + FREE_KEEP_HOURS * HOUR_MS))
    if (mail) {
      const { userId } = attempt.repair
      await context.queue.send(tx, 'mail', { userId, kind: mail, uploadId: attempt.upload.id })
    }
    return true
  })
  if (ended) await context.bus.publish(attempt.upload.timestamp)
  return ended
}

async function end(tx: Database, attempt: Attempt, change: Partial<RepairRow>): Promise<boolean> {
  const ended = await tx.update(repairs).set(change).where(held(attempt)).returning({ id: repairs.id })
  return ended.length > 0
}

/** Puts the deletion of an upload off, never forward. */
export async function keepAtLeast(tx: Database, uploadId: string, until: Date): Promise<void> {
  await tx
    .update(uploads)
    .set({ expiresAt: sql`greatest(${uploads.expiresAt}, ${until.toISOString()}::timestamptz)` })
    .where(eq(uploads.id, uploadId))
}
