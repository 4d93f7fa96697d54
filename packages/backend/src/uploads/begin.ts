import {
  checkExtension,
  checkFreePhoto,
  checkSize,
  maxBytes,
  normaliseExtension,
  type Product,
  RESUME_HOURS,
} from '@mendframe/contract'
import { and, count, eq, gt, ne, or, sql } from 'drizzle-orm'
import type { Session } from '../accounts/sessions.ts'
import { allowanceOf } from '../billing/plan.ts'
import { exhausted, lockUser } from '../billing/quota.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { type UploadRow, uploads } from '../db/schema.ts'
import { refuse, ServiceFailure } from '../failure.ts'
import { randomId } from '../random.ts'
import { newFileName, uploadKey } from './names.ts'
import { checkUploadSpace } from './space.ts'

export const HOUR_MS = 3_600_000
const ANY_CONTENT = 'application/octet-stream'
/** How often another timestamp is tried when two uploads begin in the same millisecond. */
const TIMESTAMP_TRIES = 50

export interface UploadTerms {
  readonly fileExtension: string
  readonly contentType: string
  /** Bytes, when the browser told them. */
  readonly fileSize?: number | undefined
}

/** Address to which the browser sends a file, and the names under which we know it. */
export interface UploadTicket {
  readonly success: true
  readonly uploadUrl: string
  readonly fileName: string
  readonly timestamp: string
}

/** Whether the plan allows another repair now: places that running ones hold are taken. */
export async function mayUpload(context: Context, session: Session, product: Product): Promise<boolean> {
  const { total, spent, held } = await allowanceOf(context, session.user.id, product)
  return total - spent - held > 0
}

/** Runs the specification's upload checks in their order. @throws ServiceFailure of the first that refuses. */
async function checkUpload(
  context: Context,
  session: Session,
  product: Product,
  terms: UploadTerms,
): Promise<'Free' | 'Premium'> {
  const allowance = await allowanceOf(context, session.user.id, product)
  if (allowance.total - allowance.spent <= 0) throw new ServiceFailure(exhausted(product))
  if (terms.fileSize !== undefined) refuse(checkSize(product, terms.fileSize))
  refuse(checkExtension(product, terms.fileExtension))
  if (allowance.plan === 'Free') refuse(checkFreePhoto(product, terms.fileExtension, terms.fileSize))
  await checkUploadSpace(context, terms.fileSize ?? 0)
  return allowance.plan
}

/**
 * Bounds what one person may leave lying about, in number and in bytes with the `bytes` that are to come. Addresses that have
 * expired unused do not count; the caller holds the user's lock. @throws ServiceFailure `upload.too-many`.
 */
export async function checkOpenUploads(
  context: Context,
  tx: Database,
  userId: string,
  bytes: number,
  most = context.config.maxOpenUploads,
): Promise<void> {
  const now = context.clock.now()
  const usable = new Date(now.getTime() - context.config.uploadUrlMinutes * 60_000)
  const unknown = sql`CASE ${uploads.product} WHEN 'photo' THEN ${maxBytes('photo')}::bigint ELSE ${maxBytes('video')}::bigint END`
  const damaged = sql`coalesce(${uploads.size}, ${uploads.announcedSize}, ${unknown})`
  const sample = sql`CASE WHEN ${uploads.sampleFileName} IS NULL THEN 0 ELSE coalesce(${uploads.sampleAnnouncedSize}, 0) END`
  const [open] = await tx
    .select({ count: count(), bytes: sql`coalesce(sum(${damaged} + ${sample}), 0)`.mapWith(Number) })
    .from(uploads)
    .where(
      and(
        eq(uploads.userId, userId),
        ne(uploads.status, 'Repair_Completed'),
        eq(uploads.deleted, false),
        gt(uploads.expiresAt, now),
        or(ne(uploads.status, 'Pending'), gt(uploads.createdAt, usable)),
      ),
    )
  const tooMany = (open?.count ?? 0) >= most
  if (tooMany || (open?.bytes ?? 0) + bytes > context.config.maxOpenUploadBytes) {
    throw new ServiceFailure('upload.too-many')
  }
}

/** Creates the record of an upload after its checks. */
export async function createUpload(
  context: Context,
  session: Session,
  product: Product,
  terms: UploadTerms,
): Promise<UploadRow> {
  const plan = await checkUpload(context, session, product, terms)
  const extension = normaliseExtension(terms.fileExtension)
  const now = context.clock.now()
  const row = {
    id: randomId(),
    userId: session.user.id,
    product,
    uniqueId: randomId(),
    fileName: newFileName(extension),
    extension,
    contentType: terms.contentType || ANY_CONTENT,
    announcedSize: terms.fileSize ?? null,
    originalName: '',
    storedKey: null,
    size: null,
    status: 'Pending' as const,
    plan,
    sampleFileName: null,
    sampleOriginalName: '',
    sampleContentType: null,
    sampleAnnouncedSize: null,
    sampleStoredKey: null,
    sampleSize: null,
    deleted: false,
    createdAt: now,
    expiresAt: new Date(now.getTime() + RESUME_HOURS * HOUR_MS),
  }
  return context.db.transaction(async (tx) => {
    await lockUser(tx, session.user.id)
    await checkOpenUploads(context, tx, session.user.id, terms.fileSize ?? maxBytes(product))
    return insertUpload(tx, { ...row, timestamp: now.getTime() })
  })
}

async function insertUpload(tx: Database, row: UploadRow): Promise<UploadRow> {
  let { timestamp } = row
  for (let attempt = 0; attempt < TIMESTAMP_TRIES; attempt++) {
    const [inserted] = await tx
      .insert(uploads)
      .values({ ...row, timestamp })
      .onConflictDoNothing({ target: uploads.timestamp })
      .returning()
    if (inserted) return inserted
    timestamp += 1 + Math.floor(Math.random() * TIMESTAMP_TRIES)
  }
  throw new Error('no timestamp was free')
}

/** Begins an upload in one piece. */
export async function beginUpload(
  context: Context,
  session: Session,
  product: Product,
  terms: UploadTerms,
): Promise<UploadTicket> {
  const upload = await createUpload(context, session, product, terms)
  const uploadUrl = await context.storage.signPut(uploadKey(upload.fileName), {
    contentType: upload.contentType,
    maxBytes: maxBytes(product),
    seconds: context.config.uploadUrlMinutes * 60,
    ...(upload.announcedSize === null ? {} : { size: upload.announcedSize }),
  })
  return { success: true, uploadUrl, fileName: upload.fileName, timestamp: String(upload.timestamp) }
}
