import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MemorySource } from '../../../src/bytes/source.ts'
import { readPictures } from '../../../src/engine.ts'
import { tagsOf } from '../../../src/formats/flv/recipes.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'

const FILMS = ['flv-h264-aac', 'flv-hevc-aac'] as const
const TAG_HEADER = 11

const filmOf = (name: string) => new Uint8Array(readFileSync(`${FIXTURES}/flv/${name}.flv`))
const read = (bytes: Uint8Array) => readPictures({ file: { source: new MemorySource(bytes), name: 'a.flv' } })
const sizeAt = (film: Uint8Array, at: number) => (film[at + 1] << 16) | (film[at + 2] << 8) | film[at + 3]
const picturesOf = (film: Uint8Array) => tagsOf(film).filter((at) => film[at] === 9)

it.each(FILMS)('no picture of a healthy film is torn: %s', async (name) => {
  const [{ pictures, torn }] = await read(filmOf(name))
  expect(pictures).toBeGreaterThan(20)
  expect(torn).toEqual([])
})

it.each(FILMS)('one that was hit inside is told: %s', async (name) => {
  const film = filmOf(name)
  const hit = picturesOf(film).filter((at, i) => i > 4 && sizeAt(film, at) > 300)[3]
  const middle = hit + TAG_HEADER + (sizeAt(film, hit) >> 1)
  for (let at = 0; at < 40; at++) film[middle + at] = (at * 151 + 17) & 0xff
  const [{ torn }] = await read(film)
  expect(torn.map(({ inside }) => inside)).toEqual([true])
})

it('pictures behind another configuration are not read with the first', async () => {
  const film = filmOf('flv-h264-aac')
  const pictures = picturesOf(film)
  const [configuration] = pictures
  const half = pictures[pictures.length >> 1]
  const tag = film.slice(configuration, configuration + TAG_HEADER + sizeAt(film, configuration) + 4)
  // another level, which its pictures read all the same with
  tag[TAG_HEADER + 5 + 3]++
  const changed = Uint8Array.from([...film.subarray(0, half), ...tag, ...film.subarray(half)])
  const [{ pictures: count }] = await read(changed)
  const [{ pictures: all }] = await read(film)
  expect(count).toBeGreaterThan(0)
  expect(count).toBeLessThan(all)
})
