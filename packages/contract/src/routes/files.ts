import { z } from 'zod'
import { manualCaseSchema } from '../entities.ts'
import { MAX_NOTE_LENGTH, MAX_PARTS_PER_SIGN } from '../limits.ts'
import { productSchema } from '../products.ts'
import { repairReportSchema } from '../report.ts'
import { originalNameField } from './repair-flow.ts'
import { bytesSchema, defineRoute, doneSchema, timestampQuerySchema, timestampSchema } from './route.ts'

const ownership = ['file.unknown'] as const
const uploadIdField = z.string().min(1).max(128)
const partNumberField = z.number().int().min(1).max(10_000)

/** What the owner does with a file, in either flavour: the timestamp says which. */
export const FILES = {
  report: defineRoute({
    method: 'GET',
    path: '/api/report',
    summary: "The engine's report of the latest finished repair",
    access: 'session',
    query: z.object({ time: timestampQuerySchema }),
    reply: z.object({ success: z.literal(true), report: repairReportSchema }),
    errors: [...ownership, 'file.no-result'],
  }),
  cancel: defineRoute({
    method: 'POST',
    path: '/api/repair/cancel',
    summary: 'Cancel the running or queued repair; its place is given back',
    access: 'session',
    body: z.object({ timestamp: timestampSchema }),
    reply: doneSchema,
    errors: [...ownership, 'repair.not-running'],
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/api/file/delete',
    summary: 'Delete the files of this upload now; the record stays, marked Deleted',
    access: 'session',
    body: z.object({ timestamp: timestampSchema }),
    reply: doneSchema,
    errors: [...ownership, 'file.repair-running'],
  }),
  requestManual: defineRoute({
    method: 'POST',
    path: '/api/manualrepair',
    summary: 'Ask for a free manual repair after a failed or partial one',
    access: 'session',
    body: z.object({ timestamp: timestampSchema, note: z.string().max(MAX_NOTE_LENGTH) }),
    reply: z.object({ success: z.literal(true), manual: manualCaseSchema }),
    errors: [...ownership, 'manual.unavailable', 'manual.requested-already', 'file.deleted'],
  }),
} as const

/**
 * Uploads in parts, for files above `MULTIPART_THRESHOLD_BYTES` and for connections that break. `create` takes the
 * place of `upload` (role `corrupt`) or `sampleupload` (role `sample`); afterwards the flow goes on as usual.
 * A part is sent by `PUT` to its address with no content type bound; parts may go in any order and be sent again.
 */
export const PARTS = {
  create: defineRoute({
    method: 'POST',
    path: '/api/upload/parts/create',
    summary: 'Open an upload in parts',
    access: 'session',
    body: z.object({
      product: productSchema.default('video'),
      role: z.enum(['corrupt', 'sample']),
      fileExtension: z.string().min(1).max(16),
      contentType: z.string().max(128),
      /** Bytes. */
      fileSize: bytesSchema,
      /** Needed with role `sample`: the damaged upload and the sample's name. */
      timestamp: timestampSchema.optional(),
      originalFileName: originalNameField.optional(),
    }),
    reply: z.object({
      success: z.literal(true),
      uploadId: z.string(),
      fileName: z.string(),
      timestamp: z.string(),
      /** Bytes of each part but the last. */
      partSize: z.number().int(),
      partCount: z.number().int(),
    }),
    errors: [
      ...ownership,
      'upload.unsupported-format',
      'upload.too-large',
      'upload.photo-too-large',
      'upload.free-photo-format',
      'upload.free-photo-too-large',
      'upload.too-many',
      'server.storage-full',
      'upload.missing',
      'plan.exhausted',
      'plan.photo-exhausted',
      'sample.wrong-extension',
      'sample.same-file',
      'sample.too-large',
      'sample.photo-wrong-extension',
      'sample.photo-too-large',
      'file.deleted',
      'file.repaired-already',
      'file.repair-running',
    ],
  }),
  list: defineRoute({
    method: 'GET',
    path: '/api/upload/parts',
    summary: 'The parts that have arrived; how a browser continues after a break or a reload',
    access: 'session',
    query: z.object({ uploadId: uploadIdField }),
    reply: z.object({
      success: z.literal(true),
      fileName: z.string(),
      timestamp: z.string(),
      fileSize: z.number(),
      partSize: z.number().int(),
      partCount: z.number().int(),
      parts: z.array(z.object({ partNumber: z.number().int(), size: z.number() })),
    }),
    errors: [...ownership, 'upload.closed'],
  }),
  sign: defineRoute({
    method: 'POST',
    path: '/api/upload/parts/sign',
    summary: 'Signed addresses for parts, numbered from 1',
    access: 'session',
    body: z.object({
      uploadId: uploadIdField,
      partNumbers: z.array(partNumberField).min(1).max(MAX_PARTS_PER_SIGN),
    }),
    reply: z.object({
      success: z.literal(true),
      urls: z.array(z.object({ partNumber: z.number().int(), uploadUrl: z.string() })),
    }),
    errors: [...ownership, 'upload.closed'],
  }),
  complete: defineRoute({
    method: 'POST',
    path: '/api/upload/parts/complete',
    summary: 'Join the parts; refused while one is missing. Idempotent',
    access: 'session',
    body: z.object({ uploadId: uploadIdField }),
    reply: z.object({
      success: z.literal(true),
      fileName: z.string(),
      timestamp: z.string(),
      fileSize: z.number(),
    }),
    errors: [...ownership, 'upload.incomplete', 'upload.closed', 'upload.size-differs'],
  }),
  abort: defineRoute({
    method: 'POST',
    path: '/api/upload/parts/abort',
    summary: 'Give the upload up and free its space. Idempotent',
    access: 'session',
    body: z.object({ uploadId: uploadIdField }),
    reply: doneSchema,
    errors: [...ownership],
  }),
} as const
