import { FF_ENCODER_LIBOPUS } from 'node-av/constants'
import { describe, expect, it } from 'vitest'
import { opus } from '../../../src/codecs/opus/index.ts'
import { multistreamSamples, otherModes, packetSamples } from '../../../src/codecs/opus/packet.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { encode } from '../support/encode.ts'
import { expectHarmless } from '../support/expectations.ts'
import { audioTrack, readerOf } from '../support/scan.ts'
import { tones } from '../support/signals.ts'

const packet = (...bytes: number[]) => packetSamples(Uint8Array.from(bytes))

describe('Opus packets', () => {
  it.each([
    ['2.5', 120],
    ['5', 240],
    ['10', 480],
    ['20', 960],
    ['40', 1920],
    ['60', 2880],
    ['120', 5760],
  ])('sound as long as they were encoded to: %s ms', (duration, samples) => {
    const { packets } = encode({
      encoder: FF_ENCODER_LIBOPUS,
      rate: 48000,
      channels: 2,
      signal: tones(48000),
      samples: 48000,
      options: { frame_duration: duration },
    })
    expect(new Set(packets.map((bytes) => packetSamples(bytes)))).toEqual(new Set([samples]))
  })

  it('of other modes and bandwidths sound as long, with as many channels and frames', () => {
    const others = otherModes(0xfd)
    expect(others).toContain(0x7d)
    expect(new Set(others).size).toBe(8)
    for (const other of others) {
      expect(packet(other, 1, 2)).toBe(packet(0xfd, 1, 2))
      expect(other & 7).toBe(5)
    }
  })

  it('follow the rules of RFC 6716 on counts, padding and lengths', () => {
    expect(packet(0xfc)).toBe(960)
    expect(packet(0xfd, 1, 2)).toBe(1920)
    expect(packet(0xfd, 1)).toBe(0)
    expect(packet(0xfe, 1, 9, 9)).toBe(1920)
    expect(packet(0xfe, 3, 9, 9)).toBe(0)
    expect(packet(0xff, 3, 1, 2, 3)).toBe(2880)
    expect(packet(0xff, 3, 1, 2)).toBe(0)
    expect(packet(0xff, 7, 0, 0, 0, 0, 0, 0, 0)).toBe(0)
    expect(packet(0xff, 0x42, 2, 1, 2, 0, 0)).toBe(1920)
    expect(packet(0xff, 0x82, 1, 5, 6, 6)).toBe(1920)
    expect(packet(0xff, 0x82, 9, 5, 6, 6)).toBe(0)
    expect(packet()).toBe(0)
  })

  it('of several streams sound as long as their first stream', () => {
    const { packets } = encode({
      encoder: FF_ENCODER_LIBOPUS,
      rate: 48000,
      channels: 6,
      signal: tones(48000),
      samples: 48000,
      options: { mapping_family: '1' },
    })
    expect(new Set(packets.map((bytes) => multistreamSamples(bytes)))).toEqual(new Set([960]))
    const made = opus.recogniser(audioTrack('opus', new Uint8Array(0), { channels: 6 }))
    const unit = new Unit()
    for (const bytes of packets) expect(made?.recognise(readerOf(bytes), 0, bytes.length, unit)).toBe(true)
  })

  it('carry evidence in their first byte alone, and no length', () => {
    const { packets } = encode({
      encoder: FF_ENCODER_LIBOPUS,
      rate: 48000,
      channels: 1,
      signal: tones(48000),
      samples: 48000,
    })
    const made = opus.recogniser(audioTrack('opus', new Uint8Array(0)))
    if (!made) throw new Error('no recogniser')
    const unit = new Unit()
    for (const bytes of packets) {
      const reader = readerOf(bytes)
      expect(made.recognise(reader, 0, bytes.length, unit)).toBe(true)
      expect([unit.length, unit.duration, unit.lengthKnown]).toEqual([bytes.length, 960, false])
      made.accept(reader, 0, unit)
    }
    expect(unit.evidence).toBeGreaterThan(5)
    expect(unit.evidence).toBeLessThanOrEqual(8)
    expect(made.selfDelimiting).toBe(false)
  })

  it('never throw and never reach past the end', () => {
    expectHarmless(
      () => opus.recogniser(audioTrack('opus', new Uint8Array(0))),
      [Uint8Array.of(0xff, 0xc5, 255, 255, 3)],
    )
  })
})
