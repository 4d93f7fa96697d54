import { describe, expect, it } from 'vitest'
import { type Box, readChildren } from '../../../src/formats/isobmff/boxes/box.ts'
import type { Movie } from '../../../src/formats/isobmff/movie.ts'
import { movieOf, readerOf } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

const healthy = fixture('h264-aac-fragmented.mp4')

/** Where each sample lies and when it is decoded and shown, by track. */
function samplesOf(movie: Movie): string[] {
  return movie.tracks.map(({ samples }) =>
    Array.from(
      { length: samples.length },
      (_, row) =>
        `${samples.offset[row]}+${samples.size[row]}@${samples.dts[row]}/${samples.cts[row]}/${samples.duration[row]}`,
    ).join(' '),
  )
}

/** What a flipped bit in every byte of a fragment's index, one at a time, leaves wrong. */
async function wrongAfterFlips(fragment: Box, whole: readonly string[]): Promise<string[]> {
  const wrong: string[] = []
  for (let at = fragment.offset + 8; at < fragment.end; at++) {
    const bit = (at * 5 + 3) % 8
    const damaged = healthy.slice()
    damaged[at] ^= 1 << bit
    const found = samplesOf(await movieOf(damaged))
    if (found.join() !== whole.join()) wrong.push(`byte ${at - fragment.offset}, bit ${bit}`)
  }
  return wrong
}

describe('a flipped bit in the index of a fragment', async () => {
  const fragments = readChildren(readerOf(healthy), 0, healthy.length).boxes.filter(
    ({ type }) => type === 'moof',
  )
  const whole = samplesOf(await movieOf(healthy))

  it('in the middle of a recording leaves nearly every sample where and when it is', async () => {
    const { offset, end } = fragments[2]
    const wrong = await wrongAfterFlips(fragments[2], whole)
    expect(wrong.length, wrong.join('; ')).toBeLessThan(0.02 * (end - offset))
  }, 60_000)

  it('at the end, where no later fragment tells, is mended where the others of the track tell', async () => {
    const last = fragments[fragments.length - 1]
    const wrong = await wrongAfterFlips(last, whole)
    expect(wrong.length, wrong.join('; ')).toBeLessThan(0.08 * (last.end - last.offset))
  }, 60_000)
})
