import { MAX_VIDEO_BYTES, MEBIBYTE } from '@mendframe/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Person, Service, videoBytes } from './support/service.ts'

const RESERVE_MB = 100
const FULL = { status: 507, body: { code: 'server.storage-full' } }
const TOO_MANY = { status: 429, body: { code: 'upload.too-many' } }

let service: Service
let person: Person
let space: Service['context']['space']
let free: () => Promise<number>
beforeAll(async () => {
  service = await Service.start({ DISK_RESERVE_MB: String(RESERVE_MB) })
  person = await service.person()
  space = service.context.space
  free = space.free.bind(space)
})
afterAll(() => service.stop())
afterEach(() => {
  space.free = free
})

/** Leaves so many bytes above the reserve. */
const leave = (bytes: number) => {
  space.free = async () => RESERVE_MB * MEBIBYTE + bytes
}
const ask = (fileSize: number | undefined, who = person) =>
  who.post('/api/upload', {
    fileExtension: 'mp4',
    contentType: 'video/mp4',
    ...(fileSize ? { fileSize } : {}),
  })

describe('a disk that fills up', () => {
  test('gives no address for a file that would touch the reserve', async () => {
    leave(1_000)
    expect(await ask(1_001)).toMatchObject(FULL)
    expect(await ask(1_000)).toMatchObject({ status: 200 })
    const parts = { role: 'corrupt', fileExtension: 'mp4', contentType: '', fileSize: 1_001 }
    expect(await person.post('/api/upload/parts/create', parts)).toMatchObject(FULL)
  })

  test('gives none for such a sample', async () => {
    const upload = await person.upload()
    leave(1_000)
    const sample = {
      fileExtension: 'mp4',
      fileSize: 1_001,
      timestamp: upload.timestamp,
      contentType: 'video/mp4',
      originalFileName: 'sample.mp4',
    }
    expect(await person.post('/api/sampleupload', sample)).toMatchObject(FULL)
  })

  test('takes no bytes for an address that was given before', async () => {
    const bytes = videoBytes(5_000)
    const { uploadUrl } = (await ask(undefined)).body
    leave(4_999)
    expect(await service.put(String(uploadUrl), bytes)).toMatchObject(FULL)
    leave(5_000)
    expect(await service.put(String(uploadUrl), bytes)).toMatchObject({ status: 200 })
  })

  test('is said by /readyz', async () => {
    leave(-1)
    expect(await service.get('/readyz')).toMatchObject({ status: 503, body: { reason: 'no space left' } })
    leave(0)
    expect(await service.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })
})

describe('open addresses of one account', () => {
  test('are bounded in bytes: five of the largest, told or not', async () => {
    for (const size of [MAX_VIDEO_BYTES, undefined]) {
      const hoarder = await service.person()
      space.free = async () => 1e15
      for (let index = 0; index < 5; index++) expect((await ask(size, hoarder)).status).toBe(200)
      expect(await ask(size, hoarder)).toMatchObject(TOO_MANY)
    }
  })

  test('count until they are deleted or too old', async () => {
    const hoarder = await service.person()
    space.free = async () => 1e15
    const upload = await hoarder.upload()
    for (let index = 0; index < 4; index++) await ask(MAX_VIDEO_BYTES, hoarder)
    expect(await ask(MAX_VIDEO_BYTES, hoarder)).toMatchObject(TOO_MANY)
    await hoarder.post('/api/file/delete', { timestamp: upload.timestamp })
    expect(await ask(MAX_VIDEO_BYTES, hoarder)).toMatchObject({ status: 200 })
    expect(await ask(MAX_VIDEO_BYTES, hoarder)).toMatchObject(TOO_MANY)
    // addresses that nobody used in their time
    service.clock.advance(7)
    const again = await service.post('/api/login', { email: hoarder.email, password: 'correct horse' })
    const terms = { fileExtension: 'mp4', contentType: 'video/mp4', fileSize: MAX_VIDEO_BYTES }
    expect(await service.post('/api/upload', terms, String(again.body.token))).toMatchObject({ status: 200 })
  })

  test('are bounded also when they are asked for all at once', async () => {
    const hoarder = await service.person()
    space.free = async () => 1e15
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(MAX_VIDEO_BYTES, hoarder)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  })
})
