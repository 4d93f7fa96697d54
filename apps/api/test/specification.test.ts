import { MAX_VIDEO_BYTES, MEBIBYTE, TEXTS, VIDEO_EXTENSIONS } from '@mendframe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, finish, type Person, Service, videoBytes } from './support/service.ts'

/*
 * The product specification's rows of section 5 (validation), 6 (roles) and 8 (errors), each by its name. What the page alone
 * does (toasts, alerts, dialogs) is proved in the browser journeys; here stands what the server enforces or answers, and that the
 * texts both sides use are the specified ones.
 */

let service: Service
beforeAll(async () => {
  service = await Service.start({ MAX_OPEN_UPLOADS: '1000' })
})
afterAll(() => service.stop())

const says = (status: number, message: string) => ({ status, body: { success: false, message } })
const upload = (person: Person, fileExtension: string, fileSize?: number): Promise<Answer> =>
  person.post('/api/upload', {
    fileExtension,
    contentType: '',
    ...(fileSize === undefined ? {} : { fileSize }),
  })

describe('section 5, sign-in form', () => {
  test.each([
    ['email required', { email: '', password: 'x' }, 'Email is required'],
    ['address pattern of text, @, text, dot, text', { email: 'a@b', password: 'x' }, 'Invalid email format'],
    ['password required', { email: 'a@b.c', password: '' }, 'Password is required'],
  ])('%s', async (_row, body, text) => {
    expect(await service.post('/api/login', body)).toMatchObject(says(422, text))
  })

  test('no length rule for the password', async () => {
    expect(await service.post('/api/signup', { email: 'short@example.com', password: '1' })).toMatchObject({
      status: 200,
    })
  })
})

test('section 5, user-data fetch counts as failed when the success flag is false', async () => {
  const reply = await service.get('/api/user?email=x@example.com')
  expect(reply.body.success).toBe(false)
  expect(TEXTS.userFetchFailed).toBe('Failed to fetch user data.')
})

describe('section 5, main upload checks', () => {
  test('1. not signed in', async () => {
    expect(await service.post('/api/upload', { fileExtension: 'mp4', contentType: '' })).toMatchObject({
      status: 401,
      body: { code: 'auth.required' },
    })
  })

  test('2. and 3. non-Premium: the server is asked, and one completed repair is the limit', async () => {
    const person = await service.person()
    expect((await person.post('/api/uploadcheck', {})).body).toEqual({ status: true })
    await person.repaired()
    expect((await person.post('/api/uploadcheck', {})).body).toEqual({ status: false })
    const exhausted = 'Your repair count has been exhausted. Upgrade your plan to continue repairing videos.'
    expect(await upload(person, 'mp4')).toMatchObject(says(402, exhausted))
  })

  test('4. Premium: purchased repairs minus completed ones is 0 or less', async () => {
    const person = await service.person()
    await person.buy('video-10-monthly')
    for (let count = 0; count < 10; count++) await person.repaired()
    expect((await person.post('/api/uploadcheck', {})).body).toEqual({ status: false })
    expect(await upload(person, 'mp4')).toMatchObject({ status: 402, body: { code: 'plan.exhausted' } })
  })

  test('5. size over 5368709120 bytes', async () => {
    const person = await service.person()
    const tooLarge = 'Your file size is above 5GB which cannot be repaired online.'
    expect(await upload(person, 'mp4', 5_368_709_120)).toMatchObject({ status: 200 })
    expect(await upload(person, 'mp4', 5_368_709_121)).toMatchObject(says(413, tooLarge))
    expect((await person.post('/api/filesize', { fileSize: 5_368_709_121 })).body).toEqual({
      success: true,
      allowed: false,
    })
    expect((await person.post('/api/filesize', { fileSize: 5_368_709_120 })).body).toEqual({
      success: true,
      allowed: true,
    })
  })

  test('6. several files are the page`s matter; the text is shared', () => {
    expect(TEXTS.oneFileOnly).toBe('You can only upload one file.')
  })

  test.each(VIDEO_EXTENSIONS)('7. extension .%s is taken in any case', async (extension) => {
    const person = await service.person()
    for (const spelling of [
      extension,
      `.${extension}`,
      extension.toUpperCase(),
      `.${extension.toUpperCase()}`,
    ]) {
      const reply = await upload(person, spelling)
      expect(reply.status, spelling).toBe(200)
      expect(String(reply.body.fileName)).toMatch(new RegExp(`\\.${extension}$`))
    }
  })

  test.each(['exe', '.mp3', 'mp4.exe', 'mp', 'tsx', '../mp4', 'mp4/..'])(
    '7. extension %s is not',
    async (extension) => {
      const person = await service.person()
      expect(await upload(person, extension)).toMatchObject(says(415, 'Unsupported file format.'))
    },
  )

  test('the checks come in the specified order', async () => {
    const person = await service.person()
    expect(await upload(person, 'exe', MAX_VIDEO_BYTES + 1)).toMatchObject({ status: 413 })
    await person.repaired()
    expect(await upload(person, 'exe', MAX_VIDEO_BYTES + 1)).toMatchObject({ status: 402 })
  })
})

