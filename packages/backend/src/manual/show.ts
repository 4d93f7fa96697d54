import { extensionOfName, type ManualCase, mediaTypeOf } from '@mendframe/contract'
import type { Context } from '../context.ts'
import type { ManualCaseRow } from '../db/schema.ts'

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
