import { createHmac } from 'node:crypto'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import type { z } from 'zod'
import { findUserByEmail } from '../accounts/users.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { type PurchaseState, purchases, storeEvents, users } from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { recordSale, type Sale } from './purchases.ts'
import {
  chargeSchema,
  disputeSchema,
  eventSchema,
  idOf,
  invoicePaymentSchema,
  invoiceSchema,
  linePrices,
  packOf,
  type StoreEvent,
  sessionSchema,
} from './store-event.ts'

/** What became of an event; kept for the operator, and for events that come out of their order. */
export type Outcome =
  | 'sale'
  | 'sale-known'
  | 'unpaid'
  | 'refund'
  | 'partial-refund'
  | 'dispute-opened'
  | 'dispute-won'
  | 'dispute-lost'
  | 'payment-named'
  | 'ignored'

interface Reading {
  readonly outcome: Outcome
  readonly paymentRef: string | null
  readonly invoiceRef?: string | null
}

/** Any number: events are taken one after the other, so that two about one payment see each other. */
const LOCK = 7_263_114_006

/** Seconds an event's signature is good for. */
const TOLERANCE_SECONDS = 300

/** The key of the store's signatures; the demo store has one of its own, made of the installation's. */
export function webhookSecret(context: Context): string {
  const { kind, webhookSecret: secret } = context.config.store
  if (kind === 'live' && secret !== undefined) return secret
  if (kind === 'demo') return createHmac('sha256', context.secret).update('demo-store').digest('hex')
  throw new ServiceFailure('store.unconfigured')
}

/** A signature as the store makes it, for the demo store's events and for tests. `at` in seconds since 1970. */
export function signStoreEvent(payload: string, secret: string, at = Math.floor(Date.now() / 1000)): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: at })
}

/**
 * Takes one signed event. An event counts once, however often and in whatever order events come.
 * @throws ServiceFailure `store.signature-invalid`, `store.unknown-product`, `store.buyer-unknown` (then the store will
 * send it again, and an operator sees why in the log), `store.unconfigured`.
 */
