import { MAX_VIDEO_BYTES, MEBIBYTE, PART_BYTES } from '@mendframe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { finish, type Person, Service, type Uploaded, videoBytes } from './support/service.ts'

let service: Service
let person: Person
beforeAll(async () => {
  service = await Service.start({ MAX_OPEN_UPLOADS: '40', MAX_OPEN_UPLOAD_MB: '1000000' })
  person = await service.person()
})
afterAll(() => service.stop())

const begin = async (more: Record<string, unknown> = {}) =>
  (await person.post('/api/upload', { fileExtension: 'mp4', contentType: 'video/mp4', ...more })).body

describe('a signed upload address', () => {
  test('an address for a photo without a size takes no more than a photo may have, and says so', async () => {
    const person = await service.person()
    await person.buy('photo-10-monthly')
    const ticket = await person.post('/api/photoupload', { fileExtension: 'jpg', contentType: 'image/jpeg' })
    const reply = await service.app.inject({
      method: 'PUT',
      url: String(ticket.body.uploadUrl),
      headers: { 'content-type': 'image/jpeg', 'content-length': String(501 * 2 ** 20) },
    })
    expect(reply.statusCode).toBe(413)
    expect(JSON.parse(reply.body)).toMatchObject({
      code: 'upload.photo-too-large',
      message: 'Your file size is above 500MB which cannot be repaired online.',
    })
  })

  test('is good for its key, its method, its content type and its size only', async () => {
    const bytes = videoBytes()
    const { uploadUrl, fileName } = await begin({ fileSize: bytes.length })
    const url = String(uploadUrl)
    const refused = { status: 403, body: { code: 'upload.address-refused' } }
    const other = (await begin({ fileSize: bytes.length })).fileName
    expect(await service.put(url.replace(String(fileName), String(other)), bytes)).toMatchObject(refused)
    expect(await service.put(url.replace(/size=\d+/, 'size=99999999'), bytes)).toMatchObject(refused)
    expect(await service.put(url.replace(/most=\d+/, 'most=99999999999'), bytes)).toMatchObject(refused)
    expect(await service.put(url.replace(/expires=\d+/, 'expires=9999999999'), bytes)).toMatchObject(refused)
    expect(await service.put(url.replace(/&signature=.*/, ''), bytes)).toMatchObject(refused)
    expect(await service.put(`${url}&size=3`, bytes)).toMatchObject(refused)
    expect(await service.put(`${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`, bytes)).toMatchObject(
      refused,
    )
    expect(await service.put(url, bytes, 'text/html')).toMatchObject(refused)
    expect(await service.get(url)).toMatchObject({ status: 403, body: { code: 'download.address-refused' } })
    expect(await service.put(url.replace('method=PUT', 'method=GET'), bytes)).toMatchObject(refused)
    expect(await service.put(url, Buffer.concat([bytes, bytes]))).toMatchObject({
      status: 400,
      body: { code: 'upload.size-differs' },
    })
    expect(await service.put(url, bytes.subarray(1))).toMatchObject({ status: 400 })
    expect(await service.put(url, bytes)).toMatchObject({ status: 200 })
  })

  test('is refused in every spelling of a path that is not the key itself', async () => {
    const { uploadUrl } = await begin()
    const url = String(uploadUrl)
    for (const path of [
      '/files/uploads/..%2f..%2fsecret',
      '/files/..%2f..%2fsecret',
      '/files/uploads/../../secret',
      '/files/uploads/%2e%2e/secret',
      '/files//etc/passwd',
      '/files/uploads%2Fx.mp4',
    ]) {
      const reply = await service.put(url.replace(/^[^?]*/, path), videoBytes())
      expect([403, 404], path).toContain(reply.status)
    }
    expect(await service.put(url.replace('.mp4?', '.mp4%00?'), videoBytes())).toMatchObject({ status: 400 })
  })

  test('expires', async () => {
    const { uploadUrl } = await begin()
    service.clock.advance(6.1)
    expect(await service.put(String(uploadUrl), videoBytes())).toMatchObject({ status: 403 })
  })

  test('without an announced size takes what comes, up to the largest file', async () => {
    const { uploadUrl } = await begin()
    const headers = { 'content-type': 'video/mp4', 'content-length': String(MAX_VIDEO_BYTES + 1) }
    const reply = await service.app.inject({
      method: 'PUT',
      url: String(uploadUrl),
      headers,
      payload: Buffer.alloc(10),
    })
    expect(reply.statusCode).toBe(413)
    expect(await service.put(String(uploadUrl), videoBytes())).toMatchObject({ status: 200 })
  })

  test('does not change a file after it was checked, nor bring back a deleted one', async () => {
    const bytes = videoBytes()
    const reply = await begin({ fileSize: bytes.length })
    const url = String(reply.uploadUrl)
    await service.put(url, bytes)
    const arrival = {
      fileName: reply.fileName,
      fileExtension: 'mp4',
      timestamp: reply.timestamp,
      originalFileName: 'a.mp4',
    }
    expect(await person.post('/api/video-metadata', arrival)).toMatchObject({
      status: 200,
      body: { fileSize: bytes.length },
    })
    expect(await service.put(url, bytes)).toMatchObject({ status: 409, body: { code: 'upload.closed' } })
    expect(await person.post('/api/file/delete', { timestamp: reply.timestamp })).toMatchObject({
      status: 200,
    })
    expect(await service.put(url, bytes)).toMatchObject({ status: 409 })
  })
})

