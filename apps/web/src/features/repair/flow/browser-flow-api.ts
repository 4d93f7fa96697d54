import { FILES, FLOW, type Product } from '@mendframe/contract'
import { addressOf, call, resolveAddress } from '../../../shared/api/call.ts'
import { sealText } from '../../../shared/api/identity.ts'
import { readUser } from '../../../shared/storage/session.ts'
import type { FlowApi } from './flow-ports.ts'

/** The calls of the repair flow as this browser makes them. */
export function browserFlowApi(product: Product): FlowApi {
  const routes = FLOW[product]
  const sealedEmail = () => sealText(readUser(product)?.email ?? '')
  return {
    uploadCheck: async () => (await call(routes.uploadCheck, { body: {} })).status,
    reportSize: async (fileSize) => {
      await call(routes.fileSize, { body: { fileSize } })
    },
    recordMetadata: async ({ fileName, extension, timestamp, name }) =>
      call(routes.metadata, {
        body: {
          fileName,
          fileExtension: extension,
          timestamp,
          originalFileName: name,
          info: await sealedEmail(),
        },
      }),
    startRepair: async ({ fileName, timestamp, name }, enhancements) => {
      const body = {
        videoPath: fileName,
        videocreatedTime: timestamp,
        videoName: name,
        ...(enhancements.length > 0 ? { enhancements: [...enhancements] } : {}),
      }
      return (await call(routes.repair, { body })).code
    },
    recordStatus: async (code, timestamp) => {
      await call(routes.repairStatus, { body: { instancegeneratedD: code, videocreatedTime: timestamp } })
    },
    download: async ({ fileName, timestamp }) => {
      const reply = await call(routes.download, {
        query: { fileName, timestamp, details: await sealedEmail() },
      })
      const base = addressOf(routes.download, {})
      const whole = (address: string) => (address === '' ? '' : resolveAddress(address, base))
      return {
        ...reply,
        videoDownloadUrl: whole(reply.videoDownloadUrl),
        previewDownloadUrl: whole(reply.previewDownloadUrl),
        photoDownloadUrl: whole(reply.photoDownloadUrl),
        photoDownloadUrl1: whole(reply.photoDownloadUrl1),
        ...(reply.playableUrl === undefined ? {} : { playableUrl: whole(reply.playableUrl) }),
        ...(reply.jpegUrl === undefined ? {} : { jpegUrl: whole(reply.jpegUrl) }),
        ...(reply.pngUrl === undefined ? {} : { pngUrl: whole(reply.pngUrl) }),
      }
    },
    captureStatus: async ({ timestamp, name, bytes, extension }) => {
      await call(routes.statusCapture, {
        body: {
          videocreatedTime: timestamp,
          repairfilestatus: 'Repair_Completed',
          originalvideoName: name,
          originalvideoSize: bytes,
          uploadfileExtensionaws: extension,
          email: await sealedEmail(),
        },
      })
    },
    report: async (time) => (await call(FILES.report, { query: { time } })).report,
    cancel: async (timestamp) => {
      await call(FILES.cancel, { body: { timestamp } })
    },
    remove: async (timestamp) => {
      await call(FILES.remove, { body: { timestamp } })
    },
    byUniqueId: async (id) => (await call(routes.byUniqueId, { params: { id } })).data,
  }
}
