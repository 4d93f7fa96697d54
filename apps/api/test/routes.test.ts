import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FILES_PATH, FolderStorage, signStoreEvent, webhookSecret } from '@mendframe/backend'
import {
  ALL_ROUTES,
  DEMO_STORE_PATH,
  FLOW,
  PACKS,
  PRODUCTS,
  PROGRESS_EVENTS_PATH,
  RETURN_PATHS,
  SESSION_TOKEN_PREFIX,
  STORE_WEBHOOK_PATH,
} from '@mendframe/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createServer } from '../src/server.ts'
import { keptLog, stubContext, stubDb } from './support/stub-context.ts'

const CLOSERS: (() => unknown)[] = []
afterEach(async () => {
  for (const close of CLOSERS.splice(0)) await close()
})

const USER = { id: 'u1', email: 'a@example.com', passwordHash: null }
const OF = { authorization: `Bearer ${SESSION_TOKEN_PREFIX}x` }

/** The whole server for one user, over a database of `rows`. */
async function over(rows: Record<string, readonly object[]> = {}, more: object = {}, webFolder?: string) {
  const { log, lines } = keptLog()
  const storage = Object.assign(
    new FolderStorage(tmpdir(), Buffer.from('s'), '', { now: () => new Date(0) }),
    {
      head: async () => ({}),
      signGet: async (key: string) => `/signed/${key}`,
    },
  )
  const context = stubContext({
    ...{ log, storage, db: stubDb(rows), queue: { counts: async () => ({}) } },
    remembered: { sessions: { get: async () => ({ user: USER, expiresAt: new Date(1) }) } },
    providers: { isConfigured: () => true, authorisationUrl: async () => 'https://example.com/in' },
    space: { free: async () => 1e12 },
    ...more,
  })
  const app = await createServer(context, webFolder === undefined ? {} : { webFolder })
  CLOSERS.push(() => app.close())
  const call = async (
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    payload?: object,
    headers: object = OF,
  ) => {
    const reply = await app.inject({ method, url, headers: { ...headers }, ...(payload ? { payload } : {}) })
    return { status: reply.statusCode, body: reply.json(), headers: reply.headers }
  }
  return { app, call, context, lines }
}

test('every call of the contract is there and documented; what is no call is neither documented nor counted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mendframe-web-'))
  CLOSERS.push(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'index.html'), 'x')
  const { app } = await over({}, {}, folder)
  for (const { method, path } of ALL_ROUTES) expect(app.hasRoute({ method, url: path }), path).toBe(true)
  const { paths } = (await app.inject('/api/docs/json')).json()
  const documented = ALL_ROUTES.map(({ path }) => path.replace(/:(\w+)/g, '{$1}'))
  expect(Object.keys(paths).sort()).toEqual([...new Set([...documented, PROGRESS_EVENTS_PATH])].sort())
  expect((await app.inject('/api/config')).headers['x-ratelimit-limit']).toBeDefined()
  for (const [method, url] of [
    ['GET', '/healthz'],
    ['GET', '/readyz'],
    ['GET', '/metrics'],
    ['GET', '/photo'],
    ['GET', '/any'],
    ['PUT', `${FILES_PATH}x`],
    ['GET', `${FILES_PATH}x`],
    ['HEAD', `${FILES_PATH}x`],
    ['POST', STORE_WEBHOOK_PATH],
  ] as const)
    expect((await app.inject({ method, url })).headers, url).not.toHaveProperty('x-ratelimit-limit')
})

describe('who signs in', () => {
  test('is sent to the provider, tied to this browser; with its own window where it has one', async () => {
    const { call, context } = await over()
    const begin = { provider: 'apple', product: 'video' }
    const { body, headers } = await call('POST', '/api/signin/start', begin)
    expect(body).toEqual({
      ...{ success: true, url: 'https://example.com/in' },
      ...{ timestamp: expect.any(String), nonce: expect.any(String) },
    })
    expect(headers['set-cookie']).toMatch(/^mendframe_signin=[\w-]{20,};/)
    Object.assign(context.config, { apple: { scriptUrl: 'https://example.com/s.js', clientId: 'c' } })
    const { body: shown } = await call('POST', '/api/signin/start', begin)
    expect(shown.window).toMatchObject({ script: 'https://example.com/s.js', clientId: 'c' })
  })

  test('and out is told so, and what fails then too', async () => {
    const { call, context } = await over()
    expect((await call('POST', '/api/logout')).body).toEqual({ success: true })
    context.db.delete = (() => ({ where: () => Promise.reject(new Error('gone')) })) as never
    expect((await call('POST', '/api/logout')).status).toBe(500)
  })

  test('changes a password so often; a failure of the server is no try', async () => {
    const { call, context } = await over()
    const most = context.config.rates.logInFailures
    const change = async (currentPassword: string) =>
      (await call('POST', '/api/password/change', { currentPassword, newPassword: 'new' })).status
    context.db.transaction = () => Promise.reject(new Error('gone'))
    expect(await change('')).toBe(500)
    for (let i = 0; i < most; i++) expect(await change('wrong')).toBe(403)
    expect(await change('')).toBe(429)
  })
})

