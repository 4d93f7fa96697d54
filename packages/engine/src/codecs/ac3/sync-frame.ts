import { crc16 } from '../crc16.ts'

/** Header of one synchronisation frame of AC-3 or E-AC-3, ETSI TS 102 366 V1.4.1 §4.4.1 and §E.1.3.1. */
export interface SyncFrame {
  readonly enhanced: boolean
  readonly length: number
  readonly sampleRate: number
  /** Audio blocks of 256 samples. */
  readonly blocks: number
  /** E-AC-3: 0 independent, 1 dependent, 2 converted from AC-3. AC-3 counts as independent. */
  readonly streamType: number
  readonly substream: number
  /** Bit stream identification. */
  readonly bsid: number
  /** Coding mode and low frequency channel: acmod * 2 + lfeon. */
  readonly channels: number
}

export const SYNC_WORD = 0x0b77
/** Bytes `parseSyncFrame` looks at. */
export const HEADER_BYTES = 7
/** frmsiz counts words of two bytes in eleven bits. */
export const LONGEST_SYNC_FRAME = 4096

const SAMPLE_RATES = [48000, 44100, 32000]
/** kbit/s by half of frmsizecod, Table 4.13. */
const BIT_RATES = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640]
const BLOCKS = [1, 2, 3, 6]
const BLOCK_SAMPLES = 256
const FRAME_BLOCKS = 6
/** Highest bsid of AC-3 with its variants at half and quarter rate, and the range of E-AC-3. */
const AC3_BSID = 10
const LOWEST_EAC3_BSID = 11
const HIGHEST_EAC3_BSID = 16

/** Reads a header at `at`. Undefined without sync word or with reserved values. */
export function parseSyncFrame(bytes: Uint8Array, at: number): SyncFrame | undefined {
  if (at + HEADER_BYTES > bytes.length || bytes[at] !== SYNC_WORD >> 8 || bytes[at + 1] !== (SYNC_WORD & 255))
    return undefined
  const bsid = bytes[at + 5] >> 3
  if (bsid >= LOWEST_EAC3_BSID && bsid <= HIGHEST_EAC3_BSID) return enhancedFrame(bytes, at, bsid)
  return bsid <= AC3_BSID ? plainFrame(bytes, at, bsid) : undefined
}

function plainFrame(bytes: Uint8Array, at: number, bsid: number): SyncFrame | undefined {
  const rateCode = bytes[at + 4] >> 6
  const sizeCode = bytes[at + 4] & 63
  if (rateCode === 3 || sizeCode >= BIT_RATES.length * 2) return undefined
  const rate = SAMPLE_RATES[rateCode]
  // Frames at 44.1 kHz alternate between two sizes to keep the bit rate.
  const words = Math.floor((BIT_RATES[sizeCode >> 1] * 1000 * FRAME_BLOCKS * BLOCK_SAMPLES) / rate / 16)
  const length = 2 * (words + (rateCode === 1 ? sizeCode & 1 : 0))
  return {
    enhanced: false,
    length,
    sampleRate: rate >> Math.max(0, bsid - 8),
    blocks: FRAME_BLOCKS,
    streamType: 0,
    substream: 0,
    bsid,
    channels: plainChannels(bytes, at),
  }
}

/** acmod and lfeon, which stand behind a number of mix levels that depends on acmod. */
function plainChannels(bytes: Uint8Array, at: number): number {
  const window = (bytes[at + 6] << 8) | (at + 7 < bytes.length ? bytes[at + 7] : 0)
  const mode = window >> 13
  let bit = 12
  if (mode & 1 && mode !== 1) bit -= 2
  if (mode & 4) bit -= 2
  if (mode === 2) bit -= 2
  return mode * 2 + ((window >> bit) & 1)
}

function enhancedFrame(bytes: Uint8Array, at: number, bsid: number): SyncFrame | undefined {
  const streamType = bytes[at + 2] >> 6
  if (streamType === 3) return undefined
  const length = ((((bytes[at + 2] & 7) << 8) | bytes[at + 3]) + 1) * 2
  const rateCode = bytes[at + 4] >> 6
  const code = (bytes[at + 4] >> 4) & 3
  if (length < HEADER_BYTES + 2 || (rateCode === 3 && code === 3)) return undefined
  return {
    enhanced: true,
    length,
    sampleRate: rateCode === 3 ? SAMPLE_RATES[code] / 2 : SAMPLE_RATES[rateCode],
    blocks: rateCode === 3 ? FRAME_BLOCKS : BLOCKS[code],
    streamType,
    substream: (bytes[at + 2] >> 3) & 7,
    bsid,
    channels: bytes[at + 4] & 15,
  }
}

/** The CRC over all that follows the sync word comes out as zero in both, §7.10.1 and §E.1.3.1.12. */
export function checksumHolds(bytes: Uint8Array, at: number, length: number): boolean {
  return crc16(bytes, at + 2, at + length, 0) === 0
}
