import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeHashes } from '@mendframe/renderer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { structureOf } from '../../src/bench/structure.ts'
import { clipOf } from '../../src/media/catalogue.ts'
import { makeClip } from '../../src/media/make-clip.ts'

let folder: string
let film: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'structure-'))
  film = join(folder, 'film.avi')
  await makeClip(clipOf('avi-mpeg4-mp3', 'victim', { seconds: 4, width: 192, height: 108, seed: 1 }), film)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function scored(name: string, change: (bytes: Buffer) => Buffer): Promise<number> {
  const path = join(folder, name)
  writeFileSync(path, change(readFileSync(film)))
  return structureOf(path, await decodeHashes(path, { frames: false }))
}

describe('structure of a file', () => {
  it('is whole where length and seeks are as the packets are', async () => {
    expect(await scored('whole.avi', (bytes) => bytes)).toBe(1)
  })

  it('is less where seeks land elsewhere for want of an index', async () => {
    const lower = await scored('unindexed.avi', (bytes) => bytes.subarray(0, bytes.lastIndexOf('idx1')))
    expect(lower).toBeLessThan(0.9)
  })

  it('is nothing where the file does not open', async () => {
    const path = join(folder, 'text.avi')
    writeFileSync(path, 'no film')
    const streams = await decodeHashes(film, { frames: false })
    expect(await structureOf(path, streams)).toBe(0)
  })
})
