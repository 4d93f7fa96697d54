import { cancelJob, completeRepair, failRepair, listJobs, retryJob, takeRepair } from '@mendframe/backend'
import { MEBIBYTE } from '@mendframe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  finish,
  openRepairId,
  type Person,
  reportOf,
  Service,
  type Uploaded,
  videoBytes,
} from './support/service.ts'

let service: Service
beforeAll(async () => {
  service = await Service.start()
})
afterAll(() => service.stop())

const mayUpload = async (person: Person) => (await person.post('/api/uploadcheck', {})).body.status
const recharge = async (person: Person) =>
  (await person.get(`/api/product_recharge?email=${encodeURIComponent(person.email)}`)).body
const plan = async (person: Person) =>
  (await person.get(`/api/user?email=${encodeURIComponent(person.email)}`)).body.user

describe('the Free plan', () => {
  test('has one video repair, counted when it completes', async () => {
    const person = await service.person()
    expect(await mayUpload(person)).toBe(true)
    await person.repaired()
    expect(await mayUpload(person)).toBe(false)
    const another = await person.post('/api/upload', { fileExtension: 'mp4', contentType: 'video/mp4' })
    expect(another).toMatchObject({ status: 402, body: { code: 'plan.exhausted' } })
  })

  test('a repair that fails, finds nothing wrong or is cancelled gives its place back', async () => {
    const person = await service.person()
    const upload = await person.begin()
    expect(await mayUpload(person)).toBe(false)
    await finish(service, upload, 'failed')
    expect(await mayUpload(person)).toBe(true)
    expect(await person.start(upload)).toMatchObject({ status: 200 })
    expect(await person.post('/api/repair/cancel', { timestamp: upload.timestamp })).toMatchObject({
      status: 200,
    })
    expect(await person.post('/api/repair/cancel', { timestamp: upload.timestamp })).toMatchObject({
      status: 409,
    })
    expect(await mayUpload(person)).toBe(true)
    expect(await person.start(upload)).toMatchObject({ status: 200 })
    await finish(service, upload, 'repaired')
    expect(await mayUpload(person)).toBe(false)
  })

  test('the report is that of the own latest repair, for whoever owns the file', async () => {
    const [person, other] = [await service.person(), await service.person()]
    const upload = await person.begin()
    const ask = (who: typeof person) => who.get(`/api/report?time=${upload.timestamp}`)
    expect(await ask(person)).toMatchObject({ status: 409, body: { code: 'file.no-result' } })
    await finish(service, upload, 'partial')
    expect(await ask(person)).toMatchObject({ status: 200, body: { report: { verdict: 'partial' } } })
    expect(await ask(other)).toMatchObject({ status: 404, body: { code: 'file.unknown' } })
    await other.repaired('repaired')
    expect(await ask(person)).toMatchObject({ body: { report: { verdict: 'partial' } } })
  })

  test('one repair runs at a time, though several uploads may be held', async () => {
    const person = await service.person()
    const first = await person.begin()
    const second = await person.upload()
    await person.addSample(second)
    expect(await person.start(second)).toMatchObject({ status: 409, body: { code: 'plan.repair-running' } })
    await finish(service, first, 'repaired')
    expect(await person.start(second)).toMatchObject({ status: 402, body: { code: 'plan.exhausted' } })
  })

  test('200 parallel starts of many uploads obtain exactly one repair', async () => {
    const person = await service.person()
    const uploads: Uploaded[] = []
    for (let index = 0; index < 10; index++) {
      const upload = await person.upload()
      await person.addSample(upload)
      uploads.push(upload)
    }
    const starts = Array.from({ length: 200 }, (_, index) =>
      person.start(uploads[index % 10] ?? uploads[0] ?? fail()),
    )
    const replies = await Promise.all(starts)
    const codes = new Set(replies.filter((reply) => reply.status === 200).map((reply) => reply.body.code))
    expect(codes.size).toBe(1)
    const refused = replies.filter((reply) => reply.status !== 200)
    expect(refused.every((reply) => reply.body.code === 'plan.repair-running')).toBe(true)
    const jobs = (await listJobs(service.context, undefined, 1000)).filter(
      (job) => job.email === person.email,
    )
    expect(jobs).toHaveLength(1)
  })

  test('starting a running repair again answers its code', async () => {
    const person = await service.person()
    const upload = await person.begin()
    const [one, two] = [await person.start(upload), await person.start(upload)]
    expect(one).toMatchObject({ status: 200 })
    expect(two.body).toEqual(one.body)
  })

  test('deleting the account and signing up anew brings no second free repair', async () => {
    const person = await service.person('again@example.com')
    await person.repaired()
    const farewell = { email: person.email, password: 'correct horse' }
    expect(await person.post('/api/account/delete', farewell)).toMatchObject({ status: 200 })
    const back = await service.person('Again@example.com')
    expect(await mayUpload(back)).toBe(false)
  })

  test('the repair`s status cannot be moved by the page', async () => {
    const person = await service.person()
    const upload = await person.begin()
    for (let round = 0; round < 2; round++) {
      const captured = await person.post('/api/repairstatuscapture', {
        videocreatedTime: upload.timestamp,
        repairfilestatus: 'Repair_Completed',
        originalvideoName: 'x.mp4',
        originalvideoSize: 3,
        uploadfileExtensionaws: 'mp4',
        email: 'sealed',
      })
      expect(captured).toMatchObject({ status: 200, body: { success: true } })
    }
    expect(await mayUpload(person)).toBe(false)
    const read = await person.get(`/api/uploaded_files?email=${person.email}`)
    expect(read.body).toMatchObject({ uploadedFiles: [{ status: 'Sample_File_Uploaded' }] })
  })
})