describe('what arrives', () => {
  const arrive = async (bytes: Buffer) => {
    const reply = await begin()
    await service.put(String(reply.uploadUrl), bytes)
    const { fileName, timestamp } = reply
    return person.post('/api/video-metadata', {
      fileName,
      fileExtension: 'mp4',
      timestamp,
      originalFileName: 'a.mp4',
    })
  }

  test.each([
    ['a text', Buffer.from('Dear diary,\nüber alles gibt es nichts zu sagen.\n')],
    ['a script', Buffer.from('#!/bin/sh\nrm -rf /\n')],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')],
    ['a photo', Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF', 'latin1')],
    ['a program', Buffer.from('\x7fELF\x02\x01\x01\0\0', 'latin1')],
    ['an archive', Buffer.from('PK\x03\x04\x14\0\0\0', 'latin1')],
    ['a document', Buffer.from('%PDF-1.7\n%\xe2\xe3', 'latin1')],
    ['a recorded sound', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')],
  ])('%s is refused and deleted', async (_name, bytes) => {
    expect(await arrive(bytes)).toMatchObject({
      status: 415,
      body: {
        code: 'upload.foreign-content',
        message: expect.stringMatching(/^Unsupported file format\. What is in/),
      },
    })
    expect(await arrive(bytes)).toMatchObject({ status: 415 })
  })

  test.each([
    ['zeros', Buffer.alloc(5000)],
    ['noise', Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 167 + (index >> 3)) & 255))],
    ['a video', videoBytes()],
  ])('%s passes: it is what people come with', async (_name, bytes) => {
    expect(await arrive(bytes)).toMatchObject({ status: 200, body: { fileSize: bytes.length } })
  })

  test('an empty file is refused: there is nothing in it to repair', async () => {
    expect(await arrive(Buffer.alloc(0))).toMatchObject({ status: 422, body: { code: 'upload.empty' } })
  })

  test('metadata before the file is refused, and the extension must be the announced one', async () => {
    const { fileName, timestamp } = await begin()
    const arrival = { fileName, timestamp, originalFileName: 'a.mp4' }
    expect(await person.post('/api/video-metadata', { ...arrival, fileExtension: 'mp4' })).toMatchObject({
      status: 409,
      body: { code: 'upload.missing' },
    })
    expect(await person.post('/api/video-metadata', { ...arrival, fileExtension: '.mov' })).toMatchObject({
      status: 415,
    })
  })

  test('a sample that is something else is forgotten, and one can be sent again', async () => {
    const upload = await person.upload()
    await person.addSample(upload, Buffer.from('only a text, no sample'))
    expect(await person.start(upload)).toMatchObject({
      status: 422,
      body: { message: 'Please upload the Sample Video.' },
    })
    await person.addSample(upload)
    expect(await person.get(`/api/getUserByUniqueId/${upload.uniqueId}`)).toMatchObject({
      body: { data: { status: 'Sample_File_Uploaded', originalsamplefilename: 'sample.mp4' } },
    })
  })

  test('a name is data: stored as given and never a path', async () => {
    const name = '../../etc/passwd\u202e"<b>\r\n.mp4'
    const upload = await person.upload(videoBytes(), name)
    const read = await person.get(`/api/getUserByUniqueId/${upload.uniqueId}`)
    expect(read.body).toMatchObject({ data: { originalfilename: '../../etc/passwd\u202e"<b>.mp4' } })
    expect(upload.fileName).toMatch(/^[a-z0-9]{25}\.mp4$/)
  })
})

