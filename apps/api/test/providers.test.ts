import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CLIENT_ID, CLIENT_SECRET, IdentityProvider } from './support/identity-provider.ts'
import { type Answer, Service } from './support/service.ts'

const SITE = 'http://127.0.0.1:3999'
const RETURNS = ['/googlecallback', '/photogooglecallback', '/callback', '/photocallback']
let provider: IdentityProvider
let service: Service
let serial = 0

beforeAll(async () => {
  const nobody = { sub: 'nobody', email: 'nobody@example.com', email_verified: true }
  provider = await IdentityProvider.start(
    RETURNS.map((path) => SITE + path),
    nobody,
  )
  service = await Service.start({
    PUBLIC_URL: SITE,
    GOOGLE_ISSUER: provider.issuer,
    GOOGLE_CLIENT_ID: CLIENT_ID,
    GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
    APPLE_ISSUER: provider.issuer,
    APPLE_CLIENT_ID: CLIENT_ID,
    APPLE_CLIENT_SECRET: CLIENT_SECRET,
  })
})
afterAll(async () => {
  await service.stop()
  await provider.stop()
})
beforeEach(() => {
  serial++
  provider.person = {
    sub: `person-${serial}`,
    email: `person${serial}@example.com`,
    email_verified: true,
    name: `Person ${serial}`,
  }
})

type Kind = 'google' | 'apple'

interface Started {
  readonly url: string
  readonly state: string
  readonly nonce: string
  readonly cookie: string
}

async function start(kind: Kind, product = 'video'): Promise<Started> {
  const reply = await service.post('/api/signin/start', { provider: kind, product })
  expect(reply.status).toBe(200)
  return {
    url: String(reply.body.url),
    state: String(reply.body.timestamp),
    nonce: String(reply.body.nonce),
    cookie: String(reply.headers['set-cookie']).split(';')[0] ?? '',
  }
}

const finish = (
  kind: Kind,
  body: Record<string, unknown>,
  cookie: string,
  product = 'video',
): Promise<Answer> =>
  service.send('POST', `/api/${product === 'photo' ? 'photo' : ''}${kind}auth`, { body, headers: { cookie } })

async function signIn(kind: Kind, product = 'video'): Promise<Answer> {
  const started = await start(kind, product)
  const returned = await provider.visit(started.url)
  expect(returned.get('state')).toBe(started.state)
  return finish(
    kind,
    { code: returned.get('code'), timestamp: returned.get('state') },
    started.cookie,
    product,
  )
}

describe.each(['google', 'apple'] as const)('%s', (kind) => {
  test.each(['video', 'photo'])('the whole flow signs in, %s flavour', async (product) => {
    const reply = await signIn(kind, product)
    expect(reply).toMatchObject({
      status: 200,
      body: {
        success: true,
        user: { email: provider.person.email, email_verified: true, current_plan: 'Free' },
      },
    })
    const read = await service.get(`/api/user?email=${provider.person.email}`, String(reply.body.token))
    expect(read.status).toBe(200)
    const again = await signIn(kind, product)
    expect(again.body.user).toEqual(reply.body.user)
  })

  test('the authorisation address asks for what is specified, with state, nonce and PKCE', async () => {
    const { url, state, nonce } = await start(kind)
    const asked = new URL(url).searchParams
    expect(asked.get('response_type')).toBe('code')
    expect(asked.get('scope')).toBe(kind === 'google' ? 'openid email profile' : 'openid name email')
    expect(asked.get('response_mode')).toBe(kind === 'google' ? null : 'form_post')
    expect(asked.get('redirect_uri')).toBe(SITE + (kind === 'google' ? '/googlecallback' : '/callback'))
    expect(asked.get('state')).toBe(state)
    expect(asked.get('nonce')).toBe(nonce)
    expect(asked.get('code_challenge_method')).toBe('S256')
  })

  test('a state works once, in the browser that began, for its flavour, and not for ever', async () => {
    const refused = { status: 400, body: { code: 'auth.state-invalid' } }
    const one = await start(kind)
    const returned = await provider.visit(one.url)
    const body = { code: returned.get('code'), timestamp: one.state }
    expect(await finish(kind, body, '')).toMatchObject(refused)
    expect(await finish(kind, body, 'mendframe_signin=somebody_elses_browser_cookie')).toMatchObject(refused)
    expect(await finish(kind, body, one.cookie, 'photo')).toMatchObject(refused)
    expect(await finish(kind, { ...body, timestamp: 'other' }, one.cookie)).toMatchObject(refused)
    expect(await finish(kind, { code: body.code }, one.cookie)).toMatchObject(refused)
    expect(await finish(kind, body, one.cookie)).toMatchObject({ status: 200 })
    expect(await finish(kind, body, one.cookie)).toMatchObject(refused)
    const late = await start(kind)
    const code = (await provider.visit(late.url)).get('code')
    service.clock.advance(0.3)
    expect(await finish(kind, { code, timestamp: late.state }, late.cookie)).toMatchObject(refused)
  })

  test('a code of another sign-in and an invented one are refused', async () => {
    const mine = await start(kind)
    const other = await start(kind)
    const code = (await provider.visit(other.url)).get('code')
    expect(await finish(kind, { code, timestamp: mine.state }, mine.cookie)).toMatchObject({
      status: 401,
      body: { code: 'auth.provider-refused' },
    })
    const third = await start(kind)
    expect(await finish(kind, { code: 'invented', timestamp: third.state }, third.cookie)).toMatchObject({
      status: 401,
    })
  })

  test('without a code the contract`s text says so', async () => {
    const { state, cookie } = await start(kind)
    expect(await finish(kind, { timestamp: state }, cookie)).toMatchObject({
      status: 400,
      body: { message: 'Authorization code is missing' },
    })
  })
})

