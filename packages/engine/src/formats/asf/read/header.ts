import type { ByteReader } from '../../../bytes/reader.ts'
import type { TrackKind } from '../../../model/report.ts'
import { ENCRYPTIONS, GUID, guidAt } from './guids.ts'

/** Bytes of an object's name and size. */
export const OBJECT_HEADER = 24
/** Bytes of the header object in front of its parts, ASF Specification §3.1. */
export const HEADER_START = 30
/** Bytes of the data object in front of its packets, §5.1. */
export const DATA_START = 50
/** Bytes of a header extension in front of its parts, §4.1. */
export const EXTENSION_START = 46
const FILE_PROPERTIES = 104
const STREAM_PROPERTIES = 78
/** Headers beyond this are damage. */
const LONGEST = 16 * 1024 * 1024
/** Bytes in which parts of a damaged header are looked for. */
const SEARCHED = 256 * 1024
const MOST_PARTS = 1024
/** What describes pictures, §9.2: bytes of its second part, where the codec's data begins, and no codec's is longer. */
const BITMAP_HEADER = 40
const PICTURE_CONFIG = 51
const MOST_CONFIG = 64 * 1024
/** Largest packet: every muxer stays below 64 KiB. */
export const LARGEST_PACKET = 1 << 20
export const SMALLEST_PACKET = 64

/** A part of the header, as it stands in its file. */
export interface Part {
  readonly guid: string
  readonly offset: number
  readonly size: number
}

/** File Properties, §3.2. */
export interface FileProperties {
  readonly fileSize: number
  readonly packets: number
  /** 100 ns, preroll included. */
  readonly playDuration: number
  /** Milliseconds. */
  readonly preroll: number
  readonly flags: number
  /** Most bytes of a packet, and least. */
  readonly packetSize: number
  readonly leastPacket: number
  /** Packets are not all of one size. */
  readonly variable: boolean
}

/** Stream Properties, §3.3. */
export interface AsfStream {
  readonly number: number
  readonly kind: TrackKind
  readonly codec: string
  readonly encrypted: boolean
  /** Of pictures. */
  readonly picture?: PictureFormat
}

/** What a header tells of pictures, §9.2. */
export interface PictureFormat {
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** The codec's own data. */
  readonly config: Uint8Array
}

export interface Header {
  readonly parts: readonly Part[]
  readonly file: FileProperties | undefined
  readonly streams: readonly AsfStream[]
  readonly encrypted: boolean
  /** Every part lies where the one before ends, up to the header's own end. */
  readonly whole: boolean
  /** Where the data object stands by the header; -1 where there is none. */
  readonly data: number
}

/** Reads the header at the file's beginning, or what of it can be found. */
export function readHeader(reader: ByteReader): Header {
  const parts: Part[] = []
  const size = reader.u64le(16)
  const named = guidAt(reader, 0) === GUID.header
  const sane = named && size >= HEADER_START && size <= Math.min(LONGEST, reader.size)
  let at = HEADER_START
  while (sane && at < size && parts.length < MOST_PARTS) {
    const part = partAt(reader, at, size)
    if (!part) break
    parts.push(part)
    at += part.size
  }
  const whole = sane && at === size && parts.length === reader.u32le(24)
  if (!whole) searchParts(reader, cutSwallowing(reader, parts) ?? at, parts)
  const streams: AsfStream[] = []
  let file: FileProperties | undefined
  const all = flat(reader, parts)
  for (const part of all) {
    if (part.guid === GUID.fileProperties) file ??= readFileProperties(reader, part)
    if (part.guid !== GUID.streamProperties) continue
    const stream = readStream(reader, part)
    if (stream && !streams.some(({ number }) => number === stream.number)) streams.push(stream)
  }
  const encrypted =
    all.some(({ guid }) => ENCRYPTIONS.has(guid)) || streams.some((stream) => stream.encrypted)
  const data = whole && guidAt(reader, size) === GUID.data ? size : searchData(reader)
  return { parts, file, streams, encrypted, whole: whole && data === size, data }
}

