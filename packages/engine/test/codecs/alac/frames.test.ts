import { AV_SAMPLE_FMT_S16P, AV_SAMPLE_FMT_S32P, FF_ENCODER_ALAC } from 'node-av/constants'
import { describe, expect, it, vi } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { parseAlacConfig } from '../../../src/codecs/alac/config.ts'
import { AlacFrame } from '../../../src/codecs/alac/frame.ts'
import { alac } from '../../../src/codecs/alac/index.ts'
import { type Recogniser, Unit } from '../../../src/codecs/recogniser.ts'
import { encode } from '../support/encode.ts'
import { expectCalibrated, expectExact, expectHarmless } from '../support/expectations.ts'
import { audioTrack, chain, concatenated } from '../support/scan.ts'
import { noise, sequence, silence, tones, transients } from '../support/signals.ts'

function recogniser(config: Uint8Array): Recogniser {
  const made = alac.recogniser(audioTrack('alac', config))
  if (!made) throw new Error('no recogniser')
  return made
}

/** Loud noise makes the encoder store samples as they are; silence makes runs of zeros. */
const mixed = (rate: number) =>
  sequence([tones(rate), transients(rate), silence, noise(2, 1), noise(5, 0.0001)], 9000)

const encodeAlac = (rate: number, channels: number, format: typeof AV_SAMPLE_FMT_S16P) =>
  encode({ encoder: FF_ENCODER_ALAC, rate, channels, format, signal: mixed(rate), samples: 100_000 })

