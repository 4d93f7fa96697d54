import { z } from 'zod'
import { TEXTS } from './texts.ts'

/**
 * Every failure the server answers with: HTTP status and the text for people. Texts of the specification stand
 * verbatim; the others say what happened and what to do now.
 */
export const ERRORS = {
  'request.invalid': [400, 'The request is not complete or has a value that is not allowed.'],
  'request.not-found': [404, 'There is nothing at this address.'],
  'request.too-many': [429, 'Too many attempts. Please wait a minute and try again.'],
  'request.too-large': [413, 'The request is larger than this call takes.'],
  'server.error': [500, TEXTS.uploadServerError],
  'server.unavailable': [503, 'The service is busy or restarting. Please try again in a moment.'],
  'server.storage-full': [507, 'There is no room for more files right now. Please try again in a while.'],

  'auth.required': [401, 'Please log in to continue.'],
  'auth.invalid-session': [401, 'Your session has ended. Please log in again.'],
  'auth.identity-mismatch': [403, 'The signed-in account and the email of this request are not the same.'],
  'auth.email-required': [422, TEXTS.emailRequired],
  'auth.email-invalid': [422, TEXTS.emailInvalid],
  'auth.password-required': [422, TEXTS.passwordRequired],
  'auth.password-too-long': [422, 'This password is too long.'],
  'auth.login-refused': [401, 'The email or the password is not right.'],
  'auth.signup-refused': [
    409,
    'We could not create this account. If you already have one, log in or reset your password.',
  ],
  'auth.password-wrong': [403, 'The current password is not right.'],
  'auth.reset-invalid': [400, 'This link was used already or is too old. Please ask for a new one.'],
  'auth.verify-invalid': [400, 'This link was used already or is too old. Please ask for a new one.'],
  'auth.provider-unconfigured': [503, 'This way of signing in is not set up here. Please use your email.'],
  'auth.provider-refused': [401, 'The sign-in was refused. Please try again.'],
  'auth.state-invalid': [
    400,
    'The sign-in took too long or was started in another window. Please try again.',
  ],
  'auth.code-missing': [400, TEXTS.codeMissing],

  'account.country-unknown': [422, 'Please choose a country from the list.'],

  'upload.unsupported-format': [415, TEXTS.unsupportedFormat],
  'upload.foreign-content': [
    415,
    `${TEXTS.unsupportedFormat} What is in this file is something else than its name says.`,
  ],
  'upload.empty': [422, 'This file is empty: there is nothing in it that could be repaired.'],
  'upload.too-large': [413, TEXTS.tooLarge],
  'upload.photo-too-large': [413, TEXTS.photoTooLarge],
  'upload.free-photo-too-large': [413, TEXTS.freePhotoOverLimit],
  'upload.free-photo-format': [
    415,
    'The Free plan repairs JPEG photos. Premium repairs every supported format.',
  ],
  'upload.missing': [409, TEXTS.uploadFailed],
  'upload.incomplete': [409, 'Some parts of the upload have not arrived. Please continue the upload.'],
  'upload.address-refused': [403, 'This upload address is not valid any more. Please start again.'],
  'upload.size-differs': [400, 'The upload has another size than was announced.'],
  'upload.closed': [409, 'This upload is finished or was given up.'],
  'upload.too-many': [429, 'Too many unfinished uploads. Please finish or delete one of them first.'],

  'sample.wrong-extension': [422, TEXTS.sampleWrongExtension],
  'sample.same-file': [422, TEXTS.sampleSameFile],
  'sample.too-large': [413, TEXTS.sampleTooLarge],
  'sample.photo-wrong-extension': [422, TEXTS.photoSampleWrongExtension],
  'sample.photo-too-large': [413, TEXTS.photoSampleTooLarge],

  'plan.exhausted': [402, TEXTS.countExhausted],
  'plan.photo-exhausted': [402, TEXTS.photoCountExhausted],
  'plan.repair-running': [409, 'One repair is running already. Please wait until it is finished.'],

  'file.unknown': [404, 'We do not have this file.'],
  'file.deleted': [404, 'This file has been deleted.'],
  'file.repaired-already': [409, 'This file is repaired already.'],
  'file.repair-running': [409, 'This file is being repaired. Please cancel the repair first.'],
  'file.no-result': [409, 'There is no repaired file yet.'],
  'file.free-video-over-limit': [402, TEXTS.freeVideoOverLimit],

  'repair.sample-missing': [422, TEXTS.sampleMissing],
  'repair.not-running': [409, 'No repair of this file is running.'],
  'repair.status-unrecorded': [404, TEXTS.statusNotRecorded],

  'download.failed': [409, TEXTS.downloadFailed],
  'download.address-refused': [403, 'This download address is not valid any more. Please reload the page.'],
  'download.range-unsatisfiable': [416, 'The requested part of the file does not exist.'],

  'manual.unavailable': [
    409,
    'A manual repair can be requested when a repair has failed or is only partial.',
  ],
  'manual.requested-already': [409, 'A manual repair of this file has been requested already.'],

  'store.unconfigured': [503, 'No store is set up here.'],
  'store.signature-invalid': [400, 'The signature of this event is not valid.'],
  'store.unknown-product': [422, 'This event names a product that is not sold here.'],
  'store.buyer-unknown': [422, 'This event names no account.'],
} as const satisfies Readonly<Record<string, readonly [status: number, text: string]>>

export type ErrorCode = keyof typeof ERRORS

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(ERRORS).filter(isErrorCode)

/** HTTP status of a failure. */
export function errorStatus(code: ErrorCode): number {
  return ERRORS[code][0]
}

/** Text of a failure, its places not filled. */
export function errorText(code: ErrorCode): string {
  return ERRORS[code][1]
}

/** Body of every failure. An older page may meet a code that it does not know. */
export const failureSchema = z.object({
  success: z.literal(false),
  message: z.string(),
  code: z.string(),
})
export type Failure = z.infer<typeof failureSchema>
