import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { FolderStorage, loadConfig } from '@mendframe/backend'
import { DEMO_STORE_PATH, PACKS, RETURN_PATHS } from '@mendframe/contract'
import { afterEach, describe, expect, test } from 'vitest'
import type { App } from '../src/app.ts'
import { createServer } from '../src/server.ts'
import { keptLog, stubContext, stubDb } from './support/stub-context.ts'

const CLOSERS: (() => unknown)[] = []
afterEach(async () => {
  for (const close of CLOSERS.splice(0)) await close()
})

type Rows = () => Promise<object[]>

/**
 * The server over a folder, with a database that knows one open upload in parts or what `rows` says, and so much room on disk.
 */
async function served({ free = 1e12, state = 'open', rows = undefined as Rows | undefined } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'mendframe-routes-'))
  CLOSERS.push(() => rm(folder, { recursive: true, force: true }))
  const clock = { now: () => new Date() }
  const storage = new FolderStorage(folder, Buffer.from('secret'), '', clock)
  await storage.prepare()
  const context = stubContext({
    ...{ log: keptLog().log, clock, storage },
    space: { free: async () => free },
    queue: { counts: async () => ({}) },
    providers: { isConfigured: (name: string) => name === 'google' },
    db: stubDb({ multipart_uploads: state === '' ? [] : [{ state }], uploads: rows ?? [] }),
  })
  const app: App = await createServer(context)
  CLOSERS.push(() => app.close())
  const stored = async (key: string, text: string): Promise<void> => {
    const path = join(folder, 'source')
    await writeFile(path, text)
    await storage.storeCopy(key, path)
  }
  return { app, storage, stored }
}

const MINUTE = 60
const KEY = 'uploads/a.mp4'

describe('a stored file', () => {
  async function asked(text = '0123456789', saveAs?: string) {
    const { app, storage, stored } = await served()
    await stored(KEY, text)
    const terms = { contentType: 'video/mp4', seconds: MINUTE, ...(saveAs === undefined ? {} : { saveAs }) }
    const url = await storage.signGet(KEY, terms)
    return (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET', other = url) => {
      // its head alone is told without opening it
      if (method === 'HEAD') storage.open = () => Promise.reject(new Error('opened'))
      return app.inject({ method, url: other, headers })
    }
  }

  test('is sent whole, or in the range that is asked for while it is the same', async () => {
    const ask = await asked()
    const whole = await ask()
    const tag = String(whole.headers.etag)
    expect([whole.statusCode, whole.body, whole.headers['content-length']]).toEqual([200, '0123456789', '10'])
    expect(whole.headers).toMatchObject({
      ...{ 'accept-ranges': 'bytes', 'content-disposition': 'inline' },
      ...{
        'cache-control': 'private, max-age=0, must-revalidate',
        'content-type': 'video/mp4',
      },
    })
    const part = await ask({ range: 'bytes=2-4' })
    expect([
      part.statusCode,
      part.body,
      part.headers['content-range'],
      part.headers['content-length'],
    ]).toEqual([...[206, '234', 'bytes 2-4/10', '3']])
    const beyond = await ask({ range: 'bytes=10-' })
    expect([beyond.statusCode, beyond.headers['content-range'], beyond.json().code]).toEqual([
      ...[416, 'bytes */10', 'download.range-unsatisfiable'],
    ])
    expect((await ask({ range: 'bytes=0-1', 'if-range': tag })).body).toBe('01')
    expect((await ask({ range: 'bytes=0-1', 'if-range': '"other"' })).body).toBe('0123456789')
    const same = await ask({ 'if-none-match': tag })
    expect([same.statusCode, same.body]).toEqual([304, ''])
    expect((await ask({ 'if-none-match': '"other"' })).statusCode).toBe(200)
    const head = await ask({}, 'HEAD')
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '10'])
  })

  test('is saved under its name, and refused to who has no address of it, or when it is gone', async () => {
    const ask = await asked('', 'film.mp4')
    const empty = await ask()
    expect([empty.statusCode, empty.body, empty.headers['content-length']]).toEqual([200, '', '0'])
    expect(empty.headers['content-disposition']).toMatch(/^attachment.*film\.mp4/)
    const forged = await ask({}, 'GET', '/files/uploads/a.mp4?method=GET&expires=9999999999&signature=x')
    expect([forged.statusCode, forged.json().code]).toEqual([403, 'download.address-refused'])
    const { app, storage } = await served()
    const gone = await app.inject(
      await storage.signGet('uploads/none.mp4', { contentType: 'video/mp4', seconds: MINUTE }),
    )
    expect(gone.json().code).toBe('file.deleted')
  })
})

