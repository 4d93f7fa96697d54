import { PACKS, type Pack } from '@mendframe/contract'
import { z } from 'zod'

/* The parts of the store's events (Stripe's format) that the service reads. Everything else in them is ignored. */

const reference = z.union([z.string(), z.looseObject({ id: z.string() })]).nullish()

export const eventSchema = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  created: z.number().int().nonnegative(),
  data: z.looseObject({ object: z.looseObject({}) }),
})
export type StoreEvent = z.infer<typeof eventSchema>

const metadata = z.record(z.string(), z.string()).nullish()

export const sessionSchema = z.looseObject({
  id: z.string(),
  client_reference_id: z.string().nullish(),
  payment_status: z.string().nullish(),
  customer_email: z.string().nullish(),
  customer_details: z.looseObject({ email: z.string().nullish(), name: z.string().nullish() }).nullish(),
  metadata,
  invoice: reference,
  payment_intent: reference,
  subscription: reference,
})

const lineSchema = z.looseObject({
  price: reference,
  pricing: z.looseObject({ price_details: z.looseObject({ price: reference }).nullish() }).nullish(),
  metadata,
})

export const invoiceSchema = z.looseObject({
  id: z.string(),
  billing_reason: z.string().nullish(),
  customer_email: z.string().nullish(),
  customer_name: z.string().nullish(),
  payment_intent: reference,
  subscription: reference,
  parent: z
    .looseObject({ subscription_details: z.looseObject({ subscription: reference, metadata }).nullish() })
    .nullish(),
  metadata,
  lines: z.looseObject({ data: z.array(lineSchema) }).nullish(),
})
export type Invoice = z.infer<typeof invoiceSchema>

export const chargeSchema = z.looseObject({
  payment_intent: reference,
  refunded: z.boolean().nullish(),
})

export const disputeSchema = z.looseObject({
  payment_intent: reference,
  status: z.string().nullish(),
})

/** Which payment settled an invoice; newer events name it here only. */
export const invoicePaymentSchema = z.looseObject({
  invoice: reference,
  payment: z.looseObject({ payment_intent: reference }).nullish(),
})

/** The id of a reference that may be expanded. */
export function idOf(value: z.infer<typeof reference>): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : value.id
}

/** The pack that metadata or a price names. */
export function packOf(
  prices: Readonly<Record<string, string>>,
  names: {
    readonly metadata?: readonly z.infer<typeof metadata>[]
    readonly prices?: readonly (string | null)[]
  },
): Pack | undefined {
  for (const entry of names.metadata ?? []) {
    const pack = PACKS.find((known) => known.id === entry?.pack)
    if (pack) return pack
  }
  for (const price of names.prices ?? []) {
    const pack = PACKS.find((known) => price !== null && prices[known.id] === price)
    if (pack) return pack
  }
  return undefined
}

/** Prices that the lines of an invoice name, in the old and the new place. */
export function linePrices(invoice: Invoice): (string | null)[] {
  const lines = invoice.lines?.data ?? []
  return lines.flatMap((line) => [idOf(line.price), idOf(line.pricing?.price_details?.price)])
}
