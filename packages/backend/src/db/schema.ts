import type { Enhancement, RepairReport } from '@mendframe/contract'
import {
  bigint,
  boolean,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'

/* The tables as the code sees them. `migrations/` creates them; a test compares the two. */

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const bytes = (name: string) => bigint(name, { mode: 'number' })
const created = () => moment('created_at').notNull()

export type Product = 'video' | 'photo'

export const users = pgTable('users', {
  id: text('id').primaryKey(),
  /** As typed; `email_key` is its lower case and unique. */
  email: text('email').notNull(),
  emailKey: text('email_key').notNull(),
  name: text('name').notNull(),
  country: text('country').notNull(),
  passwordHash: text('password_hash'),
  emailVerifiedAt: moment('email_verified_at'),
  /** Free repairs that a deleted account of the same address had used. */
  priorFreeVideo: integer('prior_free_video').notNull(),
  priorFreePhoto: integer('prior_free_photo').notNull(),
  createdAt: created(),
})

/** What deleted accounts had used of the Free plan, under a keyed hash of the address. */
export const formerFreeUse = pgTable('former_free_use', {
  person: text('person').primaryKey(),
  video: integer('video').notNull(),
  photo: integer('photo').notNull(),
})

export const identities = pgTable(
  'identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    provider: text('provider').$type<'google' | 'apple'>().notNull(),
    userId: text('user_id').notNull(),
    createdAt: created(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] })],
)

export const sessions = pgTable('sessions', {
  /** SHA-256 of the token, base64url. */
  tokenHash: text('token_hash').primaryKey(),
  userId: text('user_id').notNull(),
  createdAt: created(),
  expiresAt: moment('expires_at').notNull(),
})

export const mailTokens = pgTable('mail_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  userId: text('user_id').notNull(),
  purpose: text('purpose').$type<'verify' | 'reset'>().notNull(),
  /** The address the mail went to: a token is worth nothing after a change of address. */
  emailKey: text('email_key').notNull(),
  expiresAt: moment('expires_at').notNull(),
})

export const signInStates = pgTable('sign_in_states', {
  stateHash: text('state_hash').primaryKey(),
  provider: text('provider').$type<'google' | 'apple'>().notNull(),
  product: text('product').$type<Product>().notNull(),
  nonce: text('nonce').notNull(),
  verifier: text('verifier').notNull(),
  browserHash: text('browser_hash').notNull(),
  /** The name that Apple posts once. */
  personName: text('person_name'),
  expiresAt: moment('expires_at').notNull(),
})

export type UploadStatus = 'Pending' | 'Corrut_File_Uploaded' | 'Sample_File_Uploaded' | 'Repair_Completed'

export const uploads = pgTable('uploads', {
  id: text('id').primaryKey(),
  userId: text('user_id').notNull(),
  product: text('product').$type<Product>().notNull(),
  /** Milliseconds since 1970, unique: the key of the job. */
  timestamp: bytes('timestamp').notNull(),
  uniqueId: text('unique_id').notNull(),
  fileName: text('file_name').notNull(),
  extension: text('extension').notNull(),
  contentType: text('content_type').notNull(),
  announcedSize: bytes('announced_size'),
  originalName: text('original_name').notNull(),
  /** Key of the bytes that were checked; absent until they were. */
  storedKey: text('stored_key'),
  size: bytes('size'),
  status: text('status').$type<UploadStatus>().notNull(),
  plan: text('plan').$type<'Free' | 'Premium'>().notNull(),
  sampleFileName: text('sample_file_name'),
  sampleOriginalName: text('sample_original_name').notNull(),
  sampleContentType: text('sample_content_type'),
  sampleAnnouncedSize: bytes('sample_announced_size'),
  sampleStoredKey: text('sample_stored_key'),
  sampleSize: bytes('sample_size'),
  deleted: boolean('deleted').notNull(),
  createdAt: created(),
  expiresAt: moment('expires_at').notNull(),
})

