import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deleteNow, findDownload, readReport } from '@mendframe/backend'
import { verifyPhoto } from '@mendframe/renderer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorker, type Worker } from '../src/index.ts'
import { beginPhotoRepair, ended, openRig, type Rig } from './support/rig.ts'

const PHOTO = fileURLToPath(
  new URL('../../../packages/engine/testing/fixtures/jpeg/baseline-420.jpg', import.meta.url),
)
let rig: Rig
let worker: Worker
beforeAll(async () => {
  rig = await openRig()
  worker = await startWorker(rig.context)
})
afterAll(async () => {
  await worker.close()
  await rig.context.close()
  await rig.remove()
})

/** The photo with zeros where a part of its scan was. */
async function damagedPhoto(): Promise<Buffer> {
  const bytes = await readFile(PHOTO)
  const at = Math.floor(bytes.length * 0.6)
  return bytes.fill(0, at, at + Math.floor(bytes.length * 0.05))
}

/** What an address of the folder store stands for, as a file with its extension. */
async function fetched(address: string | undefined, name: string): Promise<string> {
  const key = address?.split('?')[0]?.replace('/files/', '') ?? ''
  const path = join(rig.folder, name)
  await writeFile(path, await readFile(await rig.context.storage.materialise(key, rig.folder)))
  return path
}

const objects = async () => {
  const found: string[] = []
  for await (const { key } of rig.context.storage.list('')) found.push(key)
  return found
}

test('a photo with damage in its scan comes back, is checked, shown before and after, and saved in other formats', async () => {
  const whole = await verifyPhoto(PHOTO)
  const begun = await beginPhotoRepair(rig, 'photo@example.com', await damagedPhoto())
  const progress = await ended(rig, begun)
  expect(progress.status).toBe('Completed')
  expect(['repaired', 'partial']).toContain(progress.verdict)
  const report = await readReport(rig.context, begun.session, begun.timestamp)
  expect(report.kind).toBe('photo')
  expect(report.verification?.decodable).toBe(true)
  // It is stored lying down, and shown upright.
  const { width, height } = whole
  expect(report.pictures[0]).toMatchObject({ role: 'main', width: height, height: width, orientation: 6 })

  const found = await findDownload(rig.context, begun.session, 'photo', begun)
  expect(found).toMatchObject({ full: true })
  // The result is a JPEG already.
  expect(found.jpegUrl).toBeUndefined()
  for (const [address, name] of [
    [found.videoDownloadUrl, 'result.jpg'],
    [found.photoDownloadUrl, 'after.jpg'],
    [found.photoDownloadUrl1, 'before.jpg'],
    [found.pngUrl, 'full.png'],
  ] as const) {
    const { decodable, width, height } = await verifyPhoto(await fetched(address, name))
    expect({ decodable, width, height }, name).toEqual({
      decodable: true,
      width: whole.width,
      height: whole.height,
    })
  }
  await deleteNow(rig.context, begun.session, begun.timestamp)
  expect(await objects()).toEqual([])
})

test('a whole photo is found healthy, and bytes that are none are no photo', async () => {
  const healthy = await beginPhotoRepair(rig, 'whole@example.com', PHOTO)
  expect(await ended(rig, healthy)).toMatchObject({ status: 'Completed', verdict: 'healthy' })
  const nothing = await beginPhotoRepair(rig, 'nothing@example.com', Buffer.alloc(5_000))
  expect(await ended(rig, nothing)).toMatchObject({ status: 'Failed', verdict: 'unrepairable' })
})