describe('an account of the same address', () => {
  test('that was never confirmed is taken over without its password and sessions', async () => {
    const squatter = await service.person(provider.person.email)
    // the link is out before the account is taken over
    const mail = await service.mailTo(squatter.email, 'confirm')
    const reply = await signIn('google')
    expect(reply).toMatchObject({
      status: 200,
      body: { user: { email: provider.person.email, email_verified: true } },
    })
    const read = `/api/user?email=${provider.person.email}`
    expect(await squatter.get(read)).toMatchObject({ status: 401 })
    expect(
      await service.post('/api/login', { email: squatter.email, password: 'correct horse' }),
    ).toMatchObject({ status: 401 })
    const token = /token=([\w-]+)/.exec(mail.text)?.[1] ?? ''
    expect(await service.post('/api/email/verify', { token })).toMatchObject({ status: 400 })
  })

  test('that is confirmed is signed in to and keeps its password', async () => {
    const person = await service.person(provider.person.email)
    const token = /token=([\w-]+)/.exec((await service.mailTo(person.email, 'confirm')).text)?.[1] ?? ''
    await service.post('/api/email/verify', { token })
    expect(await signIn('google')).toMatchObject({ status: 200 })
    expect(await person.get(`/api/user?email=${person.email}`)).toMatchObject({ status: 200 })
    expect(
      await service.post('/api/login', { email: person.email, password: 'correct horse' }),
    ).toMatchObject({ status: 200 })
  })

  test('is not given to a provider that does not vouch for the address', async () => {
    await service.person(provider.person.email)
    provider.person = { ...provider.person, email_verified: false }
    expect(await signIn('google')).toMatchObject({ status: 401, body: { code: 'auth.provider-refused' } })
  })

  test('may be made by Google and used by Apple, whose answer is a text', async () => {
    await signIn('google')
    provider.person = { ...provider.person, sub: `apple-${serial}`, email_verified: 'true' }
    expect(await signIn('apple')).toMatchObject({
      status: 200,
      body: { user: { email: provider.person.email } },
    })
  })
})

