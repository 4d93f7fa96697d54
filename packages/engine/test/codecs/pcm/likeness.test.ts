import fc from 'fast-check'
import { FF_ENCODER_PCM_ALAW, FF_ENCODER_PCM_MULAW } from 'node-av/constants'
import { describe, expect, it } from 'vitest'
import { pcm } from '../../../src/codecs/pcm/index.ts'
import { type PcmLayout, pcmLayoutOf } from '../../../src/codecs/pcm/layout.ts'
import { PcmLikeness } from '../../../src/codecs/pcm/likeness.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { encode } from '../support/encode.ts'
import { audioTrack, concatenated, readerOf } from '../support/scan.ts'
import { randomBytes, type Signal, sequence, tones, transients } from '../support/signals.ts'

type Facts = Readonly<Record<string, number | string>>

function layout(channels: number, facts: Facts): PcmLayout {
  const found = pcmLayoutOf(audioTrack('pcm', new Uint8Array(0), { channels, facts }))
  if (!found) throw new Error('no layout')
  return found
}

/** Whole sample frames of a signal as bytes. */
function pcmBytes(to: PcmLayout, signal: Signal, frames: number): Uint8Array {
  const width = to.bits / 8
  const bytes = new Uint8Array(frames * to.blockAlign)
  const view = new DataView(bytes.buffer)
  const little = to.endian === 'little'
  for (let frame = 0; frame < frames; frame++) {
    for (let channel = 0; channel < to.channels; channel++) {
      const value = Math.max(-1, Math.min(1, signal(frame, channel)))
      const at = frame * to.blockAlign + channel * width
      if (to.float) {
        if (to.bits === 32) view.setFloat32(at, value, little)
        else view.setFloat64(at, value, little)
        continue
      }
      const scaled = Math.round(value * (2 ** (to.bits - 1) - 1)) + (to.signed ? 0 : 2 ** (to.bits - 1))
      for (let byte = 0; byte < width; byte++) {
        const shift = little ? byte : width - 1 - byte
        bytes[at + byte] = Math.floor(scaled / 2 ** (8 * shift)) & 255
      }
    }
  }
  return bytes
}

const RATE = 48000
const sound = sequence([tones(RATE), transients(RATE)], 6000)

const layouts: [string, PcmLayout][] = [
  ['16 bits little-endian stereo', layout(2, { bitsPerSample: 16, endian: 'little' })],
  ['16 bits big-endian mono', layout(1, { bitsPerSample: 16, endian: 'big' })],
  ['24 bits big-endian stereo', layout(2, { bitsPerSample: 24, endian: 'big' })],
  ['32 bits little-endian, four channels', layout(4, { bitsPerSample: 32, endian: 'little' })],
  ['8 bits unsigned mono', layout(1, { bitsPerSample: 8, signed: 0 })],
  ['32-bit float stereo', layout(2, { bitsPerSample: 32, float: 1 })],
  ['64-bit float big-endian mono', layout(1, { bitsPerSample: 64, float: 1, endian: 'big' })],
]

