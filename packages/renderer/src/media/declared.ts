import type { Stream } from 'node-av/lib'

/** What the container itself says that a stream is like, as far as it does. */
export interface Declared {
  readonly width?: number
  readonly height?: number
  readonly samples?: PictureSamples
  readonly sampleRate?: number
  readonly channels?: number
}

/** What the samples of pictures are. */
export interface PictureSamples {
  /** Bits of one. */
  readonly depth: number
  /** Which samples of colour there are: `4:2:0`, `4:2:2`, `4:4:4`, or `4:0:0` for none. */
  readonly colour: string
}

/** Codecs whose configuration counts the channels: what containers say of others is a habit of their writers. */
const COUNTED: ReadonlySet<string> = new Set(['aac', 'alac', 'flac', 'opus'])

/** Codecs that decode to one rate, whatever containers say of what was encoded: RFC 7845 §5.1, Input Sample Rate. */
const RATELESS: ReadonlySet<string> = new Set(['opus'])

/** What an opened container declares of a stream, before any of it is decoded. `codec` is the library's name. */
export function declaredBy({ codecpar }: Stream, codec: string): Declared {
  const { width, height, sampleRate, channels, extradata } = codecpar
  const samples = extradata ? samplesDeclared(codec, extradata) : undefined
  return {
    ...(width > 0 && height > 0 ? { width, height } : {}),
    ...(samples ? { samples } : {}),
    ...(sampleRate > 0 && !RATELESS.has(codec) ? { sampleRate } : {}),
    ...(channels > 0 && COUNTED.has(codec) ? { channels } : {}),
  }
}

const COLOURS: readonly string[] = ['4:0:0', '4:2:0', '4:2:2', '4:4:4']
/** Baseline, Main and Extended: 4:2:0 in 8 bits (ITU-T H.264 §A.2). */
const PLAIN_PROFILES: readonly number[] = [66, 77, 88]
/** Main, Main 10 and Main Still Picture: 4:2:0 (ITU-T H.265 §A.3.2 to §A.3.4), whatever else cameras write beside it. */
const MAIN_PROFILES: readonly number[] = [1, 2, 3]
/** `hvcC` up to its bit depths. */
const HVCC_BYTES = 19

/** What an `avcC`, `hvcC` or `av1C` box says of the samples (ISO/IEC 14496-15:2022 §5.3.3, §8.3.3; AV1 in ISO media §2.3.3). */
export function samplesDeclared(codec: string, record: Uint8Array): PictureSamples | undefined {
  if (codec === 'h264' && record[0] === 1)
    return PLAIN_PROFILES.includes(record[1] ?? 0) ? { colour: '4:2:0', depth: 8 } : undefined
  if (codec === 'hevc' && record[0] === 1 && record.length >= HVCC_BYTES) {
    const isMain = MAIN_PROFILES.includes((record[1] ?? 0) & 31)
    const colour = isMain ? '4:2:0' : (COLOURS[(record[16] ?? 0) & 3] ?? '')
    return { colour, depth: 8 + ((record[17] ?? 0) & 7) }
  }
  if (codec === 'av1' && record[0] === 0x81 && record.length >= 4) {
    const flags = record[2] ?? 0
    const [isHigh, isTwelve, isGrey] = [flags & 64, flags & 32, flags & 16]
    const colour = isGrey ? 0 : 3 - ((flags >> 3) & 1) - ((flags >> 2) & 1)
    return { colour: COLOURS[colour] ?? '', depth: isHigh ? (isTwelve ? 12 : 10) : 8 }
  }
  return undefined
}

/** The same of pictures that decoded, by the library's name of their format; undefined of formats that are not planes. */
export function samplesOf(pixelFormat: string): PictureSamples | undefined {
  const found = /^(?:yuvj?a?(4\d\d)p|(gray)|(gbra?p))(\d*)/.exec(pixelFormat)
  if (!found) return undefined
  const [, layout, grey, , bits] = found
  return {
    colour: grey ? '4:0:0' : layout ? [...layout].join(':') : '4:4:4',
    depth: Number(bits || 8),
  }
}
