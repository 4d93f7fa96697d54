import { BitReader } from '../../bytes/bit-reader.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { frameAt } from '../../codecs/cinepak/frame.ts'
import { readPictureHeader } from '../../codecs/h263/picture-header.ts'
import { type Headers, readHeaders } from '../../codecs/mpeg4/headers.ts'
import { essenceHead } from '../../codecs/mpeg12/essence-head.ts'
import { parseSequence } from '../../codecs/mpeg12/headers.ts'
import { readSequenceHead, sequenceHeadAt } from '../../codecs/mpeg12/sequence-head.ts'
import { parseUncompressedHeader } from '../../codecs/vp9/uncompressed-header.ts'
import type { Rate } from './candidates.ts'

/** What the first bytes of a picture that describes itself tell. */
export interface Sight {
  /** See `Coding`. */
  readonly variant?: string
  readonly width: number
  readonly height: number
  readonly rate?: Rate
  /** The codec's configuration record, where it has one. */
  readonly config?: Uint8Array
}

/** What a picture of a codec says of itself: one that was recognised, of `length` bytes; undefined where it says too little. */
export type See = (reader: ByteReader, offset: number, length: number) => Sight | undefined

/** Rates by code, SMPTE RDD 36 Table 7 and ITU-T H.262 Table 6-4. */
const PRORES_RATES: readonly (readonly [number, number])[] = [
  [0, 0],
  [24_000, 1001],
  [24, 1],
  [25, 1],
  [30_000, 1001],
  [30, 1],
  [50, 1],
  [60_000, 1001],
  [60, 1],
  [100, 1],
  [120_000, 1001],
  [120, 1],
]
const MPEG2_RATES: readonly (readonly [number, number])[] = PRORES_RATES.slice(0, 9)

/** By codec, those whose pictures describe themselves. */
export const PICTURE_SIGHTS = {
  prores: seeProres,
  mjpeg: seeJpeg,
  dv: seeDv,
  dnxhd: seeDnxhd,
  aic: seeAic,
  mpeg1video: seeMpeg1,
  mpeg2video: seeMpeg2,
  cinepak: seeCinepak,
  mpeg4: seeMpeg4,
  h263: seeH263,
  vp9: seeVp9,
  vp8: seeVp8,
} as const satisfies Readonly<Record<string, See>>

/** SMPTE RDD 36 §5.1.1: the size 8 bytes into the frame header, chroma format and rate behind it. */
function seeProres(reader: ByteReader, offset: number): Sight | undefined {
  const header = offset + 8
  if (reader.fourcc(offset + 4) !== 'icpf') return undefined
  const full = reader.u8(header + 12) >> 6 === 3
  return {
    variant: full ? 'ap4h' : 'apcn',
    width: reader.u16(header + 8),
    height: reader.u16(header + 10),
    ...rateOf(PRORES_RATES[reader.u8(header + 13) & 15]),
  }
}

function rateOf(pair: readonly [number, number] | undefined): { rate?: Rate } {
  return pair && pair[1] > 0 ? { rate: { num: pair[0], den: pair[1] } } : {}
}

/** ITU-T T.81 §B.2.2: the frame header of any coding process. */
function seeJpeg(reader: ByteReader, offset: number, length: number): Sight | undefined {
  const end = offset + length
  for (let at = offset + 2; at + 9 < end; at += 2 + reader.u16(at + 2)) {
    if (reader.u8(at) !== 0xff) return undefined
    const marker = reader.u8(at + 1)
    if (marker >= 0xc0 && marker <= 0xc2) {
      const height = reader.u16(at + 5)
      const width = reader.u16(at + 7)
      return width > 0 && height > 0 ? { width, height } : undefined
    }
    if (marker === 0xda || marker < 0xc0) return undefined
  }
  return undefined
}

/** Size of the picture and that at which it is shown, behind the frame's length: few bytes tell of it, so both have to agree. */
function seeAic(reader: ByteReader, offset: number): Sight | undefined {
  const size = reader.u32(offset + 6)
  if (size !== reader.u32(offset + 10)) return undefined
  return { variant: 'icod', width: size >>> 16, height: size & 0xffff }
}

/** Place of the source pack in the sixth DIF block, its name, and the STYPE of 720 lines: SMPTE ST 370:2013 §4.6.2. */
const SOURCE_PACK = 5 * 80 + 48
const SOURCE = 0x60
const LINES_720 = 0x18

/**
 * IEC 61834-2 and SMPTE 314M, 370M: lines by the header's flag, the family by the bytes of a frame, and by its source pack where
 * two have as many.
 */
function seeDv(reader: ByteReader, offset: number, length: number): Sight | undefined {
  const lines625 = (reader.u8(offset + 3) & 0x80) !== 0
  const rate = lines625 ? { num: 25, den: 1 } : { num: 30_000, den: 1001 }
  const height = lines625 ? 576 : 480
  switch (length / (lines625 ? 144_000 : 120_000)) {
    case 1:
      return { variant: lines625 ? 'dvcp' : 'dvc ', width: 720, height, rate }
    case 2:
      if (
        reader.u8(offset + SOURCE_PACK) === SOURCE &&
        (reader.u8(offset + SOURCE_PACK + 3) & 31) === LINES_720
      )
        return {
          ...{ variant: lines625 ? 'dvhq' : 'dvhp', width: 960, height: 720 },
          rate: lines625 ? { num: 50, den: 1 } : { num: 60_000, den: 1001 },
        }
      return { variant: lines625 ? 'dv5p' : 'dv5n', width: 720, height, rate }
    case 4:
      return { variant: lines625 ? 'dvh5' : 'dvh6', width: lines625 ? 1440 : 1280, height: 1080, rate }
    default:
      return undefined
  }
}

