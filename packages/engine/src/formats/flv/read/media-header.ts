import { AUDIO, CONFIG, EMPTY, KEY, SCRIPT, VIDEO } from './tag-table.ts'

/** Bytes of a tag's data that tell what it carries. */
export const MEDIA_HEAD = 8

/** CodecID of video tags, Adobe Flash Video File Format Specification 10.1 Annex E.4.3.1; 12 to 14 are servers' own. */
const VIDEO_CODECS: Readonly<Record<number, string>> = {
  2: 'flv1',
  3: 'screen',
  4: 'vp6',
  5: 'vp6a',
  6: 'screen2',
  7: 'h264',
  12: 'hevc',
  13: 'av1',
}

/** SoundFormat of audio tags, Annex E.4.2.1. */
const AUDIO_CODECS: Readonly<Record<number, string>> = {
  0: 'pcm',
  1: 'adpcm',
  2: 'mp3',
  3: 'pcm',
  4: 'nellymoser',
  5: 'nellymoser',
  6: 'nellymoser',
  7: 'g711-a',
  8: 'g711-mu',
  10: 'aac',
  11: 'speex',
  14: 'mp3',
}

/** Codecs by their four characters, Enhanced RTMP v2. */
const FOURCC_CODECS: Readonly<Record<string, string>> = {
  avc1: 'h264',
  hvc1: 'hevc',
  av01: 'av1',
  vp08: 'vp8',
  vp09: 'vp9',
  mp4a: 'aac',
  Opus: 'opus',
  fLaC: 'flac',
  'ac-3': 'ac3',
  'ec-3': 'eac3',
  '.mp3': 'mp3',
}

/** SoundFormat 9: the low bits are a packet type and a code of four characters follows, Enhanced RTMP v2. */
const EXTENDED_SOUND = 9
const COMMAND_FRAME = 5
/** PacketTypes of Enhanced RTMP v2. */
const SEQUENCE_START = 0
const SEQUENCE_END = 2
const METADATA = 4
const MPEG2TS_START = 5
const MULTITRACK = 6
const AUDIO_MULTITRACK = 5
const AUDIO_CHANNELS = 4
const MODIFIER = 7

/** What the first bytes of a tag's data say. */
export interface MediaHeader {
  readonly codec: string
  /** `KEY`, `CONFIG`, `EMPTY`. */
  readonly flags: number
  /** Bytes of data in front of the coded unit. */
  readonly length: number
}

const UNKNOWN: MediaHeader = { codec: '', flags: 0, length: 0 }

/** Reads the first bytes of a tag's data. `codec` is empty where they are none that a muxer writes. */
export function readMediaHeader(kind: number, data: Uint8Array): MediaHeader {
  if (kind === SCRIPT) return { codec: 'script', flags: EMPTY, length: 0 }
  if (data.length === 0) return { codec: '', flags: EMPTY, length: 0 }
  return kind === AUDIO ? readAudio(data) : readVideo(data)
}

function readAudio(data: Uint8Array): MediaHeader {
  const format = data[0] >> 4
  if (format === EXTENDED_SOUND) {
    const type = data[0] & 15
    if (type === MODIFIER || type === AUDIO_MULTITRACK) return { codec: 'multitrack', flags: KEY, length: 1 }
    const codec = FOURCC_CODECS[fourcc(data)]
    if (!codec || type > AUDIO_CHANNELS) return UNKNOWN
    const flags = type === SEQUENCE_START ? CONFIG : type === 1 ? KEY : EMPTY
    return { codec, flags, length: 5 }
  }
  const codec = AUDIO_CODECS[format]
  if (!codec) return UNKNOWN
  if (codec !== 'aac') return { codec, flags: data.length > 1 ? KEY : EMPTY, length: 1 }
  if (data[1] > 1) return UNKNOWN
  return { codec, flags: data[1] === 0 ? CONFIG : data.length > 2 ? KEY : EMPTY, length: 2 }
}

function readVideo(data: Uint8Array): MediaHeader {
  const frame = (data[0] >> 4) & 7
  const key = frame === 1 || frame === 4 ? KEY : 0
  if (data[0] & 0x80) return readExtended(data, frame, key)
  const codec = VIDEO_CODECS[data[0] & 15]
  if (!codec || frame === 0 || frame > COMMAND_FRAME) return UNKNOWN
  if (frame === COMMAND_FRAME) return { codec, flags: EMPTY, length: 2 }
  if (codec !== 'h264' && codec !== 'hevc' && codec !== 'av1')
    return { codec, flags: key, length: codec.startsWith('vp6') ? 2 : 1 }
  if (data[1] > 2) return UNKNOWN
  const flags = data[1] === 0 ? CONFIG : data[1] === 2 ? EMPTY : key
  return { codec, flags, length: 5 }
}

function readExtended(data: Uint8Array, frame: number, key: number): MediaHeader {
  const type = data[0] & 15
  if (type > MODIFIER || frame > COMMAND_FRAME) return UNKNOWN
  if (type === MULTITRACK || type === MODIFIER) return { codec: 'multitrack', flags: key, length: 1 }
  const codec = FOURCC_CODECS[fourcc(data)]
  if (!codec) return UNKNOWN
  if (type === SEQUENCE_START || type === MPEG2TS_START) return { codec, flags: CONFIG, length: 5 }
  if (type === SEQUENCE_END || type === METADATA || frame === COMMAND_FRAME)
    return { codec, flags: EMPTY, length: 5 }
  const composed = type === 1 && (codec === 'h264' || codec === 'hevc')
  return { codec, flags: key, length: composed ? 8 : 5 }
}

/** Bytes of a picture's delay. */
export const DELAY_BYTES = 3

/**
 * Where in a tag's data the milliseconds stand by which a picture is shown later than it is decoded: CompositionTime, Annex
 * E.4.3.1, and that of coded frames of Enhanced RTMP v2; -1 where nothing is said of it.
 */
export function delayPlace(kind: number, codec: string, first: number): number {
  if (kind !== VIDEO || (codec !== 'h264' && codec !== 'hevc')) return -1
  if (first & 0x80) return (first & 15) === 1 ? 5 : -1
  return 2
}

/** The delay that a tag's data begin with, a number with a sign; 0 where there is none. */
export function delayIn(kind: number, codec: string, data: Uint8Array): number {
  const at = data.length === 0 ? -1 : delayPlace(kind, codec, data[0])
  if (at < 0 || at + DELAY_BYTES > data.length) return 0
  return ((data[at] << 24) | (data[at + 1] << 16) | (data[at + 2] << 8)) >> 8
}

function fourcc(data: Uint8Array): string {
  return String.fromCharCode(...data.subarray(1, 5))
}