describe('Apple Lossless frames', () => {
  it.each([
    ['16 bits mono', 44100, 1, AV_SAMPLE_FMT_S16P],
    ['16 bits stereo', 48000, 2, AV_SAMPLE_FMT_S16P],
    ['24 bits stereo', 96000, 2, AV_SAMPLE_FMT_S32P],
    ['16 bits 5.1', 48000, 6, AV_SAMPLE_FMT_S16P],
    ['24 bits 7.1', 48000, 8, AV_SAMPLE_FMT_S32P],
  ] as const)('are parsed to exactly their length: %s', (_name, rate, channels, format) => {
    const { config, packets } = encodeAlac(rate, channels, format)
    expectExact(() => recogniser(config), packets)
    const units = chain(recogniser(config), concatenated(packets))
    expect(units.reduce((sum, unit) => sum + unit.duration, 0)).toBe(100_000)
    // Frames that store their samples have no predictor to vouch for them.
    expect(Math.min(...units.map((unit) => unit.evidence))).toBeGreaterThan(18)
    expect(units.filter((unit) => unit.evidence > 36).length).toBeGreaterThan(units.length / 2)
  })

  it('are passed with data and filling among their elements, of any length', () => {
    const { config, packets } = encodeAlac(44100, 2, AV_SAMPLE_FMT_S16P)
    const packet = packets[3]
    const bitsOf = (bytes: Uint8Array): string =>
      Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
    const number = (value: number, count: number): string => value.toString(2).padStart(count, '0')
    const filled = (bits: string): string => bits + '0'.repeat(-bits.length & 7)
    // the last element is the end, all ones, with zeros behind it
    const whole = bitsOf(packet).replace(/1110*$/, '')
    const long = (count: number, most: number, bits: number): string =>
      count < most
        ? number(count, bits)
        : number(most, bits) + number(count - most + (most === 15 ? 1 : 0), 8)
    const body = (count: number): string => '01100101'.repeat(count)
    const data = (count: number, aligned: boolean) => (before: string) => {
      const head = `${before}100${number(9, 4)}${aligned ? 1 : 0}${long(count, 255, 8)}`
      return (aligned ? filled(head) : head) + body(count)
    }
    const fill = (count: number) => (before: string) => `${before}110${long(count, 15, 4)}${body(count)}`
    const inserted = [
      data(0, false),
      data(7, false),
      data(7, true),
      data(254, true),
      data(300, true),
      fill(0),
      fill(14),
      fill(15),
      fill(100),
    ]
    for (const [i, element] of inserted.entries()) {
      const bits = filled(`${element(whole)}111`)
      const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
      const reader = new ByteReader(new MemorySource(concatenated([bytes, packets[4]])))
      const unit = new Unit()
      expect(recogniser(config).recognise(reader, 0, reader.size, unit), `${i}`).toBe(true)
      expect(unit.length, `${i}`).toBe(bytes.length)
    }
  })

  it('may hold no samples, as the last one of an encoder that was told to end', () => {
    const { config } = encodeAlac(44100, 1, AV_SAMPLE_FMT_S16P)
    const unit = new Unit()
    const read = (...bytes: number[]): boolean =>
      recogniser(config).recognise(
        new ByteReader(new MemorySource(Uint8Array.from(bytes))),
        0,
        bytes.length,
        unit,
      )
    expect(read(0, 0, 0x12, 0, 0, 0, 1, 0xc0)).toBe(true)
    expect([unit.length, unit.duration]).toEqual([8, 0])
    // none that is compressed
    expect(read(0, 0, 0x10, 0, 0, 0, 1, 0xc0)).toBe(false)
  })

  it('are read with the cookie bare or wrapped as in QuickTime', () => {
    const { config } = encodeAlac(44100, 2, AV_SAMPLE_FMT_S16P)
    const found = parseAlacConfig(config)
    expect(found).toMatchObject({ frameLength: 4096, bitDepth: 16, channels: 2, sampleRate: 44100 })
    const cookie = config.subarray(config.length - 24)
    expect(parseAlacConfig(cookie)).toEqual(found)
    const text = (name: string) => Uint8Array.from(name, (letter) => letter.charCodeAt(0))
    const wrapped = concatenated([
      Uint8Array.of(0, 0, 0, 12),
      text('frmaalac'),
      Uint8Array.of(0, 0, 0, 36),
      text('alac'),
      new Uint8Array(4),
      cookie,
    ])
    expect(parseAlacConfig(wrapped)).toEqual(found)
    expect(parseAlacConfig(cookie.subarray(1))).toBeUndefined()
    expect(alac.recogniser(audioTrack('alac', new Uint8Array(0)))).toBeUndefined()
  })

  it('are seen in random bytes no oftener than their evidence says, and not in zeros', () => {
    for (const channels of [1, 2, 6]) {
      const { config } = encodeAlac(44100, channels, AV_SAMPLE_FMT_S16P)
      const found = expectCalibrated(recogniser(config), 1_000_000, channels)
      expect(found.filter((bits) => bits >= 16)).toEqual([])
      expect(chain(recogniser(config), new Uint8Array(20_000))).toEqual([])
    }
  })

  it('are tried where noise offers a start, no more often: each try reads thousands of samples', () => {
    const { config } = encodeAlac(44100, 2, AV_SAMPLE_FMT_S16P)
    const bytes = Uint8Array.from({ length: 1 << 19 }, (_, at) => (at % 3 === 0 ? 0x20 : 0))
    const parse = vi.spyOn(AlacFrame.prototype, 'parse')
    expect(recogniser(config).search(new ByteReader(new MemorySource(bytes)), 0, bytes.length)).toBe(
      bytes.length,
    )
    expect(parse.mock.calls.length).toBeGreaterThan(100)
    expect(parse.mock.calls.length).toBeLessThan(bytes.length / 256)
    parse.mockRestore()
  })

  it('never throw and never reach past the end', () => {
    const { config, packets } = encodeAlac(44100, 1, AV_SAMPLE_FMT_S16P)
    const tail = packets[packets.length - 1]
    expectHarmless(
      () => recogniser(config),
      [tail.subarray(0, 30), Uint8Array.of(0, 0, 0x02), Uint8Array.of(0, 0, 0x10, 0, 0)],
    )
    expectHarmless(() => alac.recogniser(audioTrack('alac', tail)))
  })
})
