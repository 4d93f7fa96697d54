import type { Product } from '@mendframe/contract'
import { and, eq, type SQL } from 'drizzle-orm'
import type { Session } from '../accounts/sessions.ts'
import type { Context } from '../context.ts'
import { type UploadRow, uploads } from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'

/** Largest timestamp that the database column and JavaScript both hold. */
const MAX_TIMESTAMP = Number.MAX_SAFE_INTEGER

/**
 * The upload with this timestamp, if it is the caller's. Another's is as unknown as one that never was: who guesses timestamps
 * learns nothing.
 * @throws ServiceFailure `file.unknown`.
 */
export async function ownUpload(
  context: Context,
  session: Session,
  timestamp: string,
  product?: Product,
): Promise<UploadRow> {
  const number = Number(timestamp)
  if (!Number.isSafeInteger(number) || number > MAX_TIMESTAMP) throw new ServiceFailure('file.unknown')
  return own(context, session, eq(uploads.timestamp, number), product)
}

/** The same by the id of the resume page. */
export async function ownUploadByUniqueId(
  context: Context,
  session: Session,
  uniqueId: string,
  product: Product,
): Promise<UploadRow> {
  return own(context, session, eq(uploads.uniqueId, uniqueId), product)
}

/** The same by its row id. */
export async function ownUploadById(context: Context, session: Session, id: string): Promise<UploadRow> {
  return own(context, session, eq(uploads.id, id), undefined)
}

async function own(
  context: Context,
  session: Session,
  which: SQL,
  product: Product | undefined,
): Promise<UploadRow> {
  const [found] = await context.db
    .select()
    .from(uploads)
    .where(and(which, eq(uploads.userId, session.user.id)))
  if (!found) throw new ServiceFailure('file.unknown')
  if (product !== undefined && found.product !== product) throw new ServiceFailure('file.unknown')
  return found
}

/** Refuses when a file name of the request is not the upload's: a key alone grants nothing. */
export function checkFileName(upload: UploadRow, fileName: string): void {
  if (upload.fileName !== fileName) throw new ServiceFailure('file.unknown')
}

/**
 * Refuses a file that is deleted or whose time is over. The next run of retention deletes the latter; until then it is
 * treated alike, so that nobody gains by asking in between.
 */
export function refuseGone(context: Context, upload: UploadRow): void {
  if (upload.deleted || upload.expiresAt <= context.clock.now()) throw new ServiceFailure('file.deleted')
}
