import { expect, it } from 'vitest'
import { movieOf, repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { movieBoxes } from './support/movie-boxes.ts'

it('small pictures that pass for the beginning of a frame of sound are found with the frames behind them', async () => {
  const whole = fixture('h264-mono.mp4')
  const sizes = ({ samples }: Awaited<ReturnType<typeof movieOf>>['tracks'][number]): readonly number[] => [
    ...samples.size.subarray(0, samples.length),
  ]
  const index = movieBoxes(whole).find(({ path }) => path === 'moov/mvhd')
  if (!index) throw new Error('no index')
  const { report, bytes } = await repaired(whole.subarray(0, index.box.offset - 8), whole)
  expect(report.verdict).toBe('repaired')
  expect((await movieOf(bytes)).tracks.map(sizes)).toEqual((await movieOf(whole)).tracks.map(sizes))
})
