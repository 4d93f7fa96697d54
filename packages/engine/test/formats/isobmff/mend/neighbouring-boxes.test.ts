import { expect, it } from 'vitest'
import type { MovieTrack } from '../../../../src/formats/isobmff/read/movie.ts'
import { movieOf } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'

/** Where each sample lies. */
function places({ samples }: MovieTrack): readonly string[] {
  return Array.from({ length: samples.length }, (_, row) => `${samples.offset[row]}+${samples.size[row]}`)
}

it('a flipped type, of a table behind which both size and type of the next one are hit, is told by the size of the first', async () => {
  const healthy = fixture('h264-pcm.mov')
  const movie = Buffer.from(healthy)
  const offsets = movie.lastIndexOf('stco')
  const sizes = movie.lastIndexOf('stsz')
  // samples of one size: the table holds nothing but it, and the chunk offsets follow
  expect(movie.readUInt32BE(sizes - 4)).toBe(20)
  expect(offsets - sizes).toBe(20)
  const damaged = healthy.slice()
  damaged[sizes + 1] ^= 2
  damaged[offsets - 2] ^= 0x40
  damaged[offsets + 2] ^= 0x10
  const { tracks } = await movieOf(damaged)
  expect(tracks.map(places)).toEqual((await movieOf(healthy)).tracks.map(places))
})
