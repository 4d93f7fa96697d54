import type { Context } from '../context.ts'
import { ServiceFailure } from '../failure.ts'

/** Whether so many bytes more leave the reserve untouched, which database, mails and repairs in work live on. */
export async function hasSpace(context: Context, bytes = 0): Promise<boolean> {
  return (await context.space.free()) - bytes >= context.config.diskReserveBytes
}

/** @throws ServiceFailure `server.storage-full`. */
export async function checkSpace(context: Context, bytes: number): Promise<void> {
  if (!(await hasSpace(context, bytes))) throw new ServiceFailure('server.storage-full')
}

/**
 * The same for uploads, which lie on this machine's disk or in a store elsewhere. @throws ServiceFailure `server.storage-full`.
 */
export async function checkUploadSpace(context: Context, bytes: number): Promise<void> {
  if (context.storage.kind === 'folder') await checkSpace(context, bytes)
}
