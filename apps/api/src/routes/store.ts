import { type Context, signStoreEvent, takeStoreEvent, webhookSecret } from '@mendframe/backend'
import { DEMO_STORE_PATH, findPack, STORE_WEBHOOK_PATH } from '@mendframe/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { isFromThisMachine } from '../loopback.ts'
import { demoEvent, demoPage, donePage } from './demo-store-pages.ts'

const LONGEST_EVENT = 1_048_576
const LONGEST_FORM = 8_192

/** The store's signed events. The signature covers the bytes as sent, so they are not parsed before. */
export function addStore(app: App, context: Context): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LONGEST_EVENT }, (_request, body, done) =>
      done(null, body),
    )
    const settings = { schema: { hide: true }, config: { rateLimit: false as const } }
    scope.post(STORE_WEBHOOK_PATH, settings, async (request) => {
      const payload = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const signature = request.headers['stripe-signature']
      const outcome = await takeStoreEvent(
        context,
        payload,
        typeof signature === 'string' ? signature : undefined,
      )
      return { received: true, outcome }
    })
  })
  if (context.config.store.kind === 'demo') addDemoStore(app, context)
}

/**
 * Stands in for a store while none is set up: a page that says so, answers on this machine only, and completes a purchase
 * by a signed event through the same webhook.
 */
function addDemoStore(app: App, context: Context): void {
  app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: LONGEST_FORM },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    scope.addHook('onRequest', async (request, reply) => {
      if (!isFromThisMachine(request)) return reply.callNotFound()
    })
    scope.get(DEMO_STORE_PATH, { schema: { hide: true } }, async (request, reply) => {
      const query = new URLSearchParams(request.url.split('?')[1] ?? '')
      const pack = findPack(query.get('pack') ?? '')
      if (!pack) return reply.callNotFound()
      return reply.type('text/html; charset=utf-8').send(demoPage(pack, query.get('reference') ?? ''))
    })
    scope.post(`${DEMO_STORE_PATH}/pay`, { schema: { hide: true } }, async (request, reply) => {
      if (!isSameOrigin(request)) return reply.callNotFound()
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      const pack = findPack(form.get('pack') ?? '')
      if (!pack) return reply.callNotFound()
      const payload = demoEvent(pack, form, context.clock.now())
      const signature = signStoreEvent(payload, webhookSecret(context))
      const answer = await app.inject({
        method: 'POST',
        url: STORE_WEBHOOK_PATH,
        headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
        payload,
      })
      return reply
        .code(answer.statusCode)
        .type('text/html; charset=utf-8')
        .send(donePage(pack, answer.statusCode === 200))
    })
  })
}

/** A page elsewhere must not be able to make purchases by posting a form here. */
function isSameOrigin(request: FastifyRequest): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
