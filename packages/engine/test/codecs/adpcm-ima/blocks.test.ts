import { FF_ENCODER_ADPCM_IMA_QT } from 'node-av/constants'
import { describe, expect, it } from 'vitest'
import { adpcmIma } from '../../../src/codecs/adpcm-ima/index.ts'
import type { Recogniser } from '../../../src/codecs/recogniser.ts'
import { encode } from '../support/encode.ts'
import { expectCalibrated, expectHarmless } from '../support/expectations.ts'
import { audioTrack, chain, concatenated, searched } from '../support/scan.ts'
import { randomBytes, sequence, tones, transients } from '../support/signals.ts'

function recogniser(channels: number): Recogniser {
  const made = adpcmIma.recogniser(
    audioTrack('adpcm-ima', new Uint8Array(0), { channels, sampleRate: 44100 }),
  )
  if (!made) throw new Error('no recogniser')
  return made
}

const blocks = (channels: number) =>
  encode({
    encoder: FF_ENCODER_ADPCM_IMA_QT,
    rate: 44100,
    channels,
    signal: sequence([tones(44100), transients(44100)], 5000),
    samples: 64 * 300,
  }).packets

describe('IMA ADPCM blocks', () => {
  it.each([1, 2])('follow from each other: %i channels', (channels) => {
    const packets = blocks(channels)
    const made = recogniser(channels)
    const units = chain(made, concatenated(packets))
    expect(units.length).toBe(300)
    expect(new Set(units.map((unit) => unit.length))).toEqual(new Set([34 * channels]))
    expect(new Set(units.map((unit) => unit.duration))).toEqual(new Set([64]))
    expect(units.slice(0, -1).filter((unit) => unit.evidence > 12 * channels).length).toBe(299)
  })

  it('are found between other bytes', () => {
    const before = randomBytes(5001, 1)
    const places = searched(recogniser(2), concatenated([before, ...blocks(2), randomBytes(3000, 2)]))
    expect(places.filter((place) => place < 5001)).toEqual([])
    expect(places.filter((place) => place >= 5001 && (place - 5001) % 68 === 0).length).toBe(299)
  })

  it('are seen in random bytes no oftener than their evidence says', () => {
    expectCalibrated(recogniser(1), 300_000, 21)
    expectCalibrated(recogniser(2), 300_000, 22)
  })

  it('never throw and never reach past the end', () => {
    expectHarmless(() => recogniser(1))
    expectHarmless(() => recogniser(3))
    expect(
      adpcmIma.recogniser(audioTrack('adpcm-ima', new Uint8Array(0), { blockAlign: 35 })),
    ).toBeUndefined()
  })
})
