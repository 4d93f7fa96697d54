import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Service } from './support/service.ts'

let service: Service
beforeAll(async () => {
  service = await Service.start()
})
afterAll(() => service.stop())

const tokenOf = (text: string) => /token=([\w-]+)/.exec(text)?.[1] ?? ''

describe('email and password', () => {
  test('a sign-up answers as specified and its token opens the account', async () => {
    const reply = await service.post('/api/signup', {
      email: 'Ada@Example.com',
      password: 'x',
      timestamp: 12,
    })
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      success: true,
      user: {
        name: 'Ada',
        email: 'Ada@Example.com',
        current_plan: 'Free',
        country: '',
        email_verified: false,
      },
    })
    const token = String(reply.body.token)
    const read = await service.get('/api/user?email=ada@example.com', token)
    expect(read.status).toBe(200)
    expect(read.body).toMatchObject({ success: true, user: { email: 'Ada@Example.com' }, uploadedFiles: [] })
  })

  test('one address has one account, whatever its capitals, and the refusal does not say why', async () => {
    await service.person('once@example.com')
    const again = await service.post('/api/signup', { email: 'ONCE@example.com', password: 'y' })
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({ success: false, code: 'auth.signup-refused' })
  })

  test('video and photo share the account', async () => {
    await service.person('both@example.com')
    const reply = await service.post('/api/photologin', {
      email: 'both@example.com',
      password: 'correct horse',
    })
    expect(reply.status).toBe(200)
  })

  test.each([
    [{ email: '', password: 'x' }, 'Email is required'],
    [{ password: 'x' }, 'Email is required'],
    [{ email: 'nonsense', password: 'x' }, 'Invalid email format'],
    [{ email: 'a@b.c', password: '' }, 'Password is required'],
    [{ email: 'a@b.c' }, 'Password is required'],
  ])('the form %j is refused with "%s"', async (body, message) => {
    for (const path of ['/api/login', '/api/signup', '/api/photologin', '/api/photosignup']) {
      expect(await service.post(path, body)).toMatchObject({ status: 422, body: { success: false, message } })
    }
  })

  test('a wrong password and an unknown address are refused alike', async () => {
    await service.person('known@example.com')
    const wrong = await service.post('/api/login', { email: 'known@example.com', password: 'wrong' })
    const unknown = await service.post('/api/login', { email: 'unknown@example.com', password: 'wrong' })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toEqual(unknown.body)
  })

  test('a password of any length up to a bound works, above it is refused', async () => {
    const long = 'ü'.repeat(1024)
    expect(await service.post('/api/signup', { email: 'long@example.com', password: long })).toMatchObject({
      status: 200,
    })
    expect(await service.post('/api/login', { email: 'long@example.com', password: long })).toMatchObject({
      status: 200,
    })
    expect(
      await service.post('/api/login', { email: 'long@example.com', password: `${long}!` }),
    ).toMatchObject({
      status: 422,
      body: { code: 'auth.password-too-long' },
    })
  })
})

describe('sessions', () => {
  test('signing out revokes the token at once and leaves other sessions alone', async () => {
    const person = await service.person('out@example.com')
    const other = await service.post('/api/login', { email: 'out@example.com', password: 'correct horse' })
    expect(await person.post('/api/logout', {})).toMatchObject({ status: 200 })
    expect(await person.get('/api/user?email=out@example.com')).toMatchObject({
      status: 401,
      body: { code: 'auth.invalid-session' },
    })
    expect(await service.get('/api/user?email=out@example.com', String(other.body.token))).toMatchObject({
      status: 200,
    })
  })

  test('another address than the session`s is refused', async () => {
    const person = await service.person()
    for (const path of ['user', 'product_recharge', 'uploaded_files', 'purchases']) {
      expect(await person.get(`/api/${path}?email=somebody@example.com`)).toMatchObject({
        status: 403,
        body: { code: 'auth.identity-mismatch' },
      })
    }
  })
})

