import { FF_ENCODER_LIBMP3LAME, FF_ENCODER_MP2 } from 'node-av/constants'
import { describe, expect, it } from 'vitest'
import { parseHeader } from '../../../src/codecs/mp3/header.ts'
import { mp3 } from '../../../src/codecs/mp3/index.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { encode } from '../support/encode.ts'
import { expectCalibrated, expectExact, expectHarmless } from '../support/expectations.ts'
import { audioTrack, chain, concatenated, readerOf } from '../support/scan.ts'
import { sequence, silence, tones, transients } from '../support/signals.ts'

const NONE = new Uint8Array(0)

function recogniser(sampleRate?: number) {
  const made = mp3.recogniser(audioTrack('mp3', NONE, sampleRate === undefined ? {} : { sampleRate }))
  if (!made) throw new Error('no recogniser')
  return made
}

const signal = (rate: number) => sequence([tones(rate), transients(rate), silence], rate >> 2)

describe('MPEG audio frames', () => {
  it.each([
    ['MPEG-1 Layer III stereo', FF_ENCODER_LIBMP3LAME, 44100, 2, 128_000, undefined, 1152],
    ['MPEG-1 Layer III mono at a variable rate', FF_ENCODER_LIBMP3LAME, 48000, 1, undefined, 4, 1152],
    ['MPEG-2 Layer III stereo', FF_ENCODER_LIBMP3LAME, 22050, 2, 64_000, undefined, 576],
    ['MPEG 2.5 Layer III mono', FF_ENCODER_LIBMP3LAME, 8000, 1, 16_000, undefined, 576],
    ['MPEG-1 Layer II stereo', FF_ENCODER_MP2, 48000, 2, 224_000, undefined, 1152],
    ['MPEG-2 Layer II mono', FF_ENCODER_MP2, 16000, 1, 64_000, undefined, 1152],
  ] as const)('are measured exactly: %s', (_name, encoder, rate, channels, bitRate, quality, samples) => {
    const { packets } = encode({
      encoder,
      rate,
      channels,
      signal: signal(rate),
      samples: rate * 2,
      ...(bitRate === undefined ? {} : { bitRate }),
      ...(quality === undefined ? {} : { quality }),
    })
    expectExact(() => recogniser(rate), packets)
    expectExact(() => recogniser(), packets)
    const made = recogniser(rate)
    const units = chain(made, concatenated(packets))
    expect(made.timescale).toBe(rate)
    expect(new Set(units.map((unit) => unit.duration))).toEqual(new Set([samples]))
    // A known track speaks up; the first frame alone does less.
    expect(Math.min(...units.slice(2).map((unit) => unit.evidence))).toBeGreaterThan(22)
  })

  it('are told from those of another rate once the track is known', () => {
    const known = encode({
      encoder: FF_ENCODER_LIBMP3LAME,
      rate: 44100,
      channels: 2,
      signal: silence,
      samples: 44100,
    })
    const other = encode({
      encoder: FF_ENCODER_LIBMP3LAME,
      rate: 48000,
      channels: 2,
      signal: silence,
      samples: 48000,
    })
    const made = recogniser(44100)
    chain(made, concatenated(known.packets))
    expect(made.recognise(readerOf(concatenated(other.packets)), 0, 2000, new Unit())).toBe(false)
  })

  it('have the lengths of the standard, padding included', () => {
    expect(parseHeader(0xfffb9004)).toMatchObject({ version: 1, layer: 3, length: 417, channels: 2 })
    expect(parseHeader(0xfffb9204)).toMatchObject({ length: 418 })
    expect(parseHeader(0xfffd9004)).toMatchObject({ layer: 2, length: 522, sampleRate: 44100 })
    expect(parseHeader(0xffff9404)).toMatchObject({ layer: 1, length: 288, sampleRate: 48000, samples: 384 })
    expect(parseHeader(0xfff38004)).toMatchObject({ version: 2, layer: 3, length: 208, samples: 576 })
  })

  it('are refused in free format and with reserved values', () => {
    for (const word of [0xfffb0004, 0xfffbf004, 0xfffb9c04, 0xffeb9004, 0xfff99004, 0x7ffb9004]) {
      expect(parseHeader(word)).toBeUndefined()
    }
  })

  it('are seen in random bytes no oftener than their evidence says', () => {
    expectCalibrated(recogniser(44100), 400_000, 6)
    const { packets } = encode({
      encoder: FF_ENCODER_LIBMP3LAME,
      rate: 44100,
      channels: 2,
      signal: silence,
      samples: 44100,
    })
    const made = recogniser(44100)
    chain(made, concatenated(packets))
    const found = expectCalibrated(made, 400_000, 7)
    expect(found.filter((bits) => bits >= 20)).toEqual([])
  })

  it('never throw and never reach past the end', () => {
    expectHarmless(
      () => recogniser(44100),
      [Uint8Array.of(0xff, 0xfb, 0x10, 0x04), Uint8Array.of(0xff, 0xe3, 0x18, 0xc4)],
    )
  })
})
