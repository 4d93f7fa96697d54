import { grantPlan, listPlans } from '@mendframe/backend'
import { signEvent } from '@mendframe/backend/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Person, Service } from './support/service.ts'

const SECRET = 'whsec_test_secret_of_the_store'
let service: Service
beforeAll(async () => {
  service = await Service.start({
    STRIPE_WEBHOOK_SECRET: SECRET,
    CHECKOUT_LINKS: JSON.stringify({ 'video-10-monthly': 'https://buy.example.com/ten' }),
    STRIPE_PRICES: JSON.stringify({ 'video-25-monthly': 'price_25' }),
  })
})
afterAll(() => service.stop())

let serial = 0
interface Event {
  id: string
  type: string
  created: number
  data: { object: Record<string, unknown> }
}
const event = (
  type: string,
  object: Record<string, unknown>,
  created = Math.floor(Date.now() / 1000),
): Event => ({
  id: `evt_${++serial}`,
  type,
  created,
  data: { object },
})

function deliver(sent: Event, secret = SECRET, timestamp?: number): Promise<Answer> {
  const payload = JSON.stringify(sent)
  return raw(payload, signEvent(payload, secret, timestamp))
}

async function raw(payload: string, signature: string): Promise<Answer> {
  const reply = await service.app.inject({
    method: 'POST',
    url: '/api/store/webhook',
    headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
    payload,
  })
  return { status: reply.statusCode, body: JSON.parse(reply.body), headers: reply.headers, text: reply.body }
}

const checkout = (person: Person | undefined, more: Record<string, unknown> = {}) => ({
  id: `cs_${++serial}`,
  client_reference_id: person === undefined ? null : userIds.get(person),
  payment_status: 'paid',
  customer_details: { email: 'billing@example.com', name: 'Grace Hopper' },
  metadata: { pack: 'video-10-monthly' },
  invoice: `in_${serial}`,
  payment_intent: `pi_${serial}`,
  subscription: null,
  ...more,
})

const userIds = new Map<Person, string>()
async function buyer(email?: string): Promise<Person> {
  const person = await service.person(email)
  const links = await person.get('/api/checkout_links')
  const packs = links.body.packs
  const url = Array.isArray(packs) ? new URL(String(packs[0]?.url)) : undefined
  userIds.set(person, url?.searchParams.get('client_reference_id') ?? '')
  return person
}

const bought = async (person: Person) => (await person.get(`/api/purchases?email=${person.email}`)).body.list
const total = async (person: Person) =>
  (await person.get(`/api/product_recharge?email=${person.email}`)).body.totalRecharges

test('checkout addresses are data and carry the buyer`s reference; a pack without one is not on sale', async () => {
  const person = await buyer('links@example.com')
  const { packs } = (await person.get('/api/checkout_links')).body
  const shown = Array.isArray(packs) ? packs : []
  expect(shown).toHaveLength(5)
  const url = new URL(String(shown[0].url))
  expect(url.origin + url.pathname).toBe('https://buy.example.com/ten')
  expect(url.searchParams.get('prefilled_email')).toBe('links@example.com')
  expect(shown[1]).not.toHaveProperty('url')
})

