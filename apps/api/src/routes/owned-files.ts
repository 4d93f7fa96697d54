import {
  abortParts,
  type Context,
  cancelRepair,
  completeParts,
  createParts,
  deleteNow,
  listParts,
  readReport,
  requestManualRepair,
  signParts,
} from '@mendframe/backend'
import { FILES, PARTS } from '@mendframe/contract'
import type { App } from '../app.ts'
import { caller } from '../caller.ts'
import { describe } from '../describe.ts'

/** What an owner does with a file beyond the specified flow. */
export function addOwnedFiles(app: App, context: Context): void {
  app.route({
    ...describe(FILES.report),
    handler: async (request) => {
      const report = await readReport(context, caller(request), request.query.time)
      return { success: true as const, report }
    },
  })
  app.route({
    ...describe(FILES.cancel),
    handler: (request) => cancelRepair(context, caller(request), request.body.timestamp),
  })
  app.route({
    ...describe(FILES.remove),
    handler: (request) => deleteNow(context, caller(request), request.body.timestamp),
  })
  app.route({
    ...describe(FILES.requestManual),
    handler: (request) =>
      requestManualRepair(context, caller(request), request.body.timestamp, request.body.note),
  })
}

/** Uploads in parts. */
export function addParts(app: App, context: Context): void {
  app.route({
    ...describe(PARTS.create),
    handler: (request) => createParts(context, caller(request), request.body),
  })
  app.route({
    ...describe(PARTS.list),
    handler: (request) => listParts(context, caller(request), request.query.uploadId),
  })
  app.route({
    ...describe(PARTS.sign),
    handler: (request) =>
      signParts(context, caller(request), request.body.uploadId, request.body.partNumbers),
  })
  app.route({
    ...describe(PARTS.complete),
    handler: (request) => completeParts(context, caller(request), request.body.uploadId),
  })
  app.route({
    ...describe(PARTS.abort),
    handler: (request) => abortParts(context, caller(request), request.body.uploadId),
  })
}