describe('the Free photo plan', () => {
  const jpeg = (bytes = 100) => {
    const data = Buffer.alloc(bytes, 7)
    Buffer.from('\xff\xd8\xff\xe0', 'latin1').copy(data)
    return data
  }

  test('has three repairs of its own, without samples', async () => {
    const person = await service.person()
    for (let index = 0; index < 3; index++) {
      expect((await person.post('/api/photouploadcheck', {})).body.status).toBe(true)
      const upload = await person.upload(jpeg(), `photo${index}.jpg`, 'photo')
      const body = { videoPath: upload.fileName, videocreatedTime: upload.timestamp }
      expect(await person.post('/api/photorepair', body)).toMatchObject({ status: 200 })
      await finish(service, upload, 'repaired')
    }
    expect((await person.post('/api/photouploadcheck', {})).body.status).toBe(false)
    const fourth = await person.post('/api/photoupload', { fileExtension: 'jpg', contentType: 'image/jpeg' })
    expect(fourth).toMatchObject({ status: 402, body: { code: 'plan.photo-exhausted' } })
    expect(await mayUpload(person)).toBe(true)
  })

  test('takes JPEG up to 20 MB and nothing else', async () => {
    const person = await service.person()
    const ask = (fileExtension: string, fileSize: number) =>
      person.post('/api/photoupload', { fileExtension, contentType: '', fileSize })
    expect(await ask('.JPEG', 21 * MEBIBYTE - 1)).toMatchObject({ status: 200 })
    expect(await ask('jpg', 21 * MEBIBYTE)).toMatchObject({
      status: 413,
      body: { code: 'upload.free-photo-too-large' },
    })
    expect(await ask('heic', 10)).toMatchObject({ status: 415, body: { code: 'upload.free-photo-format' } })
    await person.buy('photo-10-monthly')
    expect(await ask('heic', 300 * MEBIBYTE)).toMatchObject({ status: 200 })
    expect(await ask('cr2', 500 * MEBIBYTE + 1)).toMatchObject({
      status: 413,
      body: { code: 'upload.photo-too-large' },
    })
    expect(await ask('mp4', 10)).toMatchObject({ status: 415 })
  })
})

