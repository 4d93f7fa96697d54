import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findDownload, readReport } from '@mendframe/backend'
import { decodeHashes, probeMedia } from '@mendframe/renderer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorker, type Worker } from '../src/index.ts'
import { beginRepair, ended, openRig, type Rig } from './support/rig.ts'

const FIXTURES = fileURLToPath(new URL('../../../packages/engine/testing/fixtures/isobmff/', import.meta.url))
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

/** Copies what an address of the folder store stands for to a file. */
async function fetchTo(address: string, name: string): Promise<string> {
  const key = address.split('?')[0]?.replace('/files/', '') ?? ''
  const path = join(rig.folder, name)
  await writeFile(path, await readFile(await rig.context.storage.materialise(key, rig.folder)))
  return path
}

const pictures = async (path: string) => {
  const streams = await decodeHashes(path)
  return streams.find((stream) => stream.kind === 'video')?.frames.map((frame) => frame.md5)
}

test('a recording without its index is repaired picture for picture, checked and previewed', async () => {
  const original = join(FIXTURES, 'h264-two-aac.mp4')
  const whole = await readFile(original)
  const index = whole.indexOf('moov', 0, 'latin1') - 4
  const media = whole.indexOf('mdat', 0, 'latin1') - 4
  // Cut off what follows the media, or, with the index in front, leave the media alone.
  const damaged =
    index > media
      ? whole.subarray(0, index)
      : Buffer.concat([whole.subarray(0, index), whole.subarray(media)])
  const begun = await beginRepair(rig, 'film@example.com', {
    damaged,
    sample: join(FIXTURES, 'h264-two-aac.sample.mp4'),
  })
  expect(await ended(rig, begun)).toMatchObject({ status: 'Completed', verdict: 'repaired' })
  const report = await readReport(rig.context, begun.session, begun.timestamp)
  expect(report.verification?.decodable).toBe(true)
  const found = await findDownload(rig.context, begun.session, 'video', begun)
  const repaired = await fetchTo(found.videoDownloadUrl, 'repaired.mp4')
  const expected = await pictures(original)
  expect(expected?.length).toBeGreaterThan(10)
  expect(await pictures(repaired)).toEqual(expected)
  const preview = await probeMedia(await fetchTo(found.previewDownloadUrl, 'preview.mp4'))
  expect(preview.streams.map((stream) => stream.codec)).toContain('h264')
})

test('a whole recording is found healthy', async () => {
  const original = join(FIXTURES, 'h264-two-aac.mp4')
  const begun = await beginRepair(rig, 'whole@example.com', {
    damaged: original,
    sample: join(FIXTURES, 'h264-two-aac.sample.mp4'),
  })
  expect(await ended(rig, begun)).toMatchObject({ status: 'Completed', verdict: 'healthy' })
})

test('a whole recording is sharpened when somebody asks for it, and the report says so', async () => {
  const original = join(FIXTURES, 'h264-two-aac.mp4')
  const begun = await beginRepair(rig, 'blurry@example.com', {
    damaged: original,
    sample: join(FIXTURES, 'h264-two-aac.sample.mp4'),
    enhancements: ['sharpen', 'conceal'],
  })
  expect(await ended(rig, begun)).toMatchObject({ status: 'Completed', verdict: 'repaired' })
  const report = await readReport(rig.context, begun.session, begun.timestamp)
  const before = await pictures(original)
  expect(report.enhancements).toMatchObject([
    { operation: 'conceal', outcome: 'unneeded', pictures: 0 },
    { operation: 'sharpen', outcome: 'applied', pictures: before?.length },
  ])
  const found = await findDownload(rig.context, begun.session, 'video', begun)
  const after = await pictures(await fetchTo(found.videoDownloadUrl, 'sharpened.mp4'))
  expect(after).toHaveLength(before?.length ?? 0)
  expect(after?.some((picture) => before?.includes(picture))).toBe(false)
})

test('zeros cannot be repaired, and the page is told why', async () => {
  const begun = await beginRepair(rig, 'zeros@example.com', {
    damaged: Buffer.alloc(50_000),
    sample: join(FIXTURES, 'h264-two-aac.sample.mp4'),
  })
  const progress = await ended(rig, begun)
  expect(progress).toMatchObject({ status: 'Failed', verdict: 'unrepairable' })
  expect(progress.message).not.toBe('')
})

test('the damaged file given as its own sample is refused in words', async () => {
  const original = join(FIXTURES, 'h264-two-aac.mp4')
  const begun = await beginRepair(rig, 'same@example.com', { damaged: original, sample: original })
  const progress = await ended(rig, begun)
  expect(progress.status).toBe('Failed')
  expect(progress.message).toMatch(/sample/i)
})
