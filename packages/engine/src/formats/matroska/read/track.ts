import type { ByteReader } from '../../../bytes/reader.ts'
import { mendHead } from '../../../codecs/opus/head.ts'
import type { TrackKind } from '../../../model/report.ts'
import type { TrackDescription } from '../../../model/track.ts'
import {
  type Element,
  readChildren,
  readFloat,
  readText,
  readUnsigned,
} from '../../../syntax/ebml/element.ts'
import {
  AUDIO,
  BIT_DEPTH,
  CHANNELS,
  CODEC_DELAY,
  CODEC_ID,
  CODEC_PRIVATE,
  CONTENT_COMP_ALGO,
  CONTENT_COMP_SETTINGS,
  CONTENT_COMPRESSION,
  CONTENT_ENCODING,
  CONTENT_ENCODING_SCOPE,
  CONTENT_ENCODING_TYPE,
  CONTENT_ENCODINGS,
  DEFAULT_DURATION,
  PIXEL_HEIGHT,
  PIXEL_WIDTH,
  SAMPLING_FREQUENCY,
  TRACK_ENTRY,
  TRACK_NUMBER,
  TRACK_TYPE,
  VIDEO,
} from '../ids.ts'
import { codecName, VFW } from './codec-names.ts'

/** What becomes of a track's frames before they are stored, RFC 9559 §5.1.4.1.31. */
export type Encoding = 'none' | 'stripped' | 'zlib' | 'compressed' | 'encrypted'

export interface MatroskaTrack {
  /** As blocks name it. */
  readonly number: number
  readonly description: TrackDescription
  readonly codecId: string
  readonly encoding: Encoding
  /** Bytes taken away from the front of each frame. */
  readonly stripped: Uint8Array
  /** Nanoseconds of a frame, 0 where the entry does not say. */
  readonly defaultDuration: number
  /** Nanoseconds of CodecDelay. */
  readonly codecDelay: number
  /** The whole TrackEntry as it is stored. */
  readonly entry: Uint8Array
  /** What was hit of it was put right. */
  readonly mended?: true
}

const KINDS: Readonly<Record<number, TrackKind>> = { 1: 'video', 2: 'audio', 17: 'text' }
const MOST_CHILDREN = 256
/** Bytes of BITMAPINFOHEADER, which a codec's own configuration follows. */
const BITMAP_HEADER = 40
const NANOSECONDS = 1e9

/** The tracks of a Tracks element; `whole` when all of it could be read. */
export function readTracks(
  reader: ByteReader,
  tracks: Element,
  most: number,
): { readonly tracks: MatroskaTrack[]; readonly whole: boolean } {
  const { children, whole } = readChildren(reader, tracks.body, tracks.end, most + MOST_CHILDREN)
  const entries = children.filter(({ id }) => id === TRACK_ENTRY)
  const found = entries.map((entry) => readTrack(reader, entry))
  const good = found.filter((track) => track !== undefined)
  const numbers = new Set(good.map(({ number }) => number))
  return {
    tracks: good.slice(0, most),
    whole:
      whole &&
      good.length === entries.length &&
      !good.some(({ mended }) => mended) &&
      numbers.size === good.length &&
      good.length > 0,
  }
}

/** One TrackEntry, RFC 9559 §5.1.4.1; undefined where what a track must say is missing or broken. */
export function readTrack(reader: ByteReader, entry: Element): MatroskaTrack | undefined {
  const { children, whole } = readChildren(reader, entry.body, entry.end, MOST_CHILDREN)
  if (!whole) return undefined
  const child = (id: number): Element | undefined => children.find((candidate) => candidate.id === id)
  const number = value(reader, child(TRACK_NUMBER))
  const type = value(reader, child(TRACK_TYPE))
  const codecElement = child(CODEC_ID)
  const codecId = codecElement && readText(reader, codecElement)
  if (!number || !type || !codecId || number > 0x3fff) return undefined
  const configElement = child(CODEC_PRIVATE)
  const codecPrivate = copy(reader, configElement)
  const video = child(VIDEO)
  const audio = child(AUDIO)
  const pictures = video ? readChildren(reader, video.body, video.end, MOST_CHILDREN) : undefined
  const sound = audio ? readChildren(reader, audio.body, audio.end, MOST_CHILDREN) : undefined
  if (pictures?.whole === false || sound?.whole === false) return undefined
  const rateElement = sound?.children.find(({ id }) => id === SAMPLING_FREQUENCY)
  const rate = rateElement ? readFloat(reader, rateElement) : 8000
  const of = (list: readonly Element[] | undefined, id: number): number | undefined =>
    value(
      reader,
      list?.find((candidate) => candidate.id === id),
    )
  const bytes = copy(reader, { ...entry, body: entry.offset })
  const hit = pictures && lackingSize(pictures.children)
  if (hit?.element) bytes[hit.element.offset - entry.offset] = hit.id
  else if (hit) return undefined
  const size = (id: number): number =>
    value(reader, hit?.id === id ? hit.element : pictures?.children.find((child) => child.id === id)) ?? 0
  const codec = codecName(codecId, codecPrivate)
  const defaultDuration = value(reader, child(DEFAULT_DURATION)) ?? 0
  const channels = of(sound?.children, CHANNELS) ?? 1
  const bitDepth = of(sound?.children, BIT_DEPTH) ?? 0
  const head = codec === 'opus' ? mendHead(codecPrivate, channels) : undefined
  // an entry that is longer than what is copied of it is no one's
  if (head && configElement && configElement.end - entry.offset > bytes.length) return undefined
  if (head && configElement) bytes.set(head, configElement.body - entry.offset)
  const config = head ?? (codecId === VFW ? codecPrivate.subarray(BITMAP_HEADER) : codecPrivate)
  const { encoding, stripped } = readEncodings(reader, child(CONTENT_ENCODINGS))
  return {
    number,
    codecId,
    encoding,
    stripped,
    defaultDuration,
    codecDelay: value(reader, child(CODEC_DELAY)) ?? 0,
    entry: bytes,
    ...(hit || head ? { mended: true } : {}),
    description: {
      id: number,
      kind: KINDS[type] ?? 'data',
      codec,
      timescale: NANOSECONDS,
      config,
      framing:
        codec !== 'h264' && codec !== 'hevc' ? 'raw' : isAnnexB(codecId, config) ? 'startcode' : 'length',
      ...(video ? { width: size(PIXEL_WIDTH), height: size(PIXEL_HEIGHT) } : {}),
      ...(audio && rate ? { sampleRate: rate, channels } : {}),
      ...(codec === 'pcm' ? pcmFacts(codecId, channels, bitDepth, codecPrivate) : {}),
    },
  }
}

