import { z } from 'zod'
import { uploadedFileSchema } from '../entities.ts'
import { MAX_NAME_LENGTH } from '../limits.ts'
import { PLANS } from '../plans.ts'
import {
  ENHANCEMENTS,
  enhancementSchema,
  progressStatusSchema,
  repairStageSchema,
  verdictSchema,
} from '../statuses.ts'
import {
  bytesSchema,
  defineRoute,
  doneSchema,
  sealedSchema,
  timestampQuerySchema,
  timestampSchema,
} from './route.ts'

const extensionField = z.string().min(1).max(16)
/** A file name is data, never a path: any characters are taken, none has a meaning. */
export const originalNameField = z.string().max(MAX_NAME_LENGTH * 4)
const contentTypeField = z
  .string()
  .max(128)
  .regex(/^$|^[\w.+-]+\/[\w.+-]+(;[\x20-\x7e]*)?$/)
const renamedField = z.string().min(1).max(128)

/** `PUT` the file to `uploadUrl` with `Content-Type: contentType` (the one of the request, or `application/octet-stream`). */
export const uploadReplySchema = z.object({
  success: z.literal(true),
  uploadUrl: z.string(),
  fileName: z.string(),
  timestamp: z.string(),
})

export const progressReplySchema = z.object({
  status: progressStatusSchema,
  /** Percent of the whole repair, 0 to 100; never goes back within one repair. */
  progress: z.number().min(0).max(100),
  /** The stage in words. */
  repairingStatus: z.string(),
  stage: repairStageSchema,
  /** Share of the stage, 0 to 1. */
  fraction: z.number().min(0).max(1),
  /** Repairs that wait in front of this one; while it waits itself (stage `queued`). */
  ahead: z.number().int().min(0).optional(),
  /** The status is `Failed` because somebody cancelled the repair. */
  cancelled: z.literal(true).optional(),
  /**
   * Set once the status is `Completed` (or `Failed` with an unrepairable file). `healthy`: nothing was wrong, the place is given
   * back.
   */
  verdict: verdictSchema.optional(),
  /** Why it failed, or that nothing was wrong, in a line for the visitor. */
  message: z.string().optional(),
})
export type ProgressReply = z.infer<typeof progressReplySchema>

export const downloadReplySchema = z.object({
  success: z.literal(true),
  /** The full result where the plan allows it, else the preview. */
  videoDownloadUrl: z.string(),
  /** Always the preview, in the file's own format; photos: the preview picture. */
  previewDownloadUrl: z.string(),
  /**
   * H.264/AAC mp4 that browsers play: for an mp4 the preview itself, for others the converted preview. Absent for photos or where
   * none could be made.
   */
  playableUrl: z.string().optional(),
  /**
   * A photo in full as JPEG, where the result itself is none, and as PNG. Absent where they could not be made or the plan gives a
   * preview only.
   */
  jpegUrl: z.string().optional(),
  pngUrl: z.string().optional(),
  /** The plan's label. */
  info: z.enum(PLANS),
  /**
   * Preview pictures: a still from the beginning (photos: the repaired picture), and a second one (photos: the picture before).
   * Empty when there is none.
   */
  photoDownloadUrl: z.string(),
  photoDownloadUrl1: z.string(),
  /** Whether `videoDownloadUrl` is the full result. */
  full: z.boolean(),
  /** Why it is not, with its code, e.g. the 100 MB text for Free. */
  message: z.string().optional(),
  code: z.string().optional(),
  /** ISO 8601: when the result is deleted. */
  expiresAt: z.string(),
})
export type DownloadReply = z.infer<typeof downloadReplySchema>

export interface FlowPaths {
  readonly uploadCheck: string
  readonly fileSize: string
  readonly upload: string
  readonly metadata: string
  readonly sampleUpload: string
  readonly repair: string
  readonly repairStatus: string
  readonly checkProgress: string
  readonly download: string
  readonly repairDownload: string
  readonly statusCapture: string
  readonly byUniqueId: string
}

const ownership = ['file.unknown'] as const

