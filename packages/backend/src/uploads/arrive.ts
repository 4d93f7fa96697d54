import { checkFreePhoto, checkSize, maxBytes, normaliseExtension, type Product } from '@mendframe/contract'
import { and, eq } from 'drizzle-orm'
import { checkSealedEmail } from '../accounts/sealed.ts'
import type { Session } from '../accounts/sessions.ts'
import { planOf } from '../billing/plan.ts'
import type { Context } from '../context.ts'
import { type UploadRow, uploads } from '../db/schema.ts'
import { refuse, ServiceFailure } from '../failure.ts'
import { storedName, uploadKey } from './names.ts'
import { checkFileName, ownUpload, refuseGone } from './own.ts'
import { isForeign, SNIFF_BYTES } from './sniff.ts'

export interface Arrival {
  readonly fileName: string
  readonly fileExtension: string
  readonly timestamp: string
  readonly originalFileName: string
  readonly info?: string | undefined
}

/**
 * The browser says that the damaged file is there: its true size and its content are checked, and what the service does
 * not take is deleted. Calling again answers the same.
 */
export async function recordArrival(
  context: Context,
  session: Session,
  product: Product,
  arrival: Arrival,
): Promise<{ success: true; fileSize: number; uniqueId: string }> {
  await checkSealedEmail(session, arrival.info)
  const upload = await ownUpload(context, session, arrival.timestamp, product)
  checkFileName(upload, arrival.fileName)
  refuseGone(context, upload)
  if (normaliseExtension(arrival.fileExtension) !== upload.extension) {
    throw new ServiceFailure('upload.unsupported-format')
  }
  if (upload.status !== 'Pending')
    return { success: true, fileSize: upload.size ?? 0, uniqueId: upload.uniqueId }
  const size = await checkObject(context, upload)
  await context.db
    .update(uploads)
    .set({ status: 'Corrut_File_Uploaded', size, originalName: storedName(arrival.originalFileName) })
    .where(and(eq(uploads.id, upload.id), eq(uploads.status, 'Pending')))
  return { success: true, fileSize: size, uniqueId: upload.uniqueId }
}

/** @throws ServiceFailure after deleting what must not stay. */
async function checkObject(context: Context, upload: UploadRow): Promise<number> {
  const key = uploadKey(upload.fileName)
  const found = await context.storage.head(key)
  if (!found) throw new ServiceFailure('upload.missing')
  try {
    refuse(checkSize(upload.product, found.size))
    const plan = await planOf(context, context.db, upload.userId, upload.product)
    if (plan === 'Free') refuse(checkFreePhoto(upload.product, upload.extension, found.size))
    if (isForeign(upload.product, await context.storage.read(key, 0, SNIFF_BYTES))) {
      throw new ServiceFailure('upload.foreign-content')
    }
  } catch (error) {
    if (error instanceof ServiceFailure) {
      await context.db.update(uploads).set({ deleted: true }).where(eq(uploads.id, upload.id))
      await context.storage.remove(key)
    }
    throw error
  }
  return found.size
}

/**
 * Looks whether a sample that was announced has arrived, and records it. A sample that is too large or positively
 * something else is deleted and forgotten.
 */
export async function settleSample(context: Context, upload: UploadRow): Promise<UploadRow> {
  if (upload.sampleFileName === null || upload.sampleSize !== null || upload.deleted) return upload
  const key = uploadKey(upload.sampleFileName)
  const found = await context.storage.head(key)
  if (!found) return upload
  const refused =
    found.size > maxBytes(upload.product) ||
    (upload.sampleAnnouncedSize !== null && found.size !== upload.sampleAnnouncedSize) ||
    isForeign(upload.product, await context.storage.read(key, 0, SNIFF_BYTES))
  const same = and(eq(uploads.id, upload.id), eq(uploads.sampleFileName, upload.sampleFileName))
  if (refused) {
    await context.storage.remove(key)
    const [cleared] = await context.db.update(uploads).set({ sampleFileName: null }).where(same).returning()
    return cleared ?? upload
  }
  const [settled] = await context.db
    .update(uploads)
    .set({ sampleSize: found.size, status: 'Sample_File_Uploaded' })
    .where(and(same, eq(uploads.status, 'Corrut_File_Uploaded')))
    .returning()
  return settled ?? upload
}
