import { AV_SAMPLE_FMT_S32, FF_ENCODER_DCA } from 'node-av/constants'
import { describe, expect, it } from 'vitest'
import { dts } from '../../../src/codecs/dts/index.ts'
import type { Recogniser } from '../../../src/codecs/recogniser.ts'
import { encode } from '../support/encode.ts'
import { expectCalibrated, expectExact, expectHarmless } from '../support/expectations.ts'
import { audioTrack, chain, concatenated } from '../support/scan.ts'
import { tones } from '../support/signals.ts'

function recogniser(): Recogniser {
  const made = dts.recogniser(audioTrack('dts', new Uint8Array(0), { sampleRate: 48_000 }))
  if (!made) throw new Error('no recogniser')
  return made
}

const packets = encode({
  ...{ encoder: FF_ENCODER_DCA, rate: 48_000, channels: 2, bitRate: 768_000, signal: tones(48_000) },
  ...{ samples: 24_000, format: AV_SAMPLE_FMT_S32, options: { strict: 'experimental' } },
}).packets

/** An extension substream of some bytes, ETSI TS 102 114 §7.4.1. */
function extension(bytes: number): Uint8Array {
  const made = new Uint8Array(bytes).fill(0x35)
  // sync word, user byte, index 0, short header, its length, the whole length
  const word = (3 << 16) | (bytes - 1)
  made.set([
    0x64,
    0x58,
    0x20,
    0x25,
    0,
    (word >> 19) & 31,
    (word >> 11) & 255,
    (word >> 3) & 255,
    (word << 5) & 255,
  ])
  return made
}

describe('DTS frames', () => {
  it('are measured exactly and tell their samples', () => {
    expectExact(recogniser, packets)
    const units = chain(recogniser(), concatenated(packets))
    expect(new Set(units.map(({ duration }) => duration))).toEqual(new Set([512]))
  })

  it('take the extension substreams behind them along', () => {
    const extended = packets.map((packet, i) => concatenated([packet, extension(200 + i)]))
    expectExact(recogniser, extended)
  })

  it('are not found in noise, and any bytes are safe', () => {
    expectCalibrated(recogniser(), 200_000, 5)
    expectHarmless(recogniser, [packets[0], extension(40)])
  })
})