/** The specified calls of one flavour. */
export function flowRoutes<const P extends FlowPaths>(paths: P) {
  return {
    uploadCheck: defineRoute({
      method: 'POST',
      path: paths.uploadCheck,
      summary: 'Whether the plan allows another repair, so that an upload makes sense',
      access: 'session',
      body: z.looseObject({}).nullish(),
      reply: z.object({ status: z.boolean() }),
      errors: [],
    }),
    fileSize: defineRoute({
      method: 'POST',
      path: paths.fileSize,
      summary: 'Report the size in bytes of a file that is too large; `allowed` says whether it is',
      access: 'session',
      body: z.object({ fileSize: bytesSchema }),
      reply: z.object({ success: z.literal(true), allowed: z.boolean() }),
      errors: [],
    }),
    upload: defineRoute({
      method: 'POST',
      path: paths.upload,
      summary: 'Signed address for the damaged file; with fileSize (bytes) the address binds it',
      access: 'session',
      body: z.object({
        fileExtension: extensionField,
        contentType: contentTypeField,
        fileSize: bytesSchema.optional(),
      }),
      reply: uploadReplySchema,
      errors: [
        'upload.unsupported-format',
        'upload.too-large',
        'upload.photo-too-large',
        'upload.free-photo-format',
        'upload.free-photo-too-large',
        'upload.too-many',
        'server.storage-full',
        'plan.exhausted',
        'plan.photo-exhausted',
      ],
    }),
    metadata: defineRoute({
      method: 'POST',
      path: paths.metadata,
      summary: 'The damaged file has arrived: its name is recorded, its size and content are checked',
      access: 'session',
      body: z.object({
        fileName: renamedField,
        fileExtension: extensionField,
        timestamp: timestampSchema,
        originalFileName: originalNameField,
        info: sealedSchema,
      }),
      /** `fileSize` in bytes, `uniqueId` for /resume?u=… */
      reply: z.object({ success: z.literal(true), fileSize: z.number(), uniqueId: z.string() }),
      errors: [
        ...ownership,
        'auth.identity-mismatch',
        'upload.missing',
        'upload.incomplete',
        'upload.unsupported-format',
        'upload.foreign-content',
        'upload.empty',
        'upload.too-large',
        'upload.photo-too-large',
        'upload.free-photo-too-large',
        'file.deleted',
      ],
    }),
    sampleUpload: defineRoute({
      method: 'POST',
      path: paths.sampleUpload,
      summary: 'Signed address for the sample of the upload with this timestamp; fileSize in bytes is bound',
      access: 'session',
      body: z.object({
        fileExtension: extensionField,
        fileSize: bytesSchema,
        timestamp: timestampSchema,
        contentType: contentTypeField,
        originalFileName: originalNameField,
      }),
      reply: uploadReplySchema,
      errors: [
        ...ownership,
        'upload.missing',
        'sample.wrong-extension',
        'sample.same-file',
        'sample.too-large',
        'sample.photo-wrong-extension',
        'sample.photo-too-large',
        'upload.too-many',
        'server.storage-full',
        'file.deleted',
        'file.repaired-already',
        'file.repair-running',
      ],
    }),
    repair: defineRoute({
      method: 'POST',
      path: paths.repair,
      summary:
        'Start the repair: takes a place of the plan. videoPath is the fileName of the upload, videoName a label',
      access: 'session',
      body: z.object({
        videoPath: renamedField,
        videocreatedTime: timestampSchema,
        videoName: originalNameField.optional(),
        /** Films only; a photo's are not looked at. */
        enhancements: z.array(enhancementSchema).max(ENHANCEMENTS.length).optional(),
      }),
      /** `code` names this repair in `repairstatus`. Starting a running repair again answers its code. */
      reply: z.object({ success: z.literal(true), code: z.string() }),
      errors: [
        ...ownership,
        'repair.sample-missing',
        'upload.missing',
        'upload.foreign-content',
        'plan.exhausted',
        'plan.photo-exhausted',
        'plan.repair-running',
        'file.deleted',
        'file.repaired-already',
      ],
    }),
    repairStatus: defineRoute({
      method: 'POST',
      path: paths.repairStatus,
      summary: 'Record that the page follows the repair with this code',
      access: 'session',
      body: z.object({ instancegeneratedD: z.string().min(1).max(128), videocreatedTime: timestampSchema }),
      reply: doneSchema,
      errors: [...ownership, 'repair.status-unrecorded'],
    }),
    checkProgress: defineRoute({
      method: 'GET',
      path: paths.checkProgress,
      summary: 'How the latest repair of the file stands; a queued one reads as Running',
      access: 'session',
      query: z.object({ time: timestampQuerySchema }),
      reply: progressReplySchema,
      errors: [...ownership, 'repair.not-running'],
    }),
    download: defineRoute({
      method: 'GET',
      path: paths.download,
      summary: 'Signed addresses of the result and its preview',
      access: 'session',
      query: z.object({ fileName: renamedField, timestamp: timestampQuerySchema, details: sealedSchema }),
      reply: downloadReplySchema,
      errors: [...ownership, 'auth.identity-mismatch', 'file.deleted', 'file.no-result', 'download.failed'],
    }),
    repairDownload: defineRoute({
      method: 'GET',
      path: paths.repairDownload,
      summary: 'Addresses for the dashboard; downloadUrl follows the plan as videoDownloadUrl does',
      access: 'session',
      query: z.object({ timestamp: timestampQuerySchema, fileName: renamedField }),
      reply: z.object({
        success: z.literal(true),
        previewdownloadUrl: z.string(),
        downloadUrl: z.string(),
        playableUrl: z.string().optional(),
        photoDownloadUrl: z.string(),
        full: z.boolean(),
      }),
      errors: [...ownership, 'file.deleted', 'file.no-result', 'download.failed'],
    }),
    statusCapture: defineRoute({
      method: 'POST',
      path: paths.statusCapture,
      summary: 'Acknowledged and idempotent; the worker alone completes a repair',
      access: 'session',
      body: z.object({
        videocreatedTime: timestampSchema,
        repairfilestatus: z.literal('Repair_Completed'),
        originalvideoName: originalNameField.optional(),
        originalvideoSize: z.union([z.number(), z.string().max(64)]).optional(),
        uploadfileExtensionaws: z.string().max(16).optional(),
        email: z.string().max(2048).optional(),
      }),
      reply: doneSchema,
      errors: [...ownership],
    }),
    byUniqueId: defineRoute({
      method: 'GET',
      path: paths.byUniqueId,
      summary: 'The record of an upload, for the resume page; its owner only',
      access: 'session',
      params: z.object({ id: z.string().min(1).max(128) }),
      reply: z.object({ success: z.literal(true), data: uploadedFileSchema }),
      errors: [...ownership],
    }),
  }
}

/** The repair flow by product. */
export const FLOW = {
  video: flowRoutes({
    uploadCheck: '/api/uploadcheck',
    fileSize: '/api/filesize',
    upload: '/api/upload',
    metadata: '/api/video-metadata',
    sampleUpload: '/api/sampleupload',
    repair: '/api/repair',
    repairStatus: '/api/repairstatus',
    checkProgress: '/api/checkprogress',
    download: '/api/download',
    repairDownload: '/api/repairdownload',
    statusCapture: '/api/repairstatuscapture',
    byUniqueId: '/api/getUserByUniqueId/:id',
  }),
  photo: flowRoutes({
    uploadCheck: '/api/photouploadcheck',
    fileSize: '/api/photofilesize',
    upload: '/api/photoupload',
    metadata: '/api/photo-metadata',
    sampleUpload: '/api/photosampleupload',
    repair: '/api/photorepair',
    repairStatus: '/api/photorepairstatus',
    checkProgress: '/api/photocheckprogress',
    download: '/api/photodownload',
    repairDownload: '/api/photorepairdownload',
    statusCapture: '/api/photorepairstatuscapture',
    byUniqueId: '/api/photogetUserByUniqueId/:id',
  }),
} as const