describe('a sale', () => {
  test('gives the specified record', async () => {
    const person = await buyer()
    const created = Date.UTC(2026, 10, 21, 23, 59) / 1000
    const reply = await deliver(event('checkout.session.completed', checkout(person), created))
    expect(reply).toMatchObject({ status: 200, body: { outcome: 'sale' } })
    expect(await bought(person)).toMatchObject([
      {
        name: 'Grace Hopper',
        email: 'billing@example.com',
        createdOn: '21st November 2026',
        count: 10,
        subscription: 'Monthly',
        product: 'video',
        expiresOn: '2026-12-21T00:00:00.000Z',
        state: 'Active',
      },
    ])
    expect(Object.keys(((await bought(person)) as Record<string, unknown>[])[0] ?? {})).toEqual(
      expect.arrayContaining(['id', 'invoiceId']),
    )
    expect(await total(person)).toBe(10)
  })

  test('counts once, however often its event or its invoice comes', async () => {
    const person = await buyer()
    const session = checkout(person)
    const first = event('checkout.session.completed', session)
    expect(await deliver(first)).toMatchObject({ status: 200, body: { outcome: 'sale' } })
    expect(await deliver(first)).toMatchObject({ status: 200, body: { outcome: 'repeated' } })
    const parallel = await Promise.all(Array.from({ length: 20 }, () => deliver(first)))
    expect(parallel.every((reply) => reply.status === 200 && reply.body.outcome === 'repeated')).toBe(true)
    expect(await deliver(event('checkout.session.completed', session))).toMatchObject({
      body: { outcome: 'sale-known' },
    })
    expect(await total(person)).toBe(10)
  })

  test('that is not paid yet waits for its payment', async () => {
    const person = await buyer()
    const session = checkout(person, { payment_status: 'unpaid' })
    expect(await deliver(event('checkout.session.completed', session))).toMatchObject({
      body: { outcome: 'unpaid' },
    })
    expect(await total(person)).toBe(0)
    const paid = event('checkout.session.async_payment_succeeded', { ...session, payment_status: 'paid' })
    expect(await deliver(paid)).toMatchObject({ body: { outcome: 'sale' } })
    expect(await total(person)).toBe(10)
  })

  test('of an unknown product is refused and logged, and can be sent again', async () => {
    const person = await buyer()
    const sent = event('checkout.session.completed', checkout(person, { metadata: { pack: 'toaster' } }))
    expect(await deliver(sent)).toMatchObject({
      status: 422,
      body: { success: false, code: 'store.unknown-product' },
    })
    expect(await deliver(sent)).toMatchObject({ status: 422 })
    expect(service.logLines.some((line) => line.includes('unknown product'))).toBe(true)
    expect(await total(person)).toBe(0)
  })

  test('that names nobody is refused', async () => {
    const session = checkout(undefined, { customer_details: null })
    expect(await deliver(event('checkout.session.completed', session))).toMatchObject({
      status: 422,
      body: { code: 'store.buyer-unknown' },
    })
  })
})

describe('the buyer', () => {
  test('by address alone a purchase waits until the address is confirmed', async () => {
    const session = checkout(undefined, { customer_details: { email: 'Later@Example.com', name: 'L' } })
    expect(await deliver(event('checkout.session.completed', session))).toMatchObject({
      body: { outcome: 'sale' },
    })
    const person = await service.person('later@example.com')
    expect(await total(person)).toBe(0)
    const token = /token=([\w-]+)/.exec((await service.mailTo(person.email, 'confirm')).text)?.[1]
    await service.post('/api/email/verify', { token: token ?? '' })
    expect(await total(person)).toBe(10)
    const second = checkout(undefined, { customer_details: { email: 'later@example.com', name: 'L' } })
    await deliver(event('checkout.session.completed', second))
    expect(await total(person)).toBe(20)
  })

  test('is not an account that has not confirmed the address', async () => {
    const person = await service.person('claimed@example.com')
    const session = checkout(undefined, { customer_details: { email: person.email, name: 'C' } })
    await deliver(event('checkout.session.completed', session))
    expect(await total(person)).toBe(0)
  })
})

describe('signatures', () => {
  test('altered, foreign, stale and missing ones are refused', async () => {
    const person = await buyer()
    const sent = event('checkout.session.completed', checkout(person))
    const payload = JSON.stringify(sent)
    const header = signEvent(payload, SECRET)
    const refused = { status: 400, body: { code: 'store.signature-invalid' } }
    expect(await raw(payload.replace('paid', 'PAID'), header)).toMatchObject(refused)
    expect(await raw(`${payload} `, header)).toMatchObject(refused)
    expect(await deliver(sent, 'whsec_other')).toMatchObject(refused)
    expect(await deliver(sent, SECRET, Math.floor(Date.now() / 1000) - 600)).toMatchObject(refused)
    expect(await raw(payload, '')).toMatchObject(refused)
    expect(await total(person)).toBe(0)
  })
})

