import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FILES_PATH, FolderStorage, UploadRefused } from '../src/index.ts'
import { type SignedAccess, signAccess, verifyAccess } from '../src/storage/signing.ts'
import { type StorageUnderTest, storageSuite } from './support/storage-suite.ts'

const SECRET = Buffer.from('a secret of the folder')
const clock = { now: () => new Date() }

async function open(): Promise<StorageUnderTest & { folder: string; storage: FolderStorage }> {
  const folder = await mkdtemp(join(tmpdir(), 'mendframe-folder-'))
  const storage = new FolderStorage(folder, SECRET, '', clock)
  await storage.prepare()
  return {
    folder,
    storage,
    // What the API's route does with an address, without HTTP around it.
    request: async (method, address, options = {}) => {
      const [path = '', query = ''] = address.split('?')
      const access = storage.verify(method, path.slice(FILES_PATH.length), new URLSearchParams(query))
      if (!access) return { status: 403, body: Buffer.alloc(0) }
      if (method === 'GET') {
        const range = /bytes=(\d+)-(\d+)/.exec(options.headers?.range ?? '')
        const limits = range ? { start: Number(range[1]), end: Number(range[2]) } : undefined
        return { status: range ? 206 : 200, body: await buffer(await storage.open(access.key, limits)) }
      }
      if (access.contentType !== undefined && access.contentType !== options.headers?.['content-type']) {
        return { status: 403, body: Buffer.alloc(0) }
      }
      try {
        await storage.receive(access, Readable.from([options.body ?? Buffer.alloc(0)]))
        return { status: 200, body: Buffer.alloc(0) }
      } catch (error) {
        if (error instanceof UploadRefused) return { status: 400, body: Buffer.alloc(0) }
        throw error
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

storageSuite('the folder', open)

test('an upload that breaks off leaves nothing, and nothing is seen of it before its end', async () => {
  const under = await open()
  const access = (address: string): SignedAccess => {
    const [path = '', query = ''] = address.split('?')
    const found = under.storage.verify('PUT', path.slice(FILES_PATH.length), new URLSearchParams(query))
    if (!found) throw new Error('not signed')
    return found
  }
  const key = 'uploads/broken.mp4'
  const body = new PassThrough()
  const terms = { contentType: 'video/mp4', maxBytes: 1000, seconds: 60 }
  const receiving = under.storage.receive(access(await under.storage.signPut(key, terms)), body)
  body.write(Buffer.alloc(100))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await under.storage.head(key)).toBeUndefined()
  body.destroy(new Error('the line is gone'))
  await expect(receiving).rejects.toThrow('the line is gone')
  expect(await under.storage.head(key)).toBeUndefined()
  expect(await readdir(join(under.folder, 'incoming'))).toEqual([])
  const large = under.storage.receive(
    access(await under.storage.signPut(key, terms)),
    Readable.from([Buffer.alloc(1001)]),
  )
  await expect(large).rejects.toMatchObject({ reason: 'too-large' })
  expect(await readdir(join(under.folder, 'incoming'))).toEqual([])
  await under.close()
})

test('files and folders are for their owner only', async () => {
  const under = await open()
  const address = await under.storage.signPut('uploads/private.mp4', {
    contentType: '',
    maxBytes: 10,
    seconds: 60,
  })
  await under.request('PUT', address, { body: Buffer.from('x'), headers: { 'content-type': '' } })
  const path = await under.storage.materialise('uploads/private.mp4')
  expect((await stat(path)).mode & 0o077).toBe(0)
  expect((await stat(under.folder)).mode & 0o077).toBe(0)
  await under.close()
})

test('unfinished uploads of long ago are dropped', async () => {
  const under = await open()
  await under.storage.createParts()
  await under.storage.sweepUnfinished(new Date(Date.now() - 60_000))
  expect(await readdir(join(under.folder, 'parts'))).toHaveLength(1)
  await under.storage.sweepUnfinished(new Date(Date.now() + 60_000))
  expect(await readdir(join(under.folder, 'parts'))).toEqual([])
  await under.close()
})

test('no change of any character of a signed address passes', () => {
  const access: SignedAccess = {
    method: 'PUT',
    key: 'uploads/a.mp4',
    expires: 2_000_000_000,
    contentType: 'video/mp4',
    size: 5,
    maxBytes: 9,
  }
  const address = signAccess(access, SECRET)
  const now = new Date(1_900_000_000_000)
  const verify = (text: string) => {
    const [path = '', query = ''] = text.split('?')
    return verifyAccess('PUT', path.slice(FILES_PATH.length), new URLSearchParams(query), SECRET, now)
  }
  expect(verify(address)).toEqual(access)
  const plain = (text: string) => {
    const [path, query] = text.split('?')
    return `${path}?${[...new URLSearchParams(query)]
      .map((entry) => entry.join('='))
      .sort()
      .join('&')}`
  }
  fc.assert(
    fc.property(
      fc.integer({ min: FILES_PATH.length, max: address.length - 1 }),
      fc.string({ minLength: 0, maxLength: 3 }),
      (at, text) => {
        const altered = address.slice(0, at) + text + address.slice(at + 1)
        // Another spelling of the same address is the same address.
        if (plain(altered) === plain(address)) return
        expect(verify(altered)).toBeUndefined()
      },
    ),
    { numRuns: 500 },
  )
})
