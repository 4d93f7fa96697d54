import { type Plan, type Product, shownMegabytes, type UploadedFile } from '@mendframe/contract'
import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import type { Session } from '../accounts/sessions.ts'
import type { Context } from '../context.ts'
import {
  type ManualCaseRow,
  manualCases,
  type RepairRow,
  repairs,
  type UploadRow,
  uploads,
} from '../db/schema.ts'
import { showCase } from '../manual/show.ts'
import { progressStatus } from '../repairs/progress.ts'
import { settleSample } from './arrive.ts'
import { ownUploadByUniqueId } from './own.ts'

/** Records listed for one account; older ones stay in the export. */
const LIST_LIMIT = 500

/** A user's uploads of a product, newest first. Addresses that were never used are no uploads. */
export async function listUploads(
  context: Context,
  session: Session,
  product: Product,
): Promise<UploadedFile[]> {
  const found = await context.db
    .select()
    .from(uploads)
    .where(
      and(eq(uploads.userId, session.user.id), eq(uploads.product, product), ne(uploads.status, 'Pending')),
    )
    .orderBy(desc(uploads.timestamp))
    .limit(LIST_LIMIT)
  const settled = await Promise.all(found.map((upload) => settleSample(context, upload)))
  return showUploads(context, session, settled)
}

/** The record for the resume page. */
export async function findByUniqueId(
  context: Context,
  session: Session,
  product: Product,
  uniqueId: string,
): Promise<UploadedFile | undefined> {
  const upload = await settleSample(context, await ownUploadByUniqueId(context, session, uniqueId, product))
  const [shown] = await showUploads(context, session, [upload])
  return shown
}

async function showUploads(
  context: Context,
  session: Session,
  list: readonly UploadRow[],
): Promise<UploadedFile[]> {
  if (list.length === 0) return []
  const ids = list.map((upload) => upload.id)
  const latest = await context.db
    .selectDistinctOn([repairs.uploadId], {
      uploadId: repairs.uploadId,
      state: repairs.state,
      verdict: repairs.verdict,
      message: repairs.message,
    })
    .from(repairs)
    .where(inArray(repairs.uploadId, ids))
    .orderBy(repairs.uploadId, desc(repairs.createdAt), desc(repairs.id))
  const cases = await context.db.select().from(manualCases).where(inArray(manualCases.uploadId, ids))
  return Promise.all(
    list.map((upload) => {
      const repair = latest.find((row) => row.uploadId === upload.id)
      const manual = cases.find((row) => row.uploadId === upload.id)
      return show(context, session, upload, repair, manual)
    }),
  )
}

async function show(
  context: Context,
  session: Session,
  upload: UploadRow,
  repair: Pick<RepairRow, 'state' | 'verdict' | 'message'> | undefined,
  manual: ManualCaseRow | undefined,
): Promise<UploadedFile> {
  const plan: Plan = upload.plan
  const kept = manual !== undefined && manual.state !== 'Closed'
  const running = repair?.state === 'queued' || repair?.state === 'running'
  const over = upload.expiresAt <= context.clock.now() && !kept && !running
  const gone = upload.deleted || over
  return {
    product: upload.product,
    originalfilename: upload.originalName,
    originalfileSize: shownMegabytes(upload.size ?? 0),
    originalfileBytes: upload.size ?? 0,
    extension: upload.extension,
    renamefilename: upload.fileName,
    timestamp: String(upload.timestamp),
    status: upload.status === 'Pending' ? 'Corrut_File_Uploaded' : upload.status,
    email: session.user.email,
    originalsamplefilename: upload.sampleSize === null ? '' : upload.sampleOriginalName,
    originalsamplefileSize: shownMegabytes(upload.sampleSize ?? 0),
    file_status: gone ? 'Deleted' : 'Available',
    created_date: upload.createdAt.toISOString(),
    unique_id: upload.uniqueId,
    plan,
    ...(gone || kept ? {} : { expires_at: upload.expiresAt.toISOString() }),
    ...(repair ? { repair: summary(repair) } : {}),
    ...(manual ? { manual: await showCase(context, manual, gone) } : {}),
  }
}

function summary(
  repair: Pick<RepairRow, 'state' | 'verdict' | 'message'>,
): NonNullable<UploadedFile['repair']> {
  return {
    status: progressStatus(repair.state),
    ...(repair.state === 'cancelled' ? { cancelled: true as const } : {}),
    ...(repair.verdict === null ? {} : { verdict: repair.verdict }),
    ...(repair.message === null ? {} : { message: repair.message }),
  }
}
