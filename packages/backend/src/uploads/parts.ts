import { PART_BYTES, type Product } from '@mendframe/contract'
import { and, eq } from 'drizzle-orm'
import type { Session } from '../accounts/sessions.ts'
import type { Context } from '../context.ts'
import { multipartUploads, type UploadRow } from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { randomId } from '../random.ts'
import { createUpload } from './begin.ts'
import { uploadKey } from './names.ts'
import { ownUploadById } from './own.ts'
import { noteReceived } from './receive.ts'
import { createSample } from './sample.ts'

export interface PartsTerms {
  readonly product: Product
  readonly role: 'corrupt' | 'sample'
  readonly fileExtension: string
  readonly contentType: string
  readonly fileSize: number
  readonly timestamp?: string | undefined
  readonly originalFileName?: string | undefined
}

type PartsRow = typeof multipartUploads.$inferSelect

/** Opens an upload in parts, with the checks of `upload` or `sampleupload`. */
export async function createParts(context: Context, session: Session, terms: PartsTerms) {
  const { upload, fileName } = await target(context, session, terms)
  const key = uploadKey(fileName)
  const row: PartsRow = {
    id: randomId(),
    userId: session.user.id,
    uploadId: upload.id,
    role: terms.role,
    key,
    driverId: await context.storage.createParts(key, terms.contentType || 'application/octet-stream'),
    fileSize: terms.fileSize,
    partSize: PART_BYTES,
    state: 'open',
    createdAt: context.clock.now(),
  }
  await context.db.insert(multipartUploads).values(row)
  return {
    success: true as const,
    uploadId: row.id,
    fileName,
    timestamp: String(upload.timestamp),
    partSize: row.partSize,
    partCount: partCount(row),
  }
}

async function target(
  context: Context,
  session: Session,
  terms: PartsTerms,
): Promise<{ upload: UploadRow; fileName: string }> {
  if (terms.role === 'corrupt') {
    const upload = await createUpload(context, session, terms.product, terms)
    return { upload, fileName: upload.fileName }
  }
  if (terms.timestamp === undefined || terms.originalFileName === undefined) {
    throw new ServiceFailure('request.invalid')
  }
  const { timestamp, originalFileName } = terms
  return createSample(context, session, terms.product, { ...terms, timestamp, originalFileName })
}

/** The parts that have arrived. */
export async function listParts(context: Context, session: Session, id: string) {
  const { row, upload } = await ownParts(context, session, id)
  requireOpen(row)
  return {
    success: true as const,
    ...about(row, upload),
    partSize: row.partSize,
    partCount: partCount(row),
    parts: [...(await context.storage.listParts(row.key, row.driverId))],
  }
}

/** Addresses for parts. @throws ServiceFailure `request.invalid` for a number the file does not have. */
export async function signParts(context: Context, session: Session, id: string, numbers: readonly number[]) {
  const { row } = await ownParts(context, session, id)
  requireOpen(row)
  const seconds = context.config.uploadUrlMinutes * 60
  const urls: { partNumber: number; uploadUrl: string }[] = []
  for (const number of new Set(numbers)) {
    if (number > partCount(row)) throw new ServiceFailure('request.invalid')
    const size = partBytes(row, number)
    const offset = (number - 1) * row.partSize
    const uploadUrl = await context.storage.signPart(row.key, row.driverId, { number, size, offset, seconds })
    urls.push({ partNumber: number, uploadUrl })
  }
  return { success: true as const, urls }
}

/** Joins the parts. Calling again after success answers the same. */
export async function completeParts(context: Context, session: Session, id: string) {
  const { row, upload } = await ownParts(context, session, id)
  const reply = { success: true as const, ...about(row, upload) }
  if (row.state === 'completed') return reply
  requireOpen(row)
  // A completion that was cut off after the object appeared is only recorded.
  const found = await context.storage.head(row.key)
  if (found?.size !== row.fileSize) await join(context, row)
  await context.db.update(multipartUploads).set({ state: 'completed' }).where(eq(multipartUploads.id, row.id))
  await noteReceived(context, row.key)
  return reply
}

async function join(context: Context, row: PartsRow): Promise<void> {
  const parts = await context.storage.listParts(row.key, row.driverId)
  const count = partCount(row)
  if (parts.length !== count) throw new ServiceFailure('upload.incomplete')
  for (const part of parts) {
    if (part.size !== partBytes(row, part.partNumber)) throw new ServiceFailure('upload.size-differs')
  }
  await context.storage.completeParts(row.key, row.driverId, count)
}

/** Gives an upload up. Calling again is fine. */
export async function abortParts(context: Context, session: Session, id: string): Promise<{ success: true }> {
  const { row } = await ownParts(context, session, id)
  if (row.state === 'open') {
    await context.db
      .update(multipartUploads)
      .set({ state: 'aborted' })
      .where(and(eq(multipartUploads.id, row.id), eq(multipartUploads.state, 'open')))
    await context.storage.abortParts(row.key, row.driverId)
  }
  return { success: true }
}

async function ownParts(
  context: Context,
  session: Session,
  id: string,
): Promise<{ row: PartsRow; upload: UploadRow }> {
  const [row] = await context.db.select().from(multipartUploads).where(eq(multipartUploads.id, id))
  if (row?.userId !== session.user.id) throw new ServiceFailure('file.unknown')
  const upload = await ownUploadById(context, session, row.uploadId)
  return { row, upload }
}

function requireOpen(row: PartsRow): void {
  if (row.state !== 'open') throw new ServiceFailure('upload.closed')
}

/** An empty file still has one part. */
function partCount(row: PartsRow): number {
  return Math.max(1, Math.ceil(row.fileSize / row.partSize))
}

function partBytes(row: PartsRow, number: number): number {
  return Math.min(row.partSize, row.fileSize - (number - 1) * row.partSize)
}

function about(row: PartsRow, upload: UploadRow) {
  const fileName = row.key.slice(row.key.indexOf('/') + 1)
  return { fileName, timestamp: String(upload.timestamp), fileSize: row.fileSize }
}
