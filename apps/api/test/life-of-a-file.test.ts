import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  attachResult,
  closeCase,
  listCases,
  listUsers,
  storageUse,
  sweep,
  takeCase,
} from '@mendframe/backend'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { finish, Service, type Uploaded, videoBytes } from './support/service.ts'

let service: Service | undefined
beforeEach(async () => {
  await service?.stop()
  service = await Service.start()
})
afterAll(() => service?.stop())

function running(): Service {
  if (!service) throw new Error('no service')
  return service
}

const objects = async () => {
  const found: string[] = []
  for await (const { key } of running().context.storage.list('')) found.push(key)
  return found
}
const clean = () => sweep(running().context, { orphans: true })
const login = async (email: string) =>
  String((await running().post('/api/login', { email, password: 'correct horse' })).body.token)
const record = async (upload: Uploaded, email: string) => {
  const reply = await running().get(`/api/getUserByUniqueId/${upload.uniqueId}`, await login(email))
  return reply.body.data
}

describe('retention', () => {
  test('a Free result is deleted three hours after the repair`s end and its record stays', async () => {
    const person = await running().person()
    const upload = await person.repaired()
    running().clock.advance(2.9)
    expect(await clean()).toMatchObject({ expired: 0 })
    expect(await objects()).toHaveLength(4)
    running().clock.advance(0.2)
    expect(await clean()).toMatchObject({ expired: 1 })
    expect(await objects()).toEqual([])
    expect(await record(upload, person.email)).toMatchObject({
      status: 'Repair_Completed',
      file_status: 'Deleted',
    })
  })

  test('a Premium result is kept 24 hours', async () => {
    const person = await running().person()
    await person.buy('video-10-monthly')
    await person.repaired()
    running().clock.advance(23.9)
    expect(await clean()).toMatchObject({ expired: 0 })
    running().clock.advance(0.2)
    expect(await clean()).toMatchObject({ expired: 1 })
  })

  test('an upload that is not repaired is kept and can be resumed for 24 hours', async () => {
    const person = await running().person()
    const upload = await person.upload()
    running().clock.advance(23.9)
    expect(await clean()).toMatchObject({ expired: 0 })
    expect(await record(upload, person.email)).toMatchObject({
      status: 'Corrut_File_Uploaded',
      file_status: 'Available',
    })
    running().clock.advance(0.2)
    expect(await clean()).toMatchObject({ expired: 1 })
    const token = await login(person.email)
    const sample = {
      fileExtension: 'mp4',
      fileSize: 5,
      timestamp: upload.timestamp,
      contentType: '',
      originalFileName: 's.mp4',
    }
    expect(await running().post('/api/sampleupload', sample, token)).toMatchObject({
      status: 404,
      body: { code: 'file.deleted' },
    })
  })

  test('a repair that runs keeps its files however long it takes, and its result begins its time at its end', async () => {
    const person = await running().person()
    const upload = await person.begin()
    running().clock.advance(30)
    expect(await clean()).toMatchObject({ expired: 0 })
    await finish(running(), upload, 'repaired')
    running().clock.advance(2.9)
    expect(await clean()).toMatchObject({ expired: 0 })
    running().clock.advance(0.2)
    expect(await clean()).toMatchObject({ expired: 1 })
  })

  test('what is over is gone at once, also before the next run deletes it', async () => {
    const person = await running().person()
    const open = await person.upload()
    const done = await person.repaired()
    running().clock.advance(25)
    const token = await login(person.email)
    const query = new URLSearchParams({ fileName: done.fileName, timestamp: done.timestamp })
    const gone = { status: 404, body: { code: 'file.deleted' } }
    expect(await running().get(`/api/download?${query}`, token)).toMatchObject(gone)
    const start = { videoPath: open.fileName, videocreatedTime: open.timestamp }
    expect(await running().post('/api/repair', start, token)).toMatchObject(gone)
    expect(await record(open, person.email)).toMatchObject({ file_status: 'Deleted' })
  })

  test('addresses never used leave nothing, and objects of nobody are found', async () => {
    const person = await running().person()
    await person.post('/api/upload', { fileExtension: 'mp4', contentType: '' })
    const path = join(running().folder, 'stray')
    await writeFile(path, 'stray')
    await running().context.storage.storeFile('results/stray-1.mp4', path, 'video/mp4')
    expect(await clean()).toEqual({ expired: 0, unused: 0, orphans: 0 })
    running().clock.advance(49)
    expect(await clean()).toMatchObject({ unused: 1, orphans: 1 })
    expect(await objects()).toEqual([])
  })

  test('what a store took by an address after the check goes with the next run, what is still to be checked stays', async () => {
    const person = await running().person()
    const checked = await person.upload()
    const { fileName } = (await person.post('/api/upload', { fileExtension: 'mp4', contentType: '' })).body
    const path = join(running().folder, 'late')
    for (const name of [checked.fileName, String(fileName)]) {
      await writeFile(path, 'late')
      await running().context.storage.storeFile(`uploads/${name}`, path, 'video/mp4')
    }
    expect(await clean()).toEqual({ expired: 0, unused: 0, orphans: 1 })
    expect(await objects()).toEqual([expect.stringMatching(/^sealed/), `uploads/${fileName}`])
  })

  test('the user deletes a file at once, but not under a repair', async () => {
    const person = await running().person()
    const upload = await person.begin()
    expect(await person.post('/api/file/delete', { timestamp: upload.timestamp })).toMatchObject({
      status: 409,
      body: { code: 'file.repair-running' },
    })
    await person.post('/api/repair/cancel', { timestamp: upload.timestamp })
    expect(await person.post('/api/file/delete', { timestamp: upload.timestamp })).toMatchObject({
      status: 200,
    })
    expect(await person.post('/api/file/delete', { timestamp: upload.timestamp })).toMatchObject({
      status: 200,
    })
    expect(await objects()).toEqual([])
    expect(await person.start(upload)).toMatchObject({ status: 404, body: { code: 'file.deleted' } })
  })
})

