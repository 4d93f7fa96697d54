import type { Enhancement, Product } from '@mendframe/contract'
import { and, eq, inArray } from 'drizzle-orm'
import type { Session } from '../accounts/sessions.ts'
import { lockUser, takePlace } from '../billing/quota.ts'
import type { Context } from '../context.ts'
import { repairs, type UploadRow, uploads } from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { randomId } from '../random.ts'
import { settleSample } from '../uploads/arrive.ts'
import { checkFileName, ownUpload, refuseGone } from '../uploads/own.ts'
import { turnOf } from './turn.ts'

export interface StartTerms {
  readonly videoPath: string
  readonly videocreatedTime: string
  readonly enhancements?: readonly Enhancement[] | undefined
}

/**
 * Takes a place of the plan, creates the repair and enqueues it, all or nothing. A repair of the same file that is
 * waiting or running is answered with its code.
 */
export async function startRepair(
  context: Context,
  session: Session,
  product: Product,
  terms: StartTerms,
): Promise<{ success: true; code: string }> {
  const found = await ownUpload(context, session, terms.videocreatedTime, product)
  checkFileName(found, terms.videoPath)
  await settleSample(context, found)
  return context.db.transaction(async (tx) => {
    await lockUser(tx, session.user.id)
    const [upload] = await tx.select().from(uploads).where(eq(uploads.id, found.id))
    if (!upload) throw new ServiceFailure('file.unknown')
    const [open] = await tx
      .select({ code: repairs.code })
      .from(repairs)
      .where(and(eq(repairs.uploadId, upload.id), inArray(repairs.state, ['queued', 'running'])))
    if (open) return { success: true, code: open.code }
    refuseGone(context, upload)
    checkReady(upload)
    const id = randomId()
    const code = randomId()
    await tx.insert(repairs).values({
      id,
      uploadId: upload.id,
      userId: session.user.id,
      product,
      code,
      state: 'queued',
      attempt: 0,
      enhancements: [...new Set(terms.enhancements ?? [])],
      stage: 'queued',
      fraction: 0,
      progress: 0,
      createdAt: context.clock.now(),
    })
    const plan = await takePlace(context, tx, session.user.id, product, id)
    await tx.update(uploads).set({ plan }).where(eq(uploads.id, upload.id))
    const turn = await turnOf(context, tx, session.user.id, id)
    await context.queue.send(tx, 'repair', { repairId: id }, turn)
    return { success: true, code }
  })
}

/** A video needs its sample; for a photo it is optional. */
function checkReady(upload: UploadRow): void {
  if (upload.status === 'Pending') throw new ServiceFailure('upload.missing')
  if (upload.status === 'Repair_Completed') throw new ServiceFailure('file.repaired-already')
  if (upload.product === 'video' && upload.sampleSize === null)
    throw new ServiceFailure('repair.sample-missing')
}

/** Notes that a page follows a repair. @throws ServiceFailure `repair.status-unrecorded` for a code that is not this file's. */
export async function followRepair(
  context: Context,
  session: Session,
  product: Product,
  terms: { readonly instancegeneratedD: string; readonly videocreatedTime: string },
): Promise<{ success: true }> {
  const upload = await ownUpload(context, session, terms.videocreatedTime, product)
  const followed = await context.db
    .update(repairs)
    .set({ followedAt: context.clock.now() })
    .where(and(eq(repairs.uploadId, upload.id), eq(repairs.code, terms.instancegeneratedD)))
    .returning({ id: repairs.id })
  if (followed.length === 0) throw new ServiceFailure('repair.status-unrecorded')
  return { success: true }
}

/** Acknowledges that a page has seen the end. It moves neither status nor quota: the worker alone does. */
export async function captureStatus(
  context: Context,
  session: Session,
  product: Product,
  timestamp: string,
): Promise<{ success: true }> {
  await ownUpload(context, session, timestamp, product)
  return { success: true }
}
