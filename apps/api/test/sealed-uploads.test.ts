import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { takeRepair } from '@mendframe/backend'
import { PART_BYTES } from '@mendframe/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRepairId, type Person, Service, videoBytes } from './support/service.ts'

let service: Service
let person: Person
beforeAll(async () => {
  service = await Service.start()
})
afterAll(() => service.stop())
beforeEach(async () => {
  person = await service.person()
  for await (const { key } of service.context.storage.list('')) await service.context.storage.remove(key)
})

interface SlowPut {
  /** Sends the rest and waits for the answer's status and code. */
  finish(): Promise<{ status: number; code: unknown }>
}

/** A PUT of which half has come. */
async function slowPut(url: string, bytes: Buffer): Promise<SlowPut> {
  const body = new PassThrough()
  const headers = { 'content-type': 'video/mp4', 'content-length': String(bytes.length) }
  const reply = service.app.inject({ method: 'PUT', url, headers, payload: body }).then((answer) => answer)
  body.write(bytes.subarray(0, bytes.length / 2))
  await until(async () => (await written()) > 0)
  return {
    finish: async () => {
      body.end(bytes.subarray(bytes.length / 2))
      const { statusCode, body: text } = await reply
      return { status: statusCode, code: JSON.parse(text).code }
    },
  }
}

const folder = (name: string) => join(service.folder, 'files', name)

/** Bytes of uploads that have not ended. */
async function written(): Promise<number> {
  let sum = 0
  for (const place of [folder('incoming'), folder('parts')]) {
    for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) sum += (await stat(join(entry.parentPath, entry.name))).size
    }
  }
  return sum
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('it never came to be')
}

/** The bytes of every object there is. */
async function contents(): Promise<Buffer[]> {
  const found: Buffer[] = []
  for await (const { key, size } of service.context.storage.list('')) {
    found.push(Buffer.from(await service.context.storage.read(key, 0, size)))
  }
  return found
}

const page = Buffer.concat([Buffer.from('<html><script>alert(1)</script></html>'), Buffer.alloc(4_000, 0x20)])
const closed = { status: 409, code: 'upload.closed' }