describe('mails', () => {
  test('the link of the verification mail confirms the address once', async () => {
    const person = await service.person('verify@example.com')
    const mail = await service.mailTo(person.email, 'confirm')
    expect(mail.text).toContain('/verify?token=')
    expect(mail.html).toContain('/verify?token=')
    const token = tokenOf(mail.text)
    expect(await service.post('/api/email/verify', { token: `${token}x` })).toMatchObject({ status: 400 })
    expect(await service.post('/api/email/verify', { token })).toMatchObject({ status: 200 })
    expect(await service.post('/api/email/verify', { token })).toMatchObject({
      status: 400,
      body: { code: 'auth.verify-invalid' },
    })
    expect((await person.get(`/api/user?email=${person.email}`)).body).toMatchObject({
      user: { email_verified: true },
    })
  })

  test('a forgotten password is set anew by mail; all sessions end and one begins', async () => {
    const person = await service.person('forgot@example.com')
    const unknown = await service.post('/api/password/forgot', { email: 'nobody@example.com' })
    const known = await service.post('/api/password/forgot', { email: 'forgot@example.com' })
    expect(known).toMatchObject({ status: 200, body: unknown.body })
    const token = tokenOf((await service.mailTo(person.email, 'new password')).text)
    const reset = await service.post('/api/password/reset', { token, password: 'better' })
    expect(reset).toMatchObject({ status: 200, body: { success: true, user: { email_verified: true } } })
    expect(await person.get('/api/user?email=forgot@example.com')).toMatchObject({ status: 401 })
    expect(await service.get('/api/user?email=forgot@example.com', String(reset.body.token))).toMatchObject({
      status: 200,
    })
    expect(
      await service.post('/api/login', { email: person.email, password: 'correct horse' }),
    ).toMatchObject({ status: 401 })
    expect(await service.post('/api/login', { email: person.email, password: 'better' })).toMatchObject({
      status: 200,
    })
    expect(await service.post('/api/password/reset', { token, password: 'again' })).toMatchObject({
      status: 400,
      body: { code: 'auth.reset-invalid' },
    })
  })

  test('a password forgotten in the photo flavour leads back to it', async () => {
    const person = await service.person('photographer@example.com')
    await person.buy('photo-10-monthly')
    await service.post('/api/password/forgot', { email: person.email, product: 'photo' })
    const { text } = await service.mailTo(person.email, 'new password')
    expect(text).toMatch(/\/reset\?token=[\w-]+&product=photo/)
    const body = { token: tokenOf(text), password: 'better', product: 'photo' }
    const reset = await service.post('/api/password/reset', body)
    expect(reset).toMatchObject({ status: 200, body: { user: { current_plan: 'Premium' } } })
  })

  test('a link is too old after an hour', async () => {
    const person = await service.person('slow@example.com')
    await service.post('/api/password/forgot', { email: person.email })
    const token = tokenOf((await service.mailTo(person.email, 'new password')).text)
    service.clock.advance(1.1)
    expect(await service.post('/api/password/reset', { token, password: 'late' })).toMatchObject({
      status: 400,
    })
  })

  test('changing the password asks for the current one and ends other sessions', async () => {
    const person = await service.person('change@example.com')
    const other = await service.post('/api/login', { email: person.email, password: 'correct horse' })
    const wrong = { currentPassword: 'nope', newPassword: 'n' }
    expect(await person.post('/api/password/change', wrong)).toMatchObject({
      status: 403,
      body: { code: 'auth.password-wrong' },
    })
    const right = { currentPassword: 'correct horse', newPassword: 'n' }
    expect(await person.post('/api/password/change', right)).toMatchObject({ status: 200 })
    expect(await person.get(`/api/user?email=${person.email}`)).toMatchObject({ status: 200 })
    expect(await service.get(`/api/user?email=${person.email}`, String(other.body.token))).toMatchObject({
      status: 401,
    })
    await service.mailTo(person.email, 'was changed')
  })
})

test('the country is one of the list and stays saved', async () => {
  const person = await service.person()
  expect(await person.post('/api/account', { country: 'Atlantis' })).toMatchObject({
    status: 422,
    body: { code: 'account.country-unknown' },
  })
  await person.buy('photo-10-monthly')
  const planOf = async (product: string) =>
    (await person.post('/api/account', { country: 'Japan', product })).body.user
  expect(await planOf('photo')).toMatchObject({ current_plan: 'Premium' })
  expect(await planOf('video')).toMatchObject({ current_plan: 'Free' })
  expect(await person.post('/api/account', { country: 'Japan' })).toMatchObject({
    status: 200,
    body: { user: { country: 'Japan' } },
  })
  expect((await person.get(`/api/user?email=${person.email}`)).body).toMatchObject({
    user: { country: 'Japan' },
  })
})

test('a session ends by itself after its days', async () => {
  const person = await service.person()
  service.clock.advance(24 * 31)
  expect(await person.get(`/api/user?email=${person.email}`)).toMatchObject({ status: 401 })
})
