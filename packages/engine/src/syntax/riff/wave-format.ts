/** How sound is coded, WAVEFORMATEX (Multimedia Data Standards Update 3.0). */
export interface WaveFormat {
  readonly tag: number
  readonly channels: number
  readonly sampleRate: number
  readonly bytesPerSecond: number
  readonly blockAlign: number
  readonly bitsPerSample: number
  /** What the format's own fields say, behind the common ones. */
  readonly extra: Uint8Array
}

const COMMON = 18
const EXTENSIBLE = 0xfffe
/** Where WAVEFORMATEXTENSIBLE's sub-format begins with the tag that it extends. */
const SUB_FORMAT = 6

/** Reads a format of 14 bytes and more; undefined for less. */
export function parseWaveFormat(bytes: Uint8Array): WaveFormat | undefined {
  if (bytes.length < 14) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const size = bytes.length >= COMMON ? view.getUint16(16, true) : 0
  const extra = bytes.slice(COMMON, COMMON + size)
  const tag = view.getUint16(0, true)
  return {
    tag:
      tag === EXTENSIBLE && extra.length >= SUB_FORMAT + 2
        ? extra[SUB_FORMAT] | (extra[SUB_FORMAT + 1] << 8)
        : tag,
    channels: view.getUint16(2, true),
    sampleRate: view.getUint32(4, true),
    bytesPerSecond: view.getUint32(8, true),
    blockAlign: view.getUint16(12, true),
    bitsPerSample: bytes.length >= 16 ? view.getUint16(14, true) : 8,
    extra,
  }
}

/** Engine's codec names by format tag (RFC 2361 and its successors). */
const BY_TAG: Readonly<Record<number, string>> = {
  1: 'pcm',
  2: 'adpcm-ms',
  3: 'pcm',
  6: 'pcm',
  7: 'pcm',
  17: 'adpcm-ima-wav',
  80: 'mp3',
  85: 'mp3',
  255: 'aac',
  352: 'wma',
  353: 'wma',
  354: 'wma',
  5633: 'aac',
  8192: 'ac3',
  8193: 'dts',
  41222: 'aac',
}

/** The codec of a format; `wave-NNNN` for tags that are not known. */
export function waveCodec(tag: number): string {
  return BY_TAG[tag] ?? `wave-${tag.toString(16).padStart(4, '0')}`
}