describe('a signed download address', () => {
  let url: string
  let upload: Uploaded
  let owner: Person
  beforeAll(async () => {
    owner = await service.person()
    upload = await owner.upload(videoBytes(), 'Ünser "Fest".mp4')
    await owner.addSample(upload)
    await owner.start(upload)
    await finish(service, upload, 'repaired')
    const query = new URLSearchParams({ fileName: upload.fileName, timestamp: upload.timestamp })
    url = String((await owner.get(`/api/download?${query}`)).body.videoDownloadUrl)
  })
  const get = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET', address = url) =>
    service.app.inject({ method, url: address, headers })

  test('answers the file under its own name', async () => {
    const reply = await get()
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toBe('the whole result')
    expect(reply.headers).toMatchObject({
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
      'content-length': '16',
      'x-content-type-options': 'nosniff',
    })
    expect(reply.headers['content-disposition']).toContain(
      "filename*=UTF-8''%C3%9Cnser%20%22Fest%22_repaired.mp4",
    )
    expect(reply.headers['content-disposition']).toContain('filename="_nser _Fest__repaired.mp4"')
    const head = await get({}, 'HEAD')
    expect(head.statusCode).toBe(200)
    expect(head.headers['content-length']).toBe('16')
    expect(head.body).toBe('')
  })

  test.each([
    ['bytes=0-2', 206, 'the', 'bytes 0-2/16'],
    ['bytes=10-', 206, 'result', 'bytes 10-15/16'],
    ['bytes=-6', 206, 'result', 'bytes 10-15/16'],
    ['bytes=0-999', 206, 'the whole result', 'bytes 0-15/16'],
    ['bytes=-999', 206, 'the whole result', 'bytes 0-15/16'],
    ['bytes=5-3', 200, 'the whole result', undefined],
    ['bytes=0-1,3-4', 200, 'the whole result', undefined],
    ['lines=0-1', 200, 'the whole result', undefined],
  ])('serves the range %s', async (range, status, body, contentRange) => {
    const reply = await get({ range })
    expect(reply.statusCode).toBe(status)
    expect(reply.body).toBe(body)
    expect(reply.headers['content-range']).toBe(contentRange)
  })

  test('says where a range ends that is not there', async () => {
    const reply = await get({ range: 'bytes=16-' })
    expect(reply.statusCode).toBe(416)
    expect(reply.headers['content-range']).toBe('bytes */16')
  })

  test('resumes by its tag and starts over with another', async () => {
    const tag = String((await get()).headers.etag)
    expect((await get({ range: 'bytes=4-8', 'if-range': tag })).body).toBe('whole')
    expect((await get({ range: 'bytes=4-8', 'if-range': '"other"' })).statusCode).toBe(200)
    expect((await get({ 'if-none-match': tag })).statusCode).toBe(304)
  })

  test('altered, expired, used for PUT, or of a deleted file, is refused', async () => {
    const altered = [
      url.replace('/results/', '/uploads/'),
      url.replace('type=video%2Fmp4', 'type=text%2Fhtml'),
      url.replace(/name=[^&]*/, 'name=evil.exe'),
      url.replace(/expires=\d+/, 'expires=9999999999'),
      url.replace('results', '..%2f..%2fresults'),
    ]
    for (const address of altered) expect((await get({}, 'GET', address)).statusCode, address).toBe(403)
    expect(await service.put(url, videoBytes())).toMatchObject({ status: 403 })
    service.clock.advance(1.1)
    expect((await get()).statusCode).toBe(403)
    const query = new URLSearchParams({ fileName: upload.fileName, timestamp: upload.timestamp })
    const fresh = String((await owner.get(`/api/download?${query}`)).body.videoDownloadUrl)
    await owner.post('/api/file/delete', { timestamp: upload.timestamp })
    expect((await get({}, 'GET', fresh)).statusCode).toBe(404)
    expect(await owner.get(`/api/download?${query}`)).toMatchObject({
      status: 404,
      body: { code: 'file.deleted' },
    })
  })
})

