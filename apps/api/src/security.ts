import { Readable } from 'node:stream'
import helmet from '@fastify/helmet'
import { type Context, FILES_PATH, ServiceFailure } from '@mendframe/backend'
import { DEMO_STORE_PATH } from '@mendframe/contract'
import type { App } from './app.ts'
import { DOCS_PATH } from './docs.ts'

/** For replies that are no pages: nothing of them may run or be framed. */
const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
/** A video or picture opened by its own address is shown by a page that the browser makes around it. */
const FILES_POLICY =
  "default-src 'none'; media-src 'self'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
/** The documentation's page brings its own scripts and styles, all from here. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** The demo store's two pages: their own style, and a form that goes back here. */
const DEMO_STORE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Security headers, calls from other origins, and refusal of what no call takes. */
export async function addSecurity(app: App, context: Context): Promise<void> {
  const https = context.config.publicUrl.startsWith('https:')
  await app.register(helmet, {
    contentSecurityPolicy: false,
    frameguard: { action: 'deny' },
    crossOriginEmbedderPolicy: false,
    // The provider's own window answers the page that opened it.
    crossOriginOpenerPolicy: {
      policy: context.config.apple?.scriptUrl ? 'same-origin-allow-popups' : 'same-origin',
    },
    crossOriginResourcePolicy: {
      policy: context.config.corsOrigins.length > 0 ? 'cross-origin' : 'same-origin',
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    const docs = request.url.startsWith(DOCS_PATH)
    const files = request.url.startsWith(FILES_PATH)
    const store = request.url.startsWith(DEMO_STORE_PATH)
    const policy = docs ? DOCS_POLICY : files ? FILES_POLICY : store ? DEMO_STORE_POLICY : CLOSED_POLICY
    reply.header('content-security-policy', policy)
    if (request.url.startsWith('/api/') && !docs) reply.header('cache-control', 'no-store')
  })
  addCrossOrigin(app, context.config.corsOrigins)
  app.addHook('preValidation', async (request) => {
    for (const part of [request.body, request.query, request.params]) {
      // PostgreSQL's texts hold no zero character; nobody types one.
      if (holdsZeroCharacter(part)) throw new ServiceFailure('request.invalid')
    }
  })
}

/** Lets the configured origins call with credentials, where page and API are served apart. */
function addCrossOrigin(app: App, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    reply.header('vary', 'Origin')
    if (origin === undefined || !origins.includes(origin)) return
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-allow-credentials', 'true')
      .header('access-control-expose-headers', 'x-request-id')
    if (request.method !== 'OPTIONS') return
    return reply
      .header('access-control-allow-methods', 'GET, HEAD, POST, PUT')
      .header('access-control-allow-headers', 'authorization, content-type, range')
      .header('access-control-max-age', '600')
      .code(204)
      .send()
  })
}

/** How deep a request may nest before nobody looks further. */
const DEPTH = 8

function holdsZeroCharacter(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null || depth > DEPTH) return false
  if (Buffer.isBuffer(value) || value instanceof Readable) return false
  return Object.entries(value).some(
    ([name, item]) => name.includes('\0') || holdsZeroCharacter(item, depth + 1),
  )
}
