import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type Config, type Context, FILES_PATH, loadConfig, ServiceFailure } from '@mendframe/backend'
import { ALL_ROUTES, DEMO_STORE_PATH, errorStatus, errorText, findPack, PACKS } from '@mendframe/contract'
import fastify, { type FastifyBaseLogger, type FastifyRequest } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { App } from '../src/app.ts'
import { browserCookie, browserOf } from '../src/browser-cookie.ts'
import { CompressedFiles } from '../src/compressed-files.ts'
import { dependenciesAnswer } from '../src/dependencies-answer.ts'
import { describe as described } from '../src/describe.ts'
import { answerError } from '../src/failure-reply.ts'
import { FailureWindow } from '../src/failure-window.ts'
import { isFromThisMachine } from '../src/loopback.ts'
import { parseRange } from '../src/range.ts'
import { demoEvent, demoPage, donePage } from '../src/routes/demo-store-pages.ts'
import { addSecurity } from '../src/security.ts'
import { addWeb } from '../src/web.ts'
import { keptLog } from './support/stub-context.ts'

const CLOSERS: (() => unknown)[] = []
afterEach(async () => {
  for (const close of CLOSERS.splice(0)) await close()
})

function configOf(settings: Record<string, string> = {}): Config {
  return loadConfig({ MENDFRAME_DATA: join(tmpdir(), 'mendframe-none'), ...settings })
}

/** A server of nothing but what a test adds to it. */
async function bare(
  config: Config,
  add: (app: App, context: Context) => unknown,
  { log } = keptLog(),
): Promise<App> {
  const loggerInstance = log as unknown as FastifyBaseLogger
  const app = fastify({ loggerInstance, disableRequestLogging: true }) as unknown as App
  CLOSERS.push(() => app.close())
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  await add(app, { config } as Context)
  return app
}

test('a sign-in`s cookie travels where the page is, and no further', () => {
  const cookie = (publicUrl: string, CORS_ORIGINS = '') =>
    browserCookie({ ...configOf({ CORS_ORIGINS }), publicUrl }, 'x')
  const plain = 'mendframe_signin=x; Path=/api; HttpOnly; SameSite=Lax; Max-Age=900'
  expect(cookie('http://localhost')).toBe(plain)
  expect(cookie('http://localhost', 'https://web.example.com')).toBe(plain)
  expect(cookie('https://example.com')).toBe(`${plain}; Secure`)
  expect(cookie('https://example.com', 'https://web.example.com')).toBe(
    `${plain.replace('Lax', 'None')}; Secure`,
  )
  const value = 'a'.repeat(20)
  const of = (header?: string) => browserOf({ headers: { cookie: header } } as FastifyRequest)
  expect(of(`other=1; mendframe_signin=${value}`)).toBe(value)
  for (const none of [undefined, `x=${value}`, 'mendframe_signin=short', `mendframe_signin=${value}!`])
    expect(of(none)).toBeUndefined()
})

describe('failures in a window', () => {
  test('count by key up to their bound, until it is over', () => {
    let now = 1000
    const window = new FailureWindow(2, 100, () => now)
    const full = () => ['a', 'b'].map((key) => window.isFull(key))
    window.add('a')
    expect(full()).toEqual([false, false])
    now += 99
    window.add('a')
    expect(full()).toEqual([true, false])
    now += 1
    expect(full()).toEqual([false, false])
    window.add('a')
    now += 50
    window.add('a')
    expect(full()).toEqual([true, false])
    now += 50
    window.add('a')
    expect(full()).toEqual([false, false])
  })

  test('are remembered of fifty thousand keys, the newest', () => {
    const window = new FailureWindow(1, 100, () => 0)
    for (let key = 0; key < 50_000; key++) window.add(String(key))
    expect(window.isFull('0')).toBe(true)
    window.add('further')
    expect(['0', '1', 'further'].map((key) => window.isFull(key))).toEqual([false, true, true])
  })
})