describe('what was checked is what is repaired', () => {
  const begin = async (bytes?: Buffer) =>
    (
      await person.post('/api/upload', {
        fileExtension: 'mp4',
        contentType: 'video/mp4',
        ...(bytes ? { fileSize: bytes.length } : {}),
      })
    ).body
  const arrive = ({ fileName, timestamp }: Record<string, unknown>) =>
    person.post('/api/video-metadata', {
      fileName,
      timestamp,
      fileExtension: 'mp4',
      originalFileName: 'a.mp4',
    })

  test('an upload that was begun before the check and ends after it is refused and leaves nothing', async () => {
    const bytes = videoBytes(5_000)
    const ticket = await begin()
    const url = String(ticket.uploadUrl)
    const late = await slowPut(url, page)
    expect(await service.put(url, bytes)).toMatchObject({ status: 200 })
    expect(await arrive(ticket)).toMatchObject({ status: 200, body: { fileSize: bytes.length } })
    expect(await late.finish()).toEqual(closed)
    expect(await contents()).toEqual([bytes])
    expect(await readdir(folder('incoming'))).toEqual([])
  })

  test('an upload that ends between the check and its record is not what is kept', async () => {
    const bytes = videoBytes(5_000)
    const ticket = await begin()
    await service.put(String(ticket.uploadUrl), bytes)
    const late = await slowPut(String(ticket.uploadUrl), page)
    const { storage } = service.context
    const read = storage.read.bind(storage)
    let ending: Promise<unknown> | undefined
    storage.read = async (...terms) => {
      const head = await read(...terms)
      ending ??= late.finish()
      await ending
      return head
    }
    try {
      expect(await arrive(ticket)).toMatchObject({ status: 200, body: { fileSize: bytes.length } })
    } finally {
      storage.read = read
    }
    expect(await contents()).toEqual([bytes])
  })

  test('a sample that is sent again after it was checked stays as it was', async () => {
    const upload = await person.upload()
    const sample = videoBytes(3_000, 7)
    const { uploadUrl } = (
      await person.post('/api/sampleupload', {
        fileExtension: 'mp4',
        fileSize: sample.length,
        timestamp: upload.timestamp,
        contentType: 'video/mp4',
        originalFileName: 'sample.mp4',
      })
    ).body
    const late = await slowPut(String(uploadUrl), page.subarray(0, sample.length))
    expect(await service.put(String(uploadUrl), sample)).toMatchObject({ status: 200 })
    expect(await late.finish()).toEqual(closed)
    expect((await contents()).sort(Buffer.compare)).toEqual([videoBytes(), sample].sort(Buffer.compare))
    expect((await person.start(upload)).status).toBe(200)
    const attempt = await takeRepair(service.context, await openRepairId(service, upload))
    const { storedKey, sampleStoredKey } = attempt?.upload ?? {}
    expect(Buffer.from(await service.context.storage.read(storedKey ?? '', 0, 9_999))).toEqual(videoBytes())
    expect(Buffer.from(await service.context.storage.read(sampleStoredKey ?? '', 0, 9_999))).toEqual(sample)
  })

  test('bytes of a part that come after the upload was joined change nothing', async () => {
    const whole = videoBytes(PART_BYTES + 1_000, 3)
    const opened = (
      await person.post('/api/upload/parts/create', {
        role: 'corrupt',
        fileExtension: 'mp4',
        contentType: 'video/mp4',
        fileSize: whole.length,
      })
    ).body
    const { uploadId } = opened
    const { urls } = (await person.post('/api/upload/parts/sign', { uploadId, partNumbers: [1, 2] })).body
    const [one, two] = Array.isArray(urls) ? urls.map((entry) => String(entry.uploadUrl)) : []
    const late = await slowPut(one ?? '', Buffer.alloc(PART_BYTES, 0x99))
    expect(await service.put(one ?? '', whole.subarray(0, PART_BYTES))).toMatchObject({ status: 200 })
    expect(await service.put(two ?? '', whole.subarray(PART_BYTES))).toMatchObject({ status: 200 })
    expect(await person.post('/api/upload/parts/complete', { uploadId })).toMatchObject({ status: 200 })
    const [before] = await contents()
    expect(await late.finish()).toEqual(closed)
    const [after, ...others] = await contents()
    expect(others).toEqual([])
    expect(Buffer.compare(after ?? page, before ?? page)).toBe(0)
    expect(await arrive(opened)).toMatchObject({ status: 200, body: { fileSize: whole.length } })
    expect(await readdir(folder('parts'))).toEqual([])
  })

  test('a file deleted while it comes does not come back', async () => {
    const ticket = await begin()
    const late = await slowPut(String(ticket.uploadUrl), videoBytes())
    expect(await person.post('/api/file/delete', { timestamp: ticket.timestamp })).toMatchObject({
      status: 200,
    })
    expect(await late.finish()).toEqual(closed)
    expect(await contents()).toEqual([])
  })

  test('a file of a deleted account does not come back', async () => {
    const ticket = await begin()
    const late = await slowPut(String(ticket.uploadUrl), videoBytes())
    const farewell = { email: person.email, password: 'correct horse' }
    expect(await person.post('/api/account/delete', farewell)).toMatchObject({ status: 200 })
    expect(await late.finish()).toEqual(closed)
    expect(await contents()).toEqual([])
  })

  test('telling of the same file twice at once keeps it once', async () => {
    const bytes = videoBytes(5_000)
    const ticket = await begin(bytes)
    await service.put(String(ticket.uploadUrl), bytes)
    const answers = await Promise.all([arrive(ticket), arrive(ticket), arrive(ticket)])
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, body: { fileSize: bytes.length } })
    }
    expect(await contents()).toEqual([bytes])
  })
})
