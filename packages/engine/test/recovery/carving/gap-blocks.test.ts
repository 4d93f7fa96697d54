import { FF_ENCODER_ADPCM_IMA_QT } from 'node-av/constants'
import { expect, it } from 'vitest'
import { blocksInGap } from '../../../src/recovery/carving/gap-blocks.ts'
import { encode } from '../../codecs/support/encode.ts'
import { audioTrack, concatenated } from '../../codecs/support/scan.ts'
import { randomBytes, sequence, tones, transients } from '../../codecs/support/signals.ts'
import { readerOf } from '../../formats/isobmff/support/engine.ts'

const CHANNELS = 1
const BLOCK = 34
const track = {
  ...audioTrack('adpcm-ima', new Uint8Array(0), { channels: CHANNELS, sampleRate: 44100 }),
  blockAlign: BLOCK,
}
const { packets } = encode({
  encoder: FF_ENCODER_ADPCM_IMA_QT,
  rate: 44100,
  channels: CHANNELS,
  signal: sequence([tones(44100), transients(44100)], 5000),
  samples: 64 * 40,
})

/** Where sound is found in a gap of these bytes, as offset and blocks. */
function found(...parts: readonly Uint8Array[]): number[][] | undefined {
  const bytes = concatenated(parts)
  return blocksInGap(readerOf(bytes), { index: 3, description: track }, 0, bytes.length)?.map(
    ({ lane, offset, length }) => [lane, offset, length / BLOCK],
  )
}

it('blocks that go on from each other are sound, at both ends of what is none', () => {
  const noise = randomBytes(1000, 3)
  expect(found(...packets.slice(0, 15), noise, ...packets.slice(20))).toEqual([
    [3, 0, 15],
    [3, 15 * BLOCK + noise.length, 20],
  ])
  expect(found(...packets.slice(0, 15), new Uint8Array(4096))).toEqual([[3, 0, 15]])
})

it('a break within blocks that go on, before it and behind it, is sound as well', () => {
  expect(found(...packets.slice(0, 15), ...packets.slice(20), randomBytes(500, 4))).toEqual([[3, 0, 35]])
})

it('noise has none', () => {
  expect(found(randomBytes(4000, 5))).toEqual([])
})
