import { ALL_ROUTES, PROGRESS_EVENTS_PATH, type Route, seal } from '@mendframe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { finish, type Person, Service, type Uploaded } from './support/service.ts'

/** Calls that need a session, with a request that is well formed and about somebody's objects. */
interface Probe {
  readonly route: Pick<Route, 'method' | 'path'>
  readonly url: string
  readonly body?: Record<string, unknown>
}

let service: Service
let owner: Person
let stranger: Person
let mine: Uploaded
let minePhoto: Uploaded
let partsId: string
beforeAll(async () => {
  service = await Service.start()
  owner = await service.person('owner@example.com')
  stranger = await service.person('stranger@example.com')
  mine = await owner.repaired('partial')
  minePhoto = await owner.upload(Buffer.from('\xff\xd8\xff\xe0 photo', 'latin1'), 'photo.jpg', 'photo')
  const parts = await owner.post('/api/upload/parts/create', {
    product: 'photo',
    role: 'corrupt',
    fileExtension: 'jpg',
    contentType: 'image/jpeg',
    fileSize: 100,
  })
  partsId = String(parts.body.uploadId)
})
afterAll(() => service.stop())

const SESSION_ROUTES = ALL_ROUTES.filter((route) => route.access === 'session')

/** Names of objects that never were, in the form that ours have. */
const NEVER = {
  file: { fileName: 'never-was.mp4', timestamp: '1234567890123', uniqueId: 'abcdefghijklmnopqrstuvwxy' },
  partsId: 'abcdefghijklmnopqrstuvwxy',
}

/** A request for a route about the owner's objects, or about such as `never` were: fields are recognised by their names. */
function probe(route: Route, never = false): Probe {
  const photo = route.path.startsWith('/api/photo')
  const file = never ? NEVER.file : photo ? minePhoto : mine
  const values: Record<string, unknown> = {
    email: owner.email,
    time: file.timestamp,
    timestamp: file.timestamp,
    videocreatedTime: file.timestamp,
    fileName: file.fileName,
    videoPath: file.fileName,
    fileExtension: photo ? 'jpg' : 'mp4',
    originalFileName: 'other.mp4',
    contentType: 'video/mp4',
    fileSize: 1000,
    uploadId: never ? NEVER.partsId : partsId,
    partNumbers: [1],
    role: 'sample',
    instancegeneratedD: 'code',
    repairfilestatus: 'Repair_Completed',
    note: 'please',
    country: 'Japan',
    currentPassword: 'wrong',
    newPassword: 'x',
    product: photo ? 'photo' : 'video',
  }
  const url = route.path.replace(':id', file.uniqueId)
  if (route.method === 'GET') {
    const query = new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]))
    return { route, url: `${url}?${query}` }
  }
  return { route, url, body: values }
}

const events: Route = {
  method: 'GET',
  path: PROGRESS_EVENTS_PATH,
  summary: '',
  access: 'session',
  reply: z.string(),
  errors: [],
}

describe.each([
  ...SESSION_ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const),
  [PROGRESS_EVENTS_PATH, events] as const,
])('%s', (_name, route) => {
  const ask = (token?: string) => {
    const { url, body } = probe(route)
    return service.send(route.method, url, {
      ...(token === undefined ? {} : { token }),
      ...(body === undefined ? {} : { body }),
    })
  }

  test('without a token it is refused, whatever else is sent', async () => {
    expect(await ask()).toMatchObject({ status: 401, body: { success: false, code: 'auth.required' } })
  })

  test('a sealed client identity is a guest', async () => {
    const identity = await seal(JSON.stringify({ role: 'google', id: owner.email }), globalThis.crypto)
    expect(await ask(identity)).toMatchObject({ status: 401, body: { code: 'auth.required' } })
  })

  test('a wrong token is refused', async () => {
    const wrong = `${owner.token.slice(0, -2)}${owner.token.endsWith('AA') ? 'BB' : 'AA'}`
    expect(await ask(wrong)).toMatchObject({ status: 401, body: { code: 'auth.invalid-session' } })
  })
})

/** Calls about the caller alone: there is no object of another's to ask for. */
const OWN_ONLY = [
  '/api/logout',
  '/api/email/send-verification',
  '/api/password/change',
  '/api/account',
  '/api/account/export',
  '/api/checkout_links',
  ...['', 'photo'].flatMap((flavour) => [
    `/api/${flavour}uploadcheck`,
    `/api/${flavour}filesize`,
    `/api/${flavour}upload`,
  ]),
]