describe('what comes after a sale', () => {
  test('a refund, a dispute and its end move the plan, in any order and as often as told', async () => {
    const orders = [
      ['sale', 'opened', 'won'],
      ['opened', 'sale', 'won'],
      ['won', 'opened', 'sale'],
    ] as const
    for (const order of orders) {
      const person = await buyer()
      const session = checkout(person)
      const events = {
        sale: event('checkout.session.completed', session),
        opened: event('charge.dispute.created', {
          payment_intent: session.payment_intent,
          status: 'needs_response',
        }),
        won: event('charge.dispute.closed', { payment_intent: session.payment_intent, status: 'won' }),
      }
      for (const name of order) await deliver(events[name])
      expect(await bought(person), order.join()).toMatchObject([{ state: 'Active' }])
    }
  })

  test('an open dispute and a lost one end the plan, a full refund too, a partial one does not', async () => {
    const person = await buyer()
    const session = checkout(person)
    const about = { payment_intent: session.payment_intent }
    await deliver(event('checkout.session.completed', session))
    await deliver(event('charge.refunded', { ...about, refunded: false }))
    expect(await total(person)).toBe(10)
    await deliver(event('charge.dispute.created', about))
    expect(await bought(person)).toMatchObject([{ state: 'Disputed' }])
    expect(await total(person)).toBe(0)
    await deliver(event('charge.dispute.closed', { ...about, status: 'lost' }))
    expect(await bought(person)).toMatchObject([{ state: 'Refunded' }])
    const other = await buyer()
    const early = checkout(other)
    await deliver(event('charge.refunded', { payment_intent: early.payment_intent, refunded: true }))
    await deliver(event('checkout.session.completed', early))
    expect(await bought(other)).toMatchObject([{ state: 'Refunded' }])
    expect(await total(other)).toBe(0)
  })

  test('a renewal adds a purchase for the same buyer; the first invoice does not count twice', async () => {
    const person = await buyer()
    const subscription = `sub_${++serial}`
    await deliver(
      event('checkout.session.completed', checkout(person, { subscription, payment_intent: null })),
    )
    const invoice = (reason: string) => ({
      id: `in_renewal_${++serial}`,
      billing_reason: reason,
      customer_email: 'billing@example.com',
      customer_name: 'Grace Hopper',
      parent: { subscription_details: { subscription } },
      lines: { data: [] },
    })
    expect(await deliver(event('invoice.paid', invoice('subscription_create')))).toMatchObject({
      body: { outcome: 'ignored' },
    })
    const renewed = invoice('subscription_cycle')
    expect(await deliver(event('invoice.paid', renewed))).toMatchObject({ body: { outcome: 'sale' } })
    expect(await total(person)).toBe(20)
    // The payment of this invoice is named later, and refunded.
    await deliver(
      event('invoice_payment.paid', { invoice: renewed.id, payment: { payment_intent: 'pi_renewal' } }),
    )
    await deliver(event('charge.refunded', { payment_intent: 'pi_renewal', refunded: true }))
    expect(await total(person)).toBe(10)
  })

  test('a renewal may name its pack by the store`s price', async () => {
    const person = await buyer()
    const subscription = `sub_${++serial}`
    await deliver(event('checkout.session.completed', checkout(person, { subscription })))
    const lines = { data: [{ pricing: { price_details: { price: 'price_25' } } }] }
    await deliver(
      event('invoice.paid', {
        id: `in_${++serial}`,
        billing_reason: 'subscription_cycle',
        subscription,
        lines,
      }),
    )
    expect(await total(person)).toBe(35)
  })

  test('events of other kinds are taken and change nothing', async () => {
    expect(await deliver(event('customer.created', { id: 'cus_1' }))).toMatchObject({
      status: 200,
      body: { outcome: 'ignored' },
    })
  })
})

test('a paid-back pack takes the full result away again', async () => {
  const person = await buyer()
  const session = checkout(person)
  await deliver(event('checkout.session.completed', session))
  const upload = await person.repaired()
  const query = new URLSearchParams({ fileName: upload.fileName, timestamp: upload.timestamp })
  expect((await person.get(`/api/download?${query}`)).body.info).toBe('Premium')
  await deliver(event('charge.refunded', { payment_intent: session.payment_intent, refunded: true }))
  expect((await person.get(`/api/download?${query}`)).body.info).toBe('Free')
})

test('the operator sees whose a purchase is that names no address', async () => {
  const person = await buyer('quiet@example.com')
  await deliver(
    event('checkout.session.completed', checkout(person, { customer_details: { email: null, name: 'Q' } })),
  )
  const [listed] = await listPlans(service.context, person.email, 10)
  expect(listed?.email).toBe('quiet@example.com')
})

test('the operator grants a pack and sees it listed', async () => {
  const person = await buyer('granted@example.com')
  const granted = await grantPlan(service.context, 'Granted@example.com', 'photo-50-monthly')
  expect(granted).toMatchObject({
    email: 'granted@example.com',
    pack: 'photo-50-monthly',
    count: 50,
    state: 'Active',
  })
  expect(await listPlans(service.context, person.email, 10)).toEqual([granted])
  await expect(grantPlan(service.context, 'nobody@example.com', 'photo-50-monthly')).rejects.toThrow(
    'no user',
  )
  await expect(grantPlan(service.context, person.email, 'x')).rejects.toThrow('Packs: video-10-monthly')
})

test('the demo store is not there when a store is', async () => {
  expect(await service.get('/demo-store?pack=video-10-monthly')).toMatchObject({ status: 404 })
})
