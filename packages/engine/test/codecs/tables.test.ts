import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { BitReader } from '../../src/bytes/bit-reader.ts'
import { parseAudioSpecificConfig } from '../../src/codecs/aac/audio-specific-config.ts'
import { SAMPLING_RATES, samplingIndexOf, scaleFactorBands } from '../../src/codecs/aac/bands.ts'
import { SCALE_FACTOR_BOOK, SPECTRUM_BOOKS } from '../../src/codecs/aac/huffman-books.ts'
import { parseSyncFrame } from '../../src/codecs/ac3/sync-frame.ts'
import { parseAdtsHeader } from '../../src/codecs/adts/header.ts'
import * as amr from '../../src/codecs/amr/frame-types.ts'
import { ArithmeticDecoder } from '../../src/codecs/cabac/arithmetic.ts'
import { crc16 } from '../../src/codecs/crc16.ts'
import { frameSize } from '../../src/codecs/dnxhd/frame-sizes.ts'
import { dts } from '../../src/codecs/dts/index.ts'
import { crc8 } from '../../src/codecs/flac/crc8.ts'
import { parseFrameHeader } from '../../src/codecs/flac/frame-header.ts'
import * as h264 from '../../src/codecs/h264/slice-data/contexts.ts'
import * as interContexts from '../../src/codecs/h264/slice-data/inter-contexts.ts'
import * as vlc from '../../src/codecs/h264/slice-data/variable-length.ts'
import * as hevc from '../../src/codecs/hevc/slice-data/contexts.ts'
import * as jpeg from '../../src/codecs/jpeg/standard-tables.ts'
import { ZIGZAG } from '../../src/codecs/jpeg/zigzag.ts'
import { parseHeader } from '../../src/codecs/mp3/header.ts'
import * as mpeg12 from '../../src/codecs/mpeg12/codes.ts'
import { multistreamSamples, packetSamples } from '../../src/codecs/opus/packet.ts'
import { Unit } from '../../src/codecs/recogniser.ts'
import * as macroblock from '../../src/codecs/vlc/macroblock-codes.ts'
import * as vp8Coefficients from '../../src/codecs/vp8/coefficient-probabilities.ts'
import * as vp8Modes from '../../src/codecs/vp8/mode-probabilities.ts'
import * as blockSizes from '../../src/codecs/vp9/block-sizes.ts'
import { DEFAULT_COEFFICIENTS } from '../../src/codecs/vp9/default-coefficients.ts'
import * as keyFrames from '../../src/codecs/vp9/key-frame-probabilities.ts'
import { PARETO } from '../../src/codecs/vp9/pareto.ts'
import * as scans from '../../src/codecs/vp9/scan-tables.ts'
import * as symbols from '../../src/codecs/vp9/symbols.ts'
import { noise, randomFrom } from '../../testing/hostile-sources.ts'
import { audioTrack, readerOf } from './support/scan.ts'

/*
 * Tables of standards never change: each has a checksum, taken when the streams of reference encoders were read by it to the last
 * symbol. Who finds an entry wrong corrects both.
 */

/** A checksum of values, of tables' own order. Functions are left out; codes are told by what they read. */
function sum(value: unknown): string {
  const plain = (_key: string, part: unknown): unknown => {
    if (isCode(part)) return readings(part)
    if (ArrayBuffer.isView(part)) return [...(part as unknown as Iterable<number>)]
    return part instanceof Map ? [...part] : part
  }
  return createHash('sha256').update(JSON.stringify(value, plain)).digest('hex').slice(0, 12)
}

interface Code {
  read(bits: BitReader): number
}

function isCode(value: unknown): value is Code {
  return typeof value === 'object' && value !== null && 'read' in value && typeof value.read === 'function'
}

/** What a code reads of every row of bits that begins with sixteen others. */
function readings(code: Code): unknown {
  let last = ''
  const read: (string | number)[] = []
  for (let word = 0; word < 1 << 16; word++) {
    const bits = new BitReader(Uint8Array.of(word >> 8, word & 255, 0, 0))
    const now = `${code.read(bits)} ${bits.position}`
    if (now !== last) read.push(word, now)
    last = now
  }
  return read
}

