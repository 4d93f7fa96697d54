import { signEvent } from '@mendframe/backend/testing'
import { ERROR_CODES, ERRORS, type ErrorCode, MAX_VIDEO_BYTES, MEBIBYTE } from '@mendframe/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, finish, type Person, Service, videoBytes } from './support/service.ts'

/* One way to each failure of the contract. The table is typed by the codes: one without a proof does not compile. */

const SECRET = 'whsec_of_the_failures'
let service: Service
let shop: Service
beforeAll(async () => {
  service = await Service.start({ MAX_OPEN_UPLOADS: '1000', RATE_LOGIN_FAILURES: '1000' })
  shop = await Service.start({
    MENDFRAME_MODE: 'production',
    PUBLIC_URL: 'https://mendframe.example',
    STRIPE_WEBHOOK_SECRET: SECRET,
    APPLE_CLIENT_ID: 'x',
    APPLE_CLIENT_SECRET: 'y',
    MAX_OPEN_UPLOADS: '1',
    RATE_MAILS: '1',
    RATE_LOGIN_FAILURES: '1000',
  })
})
afterAll(async () => {
  await shop.stop()
  await service.stop()
})

const login = (body: Record<string, unknown>) => service.post('/api/login', body)
const upload = (person: Person, fileExtension: string, fileSize?: number, flavour = '') =>
  person.post(`/api/${flavour}upload`, {
    fileExtension,
    contentType: '',
    ...(fileSize === undefined ? {} : { fileSize }),
  })
const arrive = (person: Person, ticket: Answer, fileExtension = 'mp4') => {
  const { fileName, timestamp } = ticket.body
  return person.post('/api/video-metadata', { fileName, timestamp, fileExtension, originalFileName: 'a.mp4' })
}
const sample = async (more: Record<string, unknown>) => {
  const person = await service.person()
  const { timestamp } = await person.upload(videoBytes(), 'a.mp4')
  const terms = { fileExtension: 'mp4', fileSize: 1, timestamp, contentType: '', originalFileName: 'b.mp4' }
  return person.post('/api/sampleupload', { ...terms, ...more })
}
const photoSample = async (more: Record<string, unknown>) => {
  const person = await service.person()
  const jpeg = Buffer.from('\xff\xd8\xff\xe0', 'latin1')
  const { timestamp } = await person.upload(jpeg, 'a.jpg', 'photo')
  const terms = { fileExtension: 'jpg', fileSize: 1, timestamp, contentType: '', originalFileName: 'b.jpg' }
  return person.post('/api/photosampleupload', { ...terms, ...more })
}
const download = (person: Person, file: { fileName: string; timestamp: string }) =>
  person.get(`/api/download?${new URLSearchParams({ fileName: file.fileName, timestamp: file.timestamp })}`)
const event = (object: Record<string, unknown>, secret = SECRET) => {
  const sent = {
    id: `evt_${Math.random()}`,
    type: 'checkout.session.completed',
    created: 1,
    data: { object },
  }
  const payload = JSON.stringify(sent)
  const headers = { 'stripe-signature': signEvent(payload, secret), 'content-type': 'application/json' }
  return shop.send('POST', '/api/store/webhook', { body: sent, headers })
}
const parts = async (person: Person) => {
  const terms = { role: 'corrupt', fileExtension: 'mp4', contentType: '', fileSize: 10 }
  const { uploadId } = (await person.post('/api/upload/parts/create', terms)).body
  return { uploadId }
}