describe('resume', () => {
  test('the record tells at which step to go on, to its owner only', async () => {
    const person = await running().person()
    const upload = await person.upload(videoBytes(), 'Ferien.MP4')
    expect(await person.get(`/api/getUserByUniqueId/${upload.uniqueId}`)).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          originalfilename: 'Ferien.MP4',
          extension: 'mp4',
          renamefilename: upload.fileName,
          timestamp: upload.timestamp,
          status: 'Corrut_File_Uploaded',
          email: person.email,
          originalsamplefilename: '',
          file_status: 'Available',
          unique_id: upload.uniqueId,
        },
      },
    })
    await person.addSample(upload)
    expect((await person.get(`/api/getUserByUniqueId/${upload.uniqueId}`)).body.data).toMatchObject({
      status: 'Sample_File_Uploaded',
      originalsamplefilename: 'sample.mp4',
    })
    expect(await running().get(`/api/getUserByUniqueId/${upload.uniqueId}`)).toMatchObject({ status: 401 })
    const other = await running().person()
    expect(await other.get(`/api/getUserByUniqueId/${upload.uniqueId}`)).toMatchObject({ status: 404 })
    expect(await person.get('/api/getUserByUniqueId/unknown')).toMatchObject({ status: 404 })
  })
})

describe('manual repair', () => {
  test('is asked for after a failed or partial repair only, once', async () => {
    const person = await running().person()
    const upload = await person.begin()
    const ask = () =>
      person.post('/api/manualrepair', { timestamp: upload.timestamp, note: 'It is our wedding.' })
    expect(await ask()).toMatchObject({ status: 409, body: { code: 'manual.unavailable' } })
    await finish(running(), upload, 'failed')
    expect(await ask()).toMatchObject({
      status: 200,
      body: { manual: { state: 'Requested', note: 'It is our wedding.' } },
    })
    expect(await ask()).toMatchObject({ status: 409, body: { code: 'manual.requested-already' } })
    const good = await running().person()
    const repaired = await good.repaired()
    expect(await good.post('/api/manualrepair', { timestamp: repaired.timestamp, note: '' })).toMatchObject({
      status: 409,
    })
    await running().mailTo(person.email, 'request for a manual repair')
  })

  test('goes from the user to the operator and back, and keeps the files until it is closed', async () => {
    const person = await running().person()
    const upload = await person.repaired('partial')
    await person.post('/api/manualrepair', { timestamp: upload.timestamp, note: 'please' })
    running().clock.advance(100)
    expect(await clean()).toMatchObject({ expired: 0 })
    const { context, folder } = running()
    const [shown] = await listCases(context, false)
    expect(shown).toMatchObject({
      state: 'Requested',
      email: person.email,
      file: 'holiday.mp4',
      note: 'please',
    })
    expect(
      (await readdir(join(folder, 'files', 'objects', 'sealed'))).some((name) =>
        shown?.damaged.endsWith(name),
      ),
    ).toBe(true)
    const id = shown?.id ?? ''
    await takeCase(context, id)
    const result = join(folder, 'mended by hand.mp4')
    await writeFile(result, 'by hand')
    await attachResult(context, id, result)
    await attachResult(context, id, result)
    await closeCase(context, id, 'We brought back the last minute, too.')
    await expect(closeCase(context, id, 'again')).rejects.toThrow('closed already')
    expect(await listCases(context, false)).toEqual([])
    expect(await listCases(context, true)).toHaveLength(1)
    const mail = await running().mailTo(person.email, 'News about your manual repair')
    expect(mail.text).toContain('We brought back the last minute, too.')
    const data = await record(upload, person.email)
    expect(data).toMatchObject({
      manual: { state: 'Closed', answer: 'We brought back the last minute, too.' },
    })
    const downloadUrl = /"downloadUrl":"([^"]+)"/.exec(JSON.stringify(data))?.[1] ?? ''
    const got = await running().app.inject({ method: 'GET', url: downloadUrl })
    expect(got.body).toBe('by hand')
    expect(got.headers['content-disposition']).toContain('mended by hand.mp4')
    running().clock.advance(23)
    expect(await clean()).toEqual({ expired: 0, unused: 0, orphans: 0 })
    running().clock.advance(2)
    expect(await clean()).toMatchObject({ expired: 1 })
    expect(await objects()).toEqual([])
  })
})

