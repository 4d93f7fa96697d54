import { parseSyncFrame } from '../codecs/ac3/sync-frame.ts'
import { configOf, parseAdtsHeader } from '../codecs/adts/header.ts'
import { frameBytes as dtsBytes, frameSeconds } from '../codecs/dts/frame.ts'
import { isSpsHead } from '../codecs/h264/sps.ts'
import { parseHeader } from '../codecs/mp3/header.ts'
import { PICTURE_RATES, parseSequence } from '../codecs/mpeg12/headers.ts'

/*
 * What the payload of a stream without a description says it is, and how long its units last.
 */

const BLOCK_SAMPLES = 256
const AAC_SAMPLES = 1024

/** Codec of pictures, by the start codes of headers that they begin with; undefined where there are none. */
export function sniffPictures(bytes: Uint8Array): string | undefined {
  for (let at = nextCode(bytes, 0); at >= 0; at = nextCode(bytes, at + 3)) {
    const code = bytes[at + 3]
    const next = bytes[at + 4]
    if (code === 0xb3) {
      const behind = nextCode(bytes, at + 8)
      return bytes[behind + 3] === 0xb5 ? 'mpeg2video' : 'mpeg1video'
    }
    if (code === 0xb0 || code === 0xb6) return 'mpeg4'
    // parameter sets and delimiters: H.264 with any reference count, HEVC in layer 0; slices of MPEG-2 have the same codes
    if (isSpsHead(bytes.subarray(at + 3)) || (code === 9 && isDelimiter(bytes, at + 4))) return 'h264'
    if ((code === 0x40 || code === 0x42 || code === 0x46) && next === 1) return 'hevc'
    if (code === 0x0f && isAdvancedHead(next)) return 'vc1'
  }
  return undefined
}

/**
 * Whether bytes begin with a picture of MPEG-2 video without a sequence header in front: a picture header, and behind it the
 * picture coding extension, ISO/IEC 13818-2:2013 §6.2.3.1, whose identifier is 8.
 */
export function isLonePicture(bytes: Uint8Array): boolean {
  const picture = nextCode(bytes, 0)
  const extension = picture === 0 && bytes[3] === 0 ? nextCode(bytes, 4) : -1
  return extension > 0 && bytes[extension + 3] === 0xb5 && bytes[extension + 4] >> 4 === 8
}

/**
 * Whether an access unit delimiter of H.264 stands at `at`, ITU-T H.264 (08/2021) §7.3.2.4: a type of pictures, and the next
 * start code.
 */
function isDelimiter(bytes: Uint8Array, at: number): boolean {
  return (bytes[at] & 0x1f) === 0x10 && bytes[at + 1] === 0 && bytes[at + 2] === 0
}

/**
 * Whether a sequence header of VC-1 in its advanced profile begins with this byte: a level up to 4, and halved colour. SMPTE ST
 * 421 §6.1.
 */
function isAdvancedHead(byte: number): boolean {
  return byte >> 6 === 3 && ((byte >> 3) & 7) <= 4 && ((byte >> 1) & 3) === 1
}

/** Codec of sound that begins with a frame; undefined where none begins. */
export function sniffSound(bytes: Uint8Array): string | undefined {
  const adts = parseAdtsHeader(bytes, 0)
  if (adts && (adts.length >= bytes.length || parseAdtsHeader(bytes, adts.length))) return 'aac-adts'
  if (bytes[0] === 0x56 && bytes[1] >> 5 === 7) return 'aac-latm'
  const ac3 = parseSyncFrame(bytes, 0)
  if (ac3) return ac3.enhanced ? 'eac3' : 'ac3'
  if (dtsBytes(bytes, 0) > 0) return 'dts'
  const header = parseHeader(wordAt(bytes, 0))
  return header && (header.length + 4 > bytes.length || parseHeader(wordAt(bytes, header.length)))
    ? 'mp2'
    : undefined
}

/** Seconds of a picture or a frame of sound by the header that the bytes begin with; 0 where it does not tell. */
export function unitSeconds(codec: string, bytes: Uint8Array): number {
  if (codec === 'aac-adts') {
    const header = parseAdtsHeader(bytes, 0)
    return header ? (AAC_SAMPLES * header.blocks) / configOf(header).coreSampleRate : 0
  }
  if (codec === 'ac3' || codec === 'eac3') {
    const header = parseSyncFrame(bytes, 0)
    return header ? (BLOCK_SAMPLES * header.blocks) / header.sampleRate : 0
  }
  if (codec === 'dts') return frameSeconds(bytes, 0)
  if (codec === 'mp2') {
    const header = parseHeader(wordAt(bytes, 0))
    return header ? header.samples / header.sampleRate : 0
  }
  if (codec === 'mpeg1video' || codec === 'mpeg2video') return pictureSeconds(bytes)
  return 0
}

function pictureSeconds(bytes: Uint8Array): number {
  for (let at = nextCode(bytes, 0); at >= 0; at = nextCode(bytes, at + 3)) {
    if (bytes[at + 3] !== 0xb3) continue
    const rate = PICTURE_RATES[parseSequence(bytes.subarray(at + 4))?.frameRateCode ?? 0]
    if (rate) return 1 / rate
  }
  return 0
}

/** The first 00 00 01 at or behind `from` with a byte behind it; -1 when there is none. */
function nextCode(bytes: Uint8Array, from: number): number {
  for (let at = from; at + 3 < bytes.length; at++)
    if (bytes[at] === 0 && bytes[at + 1] === 0 && bytes[at + 2] === 1) return at
  return -1
}

function wordAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0
}