const PROOFS: Record<ErrorCode, () => Promise<Answer>> = {
  'request.invalid': () => service.post('/api/email/verify', {}),
  'request.not-found': () => service.get('/api/nothing'),
  'request.too-many': async () => {
    await shop.post('/api/password/forgot', { email: 'a@example.com' })
    return shop.post('/api/password/forgot', { email: 'a@example.com' })
  },
  'request.too-large': () => login({ email: 'x'.repeat(70_000) }),
  'server.error': async () => {
    const person = await service.person()
    const ticket = await upload(person, 'mp4')
    const { storage } = service.context
    const copy = storage.copy.bind(storage)
    storage.copy = () => Promise.reject(new Error('disk on fire'))
    const reply = await arrive(person, ticket)
    storage.copy = copy
    return reply
  },
  'server.unavailable': async () => {
    // More log-ins at once than may wait for their passwords to be checked.
    const body = { email: 'a@b.c', password: 'x' }
    const replies = await Promise.all(Array.from({ length: 400 }, () => login(body)))
    expect(replies.filter((reply) => reply.status === 401).length).toBeGreaterThan(100)
    return replies.find((reply) => reply.status === 503) ?? login(body)
  },
  'auth.required': () => service.post('/api/logout', {}),
  'auth.invalid-session': () => service.post('/api/logout', {}, 'mfs_wrong'),
  'auth.identity-mismatch': async () => (await service.person()).get('/api/user?email=other@example.com'),
  'auth.email-required': () => login({ password: 'x' }),
  'auth.email-invalid': () => login({ email: 'x', password: 'x' }),
  'auth.password-required': () => login({ email: 'a@b.c' }),
  'auth.password-too-long': () => login({ email: 'a@b.c', password: 'x'.repeat(1025) }),
  'auth.login-refused': () => login({ email: 'a@b.c', password: 'x' }),
  'auth.signup-refused': async () => {
    const { email } = await service.person()
    return service.post('/api/signup', { email, password: 'x' })
  },
  'auth.password-wrong': async () =>
    (await service.person()).post('/api/password/change', { currentPassword: 'x', newPassword: 'y' }),
  'auth.reset-invalid': () => service.post('/api/password/reset', { token: 'x', password: 'y' }),
  'auth.verify-invalid': () => service.post('/api/email/verify', { token: 'x' }),
  'auth.provider-unconfigured': () => service.post('/api/googleauth', { code: 'x' }),
  'auth.provider-refused': async () => {
    // Nobody answers at this issuer; what cannot be asked is a fault, what answers no is a refusal: see the provider's tests.
    const { IdentityProvider, CLIENT_ID, CLIENT_SECRET } = await import('./support/identity-provider.ts')
    const site = 'http://127.0.0.1:3998'
    const person = { sub: 'x', email: 'x@example.com', email_verified: true }
    const provider = await IdentityProvider.start([`${site}/googlecallback`], person)
    const own = await Service.start({
      PUBLIC_URL: site,
      GOOGLE_ISSUER: provider.issuer,
      GOOGLE_CLIENT_ID: CLIENT_ID,
      GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
    })
    const started = await own.post('/api/signin/start', { provider: 'google' })
    const cookie = String(started.headers['set-cookie']).split(';')[0] ?? ''
    const body = { code: 'invented', timestamp: started.body.timestamp }
    const reply = await own.send('POST', '/api/googleauth', { body, headers: { cookie } })
    await own.stop()
    await provider.stop()
    return reply
  },
  'auth.state-invalid': () => shop.post('/api/appleauth', { code: 'x', timestamp: 'y' }),
  'auth.code-missing': () => shop.post('/api/appleauth', { timestamp: 'y' }),
  'account.country-unknown': async () =>
    (await service.person()).post('/api/account', { country: 'Atlantis' }),
  'upload.unsupported-format': async () => upload(await service.person(), 'exe'),
  'upload.foreign-content': async () => {
    const person = await service.person()
    const ticket = await upload(person, 'mp4')
    await service.put(String(ticket.body.uploadUrl), Buffer.from('a text'), 'application/octet-stream')
    return arrive(person, ticket)
  },
  'upload.empty': async () => {
    const person = await service.person()
    const ticket = await upload(person, 'mp4')
    await service.put(String(ticket.body.uploadUrl), Buffer.alloc(0), 'application/octet-stream')
    return arrive(person, ticket)
  },
  'upload.too-large': async () => upload(await service.person(), 'mp4', MAX_VIDEO_BYTES + 1),
  'upload.photo-too-large': async () => upload(await service.person(), 'jpg', 501 * MEBIBYTE, 'photo'),
  'upload.free-photo-too-large': async () => upload(await service.person(), 'jpg', 21 * MEBIBYTE, 'photo'),
  'upload.free-photo-format': async () => upload(await service.person(), 'heic', 1, 'photo'),
  'upload.missing': async () => {
    const person = await service.person()
    return arrive(person, await upload(person, 'mp4'))
  },
  'upload.incomplete': async () => {
    const person = await service.person()
    return person.post('/api/upload/parts/complete', await parts(person))
  },
  'upload.address-refused': () => service.put('/files/uploads/x.mp4?signature=x', Buffer.from('x')),
  'upload.size-differs': async () => {
    const ticket = await upload(await service.person(), 'mp4', 5)
    return service.put(String(ticket.body.uploadUrl), Buffer.from('four'), 'application/octet-stream')
  },
  'upload.closed': async () => {
    const person = await service.person()
    const open = await parts(person)
    await person.post('/api/upload/parts/abort', open)
    return person.post('/api/upload/parts/sign', { ...open, partNumbers: [1] })
  },
  'server.storage-full': async () => {
    const person = await service.person()
    const { space } = service.context
    const free = space.free.bind(space)
    space.free = async () => 0
    const reply = await upload(person, 'mp4')
    space.free = free
    return reply
  },
  'upload.too-many': async () => {
    const person = await shop.person()
    await upload(person, 'mp4')
    return upload(person, 'mp4')
  },
  'sample.wrong-extension': () => sample({ fileExtension: 'mov' }),
  'sample.same-file': () => sample({ originalFileName: 'a.mp4' }),
  'sample.too-large': () => sample({ fileSize: MAX_VIDEO_BYTES + 1 }),
  'sample.photo-wrong-extension': () => photoSample({ fileExtension: 'heic' }),
  'sample.photo-too-large': () => photoSample({ fileSize: 501 * MEBIBYTE }),
  'plan.exhausted': async () => {
    const person = await service.person()
    await person.repaired()
    return upload(person, 'mp4')
  },
  'plan.photo-exhausted': async () => {
    const person = await service.person()
    for (let index = 0; index < 3; index++) {
      const photo = await person.upload(Buffer.from('\xff\xd8\xff\xe0', 'latin1'), `p${index}.jpg`, 'photo')
      await person.post('/api/photorepair', { videoPath: photo.fileName, videocreatedTime: photo.timestamp })
      await finish(service, photo, 'repaired')
    }
    return upload(person, 'jpg', 1, 'photo')
  },
  'plan.repair-running': async () => {
    const person = await service.person()
    await person.begin()
    const second = await person.upload()
    await person.addSample(second)
    return person.start(second)
  },
  'file.unknown': async () => (await service.person()).get('/api/checkprogress?time=5'),
  'file.deleted': async () => {
    const person = await service.person()
    const file = await person.upload()
    await person.post('/api/file/delete', { timestamp: file.timestamp })
    return person.start(file)
  },
  'file.repaired-already': async () => {
    const person = await service.person()
    return person.start(await person.repaired())
  },
  'file.repair-running': async () => {
    const person = await service.person()
    const { timestamp } = await person.begin()
    return person.post('/api/file/delete', { timestamp })
  },
  'file.no-result': async () => {
    const person = await service.person()
    return download(person, await person.upload())
  },
  'file.free-video-over-limit': async () => {
    const person = await service.person()
    const reply = await download(person, await person.repaired('repaired', videoBytes(101 * MEBIBYTE)))
    // Told beside the preview, which is given: the reply itself is no failure.
    expect(reply.status).toBe(200)
    return { ...reply, status: 402, body: { ...reply.body, success: false } }
  },
  'repair.sample-missing': async () => {
    const person = await service.person()
    return person.start(await person.upload())
  },
  'repair.not-running': async () => {
    const person = await service.person()
    const { timestamp } = await person.upload()
    return person.post('/api/repair/cancel', { timestamp })
  },
  'repair.status-unrecorded': async () => {
    const person = await service.person()
    const { timestamp } = await person.begin()
    return person.post('/api/repairstatus', { instancegeneratedD: 'x', videocreatedTime: timestamp })
  },
  'download.failed': async () => {
    const person = await service.person()
    const file = await person.repaired()
    for await (const { key } of service.context.storage.list('results/'))
      await service.context.storage.remove(key)
    return download(person, file)
  },
  'download.address-refused': () => service.get('/files/results/x.mp4?signature=x'),
  'download.range-unsatisfiable': async () => {
    const person = await service.person()
    const { videoDownloadUrl } = (await download(person, await person.repaired())).body
    return service.send('GET', String(videoDownloadUrl), { headers: { range: 'bytes=99999-' } })
  },
  'manual.unavailable': async () => {
    const person = await service.person()
    const { timestamp } = await person.upload()
    return person.post('/api/manualrepair', { timestamp, note: '' })
  },
  'manual.requested-already': async () => {
    const person = await service.person()
    const { timestamp } = await person.repaired('partial')
    await person.post('/api/manualrepair', { timestamp, note: '' })
    return person.post('/api/manualrepair', { timestamp, note: '' })
  },
  'store.unconfigured': async () => {
    const bare = await Service.start({
      MENDFRAME_MODE: 'production',
      PUBLIC_URL: 'https://mendframe.example',
    })
    const reply = await bare.post('/api/store/webhook', {})
    await bare.stop()
    return reply
  },
  'store.signature-invalid': () => event({}, 'whsec_other'),
  'store.unknown-product': () => event({ id: 'cs', payment_status: 'paid', metadata: { pack: 'toaster' } }),
  'store.buyer-unknown': () =>
    event({ id: 'cs', payment_status: 'paid', metadata: { pack: 'video-10-monthly' } }),
}

test.each(ERROR_CODES)('%s is answered with its status and its text', async (code) => {
  const [status, text] = ERRORS[code]
  const reply = await PROOFS[code]()
  expect(reply.body).toMatchObject({ success: false, code })
  expect(reply.status).toBe(status)
  if (!text.includes('{')) expect(reply.body.message).toBe(text)
})
