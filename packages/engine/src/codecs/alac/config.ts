/** ALACSpecificConfig, the "magic cookie" of Apple Lossless, big-endian. */
export interface AlacConfig {
  /** Samples of a channel in all frames but shorter last ones. */
  readonly frameLength: number
  readonly bitDepth: number
  /** Parameters of the adaptive Golomb code: history multiplier, initial history, longest parameter. */
  readonly historyMultiplier: number
  readonly initialHistory: number
  readonly riceLimit: number
  readonly channels: number
  readonly sampleRate: number
}

const COOKIE_BYTES = 24
/** Bounds: encoders write 4,096 samples and up to 8 channels. */
const MAX_FRAME_LENGTH = 65_536
const MAX_CHANNELS = 8
const BIT_DEPTHS = [8, 16, 20, 24, 32]
/** Chunks that older files put around the cookie. */
const FORMAT_CHUNK = 'frma'
const CONFIG_CHUNK = 'alac'

/**
 * Reads the cookie, with or without the version word and the `frma` and `alac` chunks around it that QuickTime files and
 * demuxers leave there. Undefined when it is cut off or holds impossible values.
 */
export function parseAlacConfig(record: Uint8Array): AlacConfig | undefined {
  let bytes = record
  if (chunkType(bytes) === FORMAT_CHUNK) bytes = bytes.subarray(12)
  if (chunkType(bytes) === CONFIG_CHUNK) bytes = bytes.subarray(8)
  // A full box begins with version and flags of zero; a cookie with a frame length, which is not.
  if (bytes.length > COOKIE_BYTES && word(bytes, 0) === 0) bytes = bytes.subarray(4)
  if (bytes.length < COOKIE_BYTES) return undefined
  const config = {
    frameLength: word(bytes, 0),
    bitDepth: bytes[5],
    historyMultiplier: bytes[6],
    initialHistory: bytes[7],
    riceLimit: bytes[8],
    channels: bytes[9],
    sampleRate: word(bytes, 20),
  }
  if (config.frameLength === 0 || config.frameLength > MAX_FRAME_LENGTH) return undefined
  if (!BIT_DEPTHS.includes(config.bitDepth) || config.channels < 1 || config.channels > MAX_CHANNELS)
    return undefined
  if (config.riceLimit < 1 || config.riceLimit > 24) return undefined
  return config
}

function chunkType(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(4, 8))
}

function word(bytes: Uint8Array, at: number): number {
  return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0
}