describe('a part that is sent', () => {
  async function sending(of: Parameters<typeof served>[0] = {}, size = 5) {
    const { app, storage } = await served(of)
    const driverId = await storage.createParts()
    const terms = { seconds: MINUTE, number: 1, offset: 0, size }
    const url = await storage.signPart(KEY, driverId, terms)
    const put = async (payload: string, headers: Record<string, string> = {}) => {
      const reply = await app.inject({ method: 'PUT', url, payload, headers })
      return [reply.statusCode, reply.json().code ?? reply.json().success]
    }
    return { put, parts: () => storage.listParts(KEY, driverId) }
  }

  test('is stored where it is as long as was said, and room is left', async () => {
    const { put, parts } = await sending()
    expect(await put('12345')).toEqual([200, true])
    expect((await parts()).map(({ size }) => size)).toEqual([5])
    expect(await put('1234')).toEqual([expect.any(Number), 'upload.size-differs'])
    expect(await put('123456')).toEqual([expect.any(Number), 'upload.size-differs'])
    const reserve = loadConfig({ MENDFRAME_DATA: tmpdir() }).diskReserveBytes
    expect((await (await sending({ free: reserve + 5 })).put('12345'))[0]).toBe(200)
    expect((await (await sending({ free: reserve + 4 })).put('12345'))[1]).toBe('server.storage-full')
  })

  test('is refused where its upload is over, or unknown', async () => {
    for (const state of ['completed', ''])
      expect((await (await sending({ state })).put('12345'))[1], state).toBe('upload.closed')
  })
})

describe('a file that is sent whole', () => {
  const OPEN = {
    fileName: 'a.mp4',
    status: 'Pending',
    sampleFileName: null,
    expiresAt: new Date('2999-01-01'),
  }

  /**
   * What becomes of `body`, of which at most ten bytes were signed for; `known` are the upload's rows, each time they are read.
   */
  async function sent(
    body: string,
    { known = [[OPEN], [OPEN]] as object[][], size = undefined as number | undefined, free = 1e12 } = {},
    headers: Record<string, string> = {},
    breaks = false,
  ) {
    const { app, storage } = await served({ free, rows: async () => known.shift() ?? [] })
    if (breaks) storage.receive = () => Promise.reject(new Error('the disk is gone'))
    const terms = { contentType: 'video/mp4', maxBytes: 10, seconds: MINUTE }
    const url = await storage.signPut(KEY, size === undefined ? terms : { ...terms, size })
    const chunked = headers['transfer-encoding'] !== undefined
    const payload = chunked ? Readable.from([Buffer.from(body)]) : body
    const reply = await app.inject({
      ...{ method: 'PUT', url, payload },
      headers: { 'content-type': 'video/mp4', ...headers },
    })
    const kept = (await storage.head(KEY))?.size
    return [reply.json().code ?? reply.statusCode, reply.headers.connection, kept]
  }

  const chunked = { 'transfer-encoding': 'chunked' }
  const reserve = loadConfig({ MENDFRAME_DATA: tmpdir() }).diskReserveBytes
  test.each<[string, unknown[], Parameters<typeof sent>]>([
    ['is kept', [200, undefined, 5], ['12345']],
    ['is kept up to its bound', [200, undefined, 10], ['1234567890', {}, chunked]],
    ['is no more than its bound', ['upload.photo-too-large', 'close', undefined], ['12345678901']],
    ['is what was announced', ['upload.size-differs', 'close', undefined], ['1234', { size: 5 }]],
    ['ends as announced', ['upload.size-differs', 'close', undefined], ['1234', { size: 5 }, chunked]],
    [
      'is of its type',
      ['upload.address-refused', 'close', undefined],
      ['1', {}, { 'content-type': 'text/html' }],
    ],
    ['is not awaited any more', ['upload.closed', 'close', undefined], ['1', { known: [] }]],
    ['comes too late', ['upload.closed', 'close', undefined], ['1', { known: [[OPEN]] }]],
    ['finds room', [200, undefined, 5], ['12345', { free: reserve + 5 }]],
    ['finds no room', ['server.storage-full', 'close', undefined], ['12345', { free: reserve + 4 }]],
    [
      'may need all that was signed for',
      ['server.storage-full', 'close', undefined],
      ['1', { free: reserve + 9 }, chunked],
    ],
    ['is refused for what is no fault of it', ['server.error', 'close', undefined], ['1', {}, {}, true]],
  ])('%s', async (_what, outcome, given) => {
    expect(await sent(...given)).toEqual(outcome)
  })
})

