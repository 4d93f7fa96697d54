import { and, eq } from 'drizzle-orm'
import type { Session } from '../accounts/sessions.ts'
import type { Context } from '../context.ts'
import {
  manualCases,
  multipartUploads,
  type RepairRow,
  repairs,
  type UploadRow,
  uploads,
} from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { latestRepair } from '../repairs/progress.ts'
import { uploadKey } from '../uploads/names.ts'
import { ownUpload } from '../uploads/own.ts'

/** Every object that a repair has made. */
export function keysMade(row: RepairRow): readonly (string | null)[] {
  const { resultKey, previewKey, playableKey, stillKey, still2Key, jpegKey, pngKey } = row
  return [resultKey, previewKey, playableKey, stillKey, still2Key, jpegKey, pngKey]
}

/** Every object that belongs to an upload. */
export async function keysOf(context: Context, upload: UploadRow): Promise<readonly string[]> {
  const made = await context.db.select().from(repairs).where(eq(repairs.uploadId, upload.id))
  const cases = await context.db.select().from(manualCases).where(eq(manualCases.uploadId, upload.id))
  const keys = [
    uploadKey(upload.fileName),
    upload.storedKey,
    upload.sampleFileName === null ? null : uploadKey(upload.sampleFileName),
    upload.sampleStoredKey,
    ...made.flatMap(keysMade),
    ...cases.map((row) => row.resultKey),
  ]
  return [...new Set(keys.filter((key) => key !== null))]
}

/**
 * Deletes an upload's objects and marks the record, which stays. Marked first: nothing offers a file that is half gone,
 * an upload that ends meanwhile is refused, and a deletion that is cut off is finished by the search for objects without an
 * owner.
 */
export async function removeFiles(context: Context, upload: UploadRow): Promise<void> {
  await context.db.update(uploads).set({ deleted: true }).where(eq(uploads.id, upload.id))
  await removeObjects(context, upload)
}

/** Deletes an upload's objects and gives up what of it is still coming. */
async function removeObjects(context: Context, upload: UploadRow): Promise<void> {
  const open = await context.db
    .update(multipartUploads)
    .set({ state: 'aborted' })
    .where(and(eq(multipartUploads.uploadId, upload.id), eq(multipartUploads.state, 'open')))
    .returning()
  for (const row of open) await context.storage.abortParts(row.key, row.driverId)
  for (const key of await keysOf(context, upload)) await context.storage.remove(key)
}

/** The user deletes a file now. A manual case of it is closed by that. @throws ServiceFailure `file.repair-running`. */
export async function deleteNow(
  context: Context,
  session: Session,
  timestamp: string,
): Promise<{ success: true }> {
  const upload = await ownUpload(context, session, timestamp)
  const repair = await latestRepair(context.db, upload.id)
  if (repair?.state === 'queued' || repair?.state === 'running')
    throw new ServiceFailure('file.repair-running')
  if (!upload.deleted) {
    await context.db
      .update(manualCases)
      .set({ state: 'Closed', closedAt: context.clock.now() })
      .where(eq(manualCases.uploadId, upload.id))
    await removeFiles(context, upload)
  }
  return { success: true }
}
