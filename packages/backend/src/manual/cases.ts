import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { extensionOfName, type ManualCase, mediaTypeOf, PREMIUM_KEEP_HOURS } from '@mendframe/contract'
import { asc, eq, ne } from 'drizzle-orm'
import type { Session } from '../accounts/sessions.ts'
import type { Context } from '../context.ts'
import { isUniqueViolation } from '../db/migrate.ts'
import { type ManualCaseRow, manualCases, type UploadRow, uploads, users } from '../db/schema.ts'
import { ServiceFailure, SetupError } from '../failure.ts'
import { randomId } from '../random.ts'
import { keepAtLeast } from '../repairs/attempt.ts'
import { latestRepair } from '../repairs/progress.ts'
import { HOUR_MS } from '../uploads/begin.ts'
import { manualKey, storedName } from '../uploads/names.ts'
import { ownUpload } from '../uploads/own.ts'
import { showCase } from './show.ts'

/** Asks for a manual repair. @throws ServiceFailure `manual.unavailable` unless the repair failed or is only partial. */
export async function requestManualRepair(
  context: Context,
  session: Session,
  timestamp: string,
  note: string,
): Promise<{ success: true; manual: ManualCase }> {
  const upload = await ownUpload(context, session, timestamp)
  if (upload.deleted) throw new ServiceFailure('file.deleted')
  const repair = await latestRepair(context.db, upload.id)
  const partial = repair?.state === 'completed' && repair.verdict === 'partial'
  if (repair?.state !== 'failed' && !partial) throw new ServiceFailure('manual.unavailable')
  const row: ManualCaseRow = {
    id: randomId(),
    uploadId: upload.id,
    userId: session.user.id,
    state: 'Requested',
    note,
    answer: null,
    resultKey: null,
    resultName: null,
    createdAt: context.clock.now(),
    closedAt: null,
  }
  try {
    await context.db.transaction(async (tx) => {
      await tx.insert(manualCases).values(row)
      await context.queue.send(tx, 'mail', {
        userId: session.user.id,
        kind: 'manual-requested',
        uploadId: upload.id,
      })
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new ServiceFailure('manual.requested-already')
    throw error
  }
  return { success: true, manual: await showCase(context, row, false) }
}

/** A case as the operator sees it. */
export interface OperatorCase {
  readonly id: string
  readonly state: ManualCaseRow['state']
  readonly email: string
  readonly file: string
  readonly timestamp: string
  readonly note: string
  readonly requested: string
  /** Where the operator's tools find the files, when they lie in a folder; else a signed address. */
  readonly damaged: string
  readonly sample: string
}

/** Cases that are not closed, oldest first; with `all`, every case. */
export async function listCases(context: Context, all: boolean): Promise<OperatorCase[]> {
  const found = await context.db
    .select({ row: manualCases, upload: uploads, email: users.email })
    .from(manualCases)
    .innerJoin(uploads, eq(uploads.id, manualCases.uploadId))
    .innerJoin(users, eq(users.id, manualCases.userId))
    .where(all ? undefined : ne(manualCases.state, 'Closed'))
    .orderBy(asc(manualCases.createdAt))
  return Promise.all(
    found.map(async ({ row, upload, email }) => ({
      id: row.id,
      state: row.state,
      email,
      file: upload.originalName,
      timestamp: String(upload.timestamp),
      note: row.note,
      requested: row.createdAt.toISOString(),
      ...(await places(context, upload)),
    })),
  )
}

async function places(context: Context, upload: UploadRow): Promise<{ damaged: string; sample: string }> {
  const place = async (key: string | null, name: string | null) => {
    if (key === null || name === null || upload.deleted) return ''
    if (context.storage.kind === 'folder') return context.storage.materialise(key, context.scratchFolder)
    const contentType = mediaTypeOf(extensionOfName(name))
    return context.storage.signGet(key, { contentType, saveAs: name, seconds: 86_400 })
  }
  return {
    damaged: await place(upload.storedKey, upload.fileName),
    sample: await place(upload.sampleStoredKey, upload.sampleFileName),
  }
}

/** The operator begins to work on a case. */
export async function takeCase(context: Context, id: string): Promise<void> {
  const { row } = await findCase(context, id)
  if (row.state === 'Closed') throw new SetupError('This case is closed.')
  await context.db.update(manualCases).set({ state: 'In_Progress' }).where(eq(manualCases.id, row.id))
}

/** Attaches a file of this machine to a case as its result; one attached before is replaced. */
export async function attachResult(context: Context, id: string, path: string): Promise<void> {
  const { row, upload } = await findCase(context, id)
  if (row.state === 'Closed') throw new SetupError('This case is closed.')
  if (upload.deleted) throw new SetupError('The files of this case have been deleted by their owner.')
  const about = await stat(path)
  if (!about.isFile()) throw new SetupError(`${path} is not a file.`)
  const extension = /^\.[a-z0-9]{1,8}$/i.test(extname(path))
    ? extname(path).slice(1).toLowerCase()
    : upload.extension
  const key = manualKey(extension)
  await context.storage.storeCopy(key, path, mediaTypeOf(extension))
  await context.db
    .update(manualCases)
    .set({ resultKey: key, resultName: storedName(basename(path)), state: 'In_Progress' })
    .where(eq(manualCases.id, row.id))
  if (row.resultKey !== null) await context.storage.remove(row.resultKey)
}

/** Closes a case with an answer; the user is told. Its files are kept for another day. */
export async function closeCase(context: Context, id: string, answer: string): Promise<void> {
  const { row, upload } = await findCase(context, id)
  if (row.state === 'Closed') throw new SetupError('This case is closed already.')
  const now = context.clock.now()
  await context.db.transaction(async (tx) => {
    await tx
      .update(manualCases)
      .set({ state: 'Closed', answer, closedAt: now })
      .where(eq(manualCases.id, row.id))
    await keepAtLeast(tx, upload.id, new Date(now.getTime() + PREMIUM_KEEP_HOURS * HOUR_MS))
    await context.queue.send(tx, 'mail', { userId: row.userId, kind: 'manual-answered', uploadId: upload.id })
  })
}

async function findCase(context: Context, id: string): Promise<{ row: ManualCaseRow; upload: UploadRow }> {
  const [found] = await context.db
    .select({ row: manualCases, upload: uploads })
    .from(manualCases)
    .innerJoin(uploads, eq(uploads.id, manualCases.uploadId))
    .where(eq(manualCases.id, id))
  if (!found) throw new SetupError(`There is no case ${id}.`)
  return found
}
