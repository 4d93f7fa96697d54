import {
  type Product,
  type ProgressReply,
  type ProgressStatus,
  REPAIR_STAGES,
  type RepairReport,
  type RepairStage,
  STAGE_TEXTS,
} from '@mendframe/contract'
import { and, desc, eq, isNotNull, lt, or } from 'drizzle-orm'
import type { Session } from '../accounts/sessions.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { type RepairRow, type RepairState, repairs } from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { ownUpload } from '../uploads/own.ts'

/** Percent of the whole repair at which each stage begins; it lasts until the next one's. */
const STAGE_STARTS: Readonly<Record<RepairStage, number>> = {
  queued: 0,
  fetch: 0,
  survey: 3,
  diagnose: 15,
  recover: 18,
  timeline: 68,
  write: 71,
  verify: 84,
  preview: 93,
  store: 98,
  done: 100,
}

/** Percent of the whole at a fraction of a stage. */
export function overallPercent(stage: RepairStage, fraction: number): number {
  const start = STAGE_STARTS[stage]
  const next = REPAIR_STAGES[REPAIR_STAGES.indexOf(stage) + 1]
  const end = next === undefined ? 100 : STAGE_STARTS[next]
  const percent = start + (end - start) * Math.min(1, Math.max(0, fraction))
  return Math.round(percent * 10) / 10
}

/** A queued repair reads as running. */
export function progressStatus(state: RepairState): ProgressStatus {
  if (state === 'queued' || state === 'running') return 'Running'
  return state === 'completed' ? 'Completed' : 'Failed'
}

/** The newest repair of an upload. */
export async function latestRepair(db: Database, uploadId: string): Promise<RepairRow | undefined> {
  const [found] = await db
    .select()
    .from(repairs)
    .where(eq(repairs.uploadId, uploadId))
    .orderBy(desc(repairs.createdAt), desc(repairs.id))
    .limit(1)
  return found
}

/** How the newest repair of an upload stands. @throws ServiceFailure `repair.not-running` when there was none. */
export async function checkProgress(
  context: Context,
  session: Session,
  product: Product | undefined,
  timestamp: string,
): Promise<ProgressReply> {
  const upload = await ownUpload(context, session, timestamp, product)
  const repair = await latestRepair(context.db, upload.id)
  if (!repair) throw new ServiceFailure('repair.not-running')
  return showProgress(repair, repair.state === 'queued' ? await waitingBefore(context.db, repair) : undefined)
}

/** How many repairs wait in front of a waiting one. */
async function waitingBefore(db: Database, { id, createdAt }: RepairRow): Promise<number> {
  const earlier = or(
    lt(repairs.createdAt, createdAt),
    and(eq(repairs.createdAt, createdAt), lt(repairs.id, id)),
  )
  return db.$count(repairs, and(eq(repairs.state, 'queued'), earlier))
}

function showProgress(repair: RepairRow, ahead: number | undefined): ProgressReply {
  const status = progressStatus(repair.state)
  const stage = REPAIR_STAGES.find((name) => name === repair.stage) ?? 'queued'
  return {
    status,
    progress: status === 'Completed' ? 100 : repair.progress,
    repairingStatus: STAGE_TEXTS[stage],
    stage,
    fraction: repair.fraction,
    ...(ahead === undefined ? {} : { ahead }),
    ...(repair.state === 'cancelled' ? { cancelled: true as const } : {}),
    ...(repair.verdict === null ? {} : { verdict: repair.verdict }),
    ...(repair.message === null ? {} : { message: repair.message }),
  }
}

/** The engine's report of the newest repair that has one. @throws ServiceFailure `file.no-result`. */
export async function readReport(
  context: Context,
  session: Session,
  timestamp: string,
): Promise<RepairReport> {
  const upload = await ownUpload(context, session, timestamp)
  const [found] = await context.db
    .select({ report: repairs.report })
    .from(repairs)
    .where(and(eq(repairs.uploadId, upload.id), isNotNull(repairs.report)))
    .orderBy(desc(repairs.createdAt), desc(repairs.id))
    .limit(1)
  if (!found?.report) throw new ServiceFailure('file.no-result')
  return found.report
}