/** The part at `at`, which ends at `end` at the latest; undefined where none is. */
function partAt(reader: ByteReader, at: number, end: number): Part | undefined {
  const size = reader.u64le(at + 16)
  return size >= OBJECT_HEADER && at + size <= end
    ? { guid: guidAt(reader, at), offset: at, size }
    : undefined
}

/** Names of parts that say what the packets hold, by their first four bytes. */
const WANTED = [
  GUID.fileProperties,
  GUID.streamProperties,
  GUID.headerExtension,
  GUID.codecList,
  GUID.bitrates,
]

/**
 * Where bytes are missing from a part, it takes in the beginning of the next one, by its size. An extension is made to end there:
 * what it holds in front is whole. Others are left out, as what they say lies elsewhere. Returns where the next one begins;
 * undefined where none is taken in.
 */
function cutSwallowing(reader: ByteReader, parts: Part[]): number | undefined {
  for (const [i, part] of parts.entries()) {
    const { guid, offset, size } = part
    const isExtension = guid === GUID.headerExtension
    const end = Math.min(offset + size, reader.size, SEARCHED)
    /** Where a row of streams begins, and ends: an extension may hold some by right. */
    let row = -1
    let behind = -1
    for (let at = offset + OBJECT_HEADER; at < end; at++) {
      const inner = wantedAt(reader, at)
      if (!inner) continue
      if (at !== behind) row = at
      behind = at + reader.u64le(at + 16)
      if (isExtension && inner === GUID.streamProperties && behind <= offset + size) continue
      parts.length = i
      if (isExtension) parts.push({ guid, offset, size: row - offset })
      return row
    }
  }
  return undefined
}

/** Where the parts end that follow each other in an extension. */
export function extensionEnd(reader: ByteReader, { offset, size }: Part): number {
  let end = offset + EXTENSION_START
  for (let next = partAt(reader, end, offset + size); next; next = partAt(reader, end, offset + size))
    end += next.size
  return end
}

function wantedAt(reader: ByteReader, at: number): string | undefined {
  const first = reader.u32(at)
  const guid = WANTED.find((candidate) => Number.parseInt(candidate.slice(0, 8), 16) === first)
  return guid && guidAt(reader, at) === guid ? guid : undefined
}

/** Adds parts that stand where the row of parts is broken. */
function searchParts(reader: ByteReader, from: number, parts: Part[]): void {
  const end = Math.min(reader.size, SEARCHED)
  for (let at = from; at + OBJECT_HEADER <= end && parts.length < MOST_PARTS; at++) {
    if (!wantedAt(reader, at)) continue
    const part = partAt(reader, at, end)
    if (!part) continue
    parts.push(part)
    at += part.size - 1
  }
}

/** The parts, and those that lie within the header extension, §4: stream properties, and what tells of encryption. */
function flat(reader: ByteReader, parts: readonly Part[]): Part[] {
  const all: Part[] = []
  for (const part of parts) {
    all.push(part)
    if (part.guid !== GUID.headerExtension) continue
    const end = part.offset + part.size
    for (let at = part.offset + EXTENSION_START; at + OBJECT_HEADER <= end && all.length < MOST_PARTS; ) {
      const inner = partAt(reader, at, end)
      if (!inner) break
      if (inner.guid === GUID.extendedStreamProperties) {
        const hidden = hiddenStream(reader, inner)
        if (hidden) all.push(hidden)
      } else if (ENCRYPTIONS.has(inner.guid)) all.push(inner)
      at += inner.size
    }
  }
  return all
}

