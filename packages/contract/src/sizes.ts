import { FREE_PHOTO_MB, FREE_VIDEO_MB, MAX_PHOTO_BYTES, MAX_VIDEO_BYTES, MEBIBYTE } from './limits.ts'
import type { Product } from './products.ts'

/** Whole MB of a size in bytes: the number that every size rule compares. */
export function wholeMegabytes(bytes: number): number {
  return Math.floor(bytes / MEBIBYTE)
}

/**
 * MB with two decimals, cut and never rounded up, so that its whole part equals `wholeMegabytes`. This is the
 * `originalfileSize` of a record.
 */
export function shownMegabytes(bytes: number): number {
  return Math.floor((bytes / MEBIBYTE) * 100) / 100
}

/** Whether a Free user's file is over the plan's size: whole MB above 100 (video) or 20 (photo). */
export function isAboveFreeSize(product: Product, bytes: number): boolean {
  return wholeMegabytes(bytes) > (product === 'video' ? FREE_VIDEO_MB : FREE_PHOTO_MB)
}

/** Largest file of a product, in bytes, on any plan. */
export function maxBytes(product: Product): number {
  return product === 'video' ? MAX_VIDEO_BYTES : MAX_PHOTO_BYTES
}

/** A name cut for display: the first `length` characters and '...' when there are more. */
export function cutName(name: string, length: number): string {
  const characters = [...name]
  return characters.length > length ? `${characters.slice(0, length).join('')}...` : name
}