describe('codes of AAC', () => {
  it.each([...SPECTRUM_BOOKS, SCALE_FACTOR_BOOK].map((book, i) => [i + 1, book] as const))(
    'number %i is complete and has every value once',
    (_, { counts, symbols }) => {
      expect(counts.reduce((room, count, i) => room + count / 2 ** (i + 1), 0)).toBe(1)
      expect(symbols.toSorted((a, b) => a - b)).toEqual([...symbols.keys()])
    },
  )

  it('stand for as many values as their base and dimension say', () => {
    for (const { base, dimension, symbols } of SPECTRUM_BOOKS) expect(symbols.length).toBe(base ** dimension)
    expect(sum([SPECTRUM_BOOKS, SCALE_FACTOR_BOOK])).toBe('dcb0f234f320')
  })

  it('have bands that rise up to a frame`s length, for every rate', () => {
    const all = SAMPLING_RATES.map((_, index) => {
      return [1024, 960].map((length) => {
        const bands = scaleFactorBands(Math.min(index, 12), length)
        expect([...bands.long]).toEqual([...new Set(bands.long)].sort((a, b) => a - b))
        expect([bands.long.at(-1), bands.short.at(-1)]).toEqual([length, length / 8])
        return bands
      })
    })
    expect(sum(all)).toBe('f5044344d2e9')
    expect(sum(Array.from({ length: 1000 }, (_, i) => samplingIndexOf(i * 100 + 8)))).toBe('e44a61c45f05')
  })
})

it('scans come to every place once', () => {
  for (const scan of [ZIGZAG, ...Object.values(scans)])
    expect([...scan].sort((a, b) => a - b)).toEqual([...scan.keys()])
})

it.each<readonly [string, () => unknown, string]>([
  ['scans of VP9', () => scans, '41ae5bfed105'],
  ['coefficients of VP9', () => [DEFAULT_COEFFICIENTS, PARETO], 'ff1097aef598'],
  ['modes of VP9', () => [keyFrames, blockSizes, symbols], 'eb328d6a000d'],
  ['probabilities of VP8', () => [vp8Coefficients, vp8Modes], 'f7742b322cbb'],
  ['contexts of H.264', () => [interContexts, contextsOf(h264, [-1, 0, 1, 2])], '37d48f9fbc80'],
  ['contexts of HEVC', () => [hevc, contextsOf(hevc, [0, 1, 2])], '1a7c85d7a17a'],
  ['codes of H.264', () => vlc, 'd0a5c6e1d27e'],
  ['codes of MPEG-1 and MPEG-2', () => mpeg12, '8c2f0e2b29f0'],
  ['macroblocks of MPEG-4 and H.263', () => macroblock, '2e1f92aed7d2'],
  ['the arithmetic decoder', decisions, '988432912223'],
  ['tables of JPEG', () => [jpeg, ZIGZAG], 'd2d2c89dcb39'],
  ['frames of AMR', () => amr, 'b8233556d28f'],
  ['headers of MPEG audio', mpegAudioHeaders, '1a212b3e4fb0'],
  ['headers of ADTS', () => headersOf(4, [0xff, 0xf0], (bytes) => parseAdtsHeader(bytes, 0)), '8f730f0a5a26'],
  ['headers of FLAC', flacHeaders, '4dc6f949eb02'],
  ['headers of DTS', dtsHeaders, '95e8b8d64509'],
  [
    'packets of Opus',
    () => headersOf(2, [], (bytes) => [packetSamples(bytes), multistreamSamples(bytes)]),
    'b0aa37c8f049',
  ],
  ['configurations of AAC', () => headersOf(4, [], parseAudioSpecificConfig), 'b005fd20346d'],
  ['frames of DNxHD', dnxhdFrames, '2e8207153c96'],
  ['headers of AC-3', ac3Headers, 'd0cd66781918'],
])('the checksum holds of %s', (_, table, checksum) => {
  expect(sum(table())).toBe(checksum)
})

/** States of all contexts for slices of some quantisers and kinds. */
function contextsOf(
  { CONTEXTS, startContexts }: typeof h264 | typeof hevc,
  kinds: readonly number[],
): unknown {
  return kinds.flatMap((kind) =>
    [-3, 0, 7, 18, 26, 33, 44, 51, 60].map((qp) => {
      const states = new Uint8Array(CONTEXTS)
      startContexts(states, qp, kind)
      return states
    }),
  )
}

/** Bits that are read of noise, in every state. */
function decisions(): unknown {
  const decoder = new ArithmeticDecoder(128)
  decoder.states.set(Array.from({ length: 126 }, (_, i) => i))
  const bytes = noise(20_000, 3)
  decoder.start(bytes, 0, bytes.length)
  const read: number[] = []
  for (let i = 0; i < 60_000; i++)
    read.push(decoder.decode((i * 7) % 126), i % 50 === 0 ? decoder.bypass() : 0)
  return [read, decoder.states, decoder.position, decoder.behind]
}

