import { z } from 'zod'
import { planSchema, subscriptionSchema } from './plans.ts'
import { productSchema } from './products.ts'
import {
  filePresenceSchema,
  fileStatusSchema,
  manualStateSchema,
  progressStatusSchema,
  verdictSchema,
} from './statuses.ts'

export const userSchema = z.object({
  name: z.string(),
  email: z.string(),
  /** `Free` or `Premium`, of the product that was asked for. */
  current_plan: z.string(),
  /** Empty when none was chosen. */
  country: z.string(),
  /** ISO 8601, UTC. */
  created_at: z.string(),
  email_verified: z.boolean(),
})
export type User = z.infer<typeof userSchema>

/** How the latest repair of a record stands. */
export const repairSummarySchema = z.object({
  status: progressStatusSchema,
  /** The status is `Failed` because somebody cancelled it. */
  cancelled: z.literal(true).optional(),
  verdict: verdictSchema.optional(),
  /** One line for the visitor when it failed or was healthy. */
  message: z.string().optional(),
})

export const manualCaseSchema = z.object({
  state: manualStateSchema,
  note: z.string(),
  /** The operator's answer, once there is one. */
  answer: z.string().optional(),
  /** Signed address of the file the operator attached. */
  downloadUrl: z.string().optional(),
  requested_date: z.string(),
})
export type ManualCase = z.infer<typeof manualCaseSchema>

export const uploadedFileSchema = z.object({
  product: productSchema,
  originalfilename: z.string(),
  /** MB with two decimals, cut; compare its whole part (`isAboveFreeSize` takes the bytes). */
  originalfileSize: z.number(),
  originalfileBytes: z.number(),
  /** Without its dot, lower case. */
  extension: z.string(),
  renamefilename: z.string(),
  /** Decimal digits: creation time in milliseconds, unique over all users; the key of the job. */
  timestamp: z.string(),
  status: fileStatusSchema,
  /** The owner's. */
  email: z.string(),
  originalsamplefilename: z.string(),
  originalsamplefileSize: z.number(),
  file_status: filePresenceSchema,
  /** ISO 8601, UTC. */
  created_date: z.string(),
  unique_id: z.string(),
  /** The plan that paid for the repair, or the current one before it. */
  plan: planSchema,
  /** ISO 8601: when the file is deleted; absent while a manual repair keeps it. */
  expires_at: z.string().optional(),
  repair: repairSummarySchema.optional(),
  manual: manualCaseSchema.optional(),
})
export type UploadedFile = z.infer<typeof uploadedFileSchema>

export const purchaseSchema = z.object({
  id: z.string(),
  invoiceId: z.string(),
  name: z.string(),
  email: z.string(),
  /** `1st January 2026`, UTC; see `formatOrdinalDate`. */
  createdOn: z.string(),
  count: z.number().int(),
  subscription: subscriptionSchema,
  product: productSchema,
  /** ISO 8601: first moment without the plan. */
  expiresOn: z.string(),
  state: z.enum(['Active', 'Expired', 'Refunded', 'Disputed']),
})
export type Purchase = z.infer<typeof purchaseSchema>
