import { and, eq, inArray, isNull, lte, ne, notExists, or } from 'drizzle-orm'
import type { Context } from '../context.ts'
import {
  mailTokens,
  manualCases,
  repairs,
  sessions,
  signInStates,
  type UploadRow,
  uploads,
} from '../db/schema.ts'
import { uploadKey } from '../uploads/names.ts'
import { removeFiles } from './remove-files.ts'

/** What a run has done. */
export interface SweepReport {
  /** Records whose files were deleted. */
  readonly expired: number
  /** Addresses that were given out and never used. */
  readonly unused: number
  /** Objects that belonged to nobody. */
  readonly orphans: number
}

const BATCH = 200
/** Begins the keys at which addresses let people write. */
const ARRIVALS = uploadKey('')
/** Hours after which an object without an owner is no longer one that is just being written. */
const ORPHAN_HOURS = 48

/** Deletes everything whose time is over. Safe to run at any moment, twice at once, and after being cut off. */
export async function sweep(context: Context, options: { readonly orphans: boolean }): Promise<SweepReport> {
  const now = context.clock.now()
  await context.db.delete(sessions).where(lte(sessions.expiresAt, now))
  await context.db.delete(mailTokens).where(lte(mailTokens.expiresAt, now))
  await context.db.delete(signInStates).where(lte(signInStates.expiresAt, now))
  const unused = await sweepUnused(context, now)
  const expired = await sweepExpired(context, now)
  const orphans = options.orphans ? await sweepOrphans(context, now) : 0
  const report = { expired, unused, orphans }
  if (expired + unused + orphans > 0) context.log.info(report, 'retention')
  return report
}

/** Files past their time, but for those under repair and those that people look at by hand. */
async function sweepExpired(context: Context, now: Date): Promise<number> {
  let count = 0
  for (let batch = await expired(context, now); batch.length > 0; batch = await expired(context, now)) {
    for (const upload of batch) await removeFiles(context, upload)
    count += batch.length
  }
  return count
}

function expired(context: Context, now: Date): Promise<UploadRow[]> {
  const { db } = context
  return db
    .select()
    .from(uploads)
    .where(
      and(
        eq(uploads.deleted, false),
        ne(uploads.status, 'Pending'),
        lte(uploads.expiresAt, now),
        notExists(
          db
            .select({ id: repairs.id })
            .from(repairs)
            .where(and(eq(repairs.uploadId, uploads.id), inArray(repairs.state, ['queued', 'running']))),
        ),
        notExists(
          db
            .select({ id: manualCases.id })
            .from(manualCases)
            .where(and(eq(manualCases.uploadId, uploads.id), ne(manualCases.state, 'Closed'))),
        ),
      ),
    )
    .limit(BATCH)
}

/** An upload that never came is no record worth keeping. */
async function sweepUnused(context: Context, now: Date): Promise<number> {
  const found = await context.db
    .select()
    .from(uploads)
    .where(and(eq(uploads.status, 'Pending'), lte(uploads.expiresAt, now)))
  for (const upload of found) {
    await removeFiles(context, upload)
    await context.db.delete(uploads).where(and(eq(uploads.id, upload.id), eq(uploads.status, 'Pending')))
  }
  return found.length
}

/**
 * Objects that no row names: left by workers that died, deletions cut off, or late PUTs. What arrived by an address is
 * named before the address is given out, so nobody waits for it to become old.
 */
async function sweepOrphans(context: Context, now: Date): Promise<number> {
  const before = new Date(now.getTime() - ORPHAN_HOURS * 3_600_000)
  let removed = 0
  let batch: string[] = []
  const flush = async () => {
    const owned = await ownedKeys(context, batch)
    for (const key of batch) {
      if (owned.has(key)) continue
      await context.storage.remove(key)
      removed++
    }
    batch = []
  }
  for await (const found of context.storage.list('')) {
    if (found.modified >= before && !found.key.startsWith(ARRIVALS)) continue
    batch.push(found.key)
    if (batch.length === BATCH) await flush()
  }
  await flush()
  await context.storage.sweepUnfinished(before)
  return removed
}

/** Which of the keys a row that is not deleted names. */
async function ownedKeys(context: Context, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const list = [...keys]
  const names = list.map((key) => key.slice(key.indexOf('/') + 1))
  const alive = eq(uploads.deleted, false)
  const coming = await context.db
    .select({ name: uploads.fileName })
    .from(uploads)
    .where(and(alive, isNull(uploads.storedKey), inArray(uploads.fileName, names)))
  const samplesComing = await context.db
    .select({ name: uploads.sampleFileName })
    .from(uploads)
    .where(and(alive, isNull(uploads.sampleStoredKey), inArray(uploads.sampleFileName, names)))
  const kept = await context.db
    .select({ damaged: uploads.storedKey, sample: uploads.sampleStoredKey })
    .from(uploads)
    .where(and(alive, or(inArray(uploads.storedKey, list), inArray(uploads.sampleStoredKey, list))))
  const made = await context.db
    .select({
      result: repairs.resultKey,
      preview: repairs.previewKey,
      playable: repairs.playableKey,
      still: repairs.stillKey,
      still2: repairs.still2Key,
      jpeg: repairs.jpegKey,
      png: repairs.pngKey,
    })
    .from(repairs)
    .innerJoin(uploads, eq(uploads.id, repairs.uploadId))
    .where(
      and(
        alive,
        or(
          inArray(repairs.resultKey, list),
          inArray(repairs.previewKey, list),
          inArray(repairs.playableKey, list),
          inArray(repairs.stillKey, list),
          inArray(repairs.still2Key, list),
          inArray(repairs.jpegKey, list),
          inArray(repairs.pngKey, list),
        ),
      ),
    )
  const attached = await context.db
    .select({ key: manualCases.resultKey })
    .from(manualCases)
    .innerJoin(uploads, eq(uploads.id, manualCases.uploadId))
    .where(and(alive, inArray(manualCases.resultKey, list)))
  const owned = [
    ...[...coming, ...samplesComing].map(({ name }) => (name === null ? null : uploadKey(name))),
    ...kept.flatMap((row) => [row.damaged, row.sample]),
    ...made.flatMap((row) => Object.values(row)),
    ...attached.map((row) => row.key),
  ]
  return new Set(owned.filter((key) => key !== null))
}