describe('section 5, sample upload checks', () => {
  const ask = async (more: Record<string, unknown>) => {
    const person = await service.person()
    const { timestamp } = await person.upload(videoBytes(), 'broken.mp4')
    const sample = {
      fileExtension: 'mp4',
      fileSize: 10,
      timestamp,
      contentType: '',
      originalFileName: 'good.mp4',
    }
    return person.post('/api/sampleupload', { ...sample, ...more })
  }

  test.each([
    [
      'extension must match',
      { fileExtension: 'mov', originalFileName: 'good.mov' },
      422,
      'Invalid File Type. Please upload a video file with the .mp4 extension.',
    ],
    [
      'same file name',
      { originalFileName: 'broken.mp4' },
      422,
      'You are uploading the same file. Please choose a different file.',
    ],
    ['size over 5 GB', { fileSize: MAX_VIDEO_BYTES + 1 }, 413, 'File size exceeds 5GB limit.'],
  ])('%s', async (_row, more, status, text) => {
    expect(await ask(more)).toMatchObject(says(status, text))
  })

  test('a good sample passes', async () => {
    expect(await ask({})).toMatchObject({ status: 200, body: { success: true } })
  })
})

describe('section 5, starting and sizes', () => {
  test('Start Repair without a sample', async () => {
    const person = await service.person()
    expect(await person.start(await person.upload())).toMatchObject(
      says(422, 'Please upload the Sample Video.'),
    )
  })

  test('Start Repair not signed in', async () => {
    expect(await service.post('/api/repair', { videoPath: 'x', videocreatedTime: '1' })).toMatchObject({
      status: 401,
    })
  })

  test('oversize for Free: above 100 MB, and so above 101 on the dashboard', async () => {
    const person = await service.person()
    const just = await person.begin(videoBytes(101 * MEBIBYTE - 1))
    await finish(service, just, 'repaired')
    const query = new URLSearchParams({ fileName: just.fileName, timestamp: just.timestamp })
    expect((await person.get(`/api/download?${query}`)).body).toMatchObject({ full: true })
    const listed = await person.get(`/api/uploaded_files?email=${person.email}`)
    expect(listed.body).toMatchObject({
      uploadedFiles: [{ originalfileSize: 100.99, originalfileBytes: 101 * MEBIBYTE - 1 }],
    })
  })
})

describe('section 6, roles', () => {
  test('guest: upload, sample upload and Start Repair want a sign-in', async () => {
    const calls: [string, Record<string, unknown>][] = [
      ['/api/upload', { fileExtension: 'mp4', contentType: '' }],
      [
        '/api/sampleupload',
        { fileExtension: 'mp4', fileSize: 1, timestamp: '1', contentType: '', originalFileName: 'x' },
      ],
      ['/api/repair', { videoPath: 'x', videocreatedTime: '1' }],
      ['/api/photoupload', { fileExtension: 'jpg', contentType: '' }],
    ]
    for (const [path, body] of calls)
      expect(await service.post(path, body), path).toMatchObject({ status: 401 })
  })

  test('Free: 1 video repair, 3 photo repairs', async () => {
    const person = await service.person()
    const read = (product: string) =>
      person.get(`/api/product_recharge?email=${person.email}&product=${product}`)
    expect((await read('video')).body).toEqual({ success: true, totalRecharges: 0, usedRecharges: 0 })
    expect((await read('photo')).body).toEqual({ success: true, totalRecharges: 0, usedRecharges: 0 })
    await person.repaired()
    expect((await person.post('/api/uploadcheck', {})).body.status).toBe(false)
    expect((await person.post('/api/photouploadcheck', {})).body.status).toBe(true)
  })

  test('Premium: limited by the repair count, direct link to the whole video', async () => {
    const person = await service.person()
    await person.buy('video-25-monthly')
    const upload = await person.repaired('partial', videoBytes(101 * MEBIBYTE))
    const query = new URLSearchParams({ fileName: upload.fileName, timestamp: upload.timestamp })
    expect((await person.get(`/api/repairdownload?${query}`)).body).toMatchObject({
      downloadUrl: expect.stringContaining('/results/'),
      previewdownloadUrl: expect.stringContaining('/previews/'),
    })
    expect((await person.get(`/api/product_recharge?email=${person.email}`)).body).toMatchObject({
      totalRecharges: 25,
      usedRecharges: 1,
    })
  })

  test('resume page: only the owner may continue', async () => {
    const owner = await service.person()
    const other = await service.person()
    const { uniqueId } = await owner.upload()
    expect(await other.get(`/api/getUserByUniqueId/${uniqueId}`)).toMatchObject({ status: 404 })
    expect(await owner.get(`/api/getUserByUniqueId/${uniqueId}`)).toMatchObject({ status: 200 })
  })
})