describe('Apple`s ways', () => {
  test('the posted answer is sent on to the page and its name, which comes once, is kept', async () => {
    provider.person = { sub: `named-${serial}`, email: `named${serial}@example.com`, email_verified: true }
    const started = await start('apple')
    const returned = await provider.visit(started.url)
    returned.set(
      'user',
      JSON.stringify({ name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'ignored@example.com' }),
    )
    const posted = await service.app.inject({
      method: 'POST',
      url: '/callback',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: returned.toString(),
    })
    expect(posted.statusCode).toBe(303)
    const forward = new URL(String(posted.headers.location), SITE)
    expect(forward.pathname).toBe('/callback')
    expect([...forward.searchParams.keys()]).toEqual(['code', 'state'])
    const body = { code: forward.searchParams.get('code'), timestamp: forward.searchParams.get('state') }
    const reply = await finish('apple', body, started.cookie)
    expect(reply).toMatchObject({ status: 200, body: { user: { name: 'Ada Lovelace' } } })
    expect(await signIn('apple')).toMatchObject({ body: { user: { name: 'Ada Lovelace' } } })
  })

  test('a refusal is sent on without a code', async () => {
    const posted = await service.app.inject({
      method: 'POST',
      url: '/photocallback',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'error=user_cancelled_authorize&state=x&user=%7Bnonsense',
    })
    expect(posted.headers.location).toBe('/photocallback?state=x&error=user_cancelled_authorize')
  })

  test('the dialog`s id token signs in; with another nonce it does not', async () => {
    const token = async (nonce: string) => {
      const ask = new URLSearchParams({
        client_id: CLIENT_ID,
        response_type: 'id_token',
        scope: 'openid email profile',
        redirect_uri: `${SITE}/callback`,
        nonce,
        state: 'of-the-dialog',
      })
      return (await provider.visit(`${provider.issuer}/auth?${ask}`)).get('id_token')
    }
    const started = await start('apple')
    const good = { id_token: await token(started.nonce), timestamp: started.state }
    expect(await finish('apple', good, started.cookie)).toMatchObject({
      status: 200,
      body: { user: { email: provider.person.email } },
    })
    const second = await start('apple')
    const replayed = { id_token: good.id_token, timestamp: second.state }
    expect(await finish('apple', replayed, second.cookie)).toMatchObject({ status: 401 })
    const third = await start('apple')
    const [head = '', body = '', signature = ''] = String(await token(third.nonce)).split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...claims, email: 'victim@example.com' })).toString(
      'base64url',
    )
    const tampered = { id_token: `${head}.${forged}.${signature}`, timestamp: third.state }
    expect(await finish('apple', tampered, third.cookie)).toMatchObject({ status: 401 })
  })
})

test('with Apple`s script the start says what its window is opened with, and the page may run it', async () => {
  const script = 'https://apple.example.com/auth.js'
  const web = await mkdtemp(join(tmpdir(), 'mendframe-web-'))
  await writeFile(join(web, 'index.html'), '<html></html>')
  const own = await Service.start(
    {
      PUBLIC_URL: SITE,
      APPLE_ISSUER: provider.issuer,
      APPLE_CLIENT_ID: CLIENT_ID,
      APPLE_CLIENT_SECRET: CLIENT_SECRET,
      APPLE_SCRIPT_URL: script,
    },
    web,
  )
  try {
    const { body } = await own.post('/api/signin/start', { provider: 'apple' })
    expect(body.window).toEqual({ script, clientId: CLIENT_ID, redirectUri: `${SITE}/callback` })
    const page = await own.get('/')
    expect(page.headers['content-security-policy']).toMatch(
      /script-src 'self' https:\/\/apple\.example\.com;/,
    )
    expect(page.headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups')
    const plain = await service.post('/api/signin/start', { provider: 'apple' })
    expect(plain.body).not.toHaveProperty('window')
  } finally {
    await own.stop()
    await rm(web, { recursive: true })
  }
})

test('what is not configured says so', async () => {
  const plain = await Service.start()
  try {
    const refused = { status: 503, body: { code: 'auth.provider-unconfigured' } }
    expect(await plain.post('/api/signin/start', { provider: 'google' })).toMatchObject(refused)
    for (const path of ['googleauth', 'appleauth', 'photogoogleauth', 'photoappleauth']) {
      expect(await plain.post(`/api/${path}`, { code: 'x', timestamp: 'y' })).toMatchObject(refused)
    }
    expect((await plain.get('/api/config')).body).toMatchObject({
      providers: { google: false, apple: false },
      store: 'demo',
    })
  } finally {
    await plain.stop()
  }
})
