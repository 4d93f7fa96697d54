import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { reportProgress, takeRepair } from '@mendframe/backend'
import { ALL_ROUTES, ERRORS, PROGRESS_EVENTS_PATH } from '@mendframe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { finish, openRepairId, Service } from './support/service.ts'

const SCRIPT = 'window.started = true'
let service: Service
let web: string
beforeAll(async () => {
  web = await mkdtemp(join(tmpdir(), 'mendframe-web-'))
  await mkdir(join(web, 'photo'))
  await mkdir(join(web, 'assets'))
  await writeFile(
    join(web, 'index.html'),
    `<html><script>${SCRIPT}</script><script src="/assets/app-1.js"></script>home</html>`,
  )
  await writeFile(join(web, '__spa-fallback.html'), '<html>fallback</html>')
  await writeFile(join(web, 'photo', 'index.html'), '<html>photo landing</html>')
  await writeFile(join(web, 'assets', 'app-1.js'), 'export {}')
  service = await Service.start({ LOG_LEVEL: 'debug', CORS_ORIGINS: 'https://web.example.com' }, web)
})
afterAll(async () => {
  await service.stop()
  await rm(web, { recursive: true, force: true })
})

describe('the web app', () => {
  test('is served with its prerendered pages, and every other address begins at the fallback', async () => {
    for (const [path, words] of [
      ['/', 'home'],
      ['/photo/', 'photo landing'],
      ['/resume?u=x', 'fallback'],
      ['/admin/dashboard', 'fallback'],
      ['/callback?code=x&state=y', 'fallback'],
      ['/no/such/page', 'fallback'],
      ['/nothing.html', 'fallback'],
    ] as const) {
      const reply = await service.get(path)
      expect(reply.status, path).toBe(200)
      expect(reply.text, path).toContain(words)
      expect(reply.headers['cache-control']).toBe('no-cache')
    }
    expect(await service.get('/photo')).toMatchObject({ status: 308, headers: { location: '/photo/' } })
    expect(await service.get('/photo?from=ad')).toMatchObject({ headers: { location: '/photo/?from=ad' } })
    expect((await service.get('/assets/app-1.js')).headers['cache-control']).toContain('immutable')
  })

  test('is compressed for whoever takes that, once, and not sent again unchanged', async () => {
    const ask = (headers: Record<string, string>) =>
      service.app.inject({ method: 'GET', url: '/assets/app-1.js', headers })
    const packed = await ask({ 'accept-encoding': 'gzip, deflate, br' })
    expect(packed.headers).toMatchObject({
      'content-encoding': 'br',
      vary: expect.stringContaining('Accept-Encoding'),
    })
    expect(brotliDecompressSync(packed.rawPayload).toString()).toBe('export {}')
    expect((await ask({ 'accept-encoding': 'gzip;q=1, br;q=0' })).headers['content-encoding']).toBe('gzip')
    expect((await ask({})).headers['content-encoding']).toBeUndefined()
    const again = await ask({ 'accept-encoding': 'br', 'if-none-match': String(packed.headers.etag) })
    expect(again.statusCode).toBe(304)
  })

  test('names only files that are there', async () => {
    for (const path of [
      '/assets/missing.js',
      '/../secret',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/assets/..%2f..%2fx.js',
      '/%ff',
    ]) {
      const reply = await service.get(path)
      expect(reply.text, path).not.toContain('root:')
      expect([200, 400, 404], path).toContain(reply.status)
    }
    expect(await service.get('/assets/missing.js')).toMatchObject({ status: 404 })
    expect(await service.get('/api/no-such-call')).toMatchObject({
      status: 404,
      body: { success: false, code: 'request.not-found' },
    })
    expect(await service.post('/api/no-such-call', {})).toMatchObject({
      status: 404,
      body: { success: false },
    })
  })

  test('runs its own scripts only: those of the build, by hash, and files from here', async () => {
    const policy = String((await service.get('/')).headers['content-security-policy'])
    const hash = createHash('sha256').update(SCRIPT).digest('base64')
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}'`)
    expect(policy).not.toContain("script-src 'self' 'unsafe-inline'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect((await service.get('/healthz')).headers['content-security-policy']).toContain("default-src 'none'")
  })
})