test.each<[string | undefined, unknown]>([
  [undefined, undefined],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=2-', { start: 2, end: 9 }],
  ['bytes=2-99', { start: 2, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-30', { start: 0, end: 9 }],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=9-9', { start: 9, end: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=5-4', undefined],
  ['bytes=5-5', { start: 5, end: 5 }],
  ['bytes=-', undefined],
  ['bytes=0-1,3-4', undefined],
  ['lines=0-1', undefined],
])('of ten bytes the range %s is %o', (header, range) => {
  expect(parseRange(header, 10)).toEqual(range)
})

test('a request is from this machine where nothing stands between', () => {
  const from = (remoteAddress: string, ip = remoteAddress, headers = {}) =>
    isFromThisMachine({ socket: { remoteAddress }, ip, headers } as unknown as FastifyRequest)
  for (const address of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])
    expect(from(address)).toBe(true)
  expect(from('10.0.0.1')).toBe(false)
  expect(from('127.0.0.1', '10.0.0.1')).toBe(false)
  expect(from('10.0.0.1', '127.0.0.1')).toBe(false)
  for (const name of ['x-forwarded-for', 'forwarded'])
    expect(from('127.0.0.1', '127.0.0.1', { [name]: '127.0.0.1' })).toBe(false)
})

test('every failure is answered in the contract`s form, its fault logged and not told', async () => {
  const cause = new Error('why')
  const thrown = new Map<string, unknown>([
    ['service', new ServiceFailure('file.deleted')],
    ['caused', new ServiceFailure('file.deleted', {}, { cause })],
    ['down', new ServiceFailure('server.unavailable')],
    ...[400, 404, 413, 415, 429, 503, 418].map(
      (statusCode) => [String(statusCode), Object.assign(new Error('inner'), { statusCode })] as const,
    ),
    ['defect', new Error('inner')],
  ])
  const kept = keptLog()
  const fail = (server: App) =>
    server.get('/:name', async (request) => {
      throw thrown.get((request.params as { name: string }).name)
    })
  const app = await bare(configOf(), fail, kept)
  const codes: Record<string, unknown> = {}
  for (const name of thrown.keys()) {
    const reply = await app.inject(`/${name}`)
    const { success, message, code } = reply.json()
    codes[name] = code
    expect(success).toBe(false)
    expect([reply.statusCode, message]).toEqual([errorStatus(code), errorText(code)])
    expect(reply.headers['content-type']).toMatch(/^application\/json/)
  }
  expect(codes).toEqual({
    ...{ service: 'file.deleted', caused: 'file.deleted', down: 'server.unavailable' },
    ...{ 400: 'request.invalid', 415: 'request.invalid' },
    ...{ 404: 'request.not-found', 413: 'request.too-large', 429: 'request.too-many' },
    ...{ 503: 'server.unavailable', 418: 'server.error', defect: 'server.error' },
  })
  // what was thrown on purpose says enough by its code, where it has no cause
  expect(kept.lines.error?.map(([about]) => about)).toEqual(
    ['503', '418', 'defect'].map((name) => ({ err: thrown.get(name) })),
  )
  expect(kept.lines.warn).toEqual([[{ err: cause, code: 'file.deleted' }, 'request refused']])
})

test('text files are compressed in the best form taken, and what cannot be read is tried again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mendframe-files-'))
  CLOSERS.push(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'a.css'), 'body {}')
  const files = new CompressedFiles(folder)
  const form = async (accepted?: string | string[], name = 'a.css') =>
    (await files.find(name, accepted))?.encoding
  expect(await form('gzip, br')).toBe('br')
  expect(await form('gzip;q=0.5, br ; q=0.0')).toBe('gzip')
  expect(await form(['deflate', 'gzip'])).toBe('gzip')
  for (const none of [undefined, 'deflate', 'brotli', 'gzip;q=0']) expect(await form(none)).toBeUndefined()
  expect(await form('br', 'a.png')).toBeUndefined()
  const [brotli, zip] = [await files.find('a.css', 'br'), await files.find('a.css', 'gzip')]
  expect(brotliDecompressSync(brotli?.bytes ?? '').toString()).toBe('body {}')
  expect(gunzipSync(zip?.bytes ?? '').toString()).toBe('body {}')
  expect(brotli?.type).toBe('text/css; charset=utf-8')
  expect(brotli?.tag).not.toBe(zip?.tag)
  expect(files.find('a.css', 'br')).toBe(files.find('a.css', 'br'))
  await expect(files.find('b.js', 'br')).rejects.toThrow()
  await writeFile(join(folder, 'b.js'), 'export {}')
  expect(await form('br', 'b.js')).toBe('br')
})