export async function takeStoreEvent(
  context: Context,
  payload: Buffer,
  signature: string | undefined,
): Promise<Outcome | 'repeated'> {
  const event = verify(context, payload, signature)
  const outcome = await context.db.transaction(async (tx): Promise<Outcome | 'repeated'> => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK})`)
    const now = context.clock.now()
    const occurredAt = new Date(event.created * 1000)
    const [fresh] = await tx
      .insert(storeEvents)
      .values({ id: event.id, type: event.type, outcome: 'ignored', occurredAt, createdAt: now })
      .onConflictDoNothing({ target: storeEvents.id })
      .returning({ id: storeEvents.id })
    if (!fresh) return 'repeated'
    const reading = await read(context, tx, event)
    await tx
      .update(storeEvents)
      .set({ ...reading })
      .where(eq(storeEvents.id, event.id))
    if (reading.paymentRef !== null) await settleState(tx, reading.paymentRef)
    return reading.outcome
  })
  context.log.info({ event: event.id, type: event.type, outcome }, 'store event')
  return outcome
}

function verify(context: Context, payload: Buffer, signature: string | undefined): StoreEvent {
  const secret = webhookSecret(context)
  let event: unknown
  try {
    event = Stripe.webhooks.constructEvent(payload, signature ?? '', secret, TOLERANCE_SECONDS)
  } catch (error) {
    throw new ServiceFailure('store.signature-invalid', {}, { cause: error })
  }
  const parsed = eventSchema.safeParse(event)
  if (!parsed.success) throw new ServiceFailure('request.invalid')
  return parsed.data
}

function read(context: Context, tx: Database, event: StoreEvent): Promise<Reading> {
  const object = event.data.object
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return readSession(context, tx, event, parse(sessionSchema, object))
    case 'invoice.paid':
      return readInvoice(context, tx, event, parse(invoiceSchema, object))
    case 'charge.refunded':
      return readRefund(parse(chargeSchema, object))
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
      return readDispute(event.type, parse(disputeSchema, object))
    case 'invoice_payment.paid':
      return readInvoicePayment(tx, parse(invoicePaymentSchema, object))
    default:
      return Promise.resolve({ outcome: 'ignored', paymentRef: null })
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, object: unknown): z.output<Schema> {
  const parsed = schema.safeParse(object)
  if (!parsed.success) throw new ServiceFailure('request.invalid', {}, { cause: parsed.error })
  return parsed.data
}

async function readSession(
  context: Context,
  tx: Database,
  event: StoreEvent,
  session: z.infer<typeof sessionSchema>,
): Promise<Reading> {
  if (session.payment_status !== 'paid' && session.payment_status !== 'no_payment_required') {
    return { outcome: 'unpaid', paymentRef: null }
  }
  const pack = packOf(context.config.store.prices, { metadata: [session.metadata] })
  if (!pack) throw unknownProduct(context, event)
  const email = session.customer_details?.email ?? session.customer_email ?? ''
  return sell(context, tx, event, {
    pack,
    email,
    name: session.customer_details?.name ?? '',
    userId: await buyer(tx, session.client_reference_id ?? null, email),
    invoiceId: idOf(session.invoice) ?? session.id,
    paymentRef: idOf(session.payment_intent),
    subscriptionRef: idOf(session.subscription),
  })
}

/** Renewals of a subscription. Its first invoice is the checkout's, which is recorded by its own event. */
async function readInvoice(
  context: Context,
  tx: Database,
  event: StoreEvent,
  invoice: z.infer<typeof invoiceSchema>,
): Promise<Reading> {
  if (invoice.billing_reason !== 'subscription_cycle') return { outcome: 'ignored', paymentRef: null }
  const details = invoice.parent?.subscription_details
  const subscriptionRef = idOf(invoice.subscription) ?? idOf(details?.subscription)
  const [earlier] = await tx
    .select()
    .from(purchases)
    .where(eq(purchases.subscriptionRef, subscriptionRef ?? ''))
    .orderBy(desc(purchases.createdAt))
    .limit(1)
  const named = packOf(context.config.store.prices, {
    metadata: [
      invoice.metadata,
      details?.metadata,
      ...(invoice.lines?.data ?? []).map((line) => line.metadata),
    ],
    prices: linePrices(invoice),
  })
  const pack = named ?? packOf({}, { metadata: [{ pack: earlier?.packId ?? '' }] })
  if (!pack) throw unknownProduct(context, event)
  const email = invoice.customer_email ?? earlier?.email ?? ''
  return sell(context, tx, event, {
    pack,
    email,
    name: invoice.customer_name ?? earlier?.name ?? '',
    userId: earlier?.userId ?? (await buyer(tx, null, email)),
    invoiceId: invoice.id,
    paymentRef: idOf(invoice.payment_intent),
    subscriptionRef,
  })
}

async function sell(
  context: Context,
  tx: Database,
  event: StoreEvent,
  sale: Omit<Sale, 'state' | 'soldAt'>,
): Promise<Reading> {
  if (sale.userId === null && sale.email === '') {
    context.log.error({ event: event.id }, 'a sale names no account')
    throw new ServiceFailure('store.buyer-unknown')
  }
  // The payment's name, a refund or a dispute may have come before the sale.
  const paymentRef = sale.paymentRef ?? (await paymentOf(tx, sale.invoiceId))
  const state = paymentRef === null ? 'active' : await stateOf(tx, paymentRef)
  const soldAt = new Date(event.created * 1000)
  const recorded = await recordSale(context, tx, { ...sale, paymentRef, state, soldAt })
  return { outcome: recorded ? 'sale' : 'sale-known', paymentRef }
}

async function paymentOf(tx: Database, invoiceId: string): Promise<string | null> {
  const [named] = await tx
    .select({ paymentRef: storeEvents.paymentRef })
    .from(storeEvents)
    .where(and(eq(storeEvents.invoiceRef, invoiceId), eq(storeEvents.outcome, 'payment-named')))
  return named?.paymentRef ?? null
}

async function readInvoicePayment(
  tx: Database,
  told: z.infer<typeof invoicePaymentSchema>,
): Promise<Reading> {
  const paymentRef = idOf(told.payment?.payment_intent)
  const invoiceRef = idOf(told.invoice)
  if (paymentRef === null || invoiceRef === null) return { outcome: 'ignored', paymentRef: null }
  await tx.update(purchases).set({ paymentRef }).where(eq(purchases.invoiceId, invoiceRef))
  return { outcome: 'payment-named', paymentRef, invoiceRef }
}

/** The account of the checkout's reference, else the one that has confirmed the buyer's address. */
async function buyer(tx: Database, clientReference: string | null, email: string): Promise<string | null> {
  if (clientReference !== null) {
    const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.id, clientReference))
    if (user) return user.id
  }
  const user = email === '' ? undefined : await findUserByEmail(tx, email)
  return user?.emailVerifiedAt ? user.id : null
}

async function readRefund(charge: z.infer<typeof chargeSchema>): Promise<Reading> {
  return { outcome: charge.refunded ? 'refund' : 'partial-refund', paymentRef: idOf(charge.payment_intent) }
}

async function readDispute(type: string, dispute: z.infer<typeof disputeSchema>): Promise<Reading> {
  const paymentRef = idOf(dispute.payment_intent)
  if (type === 'charge.dispute.created') return { outcome: 'dispute-opened', paymentRef }
  return { outcome: dispute.status === 'won' ? 'dispute-won' : 'dispute-lost', paymentRef }
}

/** What all events about a payment, in whatever order they came, make of its purchase. */
async function stateOf(tx: Database, paymentRef: string): Promise<PurchaseState> {
  const told = await tx
    .select({ outcome: storeEvents.outcome })
    .from(storeEvents)
    .where(
      and(
        eq(storeEvents.paymentRef, paymentRef),
        inArray(storeEvents.outcome, ['refund', 'dispute-opened', 'dispute-won', 'dispute-lost']),
      ),
    )
  const times = (outcome: Outcome) => told.filter((event) => event.outcome === outcome).length
  if (times('refund') > 0 || times('dispute-lost') > 0) return 'refunded'
  return times('dispute-opened') > times('dispute-won') ? 'disputed' : 'active'
}

async function settleState(tx: Database, paymentRef: string): Promise<void> {
  const state = await stateOf(tx, paymentRef)
  await tx.update(purchases).set({ state }).where(eq(purchases.paymentRef, paymentRef))
}

function unknownProduct(context: Context, event: StoreEvent): ServiceFailure {
  context.log.error({ event: event.id, type: event.type }, 'a sale names an unknown product')
  return new ServiceFailure('store.unknown-product')
}
