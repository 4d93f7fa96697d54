export {
  type Credentials,
  logIn,
  signUp,
} from './accounts/email-sign-in.ts'
export { deleteAccount, exportData } from './accounts/own-data.ts'
export { changePassword, forgotPassword, resetPassword } from './accounts/password-change.ts'
export { readPurchases, readRecharges, readUploads, readUser, saveCountry } from './accounts/profile.ts'
export {
  finishProviderSignIn,
  notePersonName,
  startProviderSignIn,
} from './accounts/provider-sign-in.ts'
export { authenticate, closeSession, type Session } from './accounts/sessions.ts'
export { emailKey } from './accounts/users.ts'
export { sendVerification, verifyEmail } from './accounts/verification.ts'
export { type AdminJob, cancelJob, listJobs, retryJob } from './admin/jobs.ts'
export { type AdminPlan, grantPlan, listPlans } from './admin/plans.ts'
export { type StorageUse, storageUse } from './admin/storage-use.ts'
export { type AdminUser, listUsers } from './admin/users.ts'
export { checkoutLinks } from './billing/checkout.ts'
export { type Outcome, signStoreEvent, takeStoreEvent, webhookSecret } from './billing/webhook.ts'
export { type Config, loadConfig } from './config/config.ts'
export { SETTING_NAMES } from './config/settings.ts'
export { type Context, createContext, type Overrides } from './context.ts'
export { hasEmbedded } from './db/embedded-folder.ts'
export type { RepairState } from './db/schema.ts'
export { ServiceFailure, SetupError } from './failure.ts'
export { createLogger, type Logger } from './log.ts'
export {
  attachResult,
  closeCase,
  listCases,
  type OperatorCase,
  requestManualRepair,
  takeCase,
} from './manual/cases.ts'
export { deliverMail } from './notices/deliver.ts'
export { type Clock, systemClock } from './ports/clock.ts'
export type { Mail, Mailer } from './ports/mailer.ts'
export type { Space } from './ports/space.ts'
export type { Storage, StoredObject } from './ports/storage.ts'
export { type Handlers, JOB_NAMES, type JobName, type Jobs, type TakenJob } from './queue/jobs.ts'
export type { Queue } from './queue/queue.ts'
export {
  type Attempt,
  completeRepair,
  countCrash,
  endHealthy,
  type Failure,
  failRepair,
  loseRepair,
  type Products,
  reportProgress,
  requeueRepair,
  takeRepair,
} from './repairs/attempt.ts'
export { cancelRepair } from './repairs/cancel.ts'
export { findDownload } from './repairs/downloads.ts'
export { checkProgress, readReport } from './repairs/progress.ts'
export { captureStatus, followRepair, startRepair } from './repairs/start.ts'
export { waitAfter } from './repairs/turn.ts'
export { deleteNow } from './retention/remove-files.ts'
export { type SweepReport, sweep } from './retention/sweep.ts'
export { attachment } from './storage/disposition.ts'
export { FolderStorage } from './storage/folder-storage.ts'
export { UploadRefused } from './storage/meter.ts'
export { FILES_PATH, type SignedAccess } from './storage/signing.ts'
export { recordArrival } from './uploads/arrive.ts'
export { beginUpload, mayUpload } from './uploads/begin.ts'
export { previewKey, resultKey, uploadKey } from './uploads/names.ts'
export { ownUpload } from './uploads/own.ts'
export { abortParts, completeParts, createParts, listParts, signParts } from './uploads/parts.ts'
export { checkReceivable, noteReceived } from './uploads/receive.ts'
export { findByUniqueId } from './uploads/records.ts'
export { beginSample } from './uploads/sample.ts'
export { checkSpace, hasSpace } from './uploads/space.ts'