describe('another user', () => {
  const routes = SESSION_ROUTES.filter((route) => !OWN_ONLY.includes(route.path))
  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s refuses an object that is not the caller`s, and one that never was with the same words',
    async (_name, route) => {
      const ask = (never: boolean) => {
        const { url, body } = probe(route, never)
        return service.send(route.method, url, { token: stranger.token, ...(body ? { body } : {}) })
      }
      const reply = await ask(false)
      const none = await ask(true)
      expect({ status: reply.status, body: reply.body }).toEqual({ status: none.status, body: none.body })
      expect(reply.body.success).toBe(false)
      expect([
        [404, 'file.unknown'],
        [403, 'auth.identity-mismatch'],
      ]).toContainEqual([reply.status, reply.body.code])
    },
  )

  test('the pushed progress is the owner`s alone', async () => {
    const reply = await stranger.get(`${PROGRESS_EVENTS_PATH}?time=${mine.timestamp}`)
    expect(reply).toMatchObject({ status: 404, body: { code: 'file.unknown' } })
  })

  test('after all these attempts the owner`s file is as it was', async () => {
    const read = await owner.get(`/api/user?email=${owner.email}`)
    expect(read.body).toMatchObject({
      uploadedFiles: [{ file_status: 'Available', status: 'Repair_Completed' }],
    })
    expect(read.body.uploadedFiles).not.toMatchObject([{ manual: {} }])
  })

  test('a sealed email of somebody else is refused in info and details', async () => {
    const foreign = await seal(stranger.email, globalThis.crypto)
    const own = await seal(owner.email.toUpperCase(), globalThis.crypto)
    const download = (details: string) =>
      owner.get(
        `/api/download?${new URLSearchParams({ fileName: mine.fileName, timestamp: mine.timestamp, details })}`,
      )
    expect(await download(foreign)).toMatchObject({ status: 403, body: { code: 'auth.identity-mismatch' } })
    expect(await download('mfi1.nonsense')).toMatchObject({ status: 403 })
    expect(await download(own)).toMatchObject({ status: 200 })
    const metadata = { ...mine, fileExtension: 'mp4', originalFileName: 'x.mp4', info: foreign }
    expect(await owner.post('/api/video-metadata', metadata)).toMatchObject({ status: 403 })
  })

  test('a key alone, a foreign timestamp and path tricks find nothing', async () => {
    const download = (fileName: string, timestamp: string) =>
      owner.get(`/api/download?${new URLSearchParams({ fileName, timestamp })}`)
    expect(await download(minePhoto.fileName, mine.timestamp)).toMatchObject({
      status: 404,
      body: { code: 'file.unknown' },
    })
    for (const name of [
      '../uploads/x',
      '..%2f..%2fsecret',
      '%2e%2e/secret',
      `./${mine.fileName}`,
      `${mine.fileName}/..`,
    ]) {
      expect(await download(name, mine.timestamp)).toMatchObject({
        status: 404,
        body: { code: 'file.unknown' },
      })
    }
    expect(await download(mine.fileName, '99999999999999999999')).toMatchObject({ status: 404 })
    expect(await download(mine.fileName, '-1')).toMatchObject({ status: 400 })
    expect(await owner.get('/api/getUserByUniqueId/..%2f..%2fusers')).toMatchObject({ status: 404 })
    expect(await owner.get(`/api/photogetUserByUniqueId/${mine.uniqueId}`)).toMatchObject({ status: 404 })
  })
})

test('a request for another file of one`s own with the wrong name is refused too', async () => {
  const second = await stranger.begin()
  const reply = await stranger.post('/api/repair', {
    videoPath: mine.fileName,
    videocreatedTime: second.timestamp,
  })
  expect(reply).toMatchObject({ status: 404, body: { code: 'file.unknown' } })
  await finish(service, second, 'failed')
})

test('a zero character anywhere is refused and reaches no database', async () => {
  const nasty = 'a\0b'
  expect(await service.post('/api/login', { email: 'a@b.c', password: nasty })).toMatchObject({ status: 400 })
  expect(await owner.post('/api/account', { country: nasty })).toMatchObject({ status: 400 })
  expect(await owner.get('/api/getUserByUniqueId/a%00b')).toMatchObject({ status: 400 })
  expect(await owner.get('/api/user?email=a%00b')).toMatchObject({ status: 400 })
})