describe('uploads in parts', () => {
  const size = PART_BYTES + 1000
  const whole = videoBytes(size, 3)
  const create = async (more: Record<string, unknown> = {}) =>
    person.post('/api/upload/parts/create', {
      role: 'corrupt',
      fileExtension: '.MP4',
      contentType: 'video/mp4',
      fileSize: size,
      ...more,
    })
  const sign = async (uploadId: unknown, partNumbers: number[]) =>
    person.post('/api/upload/parts/sign', { uploadId, partNumbers })
  const partUrl = async (uploadId: unknown, part: number) => {
    const { urls } = (await sign(uploadId, [part])).body
    return Array.isArray(urls) ? String(urls[0].uploadUrl) : ''
  }
  const part = (number: number) => whole.subarray((number - 1) * PART_BYTES, number * PART_BYTES)

  test('arrive in any order, go on after a break, and end as one file', async () => {
    const opened = (await create()).body
    expect(opened).toMatchObject({ partSize: PART_BYTES, partCount: 2 })
    const { uploadId } = opened
    expect(await service.put(await partUrl(uploadId, 2), part(2), 'application/octet-stream')).toMatchObject({
      status: 200,
    })
    expect((await person.get(`/api/upload/parts?uploadId=${uploadId}`)).body).toMatchObject({
      partCount: 2,
      parts: [{ partNumber: 2, size: 1000 }],
    })
    expect(await person.post('/api/upload/parts/complete', { uploadId })).toMatchObject({
      status: 409,
      body: { code: 'upload.incomplete' },
    })
    expect(await service.put(await partUrl(uploadId, 1), part(1).subarray(5))).toMatchObject({ status: 400 })
    expect(await service.put(await partUrl(uploadId, 1), part(1))).toMatchObject({ status: 200 })
    // The same part again is the same part.
    expect(await service.put(await partUrl(uploadId, 1), part(1))).toMatchObject({ status: 200 })
    const late = await partUrl(uploadId, 1)
    const done = await person.post('/api/upload/parts/complete', { uploadId })
    expect(done).toMatchObject({ status: 200, body: { fileSize: size, fileName: opened.fileName } })
    expect(await person.post('/api/upload/parts/complete', { uploadId })).toMatchObject({
      status: 200,
      body: done.body,
    })
    expect(await service.put(late, part(1))).toMatchObject({ status: 409, body: { code: 'upload.closed' } })
    const { fileName, timestamp } = opened
    const arrival = { fileName, timestamp, fileExtension: 'mp4', originalFileName: 'big.mp4' }
    expect(await person.post('/api/video-metadata', arrival)).toMatchObject({
      status: 200,
      body: { fileSize: size },
    })
    const kept: string[] = []
    for await (const object of service.context.storage.list(''))
      if (object.size === size) kept.push(object.key)
    const stored = await service.context.storage.read(kept.join(), 0, size)
    expect(Buffer.compare(stored, whole)).toBe(0)
  })

  test('that a store took too short are not joined', async () => {
    const { storage } = service.context
    const { uploadId } = (await create({ fileSize: 1500 })).body
    const listParts = storage.listParts.bind(storage)
    storage.listParts = async () => [{ partNumber: 1, size: 1499 }]
    const joined = await person.post('/api/upload/parts/complete', { uploadId })
    storage.listParts = listParts
    expect(joined).toMatchObject({ status: 400, body: { code: 'upload.size-differs' } })
  })

  test('carry a sample too', async () => {
    const upload = await person.upload(videoBytes(), 'first.mp4')
    const sample = {
      role: 'sample',
      timestamp: upload.timestamp,
      originalFileName: 'second.mp4',
      fileSize: 1500,
    }
    expect(await create({ ...sample, fileExtension: 'mov' })).toMatchObject({ status: 422 })
    expect(await create({ ...sample, originalFileName: 'first.mp4' })).toMatchObject({ status: 422 })
    expect(await create({ role: 'sample' })).toMatchObject({ status: 400 })
    const { uploadId } = (await create(sample)).body
    await service.put(await partUrl(uploadId, 1), videoBytes(1500))
    expect(await person.post('/api/upload/parts/complete', { uploadId })).toMatchObject({ status: 200 })
    expect((await person.get(`/api/getUserByUniqueId/${upload.uniqueId}`)).body).toMatchObject({
      data: { status: 'Sample_File_Uploaded', originalsamplefilename: 'second.mp4' },
    })
  })

  test('are checked like whole ones, and given up when asked', async () => {
    expect(await create({ fileSize: MAX_VIDEO_BYTES + 1 })).toMatchObject({ status: 413 })
    expect(await create({ fileExtension: 'exe' })).toMatchObject({ status: 415 })
    const { uploadId } = (await create()).body
    expect(await sign(uploadId, [3])).toMatchObject({ status: 400 })
    const address = await partUrl(uploadId, 1)
    expect(await person.post('/api/upload/parts/abort', { uploadId })).toMatchObject({ status: 200 })
    expect(await person.post('/api/upload/parts/abort', { uploadId })).toMatchObject({ status: 200 })
    expect(await service.put(address, part(1))).toMatchObject({ status: 409 })
    expect(await sign(uploadId, [1])).toMatchObject({ status: 409, body: { code: 'upload.closed' } })
    expect(await person.get('/api/upload/parts?uploadId=unknown')).toMatchObject({ status: 404 })
  })
})

test('unfinished uploads are bounded', async () => {
  const other = await service.person()
  const ask = () => other.post('/api/upload', { fileExtension: 'mp4', contentType: '', fileSize: MEBIBYTE })
  for (let index = 0; index < 40; index++) expect((await ask()).status).toBe(200)
  expect(await ask()).toMatchObject({ status: 429, body: { code: 'upload.too-many' } })
})