test('database and store have two seconds to answer, and why they do not is logged', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  CLOSERS.push(() => vi.useRealTimers())
  const warn = vi.fn()
  const never = new Promise<never>(() => undefined)
  const ask = async (counts: Promise<unknown>, head: Promise<unknown>, ms = 0) => {
    const asked = { queue: { counts: () => counts }, storage: { head: () => head }, log: { warn } }
    const answer = dependenciesAnswer(asked as unknown as Context)
    await vi.advanceTimersByTimeAsync(ms)
    return Promise.race([answer, 'waits'])
  }
  const there = Promise.resolve({})
  expect([await ask(there, there), vi.getTimerCount(), warn.mock.calls.length]).toEqual([true, 0, 0])
  expect([await ask(there, never, 1999), await ask(never, there, 2000)]).toEqual(['waits', false])
  const gone = new Error('gone')
  expect(await ask(Promise.reject(gone), there)).toBe(false)
  expect(warn.mock.calls).toEqual([[{ err: gone }, 'database or store does not answer']])
})

test('a call is described with all its failures, and a session where it takes one', () => {
  for (const route of ALL_ROUTES) {
    const { schema, config, method, url } = described(route, { max: 7 })
    expect([method, url, config.access, config.rateLimit]).toEqual([
      ...[route.method, route.path, route.access],
      { max: 7 },
    ])
    expect(described(route).config).not.toHaveProperty('rateLimit')
    expect('security' in schema).toBe(route.access === 'session')
    expect(['body', 'querystring', 'params'].filter((name) => name in schema)).toEqual([
      ...(route.body ? ['body'] : []),
      ...(route.query ? ['querystring'] : []),
      ...(route.params ? ['params'] : []),
    ])
    const replies: Record<number, { description?: string }> = schema.response
    for (const code of route.errors) expect(replies[errorStatus(code)]?.description).toContain(code)
    expect(replies[401]?.description?.includes('auth.required') ?? false).toBe(route.access === 'session')
    expect(Object.keys(replies)).toContain('200')
  }
})

test('the demo store says that it is one, and what was bought', () => {
  for (const { id } of PACKS) {
    const pack = findPack(id)
    if (!pack) throw new Error('no pack')
    const page = demoPage(pack, '<a&"b')
    expect(page).toContain('value="&lt;a&amp;&quot;b"')
    expect(page).toMatch(pack.subscription === 'Monthly' ? /for 30 days/ : /for one year/)
    expect(donePage(pack, true)).toMatch(/now in your account/)
    expect(donePage(pack, false)).toMatch(/was not recorded/)
    const form = new URLSearchParams({ reference: 'r', email: 'e'.repeat(300), name: '' })
    const event = JSON.parse(demoEvent(pack, form, new Date(1_234_999)))
    expect(event).toMatchObject({ type: 'checkout.session.completed', created: 1234 })
    expect(event.data.object).toMatchObject({
      ...{ client_reference_id: 'r', payment_status: 'paid', metadata: { pack: id } },
      customer_details: { email: 'e'.repeat(254), name: 'Demo customer' },
    })
    const named = demoEvent(pack, new URLSearchParams({ name: 'n'.repeat(300) }), new Date())
    expect(JSON.parse(named).data.object.customer_details.name).toBe('n'.repeat(200))
    expect(named).not.toBe(demoEvent(pack, form, new Date()))
  }
})

