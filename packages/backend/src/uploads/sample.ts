import { checkSample, maxBytes, normaliseExtension, type Product } from '@mendframe/contract'
import { and, eq, inArray } from 'drizzle-orm'
import type { Session } from '../accounts/sessions.ts'
import type { Context } from '../context.ts'
import { repairs, type UploadRow, uploads } from '../db/schema.ts'
import { refuse, ServiceFailure } from '../failure.ts'
import type { UploadTicket } from './begin.ts'
import { newFileName, storedName, uploadKey } from './names.ts'
import { ownUpload, refuseGone } from './own.ts'

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
  const upload = await ownUpload(context, session, terms.timestamp, product)
  refuseGone(context, upload)
  if (upload.status === 'Pending') throw new ServiceFailure('upload.missing')
  if (upload.status === 'Repair_Completed') throw new ServiceFailure('file.repaired-already')
  const [open] = await context.db
    .select({ id: repairs.id })
    .from(repairs)
    .where(and(eq(repairs.uploadId, upload.id), inArray(repairs.state, ['queued', 'running'])))
  if (open) throw new ServiceFailure('file.repair-running')
  const refused = checkSample({
    product,
    damagedName: upload.originalName,
    damagedExtension: upload.extension,
    sampleName: storedName(terms.originalFileName),
    sampleExtension: terms.fileExtension,
    sampleBytes: terms.fileSize,
  })
  refuse(refused, { ext: `.${upload.extension}` })
  const fileName = newFileName(normaliseExtension(terms.fileExtension))
  const [updated] = await context.db
    .update(uploads)
    .set({
      sampleFileName: fileName,
      sampleOriginalName: storedName(terms.originalFileName),
      sampleContentType: terms.contentType || 'application/octet-stream',
      sampleAnnouncedSize: terms.fileSize,
      sampleSize: null,
      status: 'Corrut_File_Uploaded',
    })
    .where(eq(uploads.id, upload.id))
    .returning()
  if (!updated) throw new ServiceFailure('file.unknown')
  if (upload.sampleFileName !== null) await context.storage.remove(uploadKey(upload.sampleFileName))
  return { upload: updated, fileName }
}