describe('PCM likeness', () => {
  it.each(layouts)('scores sound high and random bytes low: %s', (_name, of) => {
    const likeness = new PcmLikeness(of)
    const samples = 2000 * of.channels
    expect(likeness.score(pcmBytes(of, sound, 2000)) / samples).toBeGreaterThan(1)
    expect(likeness.score(randomBytes(2000 * of.blockAlign, 5)) / samples).toBeLessThan(0)
  })

  it.each(layouts)('finds where sound turns into other bytes within a few frames: %s', (_name, of) => {
    const likeness = new PcmLikeness(of)
    for (const frames of [200, 1024, 5000]) {
      const bytes = concatenated([pcmBytes(of, sound, frames), randomBytes(4000, frames)])
      const off = likeness.extent(bytes) / of.blockAlign - frames
      expect(Math.abs(off)).toBeLessThan(6)
    }
  })

  it.each(layouts)('finds where sound begins within a few frames: %s', (_name, of) => {
    const likeness = new PcmLikeness(of)
    const before = randomBytes(of.blockAlign * 500, 8)
    const bytes = concatenated([before, pcmBytes(of, tones(RATE), 3000)])
    expect(Math.abs(likeness.onset(bytes) / of.blockAlign - 500)).toBeLessThan(6)
  })

  it('tells the right layout from the wrong ones', () => {
    const right = layout(2, { bitsPerSample: 16, endian: 'little' })
    const bytes = pcmBytes(right, sound, 4000)
    const best = new PcmLikeness(right).score(bytes)
    for (const wrong of [
      layout(2, { bitsPerSample: 16, endian: 'big' }),
      layout(2, { bitsPerSample: 24, endian: 'little' }),
      layout(1, { bitsPerSample: 8, signed: 0 }),
      layout(1, { bitsPerSample: 32, float: 1 }),
    ]) {
      expect(new PcmLikeness(wrong).score(bytes)).toBeLessThan(best)
    }
    // One byte late every sample mixes two.
    expect(new PcmLikeness(right).score(bytes.subarray(1))).toBeLessThan(best / 4)
  })

  it.each([
    ['ulaw', FF_ENCODER_PCM_MULAW],
    ['alaw', FF_ENCODER_PCM_ALAW],
  ] as const)('tells companded sound from random bytes: %s', (law, encoder) => {
    const { packets } = encode({ encoder, rate: 8000, channels: 1, signal: tones(16000), samples: 8000 })
    const likeness = new PcmLikeness(layout(1, { bitsPerSample: 8, law }))
    const speech = concatenated(packets)
    expect(likeness.score(speech) / speech.length).toBeGreaterThan(0.5)
    expect(likeness.score(randomBytes(speech.length, 3))).toBeLessThan(0)
    expect(
      Math.abs(likeness.extent(concatenated([speech, randomBytes(3000, 4)])) - speech.length),
    ).toBeLessThan(12)
  })

  it('says nothing of runs of one value', () => {
    expect(new PcmLikeness(layouts[0][1]).score(new Uint8Array(4096))).toBe(0)
  })
})

describe('PCM layout', () => {
  it('is refused when sizes contradict', () => {
    const track = { channels: 2, blockAlign: 6 }
    expect(
      pcmLayoutOf(audioTrack('pcm', new Uint8Array(0), { ...track, facts: { bitsPerSample: 16 } })),
    ).toBeUndefined()
    expect(pcmLayoutOf(audioTrack('pcm', new Uint8Array(0), track))?.bits).toBe(24)
    expect(pcmLayoutOf(audioTrack('pcm', new Uint8Array(0), { channels: 0 }))).toBeUndefined()
    expect(
      pcmLayoutOf(audioTrack('pcm', new Uint8Array(0), { facts: { bitsPerSample: 20 } })),
    ).toBeUndefined()
  })
})

describe('PCM recogniser', () => {
  it('measures a run of sample frames, without claiming syntax', () => {
    const of = layouts[0][1]
    const track = audioTrack('pcm', new Uint8Array(0), { channels: 2, blockAlign: 4, sampleRate: RATE })
    const recogniser = pcm.recogniser(track)
    expect(recogniser?.selfDelimiting).toBe(false)
    const bytes = concatenated([pcmBytes(of, sound, 1920), randomBytes(2000, 1)])
    const unit = new Unit()
    expect(recogniser?.recognise(readerOf(bytes), 0, bytes.length, unit)).toBe(true)
    expect(unit.length % 4).toBe(0)
    expect(Math.abs(unit.duration - 1920)).toBeLessThan(6)
    expect(recogniser?.recognise(readerOf(randomBytes(4000, 2)), 0, 4000, unit)).toBe(false)
  })

  it('never throws and never reads past the end', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.constantFrom(...layouts.map(([, of]) => of)),
        fc.nat(400),
        (bytes, of, end) => {
          const facts = { bitsPerSample: of.bits, endian: of.endian, float: of.float ? 1 : 0 }
          const recogniser = pcm.recogniser(
            audioTrack('pcm', new Uint8Array(0), { channels: of.channels, facts }),
          )
          const unit = new Unit()
          const limit = Math.min(end, bytes.length)
          const seen = recogniser?.recognise(readerOf(bytes), 0, limit, unit) ?? false
          expect(seen && (unit.length <= 0 || unit.length > limit)).toBe(false)
        },
      ),
      { seed: 3, numRuns: 400 },
    )
  })
})