/** Every header of two bytes behind the first. */
function mpegAudioHeaders(): unknown {
  const words = Array.from({ length: 1 << 17 }, (_, i) => (0xff000000 | (i << 7) | (i & 1 ? 0xc0 : 0)) >>> 0)
  return words.map((word) => Object.values(parseHeader(word) ?? {}).join())
}

/** What is read of bytes that begin so, as many others as may be behind, each with a few more. */
function headersOf(varying: number, begin: readonly number[], read: (bytes: Uint8Array) => unknown): unknown {
  const next = randomFrom(varying)
  return Array.from({ length: 20_000 }, () => {
    const bytes = Uint8Array.from([...begin, ...Array.from({ length: 12 }, () => Math.floor(next() * 256))])
    if (begin.length > 0) bytes[1] = begin[1] | (bytes[1] & 9)
    return Object.values(read(bytes) ?? {}).join()
  })
}

/** Headers of every size, rate and channels, whose checksums hold. */
function flacHeaders(): unknown {
  const next = randomFrom(9)
  return Array.from({ length: 20_000 }, (_, i) => {
    const bytes = Uint8Array.from({ length: 18 }, () => Math.floor(next() * 256))
    bytes.set([0xff, 0xf8 | (i & 1)])
    // numbers of one to seven bytes
    const more = i % 8 === 7 ? 0 : i % 7
    if (more > 0) bytes[4] = (0xff << (7 - more)) & ((0xff << (6 - more)) | (bytes[4] & (0x3f >> more))) & 255
    else bytes[4] &= 0x7f
    for (let at = 0; at < more; at++) bytes[5 + at] = 0x80 | (bytes[5 + at] & 63)
    return [8, 9, 10, 11, 12, 13, 14, 15, 6, 7, 5].map((length) => {
      const whole = bytes.with(length - 1, crc8(bytes, 0, length - 1))
      return Object.values(parseFrameHeader(whole, 0) ?? {}).join()
    })
  })
}

/** Core frames of every rate and length, some with an extension. */
function dtsHeaders(): unknown {
  const next = randomFrom(4)
  const recogniser = dts.recogniser(audioTrack('dts', new Uint8Array(0), { sampleRate: 48_000 }))
  const unit = new Unit()
  return Array.from({ length: 4000 }, (_, i) => {
    const bytes = Uint8Array.from({ length: 700 }, () => Math.floor(next() * 256))
    bytes.set([0x7f, 0xfe, 0x80, 0x01, 0xfc | (bytes[4] & 3), bytes[5] & 0xfc, (i >> 4) & 31])
    const found = recogniser?.recognise(readerOf(bytes), 0, bytes.length, unit)
    if (!found) return 0
    bytes.set([0x64, 0x58, 0x20, 0x25, 0, i & 0x20, 0, i & 255], unit.length)
    // what another unit left behind
    Object.assign(unit, { damaged: true, lengthKnown: false, key: false, gap: 9, restart: true })
    if (recogniser?.recognise(readerOf(bytes), 0, bytes.length, unit))
      recogniser.accept(readerOf(bytes), 0, unit)
    return { ...unit }
  })
}

function dnxhdFrames(): unknown {
  const sizes = [
    [1920, 1080],
    [1280, 720],
    [1440, 1080],
    [960, 720],
    [3840, 2160],
    [17, 33],
  ]
  return Array.from({ length: 60 }, (_, i) =>
    sizes.map(([width, height]) => frameSize(1230 + i, width, height)),
  )
}

it('checksums are those of the catalogues', () => {
  const digits = new TextEncoder().encode('..123456789.')
  expect(crc8(digits, 2, 11)).toBe(0xf4)
  expect(crc16(digits, 2, 11, 0)).toBe(0xfee8)
})

/** Headers of every rate, size, version and coding mode. */
function ac3Headers(): unknown {
  return Array.from({ length: 1 << 16 }, (_, i) => {
    const bytes = Uint8Array.of(0x0b, 0x77, i >> 8, i & 255, i >> 8, (i & 31) << 3, i >> 4, i & 255)
    return Object.values(parseSyncFrame(bytes, 0) ?? {}).join()
  })
}
