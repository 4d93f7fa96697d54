import { eq, or } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { multipartUploads, type UploadRow, uploads } from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { settleSample } from './arrive.ts'

/**
 * Whether a signed PUT to the folder still makes sense: a valid signature does not allow to change a file after it was
 * checked, to bring back a deleted one, or to add parts to a finished upload.
 * @throws ServiceFailure `upload.closed`.
 */
export async function checkReceivable(
  context: Context,
  key: string,
  driverId: string | undefined,
): Promise<void> {
  if (driverId !== undefined) {
    const [row] = await context.db
      .select({ state: multipartUploads.state })
      .from(multipartUploads)
      .where(eq(multipartUploads.driverId, driverId))
    if (row?.state !== 'open') throw new ServiceFailure('upload.closed')
    return
  }
  const upload = await uploadOfKey(context, key)
  if (!upload || upload.deleted) throw new ServiceFailure('upload.closed')
  const fileName = key.slice(key.indexOf('/') + 1)
  const open = upload.fileName === fileName ? upload.status === 'Pending' : upload.sampleSize === null
  if (!open) throw new ServiceFailure('upload.closed')
}

/** After a PUT to the folder: a sample is recorded at once. */
export async function noteReceived(context: Context, key: string): Promise<void> {
  const upload = await uploadOfKey(context, key)
  if (upload) await settleSample(context, upload)
}

async function uploadOfKey(context: Context, key: string): Promise<UploadRow | undefined> {
  const fileName = key.slice(key.indexOf('/') + 1)
  const [upload] = await context.db
    .select()
    .from(uploads)
    .where(or(eq(uploads.fileName, fileName), eq(uploads.sampleFileName, fileName)))
  return upload
}
