import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { readFile } from '../../../src/formats/avi/read/file.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { bitmap, makeAvi } from './support/make-avi.ts'

/**
 * The rows of a film around a chunk of 472 bytes, behind which as many bytes follow up to the next header as that size with two
 * bits turned has.
 */
async function sizesFrom(hit: (bytes: Uint8Array, body: number, next: number) => void) {
  const sizes = [300, 522, 410, 366, 472, 4090, 388, 514, 342, 430]
  const chunks = sizes.map((size) => ({
    id: '00dc',
    bytes: Uint8Array.from({ length: size }, (_, i) => ((i * 37 + size) & 127) | 128),
  }))
  const format = bitmap('VP31', 320, 240, 0)
  const film = makeAvi([{ type: 'vids', handler: 'VP31', scale: 1, rate: 30, sampleSize: 0, format }], chunks)
  const before = sizes.slice(0, 4).reduce((sum, size) => sum + size + 8, 0)
  const body = Buffer.from(film).indexOf('movi') + 4 + before + 8
  hit(film, body, body + 472 + 8 + 4090)
  const { walk } = await readFile(new ByteReader(new MemorySource(film)), DEFAULT_LIMITS, SILENT)
  return { sizes: [...walk.chunks.size.subarray(0, walk.chunks.length)], gaps: walk.gaps.length }
}

it('a size that leads into zeros is right: no two turned bits made it that of all up to the next header', async () => {
  const { sizes, gaps } = await sizesFrom((bytes, body, next) => bytes.fill(0, body + 200, next - 100))
  expect(sizes).toEqual([300, 522, 410, 366, 472, 388, 514, 342, 430])
  expect(gaps).toBe(1)
})

it('a size that leads into the middle of a chunk had two bits turned', async () => {
  const { sizes, gaps } = await sizesFrom((bytes, body) => bytes.fill(200, body + 472, body + 480))
  expect(sizes).toEqual([300, 522, 410, 366, 4570, 388, 514, 342, 430])
  expect(gaps).toBe(0)
})
