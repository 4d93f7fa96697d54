import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeHashes } from '@mendframe/renderer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keysOf, rightPlaces, structureOf } from '../../src/bench/structure.ts'
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

describe('where a seek is to land', () => {
  const SAME = 0.002
  // two pictures are shown before the key picture in front of them
  const keys = [0, 2, 4, 6].map((time) => ({ time, decoded: time - 0.05, first: time - 0.08 }))
  const indexed = { unindexed: false, sound: false }
  const unindexed = { unindexed: true, sound: false }

  it.each([
    ['from the key packet before the target up to the target', 3, indexed, 2, 3],
    ['from the last key packet where none follows', 7, indexed, 6, 7],
    ['anywhere in the sought group where there is no index', 3, unindexed, 1.92, 4],
    ['anywhere in the last group where there is no index', 7, unindexed, 5.92, Number.POSITIVE_INFINITY],
    ['up to a key packet that is decoded before the target and shown behind it', 1.97, indexed, 0, 2],
    ['also in its group where there is no index', 1.97, unindexed, -0.08, 4],
    ['of sound alone shortly before the last packet', 2.1, { unindexed: false, sound: true }, 1.75, 2.1],
  ])('%s', (_, target, how, from, to) => {
    const places = rightPlaces(target, keys, how)
    expect(places[0]).toBeCloseTo(from - SAME)
    expect(places[1] - SAME).toBeCloseTo(to)
  })
})

it('a key packet that tells only when it is decoded is shown as long behind that as others are', () => {
  const packet = (dts: number, pts: number | undefined, key = false) => ({ dts, pts, key })
  const packets = [packet(0, 3, true), packet(1, 1), packet(2, 2), packet(3, undefined, true), packet(4, 4)]
  expect(keysOf(packets)).toEqual([
    { time: 3, decoded: 0, first: 1 },
    { time: 6, decoded: 3, first: 3 },
  ])
})

describe('structure of a file', () => {
  it('is whole where length and seeks are as the packets are', async () => {
    expect(await scored('whole.avi', (bytes) => bytes)).toBe(1)
  })

  it('is less where seeks land elsewhere for want of an index', async () => {
    const lower = await scored('unindexed.avi', (bytes) => bytes.subarray(0, bytes.lastIndexOf('idx1')))
    expect(lower).toBeLessThan(0.9)
  })

  it('is told by the length alone where no key packet was left', async () => {
    const path = join(folder, 'keyless.avi')
    const bytes = readFileSync(film)
    writeFileSync(path, bytes.subarray(0, bytes.lastIndexOf('idx1')))
    const streams = await decodeHashes(path, { frames: false })
    const keyless = streams.map((stream) => ({
      ...stream,
      packets: stream.packets.map((packet) => ({ ...packet, key: false })),
    }))
    expect(await structureOf(path, keyless, { keyless: true })).toBe(1)
    expect(await structureOf(path, streams, { keyless: true })).toBeLessThan(0.9)
  })

  it('is nothing where the file does not open', async () => {
    const path = join(folder, 'text.avi')
    writeFileSync(path, 'no film')
    const streams = await decodeHashes(film, { frames: false })
    expect(await structureOf(path, streams)).toBe(0)
  })
})
