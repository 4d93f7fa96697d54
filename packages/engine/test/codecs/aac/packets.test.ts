import { FF_ENCODER_AAC, FF_ENCODER_LIBFDK_AAC } from 'node-av/constants'
import { describe, expect, it } from 'vitest'
import { aac } from '../../../src/codecs/aac/index.ts'
import { type Recogniser, Unit } from '../../../src/codecs/recogniser.ts'
import { BitWriter } from '../support/bit-writer.ts'
import { type Encoding, encode } from '../support/encode.ts'
import { audioTrack, chain, concatenated, lengthsAlone, readerOf, searched } from '../support/scan.ts'
import { noise, sequence, silence, tones, transients } from '../support/signals.ts'

function recogniser(config: Uint8Array): Recogniser {
  const made = aac.recogniser(audioTrack('aac', config))
  if (!made) throw new Error('no recogniser')
  return made
}

const mixed = (rate: number) =>
  sequence([tones(rate), transients(rate), noise(3), silence, noise(4, 0.01)], Math.round(rate / 4))

const encodings: (Omit<Encoding, 'signal' | 'samples'> & { name: string })[] = [
  { name: 'mono at 44.1 kHz', encoder: FF_ENCODER_AAC, rate: 44100, channels: 1 },
  { name: 'stereo at 48 kHz', encoder: FF_ENCODER_AAC, rate: 48000, channels: 2 },
  { name: 'stereo at 22.05 kHz', encoder: FF_ENCODER_AAC, rate: 22050, channels: 2 },
  { name: 'mono at 8 kHz', encoder: FF_ENCODER_AAC, rate: 8000, channels: 1 },
  { name: 'mono at 7.35 kHz', encoder: FF_ENCODER_AAC, rate: 7350, channels: 1 },
  { name: 'stereo at 16 kHz', encoder: FF_ENCODER_AAC, rate: 16000, channels: 2 },
  { name: 'stereo at 32 kHz', encoder: FF_ENCODER_AAC, rate: 32000, channels: 2 },
  { name: 'stereo at 64 kHz', encoder: FF_ENCODER_AAC, rate: 64000, channels: 2 },
  { name: 'stereo at 96 kHz', encoder: FF_ENCODER_AAC, rate: 96000, channels: 2 },
  { name: '5.1 at 48 kHz', encoder: FF_ENCODER_AAC, rate: 48000, channels: 6 },
  { name: '7.1 at 48 kHz', encoder: FF_ENCODER_AAC, rate: 48000, channels: 8 },
  { name: 'stereo at 16 kb/s', encoder: FF_ENCODER_AAC, rate: 48000, channels: 2, bitRate: 16_000 },
  { name: 'stereo at 512 kb/s', encoder: FF_ENCODER_AAC, rate: 48000, channels: 2, bitRate: 512_000 },
  {
    name: 'another encoder, stereo',
    encoder: FF_ENCODER_LIBFDK_AAC,
    rate: 44100,
    channels: 2,
    bitRate: 128_000,
  },
  {
    name: 'another encoder, 5.1',
    encoder: FF_ENCODER_LIBFDK_AAC,
    rate: 48000,
    channels: 6,
    bitRate: 320_000,
  },
]

describe.each(encodings)('AAC packets, $name', ({ name: _, ...encoding }) => {
  const { config, packets } = encode({
    ...encoding,
    signal: mixed(encoding.rate),
    samples: Math.round(encoding.rate * 1.5),
  })

  it('parse to exactly their length, each on its own', () => {
    expect(lengthsAlone(recogniser(config), packets)).toEqual(packets.map((packet) => packet.length))
  })

  it('chain exactly when they lie one behind the other', () => {
    const units = chain(recogniser(config), concatenated(packets))
    expect(units.map((unit) => unit.length)).toEqual(packets.map((packet) => packet.length))
    expect(units.map((unit) => unit.order)).toEqual(packets.map((_packet, index) => index))
    expect(new Set(units.map((unit) => unit.duration))).toEqual(new Set([1024]))
  })

  it('are all found by a search that knows nothing but the configuration', () => {
    const places = new Set(searched(recogniser(config), concatenated(packets)))
    let at = 0
    for (const packet of packets) {
      expect(places.has(at)).toBe(true)
      at += packet.length
    }
  })
})

