import { EventEmitter } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FILES_PATH } from '@mendframe/backend'
import { SESSION_TOKEN_PREFIX } from '@mendframe/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { App } from '../src/app.ts'
import { BODY_BOUNDS, boundBodies } from '../src/bodies.ts'
import { createServer } from '../src/server.ts'
import { keptLog, stubContext } from './support/stub-context.ts'

const CLOSERS: (() => unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of CLOSERS.splice(0)) await close()
})

describe('a body that drips', () => {
  /** A request under way: what has come of it, and whether its line was cut. */
  function under(headers: object, { method = 'POST', url = '/api/x', waiting = 0 } = {}) {
    vi.useFakeTimers()
    const server = new Server()
    boundBodies(server, { callSeconds: 20, uploadBytes: 1000, uploadSeconds: 30 })
    const socket = Object.assign(new EventEmitter(), { bytesRead: 0, destroy: vi.fn() })
    const about = { method, url, headers, socket, readableLength: waiting, readableHighWaterMark: 500 }
    const request = Object.assign(new EventEmitter(), about)
    server.emit('request', request as unknown as IncomingMessage)
    const after = (seconds: number, bytes = 0) => {
      socket.bytesRead += bytes
      vi.advanceTimersByTime(seconds * 1000)
      return socket.destroy.mock.calls.length > 0
    }
    return { request, socket, after }
  }
  const upload = { method: 'PUT', url: `${FILES_PATH}a` }

  test('of a call is cut when its time is over, and let be when it is there', () => {
    const call = under({ 'content-length': '1' })
    expect([call.after(19.9), call.after(0.2)]).toEqual([false, true])
    const chunked = under({ 'transfer-encoding': 'chunked' })
    expect(chunked.after(21)).toBe(true)
    for (const settle of ['end', 'close'] as const) {
      const done = under({ 'content-length': '1' })
      ;(settle === 'end' ? done.request : done.socket).emit(settle)
      expect(done.after(100)).toBe(false)
    }
    for (const none of [{}, { 'content-length': '0' }]) expect(under(none).after(100)).toBe(false)
    // a PUT elsewhere is a call, too
    expect(under({ 'content-length': '1' }, { method: 'PUT' }).after(21)).toBe(true)
  })

  test('of an upload is cut where twice in a row too little comes, though nothing here holds it up', () => {
    const slow = under({ 'content-length': '9' }, upload)
    expect([slow.after(30, 999), slow.after(29.9, 999), slow.after(0.2)]).toEqual([false, false, true])
    const steady = under({ 'content-length': '9' }, upload)
    expect(Array.from({ length: 6 }, (_, i) => steady.after(30, i % 2 ? 1000 : 999))).toEqual(
      Array(6).fill(false),
    )
    const held = under({ 'content-length': '9' }, { ...upload, waiting: 500 })
    expect(held.after(300)).toBe(false)
    const hardly = under({ 'content-length': '9' }, { ...upload, waiting: 499 })
    expect(hardly.after(60)).toBe(true)
  })

  test('may take twenty seconds for a call, and two kibibytes a second for an upload', () => {
    expect(BODY_BOUNDS).toEqual({ callSeconds: 20, uploadBytes: 64 * 1024, uploadSeconds: 30 })
  })
})

/** The whole server on a context of nothing but settings; the lines it logs. */
async function whole(
  settings: Record<string, string> = {},
  more: object = {},
  webFolder?: string,
  db?: object,
  remembered?: object,
) {
  const { log, lines: kept } = keptLog()
  const queue = { counts: async () => ({ repair: { queued: 3, active: 2, failed: 1 } }) }
  const context = stubContext({ log, queue, db, remembered }, settings)
  Object.assign(context.config, more)
  const app: App = await createServer(context, webFolder === undefined ? {} : { webFolder })
  CLOSERS.push(() => app.close())
  return { app, lines: kept.info ?? [] }
}

