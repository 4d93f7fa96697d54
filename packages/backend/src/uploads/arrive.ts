import {
  checkEmpty,
  checkFreePhoto,
  checkSize,
  maxBytes,
  normaliseExtension,
  type Product,
} from '@mendframe/contract'
import { and, eq, isNull } from 'drizzle-orm'
import { checkSealedEmail } from '../accounts/sealed.ts'
import type { Session } from '../accounts/sessions.ts'
import { planOf } from '../billing/plan.ts'
import type { Context } from '../context.ts'
import { type UploadRow, uploads } from '../db/schema.ts'
import { refuse, ServiceFailure } from '../failure.ts'
import type { StoredObject } from '../ports/storage.ts'
import { storedName, uploadKey } from './names.ts'
import { checkFileName, ownUpload, ownUploadById, refuseGone } from './own.ts'
import { seal } from './seal.ts'
import { isForeign, SNIFF_BYTES } from './sniff.ts'

export interface Arrival {
  readonly fileName: string
  readonly fileExtension: string
  readonly timestamp: string
  readonly originalFileName: string
  readonly info?: string | undefined
}

/**
 * The browser says that the damaged file is there: it is sealed, its true size and its content are checked, and what the
 * service does not take is deleted. Calling again answers the same.
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
  if (upload.status !== 'Pending') return arrived(upload)
  const found = await seal(context, upload.fileName)
  if (!found) return arrived(await afterAnother(context, session, upload))
  const refused = await refusal(context, upload, found)
  const [ended] = await context.db
    .update(uploads)
    .set(
      refused
        ? { deleted: true }
        : {
            status: 'Corrut_File_Uploaded',
            storedKey: found.key,
            size: found.size,
            originalName: storedName(arrival.originalFileName),
          },
    )
    .where(and(eq(uploads.id, upload.id), eq(uploads.status, 'Pending'), eq(uploads.deleted, false)))
    .returning()
  if (refused || !ended) await context.storage.remove(found.key)
  if (!ended) return arrived(await afterAnother(context, session, upload))
  await context.storage.remove(uploadKey(upload.fileName))
  if (refused) throw refused
  return arrived(ended)
}

function arrived({ size, uniqueId }: UploadRow): { success: true; fileSize: number; uniqueId: string } {
  return { success: true, fileSize: size ?? 0, uniqueId }
}

/** The upload as another call has left it that was told of the same file. */
async function afterAnother(context: Context, session: Session, upload: UploadRow): Promise<UploadRow> {
  const now = await ownUploadById(context, session, upload.id)
  if (now.status !== 'Pending') return now
  throw new ServiceFailure(now.deleted ? 'file.deleted' : 'upload.missing')
}

/** Why the service does not take what was sealed. */
async function refusal(
  context: Context,
  upload: UploadRow,
  found: StoredObject,
): Promise<ServiceFailure | undefined> {
  try {
    refuse(checkEmpty(found.size))
    refuse(checkSize(upload.product, found.size))
    const plan = await planOf(context, context.db, upload.userId, upload.product)
    if (plan === 'Free') refuse(checkFreePhoto(upload.product, upload.extension, found.size))
    if (isForeign(upload.product, await context.storage.read(found.key, 0, SNIFF_BYTES))) {
      return new ServiceFailure('upload.foreign-content')
    }
    return undefined
  } catch (error) {
    if (error instanceof ServiceFailure) return error
    await context.storage.remove(found.key)
    throw error
  }
}

/**
 * Looks whether a sample that was announced has arrived, and records it. A sample that is too large or positively
 * something else is deleted and forgotten.
 */
export async function settleSample(context: Context, upload: UploadRow): Promise<UploadRow> {
  if (upload.sampleFileName === null || upload.sampleSize !== null || upload.deleted) return upload
  const found = await seal(context, upload.sampleFileName)
  if (!found) return upload
  const refused =
    found.size > maxBytes(upload.product) ||
    (upload.sampleAnnouncedSize !== null && found.size !== upload.sampleAnnouncedSize) ||
    isForeign(upload.product, await context.storage.read(found.key, 0, SNIFF_BYTES))
  const [settled] = await context.db
    .update(uploads)
    .set(
      refused
        ? { sampleFileName: null }
        : { sampleStoredKey: found.key, sampleSize: found.size, status: 'Sample_File_Uploaded' },
    )
    .where(
      and(
        eq(uploads.id, upload.id),
        eq(uploads.sampleFileName, upload.sampleFileName),
        isNull(uploads.sampleSize),
        eq(uploads.status, 'Corrut_File_Uploaded'),
        eq(uploads.deleted, false),
      ),
    )
    .returning()
  if (refused || !settled) await context.storage.remove(found.key)
  if (settled) await context.storage.remove(uploadKey(upload.sampleFileName))
  return settled ?? upload
}
