import { describe, expect, it } from 'vitest'
import { bodyOf } from '../../../../src/syntax/iso-boxes/box.ts'
import { movieOf, read, repaired } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'
import { flipped, movieBoxes, places } from '../support/movie-boxes.ts'

describe('a flipped bit in the number of channels', () => {
  it.each(['h264-pcm.mov', 'prores-pcm.mov'] as const)('of the plain sound of %s is mended', async (name) => {
    const healthy = fixture(name)
    const whole = (await movieOf(healthy)).tracks.map((track) => [track.description, ...places(track)])
    const descriptions = movieBoxes(healthy).filter(({ box }) => box.type === 'stsd')
    const [entry] = descriptions.slice(-1).map(({ box }) => bodyOf(box) + 8)
    for (let bit = 0; bit < 16; bit++) {
      const { movie } = await read(flipped(healthy, entry + 24 + (bit >> 3), bit & 7))
      const found = movie?.tracks.map((track) => [track.description, ...places(track)])
      expect(found, `bit ${bit}`).toEqual(whole)
    }
  })
})

it.each(['h264-pcm.mov', 'prores-pcm.mov'] as const)(
  'a flipped bit in the size of all sound samples of %s is mended, not the channels to fit it',
  async (name) => {
    const healthy = fixture(name)
    const whole = (await movieOf(healthy)).tracks.map((track) => [track.description, ...places(track)])
    const [sizes] = movieBoxes(healthy)
      .filter(({ box }) => box.type === 'stsz')
      .slice(-1)
      .map(({ box }) => bodyOf(box) + 4)
    for (const bit of [0, 2, 3, 6]) {
      const { movie } = await read(flipped(healthy, sizes + 2, bit))
      const found = movie?.tracks.map((track) => [track.description, ...places(track)])
      expect(found, `bit ${bit}`).toEqual(whole)
    }
  },
)

it('channels of plain sound that cannot be mended leave a doubt', async () => {
  const damaged = fixture('h264-pcm.mov')
  const [entry] = movieBoxes(damaged)
    .filter(({ box }) => box.type === 'stsd')
    .slice(-1)
    .map(({ box }) => bodyOf(box) + 8)
  expect(damaged[entry + 25]).toBe(1)
  damaged[entry + 25] = 10
  const { report } = await repaired(damaged)
  expect(report.verdict).not.toBe('repaired')
  expect(report.verdict).not.toBe('healthy')
})
