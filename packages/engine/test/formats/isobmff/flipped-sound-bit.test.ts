import { expect, it } from 'vitest'
import { withProvenSound } from '../../../src/formats/isobmff/ways/descriptions/flipped-sound-bit.ts'
import { movieOf, readerOf } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

const bytes = fixture('h264-aac.mp4')

it('a flipped bit of an AAC configuration that samples do not read with is found by them, and never another', async () => {
  const reader = readerOf(bytes)
  const [, track] = (await movieOf(bytes)).tracks
  const { config } = track.description
  expect(withProvenSound(reader, track)).toBeUndefined()
  let mended = 0
  // object type, rate and channels: the first thirteen bits
  for (let bit = 0; bit < 13; bit++) {
    const hit = config.with(bit >> 3, config[bit >> 3] ^ (0x80 >> (bit & 7)))
    const description = { ...track.description, config: hit }
    const sampleDescription = Uint8Array.from(Buffer.from(track.sampleDescription))
    sampleDescription.set(hit, Buffer.from(sampleDescription).lastIndexOf(Buffer.from(config)))
    const found = withProvenSound(reader, { ...track, description, sampleDescription })
    if (!found) continue
    expect(found.description.config, `bit ${bit}`).toEqual(config)
    expect(found.sampleDescription, `bit ${bit}`).toEqual(track.sampleDescription)
    mended++
  }
  expect(mended).toBeGreaterThan(6)
})
