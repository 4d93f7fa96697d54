import { expect, it } from 'vitest'
import { avi } from '../../../src/formats/avi/index.ts'
import { type ChunkTable, DAMAGED, REWRITTEN } from '../../../src/formats/avi/read/chunk-table.ts'
import { parts } from '../../../src/formats/avi/recipes.ts'
import { CHUNK_HEADER } from '../../../src/syntax/riff/chunk.ts'
import { fixtureOf } from '../../../testing/contract/fixtures.ts'
import { read, repaired } from './support/repaired.ts'

/** Bytes of a picture in front of those that are taken out. */
const KEPT = 12
/** Zeros behind the end, so that sizes of lists do not tell how many bytes are gone. */
const BEHIND = new Uint8Array(400)

/** The film without its index. */
function unnamed(name: string): Uint8Array {
  const film = Uint8Array.from(fixtureOf(avi, name))
  return film.fill(0, parts(film).index)
}

/**
 * The film where a chunk of sound is gone with the end of the picture in front of it, and the picture's size leads to the next
 * header but for one bit; each picture of which that can be made once.
 */
async function torn(film: Uint8Array): Promise<Uint8Array[]> {
  const { chunks } = (await read(film)).walk
  const films: Uint8Array[] = []
  for (let row = 1; row + 2 < chunks.length; row++) {
    const isPair = chunks.stream[row] === 0 && chunks.stream[row + 1] === 1
    const size = chunks.size[row]
    const left = Array.from({ length: 16 }, (_, bit) => (size & (1 << bit) ? size - (1 << bit) : 0)).find(
      (length) => length % 2 === 0 && length > KEPT && length - KEPT <= chunks.size[row + 1],
    )
    if (!isPair || size % 2 === 1 || left === undefined) continue
    const from = chunks.offset[row] + KEPT
    const to = chunks.offset[row + 2] - CHUNK_HEADER - (left - KEPT)
    films.push(Uint8Array.from([...film.subarray(0, from), ...film.subarray(to), ...BEHIND]))
  }
  return films
}

/** The first picture with more than a few bytes behind the first ones, in whose size a bit can be turned to make it larger. */
function rowToTurn({ stream, size }: ChunkTable): number {
  return stream.findIndex(
    (number, row) => row > 4 && number === 0 && size[row] > 1000 && !(size[row] & (1 << 12)),
  )
}

/** The film with a bit turned of a picture's size, which makes it larger, cut off inside a chunk. */
async function turned(film: Uint8Array): Promise<Uint8Array> {
  const { chunks } = (await read(film)).walk
  const damaged = film.slice(0, chunks.offset[chunks.length - 30] + KEPT)
  damaged[chunks.offset[rowToTurn(chunks)] - 3] ^= 1 << 4
  return damaged
}

it('a size that seems to have been turned is no word of what was lost with the end of its picture', async () => {
  let told = 0
  for (const damaged of await torn(unnamed('avi-h264-mp3'))) {
    const { chunks, gaps } = (await read(damaged)).walk
    const isShort = chunks.flags.some((flags) => (flags & (REWRITTEN | DAMAGED)) === REWRITTEN)
    expect((await repaired(damaged)).report.verdict).toBe('partial')
    if (isShort && gaps.every(({ row }) => row >= chunks.length)) told++
  }
  expect(told).toBeGreaterThan(0)
})

it('a size that was turned costs nothing where the picture is read to its end', async () => {
  const { report } = await repaired(await turned(unnamed('avi-mpeg4-low-mp3')))
  expect(report.verdict).toBe('repaired')
})

it('a size that was turned leaves open what is gone where pictures end with the next one, unless all are counted', async () => {
  const film = unnamed('avi-h264-mp3')
  const { report } = await repaired(await turned(film))
  expect(report.doubts?.map(({ code }) => code)).toEqual(['times'])
  const { chunks } = (await read(film)).walk
  const whole = Uint8Array.from([...film, ...BEHIND])
  whole[chunks.offset[rowToTurn(chunks)] - 3] ^= 1 << 4
  expect((await repaired(whole)).report.verdict).toBe('repaired')
})