describe('the server', () => {
  test('answers what it does not know, and what is too long, in the contract`s form', async () => {
    const { app } = await whole()
    expect(await app.inject('/api/nothing').then((reply) => [reply.statusCode, reply.json().code])).toEqual([
      ...[404, 'request.not-found'],
    ])
    const post = (payload: string) =>
      app.inject({
        method: 'POST',
        url: '/api/login',
        payload,
        headers: { 'content-type': 'application/json' },
      })
    const long = await post(JSON.stringify({ email: 'x'.repeat(65_536) }))
    expect([long.statusCode, long.json().code]).toEqual([413, 'request.too-large'])
    // nothing is no JSON, and no failure of it
    for (const payload of ['', '{"email":1']) {
      const reply = await post(payload)
      expect([reply.statusCode, reply.json().code]).toEqual([400, 'request.invalid'])
    }
  })

  test('takes JSON of nothing for nothing, and forbids what no reply needs', async () => {
    const remembered = { sessions: { get: async () => ({ user: { id: 'u' }, expiresAt: new Date(1) }) } }
    const db = { delete: () => ({ where: async () => undefined }) }
    const { app } = await whole({}, {}, undefined, db, remembered)
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${SESSION_TOKEN_PREFIX}x` }
    const reply = await app.inject({ method: 'POST', url: '/api/logout', payload: '', headers })
    expect(reply.json()).toEqual({ success: true })
    expect(reply.headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' })
  })

  test('logs the route, its status and the upload it is about, and nothing that names somebody', async () => {
    const { app, lines } = await whole()
    const start = performance.now()
    await app.inject('/api/checkprogress?time=1790000000000')
    await app.inject('/api/report?time=abc')
    await app.inject('/api/none?time=17')
    await app.inject({ method: 'POST', url: '/api/login', payload: { timestamp: 5 } })
    const took = performance.now() - start
    const told = lines.map(([about, text]) => {
      const { ms, ...rest } = about as Record<string, unknown>
      expect(text).toBe('request')
      expect(Math.round(Number(ms) * 10) / 10).toBe(ms)
      expect(Number(ms)).toBeLessThan(took + 1)
      return rest
    })
    expect(told).toEqual([
      { method: 'GET', route: '/api/checkprogress', status: 401, job: '1790000000000' },
      { method: 'GET', route: '/api/report', status: 401 },
      { method: 'GET', route: 'none', status: 404, job: '17' },
      { method: 'POST', route: '/api/login', status: 422, job: '5' },
    ])
  })

  test('tells its figures to this machine alone, or to whoever has the token', async () => {
    const { app } = await whole()
    await app.inject('/api/nothing')
    const here = await app.inject('/metrics')
    expect(here.statusCode).toBe(200)
    for (const [state, count] of [
      ['queued', 3],
      ['active', 2],
      ['failed', 1],
    ])
      expect(here.body).toContain(`mendframe_jobs{job="repair",state="${state}"} ${count}`)
    expect(here.body).toMatch(
      /mendframe_http_request_seconds_count\{method="GET",route="none",status="404"\} 1/,
    )
    const bounds = here.body.matchAll(/request_seconds_bucket\{le="([^"]+)"/g)
    expect([...bounds].map(([, bound]) => bound).join(' ')).toBe(
      '0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 10 +Inf',
    )
    const ask = (server: App, headers = {}, remoteAddress = '10.0.0.1') =>
      server.inject({ url: '/metrics', headers, remoteAddress }).then(({ statusCode }) => statusCode)
    expect(await ask(app)).toBe(404)
    const { app: open } = await whole({ METRICS_TOKEN: 'x'.repeat(32) })
    const given = (token: string) => ask(open, { authorization: `Bearer ${token}` })
    expect([await given('x'.repeat(32)), await given('y'.repeat(32)), await given('x')]).toEqual([
      200, 404, 404,
    ])
    expect(await ask(open, {}, '127.0.0.1')).toBe(404)
  })

  test('counts calls of one address up to a bound, and knows callers behind so many proxies', async () => {
    const limits = { rates: { calls: 2, windowSeconds: 60, logInFailures: 5 }, trustProxy: 1 }
    const { app } = await whole({}, limits)
    const ask = (from: string) =>
      app
        .inject({ url: '/api/report?time=1', headers: { 'x-forwarded-for': from } })
        .then(({ statusCode }) => statusCode)
    expect([await ask('8.8.8.8'), await ask('8.8.8.8'), await ask('8.8.8.8'), await ask('9.9.9.9')]).toEqual([
      ...[401, 401, 429, 401],
    ])
    const { headers } = await app.inject({
      url: '/api/report?time=1',
      headers: { 'x-forwarded-for': '7.7.7.7' },
    })
    expect([headers['x-ratelimit-limit'], headers['x-ratelimit-reset']]).toEqual(['2', '60'])
    // what a caller says of itself in front of the proxy is not believed
    expect(await ask('1.1.1.1, 8.8.8.8')).toBe(429)
  })
})

test('a password is tried so often, and a failure of the server is no try', async () => {
  const limits = { rates: { calls: 99, windowSeconds: 60, logIns: 99, logInFailures: 2 } }
  const users: { rows: readonly object[] | undefined } = { rows: [] }
  const where = async () => {
    if (!users.rows) throw new Error('the database is gone')
    return users.rows
  }
  const db = { select: () => ({ from: () => ({ where }) }) }
  const { app } = await whole({}, limits, undefined, db)
  const logIn = async (email: string) => {
    const payload = { email, password: 'wrong horse battery' }
    const reply = await app.inject({ method: 'POST', url: '/api/login', payload })
    return [reply.statusCode, reply.json().code]
  }
  const refused = [expect.any(Number), 'auth.login-refused']
  users.rows = undefined
  for (let i = 0; i < 3; i++) expect((await logIn('a@example.com'))[0]).toBe(500)
  users.rows = []
  expect([await logIn('a@example.com'), await logIn('a@example.com')]).toEqual([refused, refused])
  expect(await logIn('A@example.com')).toEqual([429, 'request.too-many'])
  expect(await logIn('b@example.com')).toEqual(refused)
})

test('the built page is served as it lies there, its hashed parts for long', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mendframe-web-'))
  CLOSERS.push(() => rm(folder, { recursive: true }))
  for (const part of ['assets', 'photo', 'help']) await mkdir(join(folder, part))
  await writeFile(join(folder, '__spa-fallback.html'), 'start')
  await writeFile(join(folder, 'index.html'), 'home')
  await writeFile(join(folder, 'help/index.html'), 'help')
  await writeFile(join(folder, 'assets/a-1.css'), 'body {}')
  await writeFile(join(folder, 'plain.bin'), 'x')
  const { app } = await whole({}, {}, folder)
  const ask = async (url = '', headers = {}) => {
    const { statusCode, body, headers: got } = await app.inject({ url, headers })
    return { statusCode, body, ...got }
  }
  for (const [url, body] of [
    ['/', 'home'],
    ['/help', 'help'],
    ['/help/', 'help'],
    ['/any/where', 'start'],
    ['/x.html', 'start'],
  ])
    expect(await ask(url)).toMatchObject({ statusCode: 200, body, 'cache-control': 'no-cache' })
  expect(await ask('/plain.bin')).toMatchObject({ statusCode: 200, body: 'x', 'cache-control': 'no-cache' })
  const lasting = 'public, max-age=31536000, immutable'
  const packed = await ask('/assets/a-1.css', { 'accept-encoding': 'gzip' })
  expect(packed).toMatchObject({
    'cache-control': lasting,
    'content-encoding': 'gzip',
    vary: 'Accept-Encoding',
  })
  const again = await ask('/assets/a-1.css', { 'accept-encoding': 'gzip', 'if-none-match': packed.etag })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  const other = await ask('/assets/a-1.css', { 'accept-encoding': 'gzip', 'if-none-match': 'x' })
  expect(other.statusCode).toBe(200)
  for (const [url, to] of [
    ['/photo', '/photo/'],
    ['/photo?u=1', '/photo/?u=1'],
  ])
    expect(await ask(url)).toMatchObject({ statusCode: 308, location: to })
  for (const none of ['/assets/none.css', '/api/none']) expect((await ask(none)).statusCode).toBe(404)
})
