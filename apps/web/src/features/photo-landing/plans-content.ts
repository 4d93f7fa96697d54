import {
  FREE_KEEP_HOURS,
  FREE_PHOTO_EXTENSIONS,
  FREE_PHOTO_MB,
  FREE_PHOTO_REPAIRS,
  PACKS,
  PHOTO_EXTENSIONS,
  PHOTO_PREMIUM_SHOWN_FILES,
  PREMIUM_KEEP_HOURS,
} from '@mendframe/contract'
import { LARGEST_PHOTO, packSize, pricePeriod, shortPrice } from '../../shared/lib/plan-text.ts'
import type { Offer, PlanRow } from '../../shared/ui/plan-comparison.tsx'

const packs = PACKS.filter(({ product }) => product === 'photo')

export const OFFERS: readonly Offer[] = packs.map((pack) => ({
  id: pack.id,
  label: String(pack.count),
  price: shortPrice(pack.price),
  period: pricePeriod(pack),
}))

/** The offer that is shown at first: 50 files. */
export const SHOWN_OFFER = packs.findIndex(({ count }) => count === PHOTO_PREMIUM_SHOWN_FILES)

export const ROWS: readonly PlanRow[] = [
  { label: 'Repairs', free: `${FREE_PHOTO_REPAIRS} photos`, premium: packs.map(packSize) },
  {
    label: 'Formats',
    free: FREE_PHOTO_EXTENSIONS.map((extension) => extension.toUpperCase()).join(', '),
    premium: `All ${PHOTO_EXTENSIONS.length}`,
  },
  { label: 'Size of a photo', free: `Up to ${FREE_PHOTO_MB} MB`, premium: `Up to ${LARGEST_PHOTO}` },
  { label: 'Kept for you', free: `${FREE_KEEP_HOURS} hours`, premium: `${PREMIUM_KEEP_HOURS} hours` },
  { label: 'Before and after', free: 'Included', premium: 'Included' },
  { label: 'Manual repair', free: 'Free', premium: 'Free' },
]
