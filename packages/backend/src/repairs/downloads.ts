import {
  type DownloadReply,
  errorText,
  extensionOfName,
  isAboveFreeSize,
  mediaTypeOf,
  type Plan,
  type Product,
} from '@mendframe/contract'
import { and, desc, eq, isNotNull, ne } from 'drizzle-orm'
import { checkSealedEmail } from '../accounts/sealed.ts'
import type { Session } from '../accounts/sessions.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { charges, purchases, type RepairRow, repairs, type UploadRow } from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { hasOpenCase } from '../manual/show.ts'
import { resultName } from '../uploads/names.ts'
import { checkFileName, ownUpload, refuseGone } from '../uploads/own.ts'

export interface DownloadTerms {
  readonly fileName: string
  readonly timestamp: string
  readonly details?: string | undefined
}

/** Addresses of a result. The full one is given where the plan allows it: Premium, or Free up to 100 MB. */
export async function findDownload(
  context: Context,
  session: Session,
  product: Product,
  terms: DownloadTerms,
): Promise<DownloadReply> {
  await checkSealedEmail(session, terms.details)
  const upload = await ownUpload(context, session, terms.timestamp, product)
  checkFileName(upload, terms.fileName)
  if (!(await hasOpenCase(context.db, upload.id))) refuseGone(context, upload)
  const repair = await finishedRepair(context.db, upload.id)
  if (!repair?.resultKey) throw new ServiceFailure('file.no-result')
  if (!(await context.storage.head(repair.resultKey))) throw new ServiceFailure('download.failed')
  const plan = await planOfRepair(context.db, repair.id)
  const full = plan === 'Premium' || !isAboveFreeSize(product, upload.size ?? 0)
  const sign = (key: string, suffix: string | undefined) => signResult(context, upload, key, suffix)
  const result = full ? await sign(repair.resultKey, 'repaired') : ''
  // A photo's preview is the picture that the page shows.
  const previewKey = repair.previewKey ?? (upload.product === 'photo' ? repair.stillKey : null)
  const preview = previewKey === null ? result : await sign(previewKey, 'preview')
  if (!full && preview === '') throw new ServiceFailure('download.failed')
  const code = product === 'video' ? 'file.free-video-over-limit' : 'upload.free-photo-too-large'
  return {
    success: true,
    videoDownloadUrl: full ? result : preview,
    previewDownloadUrl: preview,
    ...(repair.playableKey === null ? {} : { playableUrl: await sign(repair.playableKey, undefined) }),
    ...(full && repair.jpegKey !== null ? { jpegUrl: await sign(repair.jpegKey, 'repaired') } : {}),
    ...(full && repair.pngKey !== null ? { pngUrl: await sign(repair.pngKey, 'repaired') } : {}),
    info: plan,
    photoDownloadUrl: repair.stillKey === null ? '' : await sign(repair.stillKey, undefined),
    photoDownloadUrl1: repair.still2Key === null ? '' : await sign(repair.still2Key, undefined),
    full,
    ...(full ? {} : { message: errorText(code), code }),
    expiresAt: upload.expiresAt.toISOString(),
  }
}

/** The completed repair of an upload that left a result. */
export async function finishedRepair(db: Database, uploadId: string): Promise<RepairRow | undefined> {
  const [found] = await db
    .select()
    .from(repairs)
    .where(and(eq(repairs.uploadId, uploadId), eq(repairs.state, 'completed'), isNotNull(repairs.resultKey)))
    .orderBy(desc(repairs.createdAt))
    .limit(1)
  return found
}

/** Premium when a place of a pack was taken for the repair, at its start or by a later upgrade, and not paid back. */
async function planOfRepair(db: Database, repairId: string): Promise<Plan> {
  const [paid] = await db
    .select({ id: charges.id })
    .from(charges)
    .innerJoin(purchases, eq(purchases.id, charges.purchaseId))
    .where(and(eq(charges.repairId, repairId), ne(charges.state, 'returned'), eq(purchases.state, 'active')))
    .limit(1)
  return paid ? 'Premium' : 'Free'
}

/** With a suffix the browser saves the file under the original name and that; without, it shows it. */
function signResult(
  context: Context,
  upload: UploadRow,
  key: string,
  suffix: string | undefined,
): Promise<string> {
  const extension = extensionOfName(key)
  return context.storage.signGet(key, {
    contentType: mediaTypeOf(extension),
    seconds: context.config.downloadUrlMinutes * 60,
    ...(suffix === undefined ? {} : { saveAs: resultName(upload.originalName, extension, suffix) }),
  })
}
