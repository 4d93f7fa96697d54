import { FREE_PHOTO_REPAIRS, PREMIUM_KEEP_HOURS, type Product, TEXTS } from '@mendframe/contract'

export type PricingVariant = 'upgrade' | 'limit' | 'exhausted' | 'exceeded'

export interface PricingWords {
  readonly title: string
  readonly text: string
}

const THINGS = { video: 'videos', photo: 'photos' } as const

function premiumWords(product: Product, variant: PricingVariant): PricingWords {
  const feature = product === 'video' ? 'Video Repair' : 'Photo Repair'
  if (variant === 'exhausted' || variant === 'limit') {
    return {
      title: `You are using Premium Account for ${feature} Features`,
      text: product === 'video' ? TEXTS.countExhausted : TEXTS.photoCountExhausted,
    }
  }
  return {
    title: 'You are using Premium Account',
    text: `You can add repairs at any time. What is left of your plan stays yours until it ends.`,
  }
}

function freeWords(product: Product, variant: PricingVariant): PricingWords {
  const title = 'Upgrade Plan'
  if (variant === 'exceeded') {
    return { title, text: product === 'video' ? TEXTS.freeVideoOverLimit : TEXTS.freePhotoOverLimit }
  }
  if (variant === 'limit' || variant === 'exhausted') {
    const used =
      product === 'video'
        ? 'You can repair one video for free, and yours is done or under way.'
        : `You can repair ${FREE_PHOTO_REPAIRS} photos for free, and yours are done or under way.`
    return {
      title,
      text: `${used} Premium repairs more of them, larger ones, and keeps the results for ${PREMIUM_KEEP_HOURS} hours.`,
    }
  }
  return {
    title,
    text: `Premium repairs more ${THINGS[product]}, larger ones, gives you every result in full and keeps it for ${PREMIUM_KEEP_HOURS} hours.`,
  }
}

/** What the pricing dialog says: to whom, and on what occasion. */
export function pricingWords(product: Product, plan: string, variant: PricingVariant): PricingWords {
  return plan === 'Premium' ? premiumWords(product, variant) : freeWords(product, variant)
}
