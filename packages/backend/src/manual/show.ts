import { extensionOfName, type ManualCase, mediaTypeOf } from '@mendframe/contract'
import { and, eq, ne } from 'drizzle-orm'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { type ManualCaseRow, manualCases } from '../db/schema.ts'

/** A case as its owner sees it; the attached file has an address while it exists. */
export async function showCase(context: Context, row: ManualCaseRow, deleted: boolean): Promise<ManualCase> {
  const attached =
    row.resultKey === null || deleted
      ? undefined
      : await context.storage.signGet(row.resultKey, {
          contentType: mediaTypeOf(extensionOfName(row.resultKey)),
          saveAs: row.resultName ?? 'result',
          seconds: context.config.downloadUrlMinutes * 60,
        })
  return {
    state: row.state,
    note: row.note,
    requested_date: row.createdAt.toISOString(),
    ...(row.answer === null ? {} : { answer: row.answer }),
    ...(attached === undefined ? {} : { downloadUrl: attached }),
  }
}

/** Whether people are at work on an upload; its files are kept until they are done. */
export async function hasOpenCase(db: Database, uploadId: string): Promise<boolean> {
  const [open] = await db
    .select({ id: manualCases.id })
    .from(manualCases)
    .where(and(eq(manualCases.uploadId, uploadId), ne(manualCases.state, 'Closed')))
  return open !== undefined
}
