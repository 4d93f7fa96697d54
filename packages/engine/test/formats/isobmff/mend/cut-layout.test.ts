import { expect, it } from 'vitest'
import type { Movie } from '../../../../src/formats/isobmff/read/movie.ts'
import { movieOf } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'

const healthy = fixture('h264-aac-faststart.mp4')
const SHARE = 0.7

/** Where the body of the n-th box of a type begins, counted from 0. */
function bodyOf(type: string, n: number): number {
  let at = -1
  for (let i = 0; i <= n; i++) at = Buffer.from(healthy).indexOf(Buffer.from(type, 'latin1'), at + 1)
  return at + 4
}

/** Where each sample lies that the file still has in whole, by track. */
function samplesOf({ tracks }: Movie, end: number): string[] {
  return tracks.map(({ samples: { offset, size, length } }) =>
    Array.from({ length }, (_, row) => row)
      .filter((row) => offset[row] + size[row] <= end)
      .map((row) => `${offset[row]}+${size[row]}`)
      .join(' '),
  )
}

it('a flipped bit in where one of the last chunks of a file cut short begins is mended as in a whole one', async () => {
  const whole = await movieOf(healthy)
  const end = Math.round(healthy.length * SHARE)
  const wanted = samplesOf(whole, end)
  const wrong: string[] = []
  for (const [track, { tables }] of whole.tracks.entries()) {
    const behind = tables.chunkOffsets?.findIndex((offset) => offset >= end) ?? 0
    for (let chunk = behind - 4; chunk < behind; chunk++) {
      for (let bit = 0; bit < 24; bit++) {
        const damaged = healthy.slice(0, end)
        // so that the movie box is known to be hit
        damaged[bodyOf('smhd', 0) - 4] ^= 1
        damaged[bodyOf('stco', track) + 8 + 4 * chunk + 3 - (bit >> 3)] ^= 1 << (bit & 7)
        if (samplesOf(await movieOf(damaged), end).join() !== wanted.join())
          wrong.push(`track ${track}, chunk ${chunk}, bit ${bit}`)
      }
    }
  }
  expect(wrong).toEqual([])
})
