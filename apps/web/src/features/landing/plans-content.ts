import {
  FREE_KEEP_HOURS,
  FREE_VIDEO_REPAIRS,
  PACKS,
  type Pack,
  PREMIUM_KEEP_HOURS,
  VIDEO_EXTENSIONS,
} from '@mendframe/contract'
import {
  LARGEST_FREE_VIDEO,
  LARGEST_VIDEO,
  PREVIEW_SHARE,
  packSize,
  pricePeriod,
  shortPrice,
} from '../../shared/lib/plan-text.ts'
import type { Offer, PlanRow } from '../../shared/ui/plan-comparison.tsx'

/** The offers of the comparison: the preselected monthly pack, and the yearly one. */
export const SHOWN_PACKS: readonly Pack[] = PACKS.filter(
  ({ product, subscription, preselected }) =>
    product === 'video' && (preselected || subscription === 'Yearly'),
)

export const OFFERS: readonly Offer[] = SHOWN_PACKS.map((pack) => ({
  id: pack.id,
  label: pack.subscription,
  note: pack.label,
  price: shortPrice(pack.price),
  period: pricePeriod(pack),
  regularPrice: pack.regularPrice === undefined ? undefined : shortPrice(pack.regularPrice),
}))

export const ROWS: readonly PlanRow[] = [
  {
    label: 'Repairs',
    free: FREE_VIDEO_REPAIRS === 1 ? '1 video' : `${FREE_VIDEO_REPAIRS} videos`,
    premium: SHOWN_PACKS.map(packSize),
  },
  { label: 'Preview', free: `${PREVIEW_SHARE}, once`, premium: `${PREVIEW_SHARE} of each` },
  { label: 'Full result', free: `Up to ${LARGEST_FREE_VIDEO}`, premium: `Up to ${LARGEST_VIDEO}` },
  { label: 'Kept for you', free: `${FREE_KEEP_HOURS} hours`, premium: `${PREMIUM_KEEP_HOURS} hours` },
  { label: 'At a time', free: 'One repair', premium: 'Several repairs' },
  {
    label: 'Formats',
    free: `All ${VIDEO_EXTENSIONS.length}`,
    premium: `All ${VIDEO_EXTENSIONS.length}`,
  },
  { label: 'Report of every frame', free: 'Included', premium: 'Included' },
  { label: 'Manual repair', free: 'Free', premium: 'Free' },
]