/** SMPTE ST 2019-1 §7.1: lines and samples a line in the frame header. */
function seeDnxhd(reader: ByteReader, offset: number): Sight | undefined {
  const height = reader.u16(offset + 0x18)
  const width = reader.u16(offset + 0x1a)
  const interlaced = (reader.u8(offset + 5) & 2) !== 0
  return width > 0 && height > 0
    ? { width, height: interlaced && height <= 540 ? height * 2 : height }
    : undefined
}

const SEQUENCE_HEADER = 0x1b3

/** ITU-T H.262 §6.2.2.1. */
function seeMpeg2(reader: ByteReader, offset: number): Sight | undefined {
  const head = essenceHead(reader, offset)
  const start = offset + head
  if (reader.u32(start) !== SEQUENCE_HEADER) return undefined
  const sequence = parseSequence(reader.bytes(start + 4, 64).slice())
  if (!sequence) return undefined
  const { width, height, frameRateCode, bitRate } = sequence
  const rate = rateOf(MPEG2_RATES[frameRateCode])
  return head > 0
    ? { variant: imxFormat(height, bitRate), width, height, ...rate }
    : { width, height, ...rate }
}

/** Bytes in which a sequence header with its matrices lies, and the start code behind it. */
const SEQUENCE_BYTES = 256

/** ISO/IEC 11172-2 §2.4.2.3: a sequence header without the extension that one of MPEG-2 has. */
function seeMpeg1(reader: ByteReader, offset: number): Sight | undefined {
  const head = sequenceHeadAt(reader.bytes(offset, SEQUENCE_BYTES).slice(), 0)
  const sequence = head && readSequenceHead(head)
  if (!sequence?.mpeg1) return undefined
  const { width, height, frameRateCode } = sequence
  return { width, height, ...rateOf(MPEG2_RATES[frameRateCode]) }
}

/** Lines of a frame of 625 with those of its vertical blanking, SMPTE ST 356:2001 §4.2. */
const IMX_LINES_625 = 608

/** QuickTime's names of IMX say its rate, 30, 40 or 50 Mbit/s, and its lines. */
function imxFormat(height: number, bitRate: number): string {
  const tens = Math.min(5, Math.max(3, Math.round(bitRate / 10_000_000)))
  return `mx${tens}${height === IMX_LINES_625 ? 'p' : 'n'}`
}

/** Headers in front of a plane: user data of some encoders reaches further, and is no configuration. */
const MOST_HEADERS = 1024

/** ISO/IEC 14496-2 §6.2: headers in front of a plane are its configuration. */
function seeMpeg4(reader: ByteReader, offset: number): Sight | undefined {
  const headers: Headers = { plane: 0, layer: undefined, groupSeconds: -1, first: 0, evidence: 0 }
  if (!readHeaders(reader, offset, offset + MOST_HEADERS, headers) || !headers.layer) return undefined
  const { width, height, timeResolution, fixedIncrement } = headers.layer
  const config = reader.bytes(offset, headers.plane - 4 - offset).slice()
  const rate = fixedIncrement > 0 ? { rate: { num: timeResolution, den: fixedIncrement } } : {}
  return { width, height, config, ...rate }
}

/** ITU-T H.263 §5.1: the source format, at the clock of 30000/1001 that temporal references count in. */
function seeH263(reader: ByteReader, offset: number): Sight | undefined {
  const header = readPictureHeader(new BitReader(reader.bytes(offset, 32).slice()))
  if (!header) return undefined
  const { width, height } = header
  // vendor, version, level 10, profile 0: 3GPP TS 26.244 §6.8
  return { width, height, config: Uint8Array.of(0x6d, 0x65, 0x6e, 0x64, 0, 10, 0) }
}

/** Bytes of a VP9 frame in which its uncompressed header lies. */
const VP9_HEADER = 128

/** VP9 Bitstream & Decoding Process Specification v0.6 §7.2. */
function seeVp9(reader: ByteReader, offset: number): Sight | undefined {
  const header = parseUncompressedHeader(reader.bytes(offset, VP9_HEADER), 0, 0)
  return header ? { width: header.width, height: header.height } : undefined
}

/** RFC 6386 §9.1: a key frame's start code, and sizes of 14 bits below their scales. */
function seeVp8(reader: ByteReader, offset: number): Sight | undefined {
  if (reader.u24(offset + 3) !== 0x9d012a) return undefined
  const width = reader.u16le(offset + 6) & 0x3fff
  const height = reader.u16le(offset + 8) & 0x3fff
  return width > 0 && height > 0 ? { width, height } : undefined
}

/** Its size in the header, as T. Ferguson's "Cinepak (CVID) stream format for AVI and QT" has it. */
function seeCinepak(reader: ByteReader, offset: number, length: number): Sight | undefined {
  const frame = frameAt(reader, offset, offset + length)
  return frame && { width: frame.width, height: frame.height }
}
