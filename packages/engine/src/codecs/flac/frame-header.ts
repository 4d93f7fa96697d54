import { crc8 } from './crc8.ts'

/** Header of a FLAC frame, RFC 9639 §9.1. */
export interface FlacFrameHeader {
  /** Bytes of the header with its CRC-8. */
  readonly length: number
  readonly samples: number
  /** Hz, 0 when the stream information gives it. */
  readonly sampleRate: number
  readonly channels: number
  /** How channels are coded: 8 and up with a difference. */
  readonly assignment: number
  /** Bits of a sample, 0 when the stream information gives them. */
  readonly bits: number
  /** Frames or samples before this one, whichever the stream counts. */
  readonly number: number
  readonly variable: boolean
}

/** Sync code of 15 bits, with the blocking strategy behind it. */
const SYNC = 0xfff8
/** Longest header: a number of seven bytes, block size and sampling rate written out. */
export const LONGEST_HEADER = 16
const BITS = [0, 8, 12, -1, 16, 20, 24, 32]
const RATES = [0, 88200, 176400, 192000, 8000, 16000, 22050, 24000, 32000, 44100, 48000, 96000]

/** Reads a header at `at`, and checks its CRC. Undefined where none stands. */
export function parseFrameHeader(bytes: Uint8Array, at: number): FlacFrameHeader | undefined {
  if (at + 6 > bytes.length || bytes[at] !== SYNC >> 8 || (bytes[at + 1] & 0xfe) !== (SYNC & 255))
    return undefined
  const sizeCode = bytes[at + 2] >> 4
  const rateCode = bytes[at + 2] & 15
  const assignment = bytes[at + 3] >> 4
  const bits = BITS[(bytes[at + 3] >> 1) & 7]
  if (sizeCode === 0 || rateCode === 15 || assignment > 10 || bits < 0 || bytes[at + 3] & 1) return undefined
  const numberBytes = codedLength(bytes[at + 4])
  if (numberBytes === 0) return undefined
  let number = numberBytes === 1 ? bytes[at + 4] : bytes[at + 4] & (0x7f >> numberBytes)
  for (let byte = 1; byte < numberBytes; byte++) {
    const next = bytes[at + 4 + byte]
    if (next >> 6 !== 2) return undefined
    number = number * 64 + (next & 63)
  }
  let end = at + 4 + numberBytes
  let samples = sizeCode === 1 ? 192 : sizeCode < 6 ? 576 << (sizeCode - 2) : 256 << (sizeCode - 8)
  if (sizeCode === 6) samples = bytes[end++] + 1
  if (sizeCode === 7) {
    samples = bytes[end] * 256 + bytes[end + 1] + 1
    end += 2
  }
  let sampleRate = RATES[rateCode] ?? 0
  if (rateCode === 12) sampleRate = bytes[end++] * 1000
  if (rateCode > 12) {
    sampleRate = (bytes[end] * 256 + bytes[end + 1]) * (rateCode === 14 ? 10 : 1)
    end += 2
  }
  if (end >= bytes.length || crc8(bytes, at, end) !== bytes[end]) return undefined
  const channels = assignment < 8 ? assignment + 1 : 2
  return {
    length: end + 1 - at,
    samples,
    sampleRate,
    channels,
    assignment,
    bits,
    number,
    variable: (bytes[at + 1] & 1) === 1,
  }
}

/** Bytes of a number coded like UTF-8, up to seven; 0 where its first byte is none. */
function codedLength(first: number): number {
  if (first < 0x80) return 1
  if (first < 0xc0 || first === 0xff) return 0
  return Math.clz32(~(first << 24))
}
