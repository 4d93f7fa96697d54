import { AV_CODEC_ID_AAC } from 'node-av/constants'
import { describe, expect, it } from 'vitest'
import { scaleFactorBands } from '../../../src/codecs/aac/bands.ts'
import { aac } from '../../../src/codecs/aac/index.ts'
import { BitWriter } from '../support/bit-writer.ts'
import { decodes } from '../support/decode.ts'
import { audioTrack, lengthsAlone } from '../support/scan.ts'
import { randomSource } from '../support/signals.ts'
import { BlockWriter } from './block-writer.ts'

const RATES = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350]

interface Case {
  readonly objectType: 1 | 2 | 4
  readonly rateIndex: number
  readonly channelConfiguration: number
  readonly elements: readonly number[]
  readonly short: boolean
}

function setup({ objectType, rateIndex, channelConfiguration, elements, short }: Case, others: boolean) {
  const frameLength = short ? 960 : 1024
  const bands = scaleFactorBands(rateIndex, frameLength)
  const config = new BitWriter()
    .put(objectType, 5)
    .put(rateIndex, 4)
    .put(channelConfiguration, 4)
    .put(short ? 1 : 0, 1)
    .put(0, 2)
    .bytes()
  const random = randomSource(rateIndex * 100 + objectType * 10 + channelConfiguration)
  const writer = new BlockWriter({ ...bands, objectType, elements, others }, random)
  return { config, blocks: Array.from({ length: 60 }, () => writer.block()) }
}

const cases: Case[] = []
for (const rateIndex of RATES.keys()) {
  for (const short of [false, true]) {
    for (const objectType of [1, 2, 4] as const) {
      const wide = (rateIndex + objectType) % 2 === 0
      cases.push({
        objectType,
        rateIndex,
        channelConfiguration: wide ? 2 : 1,
        elements: wide ? [1] : [0],
        short,
      })
    }
  }
}
cases.push({ objectType: 2, rateIndex: 3, channelConfiguration: 6, elements: [0, 1, 1, 3], short: false })
cases.push({ objectType: 2, rateIndex: 3, channelConfiguration: 12, elements: [0, 1, 1, 1, 3], short: false })

describe('raw_data_block with every tool of the syntax', () => {
  it.each(cases)(
    'ends where it was written to end: type $objectType, rate index $rateIndex, elements $elements, 960 $short',
    (test) => {
      const { config, blocks } = setup(test, true)
      const recogniser = aac.recogniser(audioTrack('aac', config))
      if (!recogniser) throw new Error('no recogniser')
      // Random spectra outgrow the decoder input buffer now and then; those no encoder writes.
      const usual = blocks.filter((block) => block.length <= 1536 * test.elements.length)
      expect(usual.length).toBeGreaterThan(10)
      expect(lengthsAlone(recogniser, usual)).toEqual(usual.map((block) => block.length))
    },
  )

  it.each(cases)(
    'is written as FFmpeg reads it: type $objectType, rate index $rateIndex, elements $elements, 960 $short',
    (test) => {
      const { config, blocks } = setup(test, false)
      const channels = test.elements.reduce((sum, id) => sum + (id === 1 ? 2 : 1), 0)
      const taken = decodes(
        { codecId: AV_CODEC_ID_AAC, config, rate: RATES[test.rateIndex], channels },
        blocks,
      )
      expect(taken.filter((ok) => !ok)).toEqual([])
    },
  )
})