describe('section 8, the error catalogue', () => {
  test('purchases of somebody without any are an empty list, not a 404', async () => {
    const person = await service.person()
    const reply = await person.get(`/api/purchases?email=${person.email}`)
    expect(reply).toMatchObject({ status: 200, text: '[]' })
    expect(TEXTS.noPurchases).toBe('No records found')
  })

  test('other purchases failure: the body tells', async () => {
    const person = await service.person()
    expect(await person.get('/api/purchases?email=other@example.com')).toMatchObject({
      status: 403,
      body: { success: false },
    })
  })

  test('Google or Apple sign-in non-OK', async () => {
    expect(
      (await service.post('/api/googleauth', { code: 'x', timestamp: 'y' })).status,
    ).toBeGreaterThanOrEqual(400)
    expect(
      (await service.post('/api/appleauth', { id_token: 'x', timestamp: 'y' })).status,
    ).toBeGreaterThanOrEqual(400)
    expect(TEXTS.providerFailed).toBe('HTTP error! Try Again')
  })

  test('email login or signup with success false carries the server message', async () => {
    const reply = await service.post('/api/login', { email: 'nobody@example.com', password: 'x' })
    expect(reply).toMatchObject(says(401, 'The email or the password is not right.'))
    expect(TEXTS.signInFailed).toBe('An error occurred')
  })

  test('Apple callback without code', async () => {
    const configured = await Service.start({ APPLE_CLIENT_ID: 'x', APPLE_CLIENT_SECRET: 'y' })
    try {
      expect(await configured.post('/api/appleauth', { timestamp: 'state' })).toMatchObject(
        says(400, 'Authorization code is missing'),
      )
    } finally {
      await configured.stop()
    }
  })

  test('upload error or non-200 upload status', async () => {
    const person = await service.person()
    const { fileName, timestamp } = (await upload(person, 'mp4')).body
    const arrival = { fileName, timestamp, fileExtension: 'mp4', originalFileName: 'a.mp4' }
    expect(await person.post('/api/video-metadata', arrival)).toMatchObject(says(409, 'Upload failed!'))
  })

  test('status record fails', async () => {
    const person = await service.person()
    const { timestamp } = await person.begin()
    const record = { instancegeneratedD: 'of another repair', videocreatedTime: timestamp }
    expect(await person.post('/api/repairstatus', record)).toMatchObject(says(404, 'Instance Id not Added'))
  })

  test('progress poll not OK', async () => {
    const person = await service.person()
    const { timestamp } = await person.upload()
    expect((await person.get(`/api/checkprogress?time=${timestamp}`)).status).toBe(409)
    expect(TEXTS.progressFailed).toBe('HTTP error! Please Refresh the process')
  })

  test('status Failed', async () => {
    const person = await service.person()
    const begun = await person.begin()
    expect((await person.get(`/api/checkprogress?time=${begun.timestamp}`)).body).toMatchObject({
      status: 'Running',
      progress: 0,
    })
    await finish(service, begun, 'failed')
    expect((await person.get(`/api/checkprogress?time=${begun.timestamp}`)).body).toMatchObject({
      status: 'Failed',
    })
    expect([TEXTS.repairFailedTitle, TEXTS.repairFailed]).toEqual([
      'Repair Failed',
      'The video repair process has failed.',
    ])
  })

  test('download link cannot be made', async () => {
    const person = await service.person()
    const done = await person.repaired()
    for await (const { key } of service.context.storage.list('results/'))
      await service.context.storage.remove(key)
    const query = new URLSearchParams({ fileName: done.fileName, timestamp: done.timestamp })
    expect(await person.get(`/api/download?${query}`)).toMatchObject(
      says(409, 'Failed to generate download link'),
    )
  })

  test('Free photo over limit', async () => {
    const person = await service.person()
    const photo = { fileExtension: 'jpg', contentType: '', fileSize: 21 * MEBIBYTE }
    const text = 'Your photo size is more than 20MB. Free version has exceeded the size limit.'
    expect(await person.post('/api/photoupload', photo)).toMatchObject(says(413, text))
  })

  test('the texts of rows that only the page shows are the specified ones', () => {
    expect(TEXTS).toMatchObject({
      userFetchFailed: 'Failed to fetch user data.',
      signInNetwork: 'An error occurred during sign-up.',
      uploadFailed: 'Upload failed!',
      uploadAborted: 'Upload was aborted! Please check your internet connection.',
      uploadOffline: 'No internet connection. Please reconnect and try again.',
      uploadServerError: 'Server error (500). Please try again later.',
      repairThrew: 'An error occurred during the repair process.',
      freeVideoOverLimit: 'Your video size is more than 100MB. Free version has exceeded the size limit.',
      noUploads: 'No recent uploads',
      routerFallback: 'Unexpected Application Error!',
    })
  })

  test('a fault of the server answers 500 with the specified text and no detail', async () => {
    const person = await service.person()
    const { storage } = service.context
    const copy = storage.copy.bind(storage)
    storage.copy = async () => {
      throw new Error('disk on fire at /secret/path')
    }
    try {
      const { fileName, timestamp } = (await upload(person, 'mp4')).body
      const arrival = { fileName, timestamp, fileExtension: 'mp4', originalFileName: 'a.mp4' }
      const reply = await person.post('/api/video-metadata', arrival)
      expect(reply).toMatchObject(says(500, 'Server error (500). Please try again later.'))
      expect(reply.text).not.toContain('secret')
    } finally {
      storage.copy = copy
    }
  })
})