/** Stream properties at the end of extended ones, behind names and payload extensions. */
function hiddenStream(reader: ByteReader, { offset, size }: Part): Part | undefined {
  const end = offset + size
  let at = offset + 88
  for (let names = reader.u16le(offset + 84); names > 0 && at < end; names--) at += 4 + reader.u16le(at + 2)
  for (let systems = reader.u16le(offset + 86); systems > 0 && at < end; systems--)
    at += 22 + reader.u32le(at + 18)
  const part = partAt(reader, at, end)
  return part?.guid === GUID.streamProperties ? part : undefined
}

function readFileProperties(reader: ByteReader, { offset, size }: Part): FileProperties | undefined {
  if (size < FILE_PROPERTIES) return undefined
  const least = reader.u32le(offset + 92)
  const packetSize = reader.u32le(offset + 96)
  if (packetSize < SMALLEST_PACKET || packetSize > LARGEST_PACKET) return undefined
  return {
    fileSize: reader.u64le(offset + 40),
    packets: reader.u64le(offset + 56),
    playDuration: reader.u64le(offset + 64),
    preroll: reader.u64le(offset + 80),
    flags: reader.u32le(offset + 88),
    packetSize,
    leastPacket: Math.min(least, packetSize),
    variable: least !== packetSize,
  }
}

function readStream(reader: ByteReader, { offset, size }: Part): AsfStream | undefined {
  if (size < STREAM_PROPERTIES) return undefined
  const type = guidAt(reader, offset + 24)
  const flags = reader.u16le(offset + 72)
  const number = flags & 127
  if (number === 0) return undefined
  const encrypted = (flags & 0x8000) !== 0
  const specific = offset + STREAM_PROPERTIES
  if (type === GUID.audio)
    return { number, kind: 'audio', codec: soundName(reader.u16le(specific)), encrypted }
  if (type !== GUID.video) return { number, kind: 'data', codec: 'data', encrypted }
  const codec = pictureName(reader.fourcc(specific + 27))
  return { number, kind: 'video', codec, encrypted, picture: pictureFormat(reader, specific, offset + size) }
}

function pictureFormat(reader: ByteReader, at: number, end: number): PictureFormat {
  const told = reader.u16le(at + 9) - BITMAP_HEADER
  const length = Math.max(0, Math.min(told, end - at - PICTURE_CONFIG, MOST_CONFIG))
  return {
    width: reader.u32le(at),
    height: reader.u32le(at + 4),
    config: reader.bytes(at + PICTURE_CONFIG, length).slice(),
  }
}

/** Format tags of sound, RFC 2361 and the Windows Media codecs' own. */
const SOUNDS: Readonly<Record<number, string>> = {
  1: 'pcm',
  10: 'wmavoice',
  80: 'mp2',
  85: 'mp3',
  255: 'aac',
  352: 'wmav1',
  353: 'wmav2',
  354: 'wmapro',
  355: 'wmalossless',
  5634: 'aac',
  8192: 'ac3',
}

function soundName(tag: number): string {
  return SOUNDS[tag] ?? `0x${tag.toString(16)}`
}

const PICTURES: Readonly<Record<string, string>> = {
  MP42: 'msmpeg4v2',
  MP43: 'msmpeg4v3',
  DIV3: 'msmpeg4v3',
  MPG4: 'msmpeg4v1',
  WMV1: 'wmv1',
  WMV2: 'wmv2',
  WMV3: 'wmv3',
  WVC1: 'vc1',
  WMVA: 'vc1',
  MP4S: 'mpeg4',
  M4S2: 'mpeg4',
  H264: 'h264',
  MSS1: 'mss1',
  MSS2: 'mss2',
}

function pictureName(code: string): string {
  return PICTURES[code.toUpperCase()] ?? code.toLowerCase()
}

/** The data object behind a damaged header; -1 where none is found. */
function searchData(reader: ByteReader): number {
  const end = Math.min(reader.size - DATA_START, SEARCHED)
  const first = Number.parseInt(GUID.data.slice(0, 8), 16)
  for (let at = 0; at <= end; at++)
    if (reader.u32(at) === first && guidAt(reader, at) === GUID.data) return at
  return -1
}
