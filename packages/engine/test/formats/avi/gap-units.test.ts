import { describe, expect, it } from 'vitest'
import { avi } from '../../../src/formats/avi/index.ts'
import { indexLost, parts } from '../../../src/formats/avi/recipes.ts'
import { CHUNK_HEADER } from '../../../src/syntax/riff/chunk.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'
import { payloads, read, repaired } from './support/repaired.ts'

const FOREIGN = 777

/**
 * A film with foreign bytes put into the header of a chunk of a stream in its middle, behind the header's first `inside` ones.
 */
async function torn(bytes: Uint8Array, stream: number, inside: number): Promise<Uint8Array> {
  const { chunks } = (await read(bytes)).walk
  const rows = Array.from({ length: chunks.length }, (_, row) => row).filter(
    (row) => chunks.stream[row] === stream && chunks.size[row] > 40,
  )
  const at = chunks.offset[rows[rows.length >> 1]] - CHUNK_HEADER + inside
  const random = randomFrom(inside)
  const foreign = Uint8Array.from({ length: FOREIGN }, () => Math.floor(random() * 256))
  return Uint8Array.from([...bytes.subarray(0, at), ...foreign, ...bytes.subarray(at)])
}

describe.each(fixturesOf(avi))('a unit of AVI $name whose header is torn by foreign bytes', ({ bytes }) => {
  it.each([1, 2, 3, 4, 6])('is found in the gap: a picture, behind %d bytes of it', async (inside) => {
    for (const film of [bytes, indexLost(bytes)]) {
      const { report, bytes: after } = await repaired(await torn(film, 0, inside))
      expect(report.tracks[0].lost).toBe(0)
      expect(await payloads(after, 0)).toEqual(await payloads(bytes, 0))
      expect(await payloads(after, 1)).toEqual(await payloads(bytes, 1))
    }
  })

  it.each([1, 2, 3, 4])('is found in the gap: sound, behind %d bytes of it', async (inside) => {
    for (const film of [bytes, indexLost(bytes)]) {
      const { bytes: after } = await repaired(await torn(film, 1, inside))
      expect(await payloads(after, 1)).toEqual(await payloads(bytes, 1))
    }
  })

  it('is found where nothing of its header is left', async () => {
    const { chunks } = (await read(bytes)).walk
    const row = chunks.stream.indexOf(0, chunks.length >> 1)
    const film = bytes.slice(0, parts(bytes).index)
    const noise = Uint8Array.from({ length: CHUNK_HEADER }, (_, i) => 0x91 + 23 * i)
    film.set(noise, chunks.offset[row] - CHUNK_HEADER)
    const { report, bytes: after } = await repaired(film)
    expect(report.verdict).toBe('repaired')
    expect(await payloads(after, 0)).toEqual(await payloads(bytes, 0))
  })
})

describe.each(fixturesOf(avi))('a unit of AVI $name behind a cut', ({ bytes }) => {
  it('leaves the hole in front of it, where bytes were taken out up to the first one of its header', async () => {
    const film = indexLost(bytes)
    const { chunks } = (await read(bytes)).walk
    const rows = Array.from({ length: chunks.length }, (_, row) => row).filter(
      (row) => chunks.stream[row] === 0,
    )
    const before = await payloads(bytes, 0)
    let placed = 0
    // by their sizes large pictures are longer than what is left of them and the picture behind the hole, others end inside that
    for (let from = 2; from < rows.length - 12; from += from < 8 ? 1 : 3) {
      const cut = chunks.offset[rows[from]] + (chunks.size[rows[from]] >> 2)
      const behind = chunks.offset[rows[from + 5]] - CHUNK_HEADER + 1
      const { report, bytes: after } = await repaired(
        Uint8Array.from([...film.subarray(0, cut), ...film.subarray(behind)]),
      )
      expect((await payloads(after, 0)).slice(-3)).toEqual(before.slice(-3))
      // where nothing tells how many were taken out, that is said
      if (report.doubts?.some(({ code }) => code === 'times')) continue
      expect(await payloads(after, 0), `picture ${from}`).toHaveLength(before.length)
      placed++
    }
    expect(placed).toBeGreaterThan(0)
  })
})