describe('Premium', () => {
  test('a purchase makes the plan Premium until its day, then it is Free again', async () => {
    const person = await service.person()
    await person.buy('video-10-monthly')
    expect(await plan(person)).toMatchObject({ current_plan: 'Premium' })
    expect(await recharge(person)).toMatchObject({ totalRecharges: 10, usedRecharges: 0 })
    service.clock.advance(24 * 28)
    const again = await service.post('/api/login', { email: person.email, password: 'correct horse' })
    expect(again.body).toMatchObject({ user: { current_plan: 'Premium' } })
    service.clock.advance(24 * 2)
    const late = await service.post('/api/login', { email: person.email, password: 'correct horse' })
    expect(late.body).toMatchObject({ user: { current_plan: 'Free' } })
    const photo = await service.post('/api/photologin', { email: person.email, password: 'correct horse' })
    expect(photo.body).toMatchObject({ user: { current_plan: 'Free' } })
  })

  test('packs add up, and each repair is charged to the one that expires first', async () => {
    const person = await service.person()
    await person.buy('video-200-yearly')
    await person.buy('video-10-monthly')
    await person.repaired()
    expect(await recharge(person)).toMatchObject({ totalRecharges: 210, usedRecharges: 1 })
    const bought = await person.get(`/api/purchases?email=${person.email}`)
    expect(bought.body.list).toMatchObject([
      { subscription: 'Yearly' },
      { subscription: 'Monthly', count: 10 },
    ])
    // Only the monthly pack is charged: when it has expired, nothing of the yearly one is used.
    service.clock.advance(24 * 31)
    const token = String(
      (await service.post('/api/login', { email: person.email, password: 'correct horse' })).body.token,
    )
    const later = await service.get(`/api/product_recharge?email=${person.email}`, token)
    expect(later.body).toMatchObject({ totalRecharges: 200, usedRecharges: 0 })
  })

  test('several repairs may run, and 200 parallel starts take only the places there are', async () => {
    const person = await service.person()
    await person.buy('video-10-monthly')
    for (let index = 0; index < 9; index++) await finish(service, await person.begin(), 'repaired')
    const uploads: Uploaded[] = []
    for (let index = 0; index < 8; index++) {
      const upload = await person.upload()
      await person.addSample(upload)
      uploads.push(upload)
    }
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) => person.start(uploads[index % 8] ?? fail())),
    )
    const codes = new Set(replies.filter((reply) => reply.status === 200).map((reply) => reply.body.code))
    expect(codes.size).toBe(1)
    expect(
      replies.filter((reply) => reply.status !== 200).every((reply) => reply.body.code === 'plan.exhausted'),
    ).toBe(true)
    expect(await recharge(person)).toMatchObject({ totalRecharges: 10, usedRecharges: 9 })
  })

  test('a Premium repair does not use the free one, and a Free one no pack', async () => {
    const person = await service.person()
    await person.buy('video-10-monthly')
    await person.repaired()
    service.clock.advance(24 * 31)
    const token = String(
      (await service.post('/api/login', { email: person.email, password: 'correct horse' })).body.token,
    )
    expect((await service.post('/api/uploadcheck', {}, token)).body.status).toBe(true)
  })

  test('an upgrade unlocks the video that is there, takes a place and keeps it a day', async () => {
    const person = await service.person()
    const upload = await person.repaired()
    await person.buy('video-10-monthly')
    expect(await recharge(person)).toMatchObject({ totalRecharges: 10, usedRecharges: 1 })
    const query = new URLSearchParams({ fileName: upload.fileName, timestamp: upload.timestamp })
    const found = await person.get(`/api/download?${query}`)
    expect(found.body).toMatchObject({ info: 'Premium', full: true })
    const left = Date.parse(String(found.body.expiresAt)) - service.clock.now().getTime()
    expect(left).toBeGreaterThan(23 * 3_600_000)
  })

  test('an upgrade takes no place for a video whose time is over', async () => {
    const person = await service.person()
    await person.repaired()
    service.clock.advance(3.1)
    await person.buy('video-10-monthly')
    expect(await recharge(person)).toMatchObject({ totalRecharges: 10, usedRecharges: 0 })
  })

  test('the free repair that an upgrade has unlocked stays used when the upgrade is over, for the page too', async () => {
    const person = await service.person()
    await person.repaired()
    expect(await recharge(person)).toMatchObject({ totalRecharges: 0, usedRecharges: 1 })
    await person.buy('video-10-monthly')
    service.clock.advance(24 * 31)
    const login = { email: person.email, password: 'correct horse' }
    const token = String((await service.post('/api/login', login)).body.token)
    const counts = await service.get(`/api/product_recharge?email=${person.email}`, token)
    expect(counts.body).toMatchObject({ totalRecharges: 0, usedRecharges: 1 })
    expect((await service.post('/api/uploadcheck', {}, token)).body.status).toBe(false)
  })
})

