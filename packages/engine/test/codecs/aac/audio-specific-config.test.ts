import { describe, expect, it } from 'vitest'
import { parseAudioSpecificConfig, plainConfig } from '../../../src/codecs/aac/audio-specific-config.ts'
import { BitWriter } from '../support/bit-writer.ts'

const parse = (...bytes: number[]) => parseAudioSpecificConfig(Uint8Array.from(bytes))

describe('AudioSpecificConfig', () => {
  it('reads plain AAC-LC stereo at 44.1 kHz', () => {
    expect(parse(0x12, 0x10)).toMatchObject({
      objectType: 2,
      coreSampleRate: 44100,
      outputSampleRate: 44100,
      channels: 2,
      frameLength: 1024,
      sbr: false,
      ps: false,
      elements: [1],
    })
  })

  it('reads 5.1 and 7.1 channels in coding order', () => {
    expect(parse(0x11, 0xb0)).toMatchObject({ channels: 6, elements: [0, 1, 1, 3] })
    expect(parse(0x11, 0xb8)).toMatchObject({ channels: 8, elements: [0, 1, 1, 1, 3] })
  })

  it('reads frames of 960 samples', () => {
    expect(parse(0x12, 0x14)).toMatchObject({ frameLength: 960 })
  })

  it('reads SBR signalled hierarchically, and PS', () => {
    expect(parse(0x2b, 0x8a, 0x08, 0x00)).toMatchObject({
      objectType: 2,
      coreSampleRate: 22050,
      outputSampleRate: 44100,
      sbr: true,
      ps: false,
    })
    expect(parse(0xeb, 0x8a, 0x08, 0x00)).toMatchObject({ objectType: 2, channels: 1, sbr: true, ps: true })
  })

  it('reads SBR and PS signalled backward compatibly', () => {
    expect(parse(0x13, 0x88, 0x56, 0xe5, 0xa0)).toMatchObject({
      coreSampleRate: 22050,
      outputSampleRate: 44100,
      sbr: true,
      ps: false,
    })
    expect(parse(0x13, 0x88, 0x56, 0xe5, 0xa5, 0x48, 0x80)).toMatchObject({ sbr: true, ps: true })
    expect(parse(0x12, 0x10, 0x56, 0xe5, 0x00)).toMatchObject({ sbr: false, ps: false })
  })

  it('reads a sampling rate outside the table and takes the bands of the nearest', () => {
    const bits = new BitWriter().put(2, 5).put(15, 4).put(37_800, 24).put(2, 4).put(0, 3).align()
    expect(parseAudioSpecificConfig(bits.bytes())).toMatchObject({ coreSampleRate: 37_800, samplingIndex: 4 })
  })

  it('takes the channels from a program config element when the configuration has none', () => {
    const bits = new BitWriter().put(2, 5).put(3, 4).put(0, 4).put(0, 3)
    bits.put(0, 4).put(1, 2).put(3, 4).put(2, 4).put(0, 4).put(1, 4).put(1, 2).put(0, 3).put(0, 4).put(0, 3)
    bits.put(0b0_0000, 5).put(0b1_0000, 5).put(0b1_0001, 5).put(0, 4).align().put(0, 8)
    expect(parseAudioSpecificConfig(bits.bytes())).toMatchObject({
      channelConfiguration: 0,
      channels: 6,
      elements: [0, 1, 1, 3],
    })
  })

  it('reads an escaped object type as one it does not know', () => {
    const bits = new BitWriter().put(31, 5).put(10, 6).put(3, 4).put(2, 4).put(0, 13)
    expect(parseAudioSpecificConfig(bits.bytes())).toBeUndefined()
  })

  it('forgives a missing core coder delay, which an audiobook encoder left out', () => {
    expect(parse(0x12, 0x12)).toMatchObject({ channels: 2 })
  })

  it('refuses what is cut off or reserved', () => {
    expect(parse()).toBeUndefined()
    expect(parse(0x12)).toBeUndefined()
    expect(parse(0x16, 0xd0)).toBeUndefined()
    expect(parse(0x12, 0x40)).toBeUndefined()
    expect(parse(0x11, 0x80)).toBeUndefined()
  })

  it('is made up for a track that lost its own, where rate and channels have a code', () => {
    const config = plainConfig(48000, 2)
    expect(config && parseAudioSpecificConfig(config)).toMatchObject({ coreSampleRate: 48000, channels: 2 })
    expect(plainConfig(47999, 2)).toBeUndefined()
    expect(plainConfig(48000, 7)).toBeUndefined()
  })
})
