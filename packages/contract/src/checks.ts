import type { ErrorCode } from './errors.ts'
import { isFreePhotoExtension, isSupportedExtension, normaliseExtension } from './formats.ts'
import type { Product } from './products.ts'
import { isAboveFreeSize, maxBytes } from './sizes.ts'

/* The specification's upload checks as functions that page and server share; each answers a failure's code. */

/** The address pattern of the sign-in form: text, @, text, dot, text. */
export const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Longest email address stored, RFC 5321 §4.5.3.1. */
export const MAX_EMAIL_LENGTH = 254

/** Whether a text is an email address for the sign-in form. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL_PATTERN.test(text)
}

/** Size of the damaged file: check 5. */
export function checkSize(product: Product, bytes: number): ErrorCode | undefined {
  if (bytes <= maxBytes(product)) return undefined
  return product === 'video' ? 'upload.too-large' : 'upload.photo-too-large'
}

/** The same when only an upload address and its limit are at hand. */
export function tooLargeFor(limit: number): ErrorCode {
  return limit <= maxBytes('photo') ? 'upload.photo-too-large' : 'upload.too-large'
}

/** Extension of the damaged file: check 7. */
export function checkExtension(product: Product, extension: string): ErrorCode | undefined {
  return isSupportedExtension(product, extension) ? undefined : 'upload.unsupported-format'
}

/** A damaged file without a byte; the specification is silent on it. */
export function checkEmpty(bytes: number): ErrorCode | undefined {
  return bytes === 0 ? 'upload.empty' : undefined
}

/** What the Free photo plan refuses at once; video has no such refusal. */
export function checkFreePhoto(
  product: Product,
  extension: string,
  bytes: number | undefined,
): ErrorCode | undefined {
  if (product === 'video') return undefined
  if (!isFreePhotoExtension(extension)) return 'upload.free-photo-format'
  return bytes !== undefined && isAboveFreeSize(product, bytes) ? 'upload.free-photo-too-large' : undefined
}

export interface SampleCheck {
  readonly product: Product
  /** The damaged file's original name. */
  readonly damagedName: string
  readonly damagedExtension: string
  readonly sampleName: string
  readonly sampleExtension: string
  readonly sampleBytes: number
}

/** The checks of a sample, in the specification's order. */
export function checkSample(check: SampleCheck): ErrorCode | undefined {
  if (normaliseExtension(check.sampleExtension) !== normaliseExtension(check.damagedExtension))
    return check.product === 'video' ? 'sample.wrong-extension' : 'sample.photo-wrong-extension'
  if (check.sampleName !== '' && check.sampleName === check.damagedName) return 'sample.same-file'
  if (check.sampleBytes > maxBytes(check.product))
    return check.product === 'video' ? 'sample.too-large' : 'sample.photo-too-large'
  return undefined
}
