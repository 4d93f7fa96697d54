import { z } from 'zod'
import { FREE_PHOTO_REPAIRS, FREE_VIDEO_REPAIRS, MONTHLY_PLAN_DAYS, YEARLY_PLAN_YEARS } from './limits.ts'
import { type Product, productSchema } from './products.ts'

/** `current_plan`; any other value is shown as it is. */
export const PLANS = ['Free', 'Premium'] as const
export const planSchema = z.enum(PLANS)
export type Plan = z.infer<typeof planSchema>

export const SUBSCRIPTIONS = ['Monthly', 'Yearly'] as const
export const subscriptionSchema = z.enum(SUBSCRIPTIONS)
export type Subscription = z.infer<typeof subscriptionSchema>

export const packSchema = z.object({
  /** Stable name, `product-count-period`: the key of checkout links and of the store's metadata. */
  id: z.string(),
  product: productSchema,
  subscription: subscriptionSchema,
  /** Repairs in the pack. */
  count: z.number().int().positive(),
  /** US cents. */
  price: z.number().int().positive(),
  /** US cents, struck through beside the price. */
  regularPrice: z.number().int().positive().optional(),
  /** e.g. `50% OFF`. */
  label: z.string().optional(),
  /** The pack that is selected at first. */
  preselected: z.boolean(),
})
export type Pack = z.infer<typeof packSchema>

const monthly = (product: Product, count: number, price: number, preselected = false): Pack => ({
  id: `${product}-${count}-monthly`,
  product,
  subscription: 'Monthly',
  count,
  price,
  preselected,
})

/** Every licence pack that is sold. */
export const PACKS: readonly Pack[] = [
  monthly('video', 10, 999, true),
  monthly('video', 25, 1999),
  monthly('video', 50, 3999),
  monthly('video', 100, 6999),
  {
    id: 'video-200-yearly',
    product: 'video',
    subscription: 'Yearly',
    count: 200,
    price: 5999,
    regularPrice: 11900,
    label: '50% OFF',
    preselected: false,
  },
  monthly('photo', 10, 999, true),
  monthly('photo', 50, 1999),
  monthly('photo', 100, 2499),
  monthly('photo', 200, 2999),
  monthly('photo', 500, 4999),
]

/** The pack of an id, if it is sold. */
export function findPack(id: string): Pack | undefined {
  return PACKS.find((pack) => pack.id === id)
}

/** `$9.99` of 999 cents. */
export function formatPrice(cents: number): string {
  return `$${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

/** Repairs of the Free plan of a product. */
export function freeRepairs(product: Product): number {
  return product === 'video' ? FREE_VIDEO_REPAIRS : FREE_PHOTO_REPAIRS
}

/**
 * When a plan ends: at the start (UTC) of the day that lies 30 days or 1 year after the day of purchase, so that the
 * dashboard's line, which counts whole days, agrees with what the server enforces.
 */
export function planExpiry(purchasedAt: Date, subscription: Subscription): Date {
  const day = new Date(
    Date.UTC(purchasedAt.getUTCFullYear(), purchasedAt.getUTCMonth(), purchasedAt.getUTCDate()),
  )
  if (subscription === 'Monthly') day.setUTCDate(day.getUTCDate() + MONTHLY_PLAN_DAYS)
  else day.setUTCFullYear(day.getUTCFullYear() + YEARLY_PLAN_YEARS)
  return day
}
