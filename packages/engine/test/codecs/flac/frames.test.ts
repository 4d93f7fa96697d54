import { AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S32, FF_ENCODER_FLAC } from 'node-av/constants'
import { describe, expect, it } from 'vitest'
import { flac } from '../../../src/codecs/flac/index.ts'
import { type Recogniser, Unit } from '../../../src/codecs/recogniser.ts'
import { encode } from '../support/encode.ts'
import { expectCalibrated, expectExact, expectHarmless } from '../support/expectations.ts'
import { audioTrack, chain, concatenated, readerOf } from '../support/scan.ts'
import { noise, sequence, silence, tones, transients } from '../support/signals.ts'

function recogniser(config: Uint8Array): Recogniser {
  const made = flac.recogniser(audioTrack('flac', config))
  if (!made) throw new Error('no recogniser')
  return made
}

const mixed = (rate: number) => sequence([tones(rate), transients(rate), silence, noise(2, 1)], 9000)
const encodeFlac = (rate: number, channels: number, format: typeof AV_SAMPLE_FMT_S16) =>
  encode({ encoder: FF_ENCODER_FLAC, rate, channels, format, signal: mixed(rate), samples: 100_000 })

describe('FLAC frames', () => {
  it.each([
    ['16 bits mono', 44100, 1, AV_SAMPLE_FMT_S16],
    ['16 bits stereo', 48000, 2, AV_SAMPLE_FMT_S16],
    ['24 bits stereo at an odd rate', 37800, 2, AV_SAMPLE_FMT_S32],
    ['16 bits 5.1', 96000, 6, AV_SAMPLE_FMT_S16],
  ] as const)('are parsed to exactly their length: %s', (_name, rate, channels, format) => {
    const { config, packets } = encodeFlac(rate, channels, format)
    expectExact(() => recogniser(config), packets)
    const made = recogniser(config)
    const units = chain(made, concatenated(packets))
    expect(made.timescale).toBe(rate)
    expect(units.reduce((sum, unit) => sum + unit.duration, 0)).toBe(100_000)
    expect(Math.min(...units.map((unit) => unit.evidence))).toBeGreaterThan(40)
  })

  it('are called damaged when their checksum fails', () => {
    const { config, packets } = encodeFlac(44100, 1, AV_SAMPLE_FMT_S16)
    const packet = Uint8Array.from(packets[0])
    packet[packet.length - 1] ^= 1
    const unit = new Unit()
    expect(recogniser(config).recognise(readerOf(packet), 0, packet.length, unit)).toBe(true)
    expect([unit.damaged, unit.length]).toEqual([true, packet.length])
    expect(recogniser(config).intact?.(readerOf(packet), 0, packet.length)).toBe(false)
    expect(recogniser(config).intact?.(readerOf(packets[0]), 0, packet.length)).toBe(true)
  })

  it('are read with STREAMINFO behind its metadata header too', () => {
    const { config, packets } = encodeFlac(44100, 2, AV_SAMPLE_FMT_S16)
    expect(config.length).toBe(34)
    for (const prefix of [
      [0x80, 0, 0, 34],
      [0x66, 0x4c, 0x61, 0x43, 0, 0, 0, 34],
    ]) {
      const made = recogniser(concatenated([Uint8Array.from(prefix), config]))
      expect(made.timescale).toBe(44100)
      expect(chain(made, packets[0]).length).toBe(1)
    }
  })

  it('are seen in random bytes no oftener than their evidence says', () => {
    const { config } = encodeFlac(44100, 2, AV_SAMPLE_FMT_S16)
    expect(expectCalibrated(recogniser(config), 1_000_000, 4)).toEqual([])
  })

  it('never throw and never reach past the end', () => {
    const { config, packets } = encodeFlac(44100, 2, AV_SAMPLE_FMT_S16)
    expectHarmless(() => recogniser(config), [packets[0].subarray(0, 20), packets[5].subarray(0, 40)])
    expectHarmless(() => recogniser(new Uint8Array(0)), [packets[0].subarray(0, 20)])
    expectHarmless(() => flac.recogniser(audioTrack('flac', packets[0])))
  })
})
