import { FF_ENCODER_AC3, FF_ENCODER_EAC3, type FFAudioEncoder } from 'node-av/constants'
import { describe, expect, it } from 'vitest'
import { ac3, eac3 } from '../../../src/codecs/ac3/index.ts'
import { type Recogniser, Unit } from '../../../src/codecs/recogniser.ts'
import { encode } from '../support/encode.ts'
import { expectCalibrated, expectExact, expectHarmless } from '../support/expectations.ts'
import { audioTrack, chain, concatenated, readerOf } from '../support/scan.ts'
import { tones } from '../support/signals.ts'

function recogniser(codec: typeof ac3, sampleRate?: number): Recogniser {
  const made = codec.recogniser(
    audioTrack(codec.name, new Uint8Array(0), sampleRate === undefined ? {} : { sampleRate }),
  )
  if (!made) throw new Error('no recogniser')
  return made
}

const packetsOf = (encoder: FFAudioEncoder, rate: number, channels: number, bitRate: number) =>
  encode({ encoder, rate, channels, bitRate, signal: tones(rate), samples: rate }).packets

describe('AC-3 frames', () => {
  it.each([
    ['AC-3 stereo at 48 kHz', ac3, FF_ENCODER_AC3, 48000, 2, 192_000],
    ['AC-3 5.1 at 44.1 kHz', ac3, FF_ENCODER_AC3, 44100, 6, 448_000],
    ['AC-3 mono at 32 kHz', ac3, FF_ENCODER_AC3, 32000, 1, 64_000],
    ['E-AC-3 stereo at 48 kHz', eac3, FF_ENCODER_EAC3, 48000, 2, 128_000],
    ['E-AC-3 5.1 at 44.1 kHz', eac3, FF_ENCODER_EAC3, 44100, 6, 320_000],
  ] as const)('are measured exactly and check out: %s', (_name, codec, encoder, rate, channels, bitRate) => {
    const packets = packetsOf(encoder, rate, channels, bitRate)
    expectExact(() => recogniser(codec, rate), packets)
    expectExact(() => recogniser(codec), packets)
    const units = chain(recogniser(codec, rate), concatenated(packets))
    expect(new Set(units.map((unit) => unit.duration))).toEqual(new Set([1536]))
    expect(Math.min(...units.map((unit) => unit.evidence))).toBeGreaterThan(32)
  })

  it('are no frames of a track whose own are those of E-AC-3', () => {
    const [first] = packetsOf(FF_ENCODER_EAC3, 48000, 2, 192_000)
    const [packet] = packetsOf(FF_ENCODER_AC3, 48000, 2, 192_000)
    const unit = new Unit()
    const made = recogniser(eac3, 48000)
    expect(made.recognise(readerOf(packet), 0, packet.length, unit)).toBe(true)
    made.learn?.(readerOf(first), 0, first.length)
    expect(made.recognise(readerOf(packet), 0, packet.length, unit)).toBe(false)
    expect(made.search(readerOf(packet), 0, packet.length)).toBe(packet.length)
  })

  it('keep their length and are called damaged when a byte inside changed', () => {
    const [packet] = packetsOf(FF_ENCODER_AC3, 48000, 2, 192_000)
    const unit = new Unit()
    const made = recogniser(ac3, 48000)
    expect(made.recognise(readerOf(packet), 0, packet.length, unit)).toBe(true)
    expect(unit.damaged).toBe(false)
    const { evidence } = unit
    packet[packet.length >> 1] ^= 0x10
    expect(made.recognise(readerOf(packet), 0, packet.length, unit)).toBe(true)
    expect([unit.damaged, unit.length]).toEqual([true, packet.length])
    expect(unit.evidence).toBeLessThan(evidence)
  })

  it('are intact while every checksum holds, unless the encoder writes none', () => {
    const packets = packetsOf(FF_ENCODER_AC3, 48000, 2, 192_000)
    const [packet] = packets
    const hit = Uint8Array.from(packet)
    hit[hit.length >> 1] ^= 0x10
    const made = recogniser(ac3, 48000)
    made.learn?.(readerOf(packet), 0, packet.length)
    expect(made.intact?.(readerOf(packet), 0, packet.length)).toBe(true)
    expect(made.intact?.(readerOf(hit), 0, hit.length)).toBe(false)
    const careless = recogniser(ac3, 48000)
    careless.learn?.(readerOf(hit), 0, hit.length)
    expect(careless.intact?.(readerOf(hit), 0, hit.length)).toBe(true)
  })

  it('gather dependent substreams and short frames into one unit of six blocks', () => {
    const packets = packetsOf(FF_ENCODER_EAC3, 48000, 2, 128_000)
    const dependent = packets.map((packet) => Uint8Array.from(packet))
    for (const packet of dependent) packet[2] |= 0x40
    const woven = packets.flatMap((packet, index) => [packet, dependent[index]])
    const units = chain(recogniser(eac3, 48000), concatenated(woven))
    expect(units.map((unit) => unit.length)).toEqual(packets.map((packet) => packet.length * 2))

    const short = packets.map((packet) => Uint8Array.from(packet))
    // numblkscod 2: three blocks a frame.
    for (const packet of short) packet[4] = (packet[4] & 0xcf) | 0x20
    const pairs = chain(recogniser(eac3, 48000), concatenated(short.slice(0, 10)))
    expect(pairs.map((unit) => unit.length)).toEqual(Array(5).fill(packets[0].length * 2))
    expect(pairs.map((unit) => unit.duration)).toEqual(Array(5).fill(1536))

    // A muxer that stores each frame on its own shows it in the sample.
    const taught = recogniser(eac3, 48000)
    taught.learn?.(readerOf(short[0]), 0, short[0].length)
    const singles = chain(taught, concatenated(short.slice(0, 10)))
    expect(singles.map((unit) => unit.duration)).toEqual(Array(10).fill(768))
  })

  it('are seen in random bytes no oftener than their evidence says', () => {
    for (const codec of [ac3, eac3]) {
      const found = expectCalibrated(recogniser(codec), 1_000_000, 9)
      expect(found.filter((bits) => bits >= 30)).toEqual([])
    }
  })

  it('never throw and never reach past the end', () => {
    const starts = [Uint8Array.of(0x0b, 0x77, 1, 2, 0x02, 0x40), Uint8Array.of(0x0b, 0x77, 0, 20, 0x30, 0x80)]
    expectHarmless(() => recogniser(ac3), starts)
    expectHarmless(() => recogniser(eac3), starts)
  })
})