describe('an upgrade bought while a Free repair runs', () => {
  test('unlocks its result, takes a place and keeps it a day', async () => {
    const person = await service.person()
    const upload = await person.begin(videoBytes(101 * MEBIBYTE))
    await person.buy('video-10-monthly')
    await finish(service, upload, 'repaired')
    expect(await recharge(person)).toMatchObject({ totalRecharges: 10, usedRecharges: 1 })
    const query = new URLSearchParams({ fileName: upload.fileName, timestamp: upload.timestamp })
    const found = await person.get(`/api/download?${query}`)
    expect(found.body).toMatchObject({ info: 'Premium', full: true })
    expect(String(found.body.videoDownloadUrl)).toContain('/results/')
    const left = Date.parse(String(found.body.expiresAt)) - service.clock.now().getTime()
    expect(left).toBeGreaterThan(23 * 3_600_000)
  })

  test('takes one place only of a repair that was charged to a pack', async () => {
    const person = await service.person()
    await person.buy('video-10-monthly')
    await person.repaired()
    expect(await recharge(person)).toMatchObject({ totalRecharges: 10, usedRecharges: 1 })
  })
})

describe('sizes on the Free plan', () => {
  test('above 100 MB there is only the preview, with the text that says so', async () => {
    const person = await service.person()
    const upload = await person.begin(videoBytes(101 * MEBIBYTE))
    await finish(service, upload, 'repaired')
    const query = new URLSearchParams({ fileName: upload.fileName, timestamp: upload.timestamp })
    const found = await person.get(`/api/download?${query}`)
    expect(found.body).toMatchObject({
      success: true,
      info: 'Free',
      full: false,
      message: 'Your video size is more than 100MB. Free version has exceeded the size limit.',
    })
    expect(found.body.videoDownloadUrl).toBe(found.body.previewDownloadUrl)
    expect(String(found.body.videoDownloadUrl)).toContain('/previews/')
    const dashboard = await person.get(`/api/repairdownload?${query}`)
    expect(dashboard.body.downloadUrl).toMatch(/^\/files\/previews\//)
    await person.buy('video-10-monthly')
    expect((await person.get(`/api/download?${query}`)).body).toMatchObject({ info: 'Premium', full: true })
  })
})

describe('a repair that waits', () => {
  test('reads as running, at its place in the queue', async () => {
    const person = await service.person()
    await person.buy('video-10-monthly')
    const [first, second] = [await person.begin(), await person.begin()]
    const progress = async (upload: Uploaded) =>
      (await person.get(`/api/checkprogress?time=${upload.timestamp}`)).body
    const before = Number((await progress(first)).ahead)
    expect(await progress(second)).toMatchObject({ status: 'Running', stage: 'queued', ahead: before + 1 })
    await takeRepair(service.context, await openRepairId(service, first))
    expect(await progress(first)).not.toHaveProperty('ahead')
    expect(await progress(second)).toMatchObject({ status: 'Running', stage: 'queued', ahead: before })
  })
})

describe('a worker that was thought dead', () => {
  test('changes nothing once another has taken its repair', async () => {
    const person = await service.person()
    const upload = await person.begin()
    const { context } = service
    const id = await openRepairId(service, upload)
    const [dead, living] = [await takeRepair(context, id), await takeRepair(context, id)]
    if (!dead || !living) throw new Error('the repair was not taken')
    const products = { resultKey: 'results/dead.mp4', resultSize: 1 }
    expect(await completeRepair(context, dead, reportOf('repaired'), products)).toBe(false)
    expect(await failRepair(context, dead, {})).toBe(false)
    expect(await failRepair(context, living, {})).toBe(true)
  })
})

describe('the operator', () => {
  test('cancels a running job and tries it again on the plan of its user', async () => {
    const person = await service.person()
    const upload = await person.begin()
    const id = await openRepairId(service, upload)
    const attempt = await takeRepair(service.context, id)
    expect(attempt?.repair.attempt).toBe(1)
    await cancelJob(service.context, upload.timestamp)
    await expect(cancelJob(service.context, id)).rejects.toThrow('nothing to cancel')
    const shown = await person.get(`/api/checkprogress?time=${upload.timestamp}`)
    expect(shown.body).toMatchObject({
      status: 'Failed',
      cancelled: true,
      message: 'The repair was cancelled.',
    })
    await retryJob(service.context, id)
    await expect(retryJob(service.context, await openRepairId(service, upload))).rejects.toThrow('queued')
    await finish(service, upload, 'repaired')
    expect(await mayUpload(person)).toBe(false)
  })
})

function fail(): never {
  throw new Error('there is no such upload')
}
