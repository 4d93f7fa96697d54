import type { AudioSpecificConfig } from '../aac/audio-specific-config.ts'
import { SAMPLING_RATES } from '../aac/bands.ts'
import { CHANNEL_ELEMENTS, channelCount } from '../aac/channel-elements.ts'

/** adts_fixed_header() and adts_variable_header(), ISO/IEC 14496-3:2019 §1.A.2.2. */
export interface AdtsHeader {
  /** Audio object type: 1 Main, 2 LC, 3 SSR, 4 LTP. */
  readonly objectType: number
  readonly samplingIndex: number
  /** 0 when a program config element in the frame lists the channels. */
  readonly channelConfiguration: number
  /** Bytes of header and raw data blocks. */
  readonly length: number
  /** Bytes in front of the first raw data block: 7, or 9 with a checksum. */
  readonly headerLength: number
  /** Raw data blocks of 1,024 samples. */
  readonly blocks: number
}

/** Bits of the first four bytes that stay the same within a stream, apart from `original`, `home` and the copyright bits. */
export const FIXED_BITS = 0xfffffdc0
export const HEADER_BYTES = 7
/** A length has 13 bits. */
export const LONGEST_FRAME = 8191

/** Reads a header at `at`. Undefined without sync word or with reserved values. */
export function parseAdtsHeader(bytes: Uint8Array, at: number): AdtsHeader | undefined {
  if (at + HEADER_BYTES > bytes.length || bytes[at] !== 0xff || (bytes[at + 1] & 0xf6) !== 0xf0)
    return undefined
  const samplingIndex = (bytes[at + 2] >> 2) & 15
  const length = ((bytes[at + 3] & 3) << 11) | (bytes[at + 4] << 3) | (bytes[at + 5] >> 5)
  const blocks = (bytes[at + 6] & 3) + 1
  const unprotected = bytes[at + 1] & 1
  // With a checksum, positions of further blocks stand in front of it.
  const headerLength = unprotected ? HEADER_BYTES : HEADER_BYTES + 2 + (blocks - 1) * 2
  if (samplingIndex >= SAMPLING_RATES.length || length <= headerLength) return undefined
  return {
    objectType: (bytes[at + 2] >> 6) + 1,
    samplingIndex,
    channelConfiguration: ((bytes[at + 2] & 1) << 2) | (bytes[at + 3] >> 6),
    length,
    headerLength,
    blocks,
  }
}

/** Channels allowed for where only the frames themselves list them. */
const UNLISTED_CHANNELS = 8

/** What an AudioSpecificConfig of the same stream would say. */
export function configOf(header: AdtsHeader): AudioSpecificConfig {
  const rate = SAMPLING_RATES[header.samplingIndex]
  const elements = CHANNEL_ELEMENTS[header.channelConfiguration]
  return {
    objectType: header.objectType,
    coreSampleRate: rate,
    outputSampleRate: rate,
    samplingIndex: header.samplingIndex,
    channelConfiguration: header.channelConfiguration,
    channels: elements.length > 0 ? channelCount(elements) : UNLISTED_CHANNELS,
    frameLength: 1024,
    sbr: false,
    ps: false,
    elements,
  }
}
