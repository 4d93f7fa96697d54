import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MemorySource } from '../../../src/bytes/source.ts'
import { readPictures } from '../../../src/engine.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'
import { STEP, smallFilm } from './support/small-film.ts'

const read = (bytes: Uint8Array) => readPictures({ file: { source: new MemorySource(bytes), name: 'a.mkv' } })

/** Stream, CodecID, and bytes stripped: of NAL units in front of which their length stands the first byte is always zero. */
const FILMS = [
  ['av1', 'V_AV1', 0],
  ['h264-baseline', 'V_MPEG4/ISO/AVC', 0],
  ['h264-baseline', 'V_MPEG4/ISO/AVC', 1],
] as const

it.each(FILMS)('pictures are read in file order: %s, %s, %i bytes stripped', async (...film) => {
  const { film: bytes, pictures } = smallFilm(...film)
  expect(await read(bytes)).toEqual([{ place: 0, pictures: pictures.length, torn: [] }])
})

it.each(FILMS)('one that was hit inside is told by its time: %s, %s, %i bytes stripped', async (...film) => {
  const { film: bytes, pictures, packets } = smallFilm(...film)
  const row = packets.findIndex(({ key, size }, i) => !key && size > 100 && i > packets.length / 2)
  const { offset, size } = pictures[row]
  bytes.fill(0x5a, offset + size - 12, offset + size - 4)
  const [{ torn }] = await read(bytes)
  expect(torn.map(({ inside }) => inside)).toEqual([true])
  expect(torn[0].start).toBeCloseTo((row * STEP) / 1000, 6)
  expect(torn[0].end).toBeCloseTo(((row + 1) * STEP) / 1000, 6)
})

it('no picture of a healthy film of H.264 is torn', async () => {
  const film = new Uint8Array(readFileSync(`${FIXTURES}/matroska/mkv-h264-aac.mkv`))
  const [{ pictures, torn }] = await read(film)
  expect(pictures).toBeGreaterThan(20)
  expect(torn).toEqual([])
})