/** Bytes of a number of 32 bits. */
const MOST_SIZE_BYTES = 4

/**
 * Width or height where pictures say only the other, which are mandatory both, RFC 9559 §5.1.4.1.28.6 and 7: players refuse the
 * whole file for it. With the element that has a bit of its id turned, where there is one.
 */
function lackingSize(
  children: readonly Element[],
): { readonly id: number; readonly element: Element | undefined } | undefined {
  const lacking = [PIXEL_WIDTH, PIXEL_HEIGHT].filter((id) => !children.some((child) => child.id === id))
  const [id] = lacking
  if (id === undefined || lacking.length > 1) return undefined
  const near = children.filter(
    (child) => isOneBit(child.id ^ id) && child.end > child.body && child.end - child.body <= MOST_SIZE_BYTES,
  )
  return { id, element: near.length === 1 ? near[0] : undefined }
}

function isOneBit(value: number): boolean {
  return value !== 0 && (value & (value - 1)) === 0
}

/** Pictures behind start codes: AVI's way inside Matroska, and browsers that leave the configuration out. */
function isAnnexB(codecId: string, config: Uint8Array): boolean {
  return codecId === VFW || config.length === 0 || config[0] === 0
}

const FLOAT_TAG = 3

function pcmFacts(codecId: string, channels: number, bitDepth: number, format: Uint8Array) {
  const acm = format.length >= 16
  const bits = acm ? format[14] | (format[15] << 8) : bitDepth
  const float = codecId.includes('FLOAT') || (acm && format[0] === FLOAT_TAG)
  return {
    ...(bits > 0 ? { blockAlign: (channels * bits) / 8 } : {}),
    facts: {
      endian: codecId.includes('BIG') ? 'big' : 'little',
      float: float ? 1 : 0,
      ...(bits > 0 ? { bitsPerSample: bits } : {}),
    },
  }
}

/** ContentEncodingScope of frames, §5.1.4.1.31.3, and values of ContentCompAlgo, §5.1.4.1.31.6. */
const FRAMES = 1
const ZLIB = 0
const HEADER_STRIPPING = 3

function readEncodings(
  reader: ByteReader,
  encodings: Element | undefined,
): { readonly encoding: Encoding; readonly stripped: Uint8Array } {
  let encoding: Encoding = 'none'
  let stripped = new Uint8Array(0)
  if (!encodings) return { encoding, stripped }
  for (const each of readChildren(reader, encodings.body, encodings.end, MOST_CHILDREN).children) {
    if (each.id !== CONTENT_ENCODING) continue
    const { children } = readChildren(reader, each.body, each.end, MOST_CHILDREN)
    const child = (id: number): Element | undefined => children.find((candidate) => candidate.id === id)
    if (value(reader, child(CONTENT_ENCODING_TYPE)) === 1) return { encoding: 'encrypted', stripped }
    const compression = child(CONTENT_COMPRESSION)
    const scope = value(reader, child(CONTENT_ENCODING_SCOPE)) ?? FRAMES
    if (!compression || (scope & FRAMES) === 0) continue
    const settings = readChildren(reader, compression.body, compression.end, MOST_CHILDREN).children
    const algorithm = value(
      reader,
      settings.find(({ id }) => id === CONTENT_COMP_ALGO),
    )
    if (algorithm === HEADER_STRIPPING && encoding === 'none') {
      encoding = 'stripped'
      stripped = copy(
        reader,
        settings.find(({ id }) => id === CONTENT_COMP_SETTINGS),
      )
    } else encoding = encoding === 'none' && (algorithm ?? ZLIB) === ZLIB ? 'zlib' : 'compressed'
  }
  return { encoding, stripped }
}

function value(reader: ByteReader, element: Element | undefined): number | undefined {
  return element && readUnsigned(reader, element)
}

/** CodecPrivate may hold fonts of subtitles or a whole palette, never more than this. */
const MOST_BYTES = 4 * 1024 * 1024

function copy(
  reader: ByteReader,
  element: Pick<Element, 'body' | 'end'> | undefined,
): Uint8Array<ArrayBuffer> {
  if (!element) return new Uint8Array(0)
  return reader.bytes(element.body, Math.min(MOST_BYTES, element.end - element.body)).slice()
}
