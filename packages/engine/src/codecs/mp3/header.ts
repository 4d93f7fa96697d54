/** Header of an MPEG audio frame, ISO/IEC 11172-3:1993 §2.4.1.3, with the lower rates of ISO/IEC 13818-3 and "MPEG 2.5". */
export interface MpegAudioHeader {
  /** 1 for MPEG-1, 2 for MPEG-2, 2.5 for the rates below. */
  readonly version: 1 | 2 | 2.5
  readonly layer: 1 | 2 | 3
  /** Bytes of the whole frame. */
  readonly length: number
  /** Bits a second. */
  readonly bitRate: number
  readonly sampleRate: number
  /** Samples of one channel that the frame codes. */
  readonly samples: number
  readonly channels: 1 | 2
  /** A CRC-16 follows the header. */
  readonly protected: boolean
}

/** kbit/s by bitrate_index 1 to 14. */
const RATES_1_1 = [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
const RATES_1_2 = [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
const RATES_1_3 = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const RATES_2_1 = [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
const RATES_2_23 = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const SAMPLE_RATES = [44100, 48000, 32000]

/** Bits of a header that cannot change within a track: sync word, version, layer and sampling rate. */
export const FIXED_BITS = 0xfffe0c00
/** Longest frame: Layer II at 384 kbit/s and 32 kHz. */
export const LONGEST_FRAME = 1729

/** Reads a header of 32 bits. Undefined for reserved values and for free format, whose frames have no length of their own. */
export function parseHeader(word: number): MpegAudioHeader | undefined {
  if (word >>> 21 !== 0x7ff) return undefined
  const versionBits = (word >>> 19) & 3
  const layerBits = (word >>> 17) & 3
  const rateIndex = (word >>> 12) & 15
  const sampleIndex = (word >>> 10) & 3
  if (versionBits === 1 || layerBits === 0 || rateIndex === 0 || rateIndex === 15 || sampleIndex === 3)
    return undefined
  const version = versionBits === 3 ? 1 : versionBits === 2 ? 2 : 2.5
  const layer = layerBits === 3 ? 1 : layerBits === 2 ? 2 : 3
  const rates =
    version === 1
      ? layer === 1
        ? RATES_1_1
        : layer === 2
          ? RATES_1_2
          : RATES_1_3
      : layer === 1
        ? RATES_2_1
        : RATES_2_23
  const bitRate = rates[rateIndex - 1] * 1000
  const sampleRate = SAMPLE_RATES[sampleIndex] / (version === 1 ? 1 : version === 2 ? 2 : 4)
  const padding = (word >>> 9) & 1
  const samples = layer === 1 ? 384 : layer === 3 && version !== 1 ? 576 : 1152
  const length =
    layer === 1
      ? (Math.floor((12 * bitRate) / sampleRate) + padding) * 4
      : Math.floor(((samples / 8) * bitRate) / sampleRate) + padding
  const channels = ((word >>> 6) & 3) === 3 ? 1 : 2
  const isProtected = ((word >>> 16) & 1) === 0
  return { version, layer, length, bitRate, sampleRate, samples, channels, protected: isProtected }
}