describe('headers', () => {
  const PLACES = ['/api/x', '/api/docs/x', `${FILES_PATH}x`, DEMO_STORE_PATH, '/x']
  const echo = (app: App) => {
    for (const url of PLACES) app.get(url, async () => 'x')
    app.post('/api/x', async () => 'x')
  }

  test('forbid what a reply does not need, each kind its own', async () => {
    const app = await bare(configOf(), async (server, context) => {
      await addSecurity(server, context)
      echo(server)
    })
    const headers = async (url: string) => (await app.inject(url)).headers
    const policies = await Promise.all(PLACES.map(async (url) => (await headers(url))[POLICY]))
    expect(policies.map((policy) => String(policy).split('; ')[1])).toEqual([
      ...["frame-ancestors 'none'", "script-src 'self'", "media-src 'self'", "style-src 'unsafe-inline'"],
      "frame-ancestors 'none'",
    ])
    expect((await headers('/api/x'))['cache-control']).toBe('no-store')
    expect((await headers('/api/docs/x'))['cache-control']).toBeUndefined()
    expect((await headers('/x'))['cache-control']).toBeUndefined()
    const plain = await headers('/x')
    expect(plain['x-frame-options']).toBe('DENY')
    expect(plain['x-request-id']).toBeTruthy()
    expect(plain['strict-transport-security']).toBeUndefined()
    expect(plain['cross-origin-opener-policy']).toBe('same-origin')
    expect(plain['cross-origin-embedder-policy']).toBeUndefined()
    expect(plain['referrer-policy']).toBe('strict-origin-when-cross-origin')
    expect(plain['cross-origin-resource-policy']).toBe('same-origin')
    expect([plain.vary, plain['access-control-allow-origin']]).toEqual([undefined, undefined])
  })

  test('let other origins in that are set, and no more; over TLS they hold to it', async () => {
    const origin = 'https://web.example.com'
    const config = { ...configOf({ CORS_ORIGINS: origin }), publicUrl: 'https://example.com' }
    const app = await bare(config, async (server, context) => {
      await addSecurity(server, context)
      echo(server)
    })
    const ask = (headers: Record<string, string>, method: 'GET' | 'OPTIONS' = 'GET') =>
      app.inject({ method, url: '/api/x', headers })
    const known = await ask({ origin })
    expect([known.statusCode, known.body]).toEqual([200, 'x'])
    expect(known.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'cross-origin-resource-policy': 'cross-origin',
      'strict-transport-security': 'max-age=31536000',
      vary: 'Origin',
    })
    const first = await ask({ origin }, 'OPTIONS')
    expect([first.statusCode, first.headers['access-control-max-age']]).toEqual([204, '600'])
    for (const headers of [{}, { origin: 'https://other.example.com' }])
      expect((await ask(headers)).headers['access-control-allow-origin']).toBeUndefined()
  })

  test('zero characters are refused wherever they stand, down to a depth', async () => {
    const app = await bare(configOf(), async (server, context) => {
      await addSecurity(server, context)
      echo(server)
    })
    const status = async (payload: object, url = '/api/x') =>
      (await app.inject({ method: 'POST', url, payload })).statusCode
    const nested = (depth: number): object => (depth === 0 ? { x: 'a\0' } : { x: nested(depth - 1) })
    expect(await status({ x: ['a'] })).toBe(200)
    expect(await status({ x: ['a\0'] })).toBe(400)
    expect(await status({ 'a\0': 1 })).toBe(400)
    expect(await status({}, '/api/x?a=%00')).toBe(400)
    expect([await status(nested(8)), await status(nested(9))]).toEqual([400, 200])
  })
})

const POLICY = 'content-security-policy'

test('the page may load from the store that is set, and run what a provider brings', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mendframe-web-'))
  CLOSERS.push(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'index.html'), '<script>1</script><script src="x">no</script>')
  await writeFile(join(folder, 'a.png'), 'x')
  const policyWith = async (more: object) => {
    const app = await bare({ ...configOf(), ...more } as Config, (server, context) =>
      addWeb(server, context, folder),
    )
    expect((await app.inject('/a.png')).headers[POLICY]).toBeUndefined()
    expect((await app.inject('/deep/unknown')).body).toContain('<script>')
    for (const missing of ['/b.png', '/api/x', '/%zz', '/photo.woff2'])
      expect((await app.inject(missing)).statusCode).toBeGreaterThanOrEqual(400)
    const policy = String((await app.inject('/')).headers[POLICY])
    const part = (name: string) => policy.split('; ').find((each) => each.startsWith(`${name} `))
    return [part('script-src'), part('media-src'), part('connect-src')]
  }
  const hash = "'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='"
  expect(await policyWith({})).toEqual([
    ...[`script-src 'self' ${hash}`, "media-src 'self' blob:", "connect-src 'self'"],
  ])
  const s3 = { endpoint: 'http://inner:9000/x', publicEndpoint: 'https://store.example.com/y' }
  const apple = { scriptUrl: 'https://apple.example.com/s.js' }
  expect(await policyWith({ s3, apple, filesUrl: 'https://files.example.com/z' })).toEqual([
    `script-src 'self' ${hash} https://apple.example.com`,
    "media-src 'self' blob: https://store.example.com https://files.example.com",
    "connect-src 'self' https://store.example.com https://files.example.com",
  ])
  expect((await policyWith({ s3: { endpoint: 'http://inner:9000/x' } }))[2]).toBe(
    "connect-src 'self' http://inner:9000",
  )
})