test('a name that Apple posts is kept beside its state', async () => {
  const { app, context } = await over()
  const set = vi.fn(() => ({ where: async () => undefined }))
  context.db.update = (() => ({ set })) as never
  const post = (user: object) =>
    app.inject({
      ...{ method: 'POST', url: RETURN_PATHS.apple.video },
      payload: new URLSearchParams({ state: 's', user: JSON.stringify(user) }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  for (const name of [{ firstName: 'A', lastName: 'B' }, { firstName: 'A' }, undefined, { firstName: 1 }])
    expect((await post({ name })).statusCode).toBe(303)
  expect(set.mock.calls).toEqual([[{ personName: 'A B' }], [{ personName: 'A' }]])
})

describe.each(PRODUCTS)('a repaired %s', (product) => {
  const upload = {
    ...{ id: 'i', userId: 'u1', product, fileName: 'a.mp4', originalName: 'b.mp4', size: 5, timestamp: 17 },
    ...{ deleted: false, expiresAt: new Date(1000), sampleFileName: null, status: 'Pending' },
  }
  const keys = { resultKey: 'r.mp4', previewKey: 'p.mp4', playableKey: null, jpegKey: null, pngKey: null }
  const repair = { ...keys, id: 'r', stillKey: 's.jpg', still2Key: null, report: { verdict: 'repaired' } }
  const flow = FLOW[product]

  test('is handed out by its addresses', async () => {
    const { call } = await over({ uploads: [upload], repairs: [repair] })
    const query = 'fileName=a.mp4&timestamp=17'
    const { body } = await call('GET', `${flow.repairDownload.path}?${query}`)
    expect(body).toEqual({
      ...{ success: true, previewdownloadUrl: '/signed/p.mp4', downloadUrl: '/signed/r.mp4' },
      ...{ photoDownloadUrl: '/signed/s.jpg', full: true },
    })
    const { call: played } = await over({ uploads: [upload], repairs: [{ ...repair, playableKey: 'w.mp4' }] })
    expect((await played('GET', `${flow.repairDownload.path}?${query}`)).body.playableUrl).toBe(
      '/signed/w.mp4',
    )
  })

  test('is found by its own id', async () => {
    const more = { createdAt: new Date(0), uniqueId: 'q', extension: 'mp4', plan: 'Free', sampleSize: null }
    const rows = { uploads: [{ ...upload, ...more }] }
    const { call } = await over(rows)
    const { body } = await call('GET', flow.byUniqueId.path.replace(':id', 'q'))
    expect(body).toMatchObject({ success: true, data: { unique_id: 'q', originalfilename: 'b.mp4' } })
  })

  test('may be so large, and how large it is is logged', async () => {
    const { call, lines } = await over()
    for (const [fileSize, allowed] of [
      [5, true],
      [1e13, false],
    ])
      expect((await call('POST', flow.fileSize.path, { fileSize })).body).toEqual({ success: true, allowed })
    expect(lines.info?.filter(([, text]) => text === 'file size told')).toEqual([
      [{ bytes: 5, allowed: true }, 'file size told'],
      [{ bytes: 1e13, allowed: false }, 'file size told'],
    ])
  })
})

test('a purchase in the demo store is an event that the store would send, signed', async () => {
  const { app, context } = await over({}, { db: { transaction: async () => 'applied' } })
  const pay = (headers: Record<string, string>) =>
    app.inject({
      ...{ method: 'POST', url: `${DEMO_STORE_PATH}/pay`, payload: `pack=${PACKS[0]?.id}&reference=r` },
      headers: { 'content-type': 'application/x-www-form-urlencoded', host: 'localhost:1', ...headers },
    })
  for (const headers of [{}, { origin: 'http://localhost:1' }]) {
    const paid = await pay(headers as Record<string, string>)
    expect([paid.statusCode, paid.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(paid.body).toMatch(/now in your account/)
  }
  expect((await pay({ origin: 'http://localhost:2' })).statusCode).toBe(404)
  context.db.transaction = () => Promise.reject(new Error('gone'))
  const failed = await pay({})
  expect([failed.statusCode, failed.body.includes('was not recorded')]).toEqual([500, true])
  const event = '{}'
  const post = (headers: Record<string, string>) =>
    app
      .inject({ method: 'POST', url: STORE_WEBHOOK_PATH, payload: event, headers })
      .then((r) => r.json().code)
  expect(await post({ 'content-type': 'application/json' })).toBe('store.signature-invalid')
  expect(await post({ 'stripe-signature': signStoreEvent(event, webhookSecret(context)) })).toBe(
    'request.invalid',
  )
})