describe('one`s own data', () => {
  test('the export holds everything about the account and no secret', async () => {
    const person = await running().person('export@example.com')
    await person.buy('video-10-monthly')
    const upload = await person.repaired()
    const reply = await person.post('/api/account/export', {})
    expect(reply.body).toMatchObject({
      success: true,
      user: { email: 'export@example.com', hasPassword: true },
      uploads: [{ fileName: upload.fileName, originalName: 'holiday.mp4' }],
      repairs: [{ verdict: 'repaired' }],
      purchases: [{ packId: 'video-10-monthly' }],
      charges: [{ state: 'spent' }],
    })
    expect(reply.text).not.toContain('argon2')
    expect(reply.text).not.toContain('tokenHash')
  })

  test('deleting the account takes the password, and then everything goes', async () => {
    const person = await running().person('leave@example.com')
    await person.buy('video-10-monthly')
    await person.repaired()
    const open = await person.begin()
    expect(
      await person.post('/api/account/delete', { email: 'other@example.com', password: 'correct horse' }),
    ).toMatchObject({ status: 403 })
    expect(
      await person.post('/api/account/delete', { email: person.email, password: 'wrong' }),
    ).toMatchObject({
      status: 403,
      body: { code: 'auth.password-wrong' },
    })
    expect(
      await person.post('/api/account/delete', { email: person.email, password: 'correct horse' }),
    ).toMatchObject({ status: 200 })
    expect(await objects()).toEqual([])
    expect(await person.get(`/api/checkprogress?time=${open.timestamp}`)).toMatchObject({ status: 401 })
    expect(
      await running().post('/api/login', { email: person.email, password: 'correct horse' }),
    ).toMatchObject({ status: 401 })
    expect(await listUsers(running().context, '', 10)).toEqual([])
  })
})

describe('the mail about a repair', () => {
  test('comes when it is ready, links to it, and says when it is partial', async () => {
    const person = await running().person()
    await person.repaired('partial')
    const mail = await running().mailTo(person.email, 'repaired in part')
    expect(mail.text).toContain('holiday.mp4')
    expect(mail.text).toContain('/admin/dashboard')
    const other = await running().person()
    const upload = await other.begin()
    await finish(running(), upload, 'failed')
    await running().mailTo(other.email, 'could not be repaired')
  })
})

test('the operator sees users and what is stored', async () => {
  const person = await running().person('seen@example.com')
  await person.upload(videoBytes(700))
  expect(await listUsers(running().context, 'SEEN@', 10)).toMatchObject([
    { email: 'seen@example.com', uploads: 1, videoPlan: 'Free' },
  ])
  expect(await listUsers(running().context, '%', 10)).toEqual([])
  expect(await storageUse(running().context)).toContainEqual({ folder: 'sealed', objects: 1, bytes: 700 })
})