export const multipartUploads = pgTable('multipart_uploads', {
  id: text('id').primaryKey(),
  userId: text('user_id').notNull(),
  uploadId: text('upload_id').notNull(),
  role: text('role').$type<'corrupt' | 'sample'>().notNull(),
  key: text('key').notNull(),
  /** The storage driver's own name for the upload. */
  driverId: text('driver_id').notNull(),
  fileSize: bytes('file_size').notNull(),
  partSize: integer('part_size').notNull(),
  state: text('state').$type<'open' | 'completed' | 'aborted'>().notNull(),
  createdAt: created(),
})

export type RepairState = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'

export const repairs = pgTable('repairs', {
  id: text('id').primaryKey(),
  uploadId: text('upload_id').notNull(),
  userId: text('user_id').notNull(),
  product: text('product').$type<Product>().notNull(),
  code: text('code').notNull(),
  state: text('state').$type<RepairState>().notNull(),
  /** Counts how often a worker has taken the job; only the latest may end it. */
  attempt: integer('attempt').notNull(),
  /** How often its own process broke off. */
  crashes: integer('crashes').notNull().default(0),
  /** What was asked for beyond the repair. */
  enhancements: jsonb('enhancements').$type<Enhancement[]>().notNull().default([]),
  stage: text('stage').notNull(),
  fraction: doublePrecision('fraction').notNull(),
  progress: doublePrecision('progress').notNull(),
  verdict: text('verdict').$type<'repaired' | 'partial' | 'healthy' | 'unrepairable'>(),
  message: text('message'),
  report: jsonb('report').$type<RepairReport>(),
  resultKey: text('result_key'),
  resultSize: bytes('result_size'),
  previewKey: text('preview_key'),
  playableKey: text('playable_key'),
  stillKey: text('still_key'),
  still2Key: text('still2_key'),
  /** A photo in full as JPEG, where the result is none, and as PNG. */
  jpegKey: text('jpeg_key'),
  pngKey: text('png_key'),
  followedAt: moment('followed_at'),
  createdAt: created(),
  startedAt: moment('started_at'),
  finishedAt: moment('finished_at'),
})

export const charges = pgTable('charges', {
  id: text('id').primaryKey(),
  userId: text('user_id').notNull(),
  repairId: text('repair_id').notNull(),
  product: text('product').$type<Product>().notNull(),
  /** Absent: a place of the Free plan. */
  purchaseId: text('purchase_id'),
  state: text('state').$type<'held' | 'spent' | 'returned'>().notNull(),
  createdAt: created(),
})

export type PurchaseState = 'active' | 'refunded' | 'disputed'

export const purchases = pgTable('purchases', {
  id: text('id').primaryKey(),
  /** Absent until the buyer's address is verified by an account. */
  userId: text('user_id'),
  emailKey: text('email_key').notNull(),
  email: text('email').notNull(),
  name: text('name').notNull(),
  invoiceId: text('invoice_id').notNull(),
  packId: text('pack_id').notNull(),
  product: text('product').$type<Product>().notNull(),
  count: integer('count').notNull(),
  subscription: text('subscription').$type<'Monthly' | 'Yearly'>().notNull(),
  state: text('state').$type<PurchaseState>().notNull(),
  /** The store's names, for events that come later. */
  paymentRef: text('payment_ref'),
  subscriptionRef: text('subscription_ref'),
  createdAt: created(),
  expiresAt: moment('expires_at').notNull(),
})

export const storeEvents = pgTable('store_events', {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  outcome: text('outcome').notNull(),
  /** What other events about the same payment need when they come in another order. */
  paymentRef: text('payment_ref'),
  invoiceRef: text('invoice_ref'),
  occurredAt: moment('occurred_at').notNull(),
  createdAt: created(),
})

export const manualCases = pgTable('manual_cases', {
  id: text('id').primaryKey(),
  uploadId: text('upload_id').notNull(),
  userId: text('user_id').notNull(),
  state: text('state').$type<'Requested' | 'In_Progress' | 'Closed'>().notNull(),
  note: text('note').notNull(),
  answer: text('answer'),
  resultKey: text('result_key'),
  resultName: text('result_name'),
  createdAt: created(),
  closedAt: moment('closed_at'),
})

export type UserRow = typeof users.$inferSelect
export type UploadRow = typeof uploads.$inferSelect
export type RepairRow = typeof repairs.$inferSelect
export type PurchaseRow = typeof purchases.$inferSelect
export type ManualCaseRow = typeof manualCases.$inferSelect