describe('AAC evidence', () => {
  it('grows with the frames learned from, and stays modest for silence', () => {
    const rate = 48000
    const loud = encode({
      encoder: FF_ENCODER_AAC,
      rate,
      channels: 2,
      signal: tones(rate),
      samples: rate * 3,
    })
    const units = chain(recogniser(loud.config), concatenated(loud.packets)).map((unit) => unit.evidence)
    const middle = units.slice(5, -5)
    expect(Math.min(...middle)).toBeGreaterThan(16)
    expect(Math.min(...middle.slice(64))).toBeGreaterThan(24)

    const still = encode({ encoder: FF_ENCODER_AAC, rate, channels: 1, signal: silence, samples: rate })
    const [, ...quiet] = chain(recogniser(still.config), concatenated(still.packets))
    expect(quiet.length).toBeGreaterThan(20)
    for (const unit of quiet) {
      expect(unit.length).toBeLessThan(16)
      expect(unit.evidence).toBeGreaterThan(8)
      expect(unit.evidence).toBeLessThanOrEqual(unit.length * 8)
    }
  })

  it('of sound is what it was, however long a silence is learned from', () => {
    const rate = 44100
    const of = (signal: Encoding['signal']): ReturnType<typeof encode> =>
      encode({ encoder: FF_ENCODER_AAC, rate, channels: 2, signal, samples: rate * 2 })
    const [loud, still] = [of(tones(rate)), of(silence)]
    const made = recogniser(loud.config)
    for (const packet of loud.packets) made.learn?.(readerOf(packet), 0, packet.length)
    const evidence = (): number[] =>
      loud.packets.map((packet) => {
        const unit = new Unit()
        made.recognise(readerOf(packet), 0, packet.length, unit)
        return unit.evidence
      })
    const before = evidence()
    const [, silent] = still.packets
    for (let frame = 0; frame < 4000; frame++) made.learn?.(readerOf(silent), 0, silent.length)
    const lost = evidence().map((bits, packet) => before[packet] - bits)
    expect(Math.max(...lost)).toBeLessThan(4)
  })

  it('counts time in the core sampling rate', () => {
    const heAac = aac.recogniser(audioTrack('aac', Uint8Array.of(0x2b, 0x8a, 0x08, 0x00)))
    expect(heAac?.timescale).toBe(22050)
  })
})

describe('AAC search', () => {
  const rate = 48000
  const { config, packets } = encode({
    encoder: FF_ENCODER_LIBFDK_AAC,
    rate,
    channels: 2,
    signal: tones(rate),
    samples: rate,
  })
  /** A data stream element of 20 bytes: any frame stays one with it in front. */
  const data = new BitWriter().put(4, 3).put(9, 4).put(0, 1).put(20, 8)
  for (let byte = 0; byte < 20; byte++) data.put(0x5a, 8)
  const prefixed = concatenated([data.bytes(), packets[20]])

  it('stops at the bare frame, not at bytes before it that pass for a data element', () => {
    const made = recogniser(config)
    const unit = new Unit()
    expect(made.recognise(readerOf(prefixed), 0, prefixed.length, unit)).toBe(true)
    expect(unit.length).toBe(prefixed.length)
    expect(made.search(readerOf(prefixed), 0, prefixed.length)).toBe(22)
  })

  it('stops at the data element in a track whose frames begin with one', () => {
    const made = recogniser(config)
    made.learn?.(readerOf(prefixed), 0, prefixed.length)
    expect(made.search(readerOf(prefixed), 0, prefixed.length)).toBe(0)
  })

  it('finds a frame that reaches past the end of the stretch searched', () => {
    const bytes = concatenated([new Uint8Array(50), packets[20]])
    expect(recogniser(config).search(readerOf(bytes), 0, 60)).toBe(50)
    expect(recogniser(config).search(readerOf(bytes), 0, 50)).toBe(50)
    expect(recogniser(config).search(readerOf(bytes), 51, bytes.length)).toBe(bytes.length)
  })
})

describe('AAC without a recogniser', () => {
  it('is what has another syntax: SSR, scalable, error resilient and low delay', () => {
    for (const objectType of [3, 6, 17, 20, 23, 39]) {
      const config = Uint8Array.of((objectType << 3) | 1, 0x90, 0, 0)
      expect(aac.recogniser(audioTrack('aac', config))).toBeUndefined()
    }
  })

  it('is not a track that only lost its configuration', () => {
    const track = audioTrack('aac', new Uint8Array(0), { sampleRate: 44100, channels: 1 })
    expect(aac.recogniser(track)?.timescale).toBe(44100)
  })
})

describe('a data stream element in front of a whole frame', () => {
  const { config, packets } = encode({
    ...{ encoder: FF_ENCODER_AAC, rate: 44100, channels: 2 },
    ...{ signal: mixed(44100), samples: 44100 * 2 },
  })
  // ISO/IEC 14496-3:2019 Table 4.10: tag 5, not aligned, three bytes
  const prefix = new BitWriter().put(4, 3).put(5, 4).put(0, 1).put(3, 8).put(0xabcdef, 24).bytes()
  const joined = (packet: Uint8Array): Uint8Array => concatenated([prefix, packet])
  const unit = new Unit()
  const reads = (known: Recogniser, bytes: Uint8Array): boolean =>
    known.recognise(readerOf(bytes), 0, bytes.length, unit)

  it('is the rest of something else where no frame begins so', () => {
    const known = recogniser(config)
    expect(reads(known, joined(packets[20]))).toBe(true)
    for (const packet of packets) known.learn?.(readerOf(packet), 0, packet.length)
    expect(reads(known, joined(packets[20]))).toBe(false)
    expect(reads(known, packets[20])).toBe(true)
  })

  it('is part of it where frames of the recording begin so', () => {
    const known = recogniser(config)
    for (const packet of packets.map(joined)) known.learn?.(readerOf(packet), 0, packet.length)
    expect(reads(known, joined(packets[20]))).toBe(true)
    expect(unit.length).toBe(packets[20].length + prefix.length)
  })
})
