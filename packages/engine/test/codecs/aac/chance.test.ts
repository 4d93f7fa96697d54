import fc from 'fast-check'
import { FF_ENCODER_AAC } from 'node-av/constants'
import { describe, expect, it } from 'vitest'
import { aac } from '../../../src/codecs/aac/index.ts'
import { type Recogniser, Unit } from '../../../src/codecs/recogniser.ts'
import { encode } from '../support/encode.ts'
import { audioTrack, chain, concatenated, evidenceInNoise, readerOf } from '../support/scan.ts'
import { tones } from '../support/signals.ts'

const MONO = Uint8Array.of(0x12, 0x08)
const STEREO = Uint8Array.of(0x11, 0x90)
const SURROUND = Uint8Array.of(0x11, 0xb0)

function recogniser(config: Uint8Array): Recogniser {
  const made = aac.recogniser(audioTrack('aac', config))
  if (!made) throw new Error('no recogniser')
  return made
}

function trained(): Recogniser {
  const { config, packets } = encode({
    encoder: FF_ENCODER_AAC,
    rate: 48000,
    channels: 2,
    signal: tones(48000),
    samples: 48000,
  })
  const made = recogniser(config)
  chain(made, concatenated(packets))
  return made
}

const PLACES = 300_000

describe('AAC in random bytes', () => {
  it.each([
    ['mono', () => recogniser(MONO)],
    ['stereo', () => recogniser(STEREO)],
    ['5.1', () => recogniser(SURROUND)],
    ['stereo that learned a track', trained],
  ])('is seldom seen, and ever more seldom with more evidence: %s', (_name, make) => {
    const found = evidenceInNoise(make(), PLACES, 20)
    expect(found.length / PLACES).toBeLessThan(1e-3)
    for (const evidence of [2, 4, 8, 12]) {
      const as = found.filter((bits) => bits >= evidence).length
      // Evidence of e bits promises one place in 2^e; four more for the scatter of small counts.
      expect(as).toBeLessThanOrEqual(PLACES * 2 ** -evidence + 4)
    }
    expect(found.filter((bits) => bits >= 8).length / PLACES).toBeLessThan(1e-4)
    expect(found.filter((bits) => bits >= 24)).toEqual([])
  })

  it('never throws, never reads past the end and never changes its mind', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 0, maxLength: 600 }),
        fc.constantFrom(MONO, STEREO, SURROUND),
        fc.nat(600),
        (bytes, config, end) => {
          const subject = recogniser(config)
          const reader = readerOf(bytes)
          const unit = new Unit()
          const limit = Math.min(end, bytes.length)
          for (let offset = 0; offset < limit; offset++) {
            if (!subject.recognise(reader, offset, limit, unit)) continue
            const { length, evidence } = unit
            expect(offset + length).toBeLessThanOrEqual(limit)
            expect(subject.recognise(reader, offset, limit, unit)).toBe(true)
            expect([unit.length, unit.evidence]).toEqual([length, evidence])
          }
          const found = subject.search(reader, 0, limit)
          expect(found).toBeLessThanOrEqual(limit)
        },
      ),
      { seed: 1, numRuns: 150 },
    )
  })

  it('takes any bytes as a configuration without throwing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 24 }), fc.uint8Array({ maxLength: 200 }), (config, bytes) => {
        const subject = aac.recogniser(audioTrack('aac', config))
        const unit = new Unit()
        const seen = subject?.recognise(readerOf(bytes), 0, bytes.length, unit) ?? false
        expect(seen && unit.length <= 0).toBe(false)
      }),
      { seed: 2, numRuns: 500 },
    )
  })

  it('is not seen in zeros, and hardly in a run of one byte', () => {
    const unit = new Unit()
    for (let byte = 0; byte < 256; byte++) {
      const reader = readerOf(new Uint8Array(8192).fill(byte))
      for (const config of [MONO, STEREO, SURROUND]) {
        const seen = recogniser(config).recognise(reader, 0, 8192, unit)
        expect(seen && (byte === 0 || unit.evidence >= 24), `${byte}`).toBe(false)
      }
    }
  })
})
