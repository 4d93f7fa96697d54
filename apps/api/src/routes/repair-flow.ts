import {
  beginSample,
  beginUpload,
  type Context,
  captureStatus,
  checkProgress,
  findByUniqueId,
  findDownload,
  followRepair,
  mayUpload,
  recordArrival,
  ServiceFailure,
  startRepair,
} from '@mendframe/backend'
import { checkSize, FLOW, type Product } from '@mendframe/contract'
import type { App } from '../app.ts'
import { caller } from '../caller.ts'
import { describe } from '../describe.ts'

/** The specified calls of the repair flow, of one flavour. */
export function addRepairFlow(app: App, context: Context, product: Product): void {
  const flow = FLOW[product]

  app.route({
    ...describe(flow.uploadCheck),
    handler: async (request) => ({ status: await mayUpload(context, caller(request), product) }),
  })
  app.route({
    ...describe(flow.fileSize),
    handler: async (request) => {
      const allowed = checkSize(product, request.body.fileSize) === undefined
      request.log.info({ bytes: request.body.fileSize, allowed }, 'file size told')
      return { success: true as const, allowed }
    },
  })
  app.route({
    ...describe(flow.upload),
    handler: (request) => beginUpload(context, caller(request), product, request.body),
  })
  app.route({
    ...describe(flow.metadata),
    handler: (request) => recordArrival(context, caller(request), product, request.body),
  })
  app.route({
    ...describe(flow.sampleUpload),
    handler: (request) => beginSample(context, caller(request), product, request.body),
  })
  app.route({
    ...describe(flow.repair),
    handler: (request) => startRepair(context, caller(request), product, request.body),
  })
  app.route({
    ...describe(flow.repairStatus),
    handler: (request) => followRepair(context, caller(request), product, request.body),
  })
  app.route({
    ...describe(flow.checkProgress),
    handler: (request) => checkProgress(context, caller(request), product, request.query.time),
  })
  app.route({
    ...describe(flow.download),
    handler: (request) => findDownload(context, caller(request), product, request.query),
  })
  app.route({
    ...describe(flow.repairDownload),
    handler: async (request) => {
      const found = await findDownload(context, caller(request), product, request.query)
      return {
        success: true as const,
        previewdownloadUrl: found.previewDownloadUrl,
        downloadUrl: found.videoDownloadUrl,
        ...(found.playableUrl === undefined ? {} : { playableUrl: found.playableUrl }),
        photoDownloadUrl: found.photoDownloadUrl,
        full: found.full,
      }
    },
  })
  app.route({
    ...describe(flow.statusCapture),
    handler: (request) => captureStatus(context, caller(request), product, request.body.videocreatedTime),
  })
  app.route({
    ...describe(flow.byUniqueId),
    handler: async (request) => {
      const data = await findByUniqueId(context, caller(request), product, request.params.id)
      if (!data) throw new ServiceFailure('file.unknown')
      return { success: true as const, data }
    },
  })
}