test('the server says what it offers, and whether it can work', async () => {
  const { app } = await served()
  expect((await app.inject('/api/config')).json()).toMatchObject({
    success: true,
    providers: { google: true, apple: false },
  })
  const ready = async (server: App) => {
    const reply = await server.inject('/readyz')
    return [reply.statusCode, reply.json()]
  }
  expect(await ready(app)).toEqual([200, { status: 'ready' }])
  expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' })
  const { app: full } = await served({ free: 0 })
  expect(await ready(full)).toEqual([503, { status: 'not ready', reason: 'no space left' }])
})

test('a provider’s form is sent on to its page without the name', async () => {
  const { app } = await served()
  for (const url of Object.values(RETURN_PATHS.apple)) {
    const form = (fields: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url,
        payload: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    const user = JSON.stringify({ name: { firstName: '', lastName: '' } })
    const reply = await form({ code: 'c', state: 's', user, other: 'x' })
    expect([reply.statusCode, reply.headers.location]).toEqual([303, `${url}?code=c&state=s`])
    expect((await form({ error: 'user_cancelled', user: 'no json' })).headers.location).toBe(
      `${url}?error=user_cancelled`,
    )
    expect((await form({ code: 'x'.repeat(33_000) })).statusCode).toBe(413)
  }
})

test('the demo store answers this machine alone, its own page alone, and about packs that there are', async () => {
  const { app } = await served()
  const id = PACKS[0]?.id ?? ''
  const page = (query: string, remoteAddress = '127.0.0.1') =>
    app.inject({ url: `${DEMO_STORE_PATH}?${query}`, remoteAddress }).then(({ statusCode }) => statusCode)
  expect([
    await page(`pack=${id}`),
    await page('pack=none'),
    await page(''),
    await page(`pack=${id}`, '10.0.0.1'),
  ]).toEqual([...[200, 404, 404, 404]])
  const pay = (headers: Record<string, string>, payload = 'pack=none') =>
    app
      .inject({
        method: 'POST',
        url: `${DEMO_STORE_PATH}/pay`,
        payload,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      })
      .then(({ statusCode }) => statusCode)
  expect(await pay({ origin: 'https://other.example.com' }, `pack=${id}`)).toBe(404)
  expect(await pay({ origin: 'null' }, `pack=${id}`)).toBe(404)
  expect(await pay({}, 'pack=none')).toBe(404)
  expect(await pay({}, `pack=${id}&name=${'x'.repeat(8_200)}`)).toBe(413)
})