describe('section 7, requests as the specified clients send them', () => {
  test('videoName is only a label, timestamps come as numbers or texts, info may be empty', async () => {
    const person = await service.person()
    const begun = await person.upload()
    await person.addSample(begun)
    const body = {
      videoPath: begun.fileName,
      videocreatedTime: Number(begun.timestamp),
      videoName: '../../label',
    }
    const started = await person.post('/api/repair', body)
    expect(started).toMatchObject({ status: 200, body: { success: true } })
    const record = { instancegeneratedD: started.body.code, videocreatedTime: Number(begun.timestamp) }
    expect(await person.post('/api/repairstatus', record)).toMatchObject({ status: 200 })
  })

  test('uploadcheck with an empty body, as JSON or as nothing', async () => {
    const person = await service.person()
    const headers = { authorization: `Bearer ${person.token}` }
    const plain = await service.app.inject({ method: 'POST', url: '/api/uploadcheck', headers })
    const json = await service.app.inject({
      method: 'POST',
      url: '/api/uploadcheck',
      headers: { ...headers, 'content-type': 'application/json' },
    })
    expect([plain.json(), json.json()]).toEqual([{ status: true }, { status: true }])
  })

  test('timestamps are unique over all users, also in one moment', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => service.person()))
    const tickets = await Promise.all(
      people.flatMap((person) => Array.from({ length: 5 }, () => upload(person, 'mp4'))),
    )
    expect(tickets.every((ticket) => ticket.status === 200)).toBe(true)
    expect(new Set(tickets.map((ticket) => ticket.body.timestamp)).size).toBe(20)
  })

  test('a body that is no JSON, too large or of another kind is refused in the contract`s form', async () => {
    const send = (payload: string, type: string) =>
      service.app.inject({ method: 'POST', url: '/api/login', headers: { 'content-type': type }, payload })
    for (const reply of [
      await send('{', 'application/json'),
      await send('a=b', 'application/xml'),
      await send('', 'application/json'),
    ]) {
      expect(reply.statusCode).toBe(400)
      expect(JSON.parse(reply.body)).toMatchObject({ success: false, code: 'request.invalid' })
    }
    const large = await send(JSON.stringify({ email: 'x'.repeat(70_000) }), 'application/json')
    expect(large.statusCode).toBe(413)
    expect(JSON.parse(large.body)).toMatchObject({ code: 'request.too-large' })
  })
})
