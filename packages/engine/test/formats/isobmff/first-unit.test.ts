import { expect, it } from 'vitest'
import { movieOf, repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

/** A film whose pictures say themselves how they are coded, the head of one of them overwritten. */
async function withHeadHit(picture: number): Promise<Uint8Array> {
  const bytes = fixture('mjpeg-pcm.mov')
  const { samples } = (await movieOf(bytes)).tracks[0]
  bytes.fill(0x55, samples.offset[picture], samples.offset[picture] + 64)
  return bytes
}

it('a first picture whose head is none is left out: players take from it how all others are decoded', async () => {
  const { report } = await repaired(await withHeadHit(0))
  expect(report.tracks[0]).toMatchObject({ damaged: 0, lost: 1 })
})

it('a later one stays', async () => {
  const { report } = await repaired(await withHeadHit(3))
  expect(report.tracks[0]).toMatchObject({ damaged: 1, lost: 0 })
})
