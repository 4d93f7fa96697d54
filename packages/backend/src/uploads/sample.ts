import { checkSample, maxBytes, normaliseExtension, type Product } from '@mendframe/contract'
import { and, eq, inArray } from 'drizzle-orm'
import type { Session } from '../accounts/sessions.ts'
import { lockUser } from '../billing/quota.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { repairs, type UploadRow, uploads } from '../db/schema.ts'
import { refuse, ServiceFailure } from '../failure.ts'
import { checkOpenUploads, type UploadTicket } from './begin.ts'
import { newFileName, storedName, uploadKey } from './names.ts'
import { ownUpload, refuseGone } from './own.ts'
import { checkUploadSpace } from './space.ts'

export interface SampleTerms {
  readonly fileExtension: string
  readonly fileSize: number
  readonly timestamp: string
  readonly contentType: string
  readonly originalFileName: string
}

/** Begins the upload of a sample in one piece. */
export async function beginSample(
  context: Context,
  session: Session,
  product: Product,
  terms: SampleTerms,
): Promise<UploadTicket> {
  const { upload, fileName } = await createSample(context, session, product, terms)
  const uploadUrl = await context.storage.signPut(uploadKey(fileName), {
    contentType: upload.sampleContentType ?? '',
    size: terms.fileSize,
    maxBytes: maxBytes(product),
    seconds: context.config.uploadUrlMinutes * 60,
  })
  return { success: true, uploadUrl, fileName, timestamp: String(upload.timestamp) }
}

/** Checks a sample and notes that it will come; one that was there before is replaced. */
export async function createSample(
  context: Context,
  session: Session,
  product: Product,
  terms: SampleTerms,
): Promise<{ upload: UploadRow; fileName: string }> {
  const { id } = await ownUpload(context, session, terms.timestamp, product)
  const { before, updated } = await context.db.transaction(async (tx) => {
    // No repair of this file begins meanwhile: it would lose the sample it began with.
    await lockUser(tx, session.user.id)
    return announce(context, tx, id, terms)
  })
  for (const key of sampleKeys(before)) await context.storage.remove(key)
  return { upload: updated, fileName: updated.sampleFileName ?? '' }
}

function sampleKeys({ sampleFileName, sampleStoredKey }: UploadRow): readonly string[] {
  const arriving = sampleFileName === null ? null : uploadKey(sampleFileName)
  return [arriving, sampleStoredKey].filter((key) => key !== null)
}

async function announce(
  context: Context,
  tx: Database,
  uploadId: string,
  terms: SampleTerms,
): Promise<{ before: UploadRow; updated: UploadRow }> {
  const [before] = await tx.select().from(uploads).where(eq(uploads.id, uploadId))
  if (!before) throw new ServiceFailure('file.unknown')
  refuseGone(context, before)
  if (before.status === 'Pending') throw new ServiceFailure('upload.missing')
  if (before.status === 'Repair_Completed') throw new ServiceFailure('file.repaired-already')
  const [open] = await tx
    .select({ id: repairs.id })
    .from(repairs)
    .where(and(eq(repairs.uploadId, uploadId), inArray(repairs.state, ['queued', 'running'])))
  if (open) throw new ServiceFailure('file.repair-running')
  const refused = checkSample({
    product: before.product,
    damagedName: before.originalName,
    damagedExtension: before.extension,
    sampleName: storedName(terms.originalFileName),
    sampleExtension: terms.fileExtension,
    sampleBytes: terms.fileSize,
  })
  refuse(refused, { ext: `.${before.extension}` })
  await checkUploadSpace(context, terms.fileSize)
  // A sample that takes the place of another counts alone.
  const more = terms.fileSize - (before.sampleFileName === null ? 0 : (before.sampleAnnouncedSize ?? 0))
  await checkOpenUploads(context, tx, before.userId, more, Number.POSITIVE_INFINITY)
  const [updated] = await tx
    .update(uploads)
    .set({
      sampleFileName: newFileName(normaliseExtension(terms.fileExtension)),
      sampleOriginalName: storedName(terms.originalFileName),
      sampleContentType: terms.contentType || 'application/octet-stream',
      sampleAnnouncedSize: terms.fileSize,
      sampleStoredKey: null,
      sampleSize: null,
      status: 'Corrut_File_Uploaded',
    })
    .where(eq(uploads.id, uploadId))
    .returning()
  if (!updated) throw new ServiceFailure('file.unknown')
  return { before, updated }
}
