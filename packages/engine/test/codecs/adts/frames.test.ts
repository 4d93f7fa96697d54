import { FF_ENCODER_AAC } from 'node-av/constants'
import { describe, expect, it } from 'vitest'
import { parseAudioSpecificConfig } from '../../../src/codecs/aac/audio-specific-config.ts'
import { adts } from '../../../src/codecs/adts/index.ts'
import { type Recogniser, Unit } from '../../../src/codecs/recogniser.ts'
import { BitWriter } from '../support/bit-writer.ts'
import { encode } from '../support/encode.ts'
import { expectCalibrated, expectExact, expectHarmless } from '../support/expectations.ts'
import { audioTrack, chain, concatenated, readerOf } from '../support/scan.ts'
import { tones } from '../support/signals.ts'

function recogniser(sampleRate?: number): Recogniser {
  const made = adts.recogniser(audioTrack('aac-adts', new Uint8Array(0), sampleRate ? { sampleRate } : {}))
  if (!made) throw new Error('no recogniser')
  return made
}

/** AAC frames behind ADTS headers. */
function adtsFrames(rate: number, channels: number): Uint8Array[] {
  const encoded = encode({ encoder: FF_ENCODER_AAC, rate, channels, signal: tones(rate), samples: rate })
  const config = parseAudioSpecificConfig(encoded.config)
  if (!config) throw new Error('no configuration')
  return encoded.packets.map((packet) => {
    const header = new BitWriter()
      .put(0xfff, 12)
      .put(0, 3)
      .put(1, 1)
      .put(1, 2)
      .put(config.samplingIndex, 4)
      .put(0, 1)
    header
      .put(config.channelConfiguration, 3)
      .put(0, 4)
      .put(packet.length + 7, 13)
      .put(0x7ff, 11)
      .put(0, 2)
    return concatenated([header.bytes(), packet])
  })
}

describe('AAC frames with ADTS headers', () => {
  it.each([
    [48000, 2],
    [22050, 1],
    [44100, 6],
  ])('are measured exactly and their content checked: %i Hz, %i channels', (rate, channels) => {
    const frames = adtsFrames(rate, channels)
    expectExact(() => recogniser(rate), frames)
    expectExact(() => recogniser(), frames)
    const made = recogniser()
    const units = chain(made, concatenated(frames))
    expect(made.timescale).toBe(rate)
    expect(new Set(units.map((unit) => unit.duration))).toEqual(new Set([1024]))
    expect(Math.min(...units.slice(3).map((unit) => unit.evidence))).toBeGreaterThan(40)
  })

  it('keep their length and are called damaged when their content does not parse', () => {
    const frame = adtsFrames(48000, 2)[10]
    frame.fill(0, 40)
    const unit = new Unit()
    expect(recogniser().recognise(readerOf(frame), 0, frame.length, unit)).toBe(true)
    expect([unit.length, unit.damaged]).toEqual([frame.length, true])
    expect(unit.evidence).toBeLessThan(20)
  })

  it('are seen in random bytes no oftener than their evidence says', () => {
    expectCalibrated(recogniser(48000), 1_000_000, 31)
    const made = recogniser()
    chain(made, concatenated(adtsFrames(48000, 2)))
    expect(expectCalibrated(made, 1_000_000, 32)).toEqual([])
  })

  it('never throw and never reach past the end', () => {
    expectHarmless(
      () => recogniser(),
      [
        Uint8Array.of(0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc, 0x21, 0x00),
        Uint8Array.of(0xff, 0xf8, 0x10, 0x00, 0x08, 0x1f, 0xff),
      ],
    )
  })
})
