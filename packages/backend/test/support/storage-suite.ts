import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '../../src/index.ts'

/** A driver under test, and how a browser reaches its addresses. */
export interface StorageUnderTest {
  readonly storage: Storage
  /** Sends a request to a signed address; answers status and body. */
  request(
    method: 'GET' | 'PUT',
    address: string,
    options?: { body?: Buffer; headers?: Record<string, string> },
  ): Promise<{ status: number; body: Buffer }>
  close(): Promise<void>
}

const bytes = (length: number, seed = 0) =>
  Buffer.from(Array.from({ length }, (_, index) => (index * 31 + seed) & 255))

/** The behaviour that every driver has. */
export function storageSuite(name: string, open: () => Promise<StorageUnderTest>): void {
  describe(name, () => {
    let under: StorageUnderTest
    let folder: string
    let serial = 0
    const newKey = (suffix = 'mp4') => `uploads/suite-${Date.now().toString(36)}-${serial++}.${suffix}`
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'mendframe-storage-'))
      under = await open()
    })
    afterAll(async () => {
      await under.close()
      await rm(folder, { recursive: true, force: true })
    })
    const store = async (key: string, content: Buffer) => {
      const path = join(folder, 'file')
      await writeFile(path, content)
      await under.storage.storeFile(key, path, 'video/mp4')
    }

    test('an object is absent, then whole, then absent', async () => {
      const key = newKey()
      expect(await under.storage.head(key)).toBeUndefined()
      await store(key, bytes(1000))
      expect(await under.storage.head(key)).toMatchObject({ key, size: 1000 })
      await under.storage.remove(key)
      expect(await under.storage.head(key)).toBeUndefined()
      await under.storage.remove(key)
    })

    test('bytes are read from anywhere, fewer at the end', async () => {
      const key = newKey()
      const content = bytes(1000)
      await store(key, content)
      expect(Buffer.from(await under.storage.read(key, 0, 10))).toEqual(content.subarray(0, 10))
      expect(Buffer.from(await under.storage.read(key, 990, 100))).toEqual(content.subarray(990))
      expect(await under.storage.read(key, 5000, 10)).toHaveLength(0)
      expect(await buffer(await under.storage.open(key))).toEqual(content)
      expect(await readFile(await under.storage.materialise(key, folder))).toEqual(content)
    })

    test('a copy leaves the original file, and a key is written over as a whole', async () => {
      const key = newKey()
      await store(key, bytes(10))
      const path = join(folder, 'kept')
      await writeFile(path, bytes(20, 1))
      await under.storage.storeCopy(key, path, 'video/mp4')
      expect(await readFile(path)).toHaveLength(20)
      expect(await under.storage.head(key)).toMatchObject({ size: 20 })
    })

    test('a second key keeps the bytes that the first one had', async () => {
      const [from, to] = [newKey(), newKey().replace('uploads', 'sealed')]
      expect(await under.storage.copy(from, to)).toBeUndefined()
      await store(from, bytes(10))
      expect(await under.storage.copy(from, to)).toMatchObject({ key: to, size: 10 })
      const terms = { contentType: 'video/mp4', maxBytes: 100, seconds: 60 }
      const headers = { 'content-type': terms.contentType }
      const address = await under.storage.signPut(from, terms)
      expect((await under.request('PUT', address, { body: bytes(10, 9), headers })).status).toBe(200)
      expect(Buffer.from(await under.storage.read(to, 0, 99))).toEqual(bytes(10))
      await under.storage.remove(from)
      expect(Buffer.from(await under.storage.read(to, 0, 99))).toEqual(bytes(10))
      await under.storage.remove(to)
    })

    test('objects are listed by the beginning of their key', async () => {
      const key = `results/list-${Date.now().toString(36)}.mp4`
      await store(key, bytes(7))
      const found: string[] = []
      for await (const object of under.storage.list('results/list-'))
        found.push(`${object.key} ${object.size}`)
      expect(found).toContain(`${key} 7`)
      await under.storage.remove(key)
    })

    test('keys that are not ours are refused before anything is touched', async () => {
      for (const key of [
        '../secret',
        'uploads/../secret',
        'uploads/',
        'other/x.mp4',
        'uploads/A.mp4',
        'uploads/x/y.mp4',
        '/uploads/x.mp4',
        'uploads/x.mp4\0',
      ]) {
        await expect(
          Promise.resolve().then(() => under.storage.head(key)),
          key,
        ).rejects.toThrow('not a storage key')
        await expect(
          Promise.resolve().then(() => under.storage.remove(key)),
          key,
        ).rejects.toThrow('not a storage key')
      }
    })

    test('a signed PUT takes what it was signed for, and an altered one nothing', async () => {
      const key = newKey()
      const content = bytes(3000)
      const terms = { contentType: 'video/mp4', size: content.length, maxBytes: 10_000, seconds: 60 }
      const address = await under.storage.signPut(key, terms)
      const headers = { 'content-type': 'video/mp4' }
      const put = (target: string, body = content, sent = headers) =>
        under.request('PUT', target, { body, headers: sent })
      expect((await put(address.replace(key, newKey()))).status).toBe(403)
      expect(
        (
          await put(
            address.replace(/(signature=)(.)/i, (_all, head, first) => head + (first === 'A' ? 'B' : 'A')),
          )
        ).status,
      ).toBe(403)
      expect((await put(address, content, { 'content-type': 'text/html' })).status).toBe(403)
      expect((await put(address, Buffer.concat([content, content]))).status).toBeGreaterThanOrEqual(400)
      expect(await under.storage.head(key)).toBeUndefined()
      expect((await put(address)).status).toBe(200)
      expect(await under.storage.head(key)).toMatchObject({ size: 3000 })
      expect((await under.request('GET', address)).status).toBe(403)
    })

    test('a signed GET answers whole and in ranges, under the name it was signed with', async () => {
      const key = newKey()
      const content = bytes(500)
      await store(key, content)
      const address = await under.storage.signGet(key, {
        contentType: 'video/mp4',
        saveAs: 'Ünser Film.mp4',
        seconds: 60,
      })
      expect((await under.request('GET', address)).body).toEqual(content)
      const part = await under.request('GET', address, { headers: { range: 'bytes=100-199' } })
      expect(part).toEqual({ status: 206, body: content.subarray(100, 200) })
      expect((await under.request('GET', address.replace(key, newKey()))).status).toBe(403)
      expect((await under.request('PUT', address, { body: content })).status).toBe(403)
    })

    test('parts in any order become one object when all are there', async () => {
      const key = newKey()
      // A store's parts other than the last have at least 5 MiB.
      const partSize = 5 * 2 ** 20
      const content = Buffer.alloc(partSize + 321, 5)
      content.fill(6, partSize)
      const driverId = await under.storage.createParts(key, 'video/mp4')
      const send = async (number: number, part: Buffer) => {
        const offset = (number - 1) * partSize
        const address = await under.storage.signPart(key, driverId, {
          number,
          size: part.length,
          offset,
          seconds: 60,
        })
        return (await under.request('PUT', address, { body: part })).status
      }
      expect(await send(2, content.subarray(partSize))).toBe(200)
      expect(await under.storage.listParts(key, driverId)).toEqual([{ partNumber: 2, size: 321 }])
      await expect(under.storage.completeParts(key, driverId, 2)).rejects.toThrow('missing')
      expect(await under.storage.head(key)).toBeUndefined()
      expect(await send(1, content.subarray(0, partSize))).toBe(200)
      await under.storage.completeParts(key, driverId, 2)
      expect(await under.storage.head(key)).toMatchObject({ size: content.length })
      expect(Buffer.from(await under.storage.read(key, partSize - 2, 4))).toEqual(Buffer.from([5, 5, 6, 6]))
      await under.storage.remove(key)
    })

    test('parts are given up, also twice', async () => {
      const key = newKey()
      const driverId = await under.storage.createParts(key, 'video/mp4')
      await under.storage.abortParts(key, driverId)
      await under.storage.abortParts(key, driverId)
      expect(await under.storage.head(key)).toBeUndefined()
    })
  })
}
