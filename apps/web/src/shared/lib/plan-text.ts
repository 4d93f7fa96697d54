import {
  FREE_VIDEO_MB,
  MAX_PHOTO_BYTES,
  MAX_VIDEO_BYTES,
  MEBIBYTE,
  type Pack,
  PREVIEW_FRACTION,
} from '@mendframe/contract'

/** `$9.99`, and `$119` where the cents are none. */
export function shortPrice(cents: number): string {
  const dollars = Math.floor(cents / 100)
  const rest = cents % 100
  return rest === 0 ? `$${dollars}` : `$${dollars}.${String(rest).padStart(2, '0')}`
}

/** The unit behind a pack's price: `/mo` or `/yr`. */
export function pricePeriod(pack: Pack): string {
  return pack.subscription === 'Monthly' ? '/mo' : '/yr'
}

/** `10 files a month`, `200 files a year`. */
export function packSize(pack: Pack): string {
  return `${pack.count} files a ${pack.subscription === 'Monthly' ? 'month' : 'year'}`
}

/** `5 GB`: the largest video. */
export const LARGEST_VIDEO = `${MAX_VIDEO_BYTES / 2 ** 30} GB`

/** `500 MB`: the largest photo on Premium. */
export const LARGEST_PHOTO = `${MAX_PHOTO_BYTES / MEBIBYTE} MB`

/** `100 MB`: the largest video of which Free gives the whole result. */
export const LARGEST_FREE_VIDEO = `${FREE_VIDEO_MB} MB`

/** `10%`: the share of a repaired video that its preview shows. */
export const PREVIEW_SHARE = `${Math.round(PREVIEW_FRACTION * 100)}%`
