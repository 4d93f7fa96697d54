import { eq, or } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { multipartUploads, type UploadRow, uploads } from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { settleSample } from './arrive.ts'
import { uploadKey } from './names.ts'

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
  if (!isOpen(context, await uploadOfKey(context, key), key)) throw new ServiceFailure('upload.closed')
}

/**
 * After an object has appeared under an address's key: a sample is recorded at once. What came when the address was closed
 * already, by the check or by a deletion, goes again: whoever closes an address marks the row first and clears the key then.
 * @throws ServiceFailure `upload.closed`.
 */
export async function noteReceived(context: Context, key: string): Promise<void> {
  const upload = await uploadOfKey(context, key)
  if (!upload || !isOpen(context, upload, key)) {
    await context.storage.remove(key)
    throw new ServiceFailure('upload.closed')
  }
  await settleSample(context, upload)
}

/** Whether the bytes under an address's key are still to be checked. */
function isOpen(context: Context, upload: UploadRow | undefined, key: string): boolean {
  if (!upload || upload.deleted || upload.expiresAt <= context.clock.now()) return false
  return uploadKey(upload.fileName) === key ? upload.status === 'Pending' : upload.sampleSize === null
}

async function uploadOfKey(context: Context, key: string): Promise<UploadRow | undefined> {
  const fileName = key.slice(key.indexOf('/') + 1)
  const [upload] = await context.db
    .select()
    .from(uploads)
    .where(or(eq(uploads.fileName, fileName), eq(uploads.sampleFileName, fileName)))
  return upload
}