describe('watching', () => {
  test('/healthz and /readyz answer', async () => {
    expect(await service.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await service.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })

  test('/metrics tells requests by route and jobs by state, to this machine', async () => {
    const reply = await service.get('/metrics')
    expect(reply.text).toContain('mendframe_http_request_seconds_bucket')
    expect(reply.text).toContain('route="/healthz"')
    expect(reply.text).toContain('mendframe_jobs{job="repair",state="queued"}')
    expect(reply.text).not.toContain('@')
    const remote = await service.app.inject({ method: 'GET', url: '/metrics', remoteAddress: '203.0.113.9' })
    expect(remote.statusCode).toBe(404)
    const proxied = await service.send('GET', '/metrics', { headers: { 'x-forwarded-for': '203.0.113.9' } })
    expect(proxied.status).toBe(404)
  })

  test('the demo store answers this machine only', async () => {
    const url = '/demo-store?pack=video-10-monthly&reference=x'
    expect((await service.get(url)).text).toContain('Demonstration')
    const remote = await service.app.inject({ method: 'GET', url, remoteAddress: '203.0.113.9' })
    expect(remote.statusCode).toBe(404)
    const foreign = await service.app.inject({
      method: 'POST',
      url: '/demo-store/pay',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example.com' },
      payload: 'pack=video-10-monthly&reference=x',
    })
    expect(foreign.statusCode).toBe(404)
  })
})

describe('the documentation', () => {
  test('names every call of the contract with its failures', async () => {
    const reply = await service.get('/api/docs/json')
    const { paths } = reply.body
    for (const route of ALL_ROUTES) {
      const path = route.path.replace(/:(\w+)/g, '{$1}')
      expect(paths, path).toHaveProperty([path, route.method.toLowerCase(), 'responses', '200'])
      for (const code of route.errors)
        expect(paths).toHaveProperty([path, route.method.toLowerCase(), 'responses', String(ERRORS[code][0])])
    }
    expect(paths).toHaveProperty([PROGRESS_EVENTS_PATH])
    expect((await service.get('/api/docs')).status).toBeLessThan(400)
  })
})

describe('other origins', () => {
  test('that are configured may call with credentials, others get no permission', async () => {
    const ask = (origin: string) =>
      service.app.inject({
        method: 'OPTIONS',
        url: '/api/login',
        headers: { origin, 'access-control-request-method': 'POST' },
      })
    const allowed = await ask('https://web.example.com')
    expect(allowed.statusCode).toBe(204)
    expect(allowed.headers['access-control-allow-origin']).toBe('https://web.example.com')
    expect((await ask('https://evil.example.com')).headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('pushed progress', () => {
  test('tells each step as it comes and ends with the repair', async () => {
    const person = await service.person()
    const upload = await person.begin()
    const address = await service.app.listen({ host: '127.0.0.1', port: 0 })
    const stream = await fetch(`${address}${PROGRESS_EVENTS_PATH}?time=${upload.timestamp}`, {
      headers: { authorization: `Bearer ${person.token}` },
    })
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.headers.get('cache-control')).toBe('no-store')
    expect(stream.headers.get('x-request-id')).toMatch(/./)
    const attempt = await takeRepair(service.context, await openRepairId(service, upload))
    if (!attempt) throw new Error('no repair')
    await reportProgress(service.context, attempt, 'recover', 0.5)
    const finished = setTimeout(100).then(() => finish(service, upload, 'partial'))
    const events = (await stream.text())
      .split('\n\n')
      .filter((event) => event.startsWith('event: progress'))
      .map((event) => JSON.parse(event.slice(event.indexOf('{'))))
    await finished
    expect(events[0]).toMatchObject({ status: 'Running' })
    expect(events).toContainEqual(
      expect.objectContaining({
        stage: 'recover',
        repairingStatus: 'Recovering frames and sound',
        progress: 43,
      }),
    )
    expect(events.at(-1)).toMatchObject({ status: 'Completed', progress: 100, verdict: 'partial' })
  })
})

describe('logs', () => {
  test('name request, route and job, and hold no token, address, sealed field, signature or password', async () => {
    const { seal } = await import('@mendframe/contract')
    service.logLines.length = 0
    const email = 'very-private-person@example.com'
    const person = await service.person(email)
    await service.post('/api/login', { email, password: 'wrong horse battery' })
    const info = await seal(email, globalThis.crypto)
    const upload = await person.upload()
    const query = new URLSearchParams({
      fileName: upload.fileName,
      timestamp: upload.timestamp,
      details: info,
    })
    await person.get(`/api/download?${query}`)
    await person.get(`/api/user?email=${email}`)
    await person.get('/api/user?email=another-private@example.com')
    await service.post('/api/password/forgot', { email })
    const mail = await service.mailTo(email, 'new password')
    const token = /token=([\w-]+)/.exec(mail.text)?.[1] ?? 'none'
    await service.post('/api/password/reset', { token, password: 'a new secret one' })
    const lines = service.logLines.join('\n')
    expect(lines).toContain('"route":"/api/download"')
    expect(lines).toContain(`"job":"${upload.timestamp}"`)
    expect(lines).toContain('"reqId"')
    for (const secret of [
      email,
      'another-private',
      person.token,
      token,
      info,
      'wrong horse',
      'correct horse',
      'a new secret',
      'signature=',
      'Bearer',
    ]) {
      expect(lines, secret).not.toContain(secret)
    }
  })
})

describe('limits', () => {
  test('ten sign-ups a minute and address by default, the eleventh is told to wait', async () => {
    const strict = await Service.start({ RATE_SIGNUPS: '10' })
    try {
      for (let index = 0; index < 10; index++) await strict.person()
      const reply = await strict.post('/api/signup', { email: 'eleven@example.com', password: 'x' })
      expect(reply).toMatchObject({ status: 429, body: { success: false, code: 'request.too-many' } })
      expect(reply.headers['retry-after']).toBeDefined()
    } finally {
      await strict.stop()
    }
  })

  test('failed log-ins to one account are bounded, also for the right password, until the window ends', async () => {
    const strict = await Service.start({ RATE_LOGIN_FAILURES: '3' })
    try {
      const person = await strict.person('target@example.com')
      const attempt = (password: string) =>
        strict.post('/api/login', { email: 'Target@example.com', password })
      for (let index = 0; index < 3; index++) expect(await attempt('wrong')).toMatchObject({ status: 401 })
      expect(await attempt('correct horse')).toMatchObject({ status: 429 })
      expect(await strict.post('/api/login', { email: 'else@example.com', password: 'x' })).toMatchObject({
        status: 401,
      })
      strict.clock.advance(1 / 59)
      expect(await attempt('correct horse')).toMatchObject({ status: 200 })
      expect(person.token).not.toBe('')
    } finally {
      await strict.stop()
    }
  })
})
