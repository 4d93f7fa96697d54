import { expect, it } from 'vitest'
import { mendChunkSizes } from '../../../../src/formats/isobmff/mend/chunk-sizes.ts'
import { SampleFit } from '../../../../src/formats/isobmff/mend/sample-fit.ts'
import { movieWork } from '../../../../src/formats/isobmff/read-movie.ts'
import { movieOf, readerOf } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'

it('many flipped sizes of sound in one chunk are mended with the steps that its file allows', async () => {
  const whole = fixture('h264-aac.mp4')
  const [, sound] = (await movieOf(whole)).tracks
  const { samples, description } = sound
  const sizes = Uint32Array.from(samples.size.subarray(0, samples.length))
  const units = Array.from(sizes, (size, row) =>
    whole.subarray(samples.offset[row], samples.offset[row] + size),
  )
  // Half a megabyte of film behind the sound: sizes that lead far into it cost no more than others.
  const bytes = new Uint8Array([...Buffer.concat(units), ...new Uint8Array(500_000).fill(0xa5)])
  const hit = sizes.slice()
  for (let row = 4; row < hit.length; row += 9) hit[row] ^= 1 << (6 + (row % 12))
  const end = sizes.reduce((sum, size) => sum + size, 0)
  const work = movieWork(bytes.length).mending
  const fit = new SampleFit(readerOf(bytes), description, Float64Array.of(0), work)
  expect(mendChunkSizes(hit, 0, end, fit, work)).toEqual(sizes)
  expect(mendChunkSizes(hit, 0, undefined, fit, work)).toEqual(sizes)
})
