import { ByteReader } from '../../../bytes/reader.ts'
import { WindowSource } from '../../../bytes/window-source.ts'
import { type Box, bodyOf, childOf, isCut, readChildren } from '../../../syntax/iso-boxes/box.ts'
import { readTiffHeader } from '../../../syntax/tiff-ifd/header.ts'
import { type Ifd, readIfd } from '../../../syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG, TYPE } from '../../../syntax/tiff-ifd/tags.ts'
import { UUID, UUID_BYTES, uuidAt } from './uuids.ts'

/** One track of the file: a picture or what was recorded with it, in one piece of the payload. */
export interface Track {
  readonly kind: 'jpeg' | 'raw' | 'metadata' | 'other'
  /** Where its bytes lie, and where the fields stand that say so. */
  readonly offset: number
  readonly size: number
  readonly offsetAt: number
  readonly sizeAt: number
  /** Of a raw picture. */
  readonly raw: RawHeader | undefined
}

/** What `CMP1` says of a raw picture. */
export interface RawHeader {
  readonly width: number
  readonly height: number
  readonly tiles: number
  /** Bytes of the headers in front of it. */
  readonly header: number
}

/** What `moov` says. */
export interface Movie {
  readonly box: Box
  readonly tracks: readonly Track[]
  /** The raw picture of the photo: the largest. */
  readonly main: Track & { readonly raw: RawHeader }
  /** `CTBO`: where the boxes beside `moov` lie. */
  readonly offsets: Box | undefined
  readonly thumbnail: Box | undefined
  readonly orientation: number
  readonly model: string
  /** The boxes of its metadata, each a TIFF structure, by their types. */
  readonly metadata: ReadonlyMap<string, Box>
  /** Metadata directories that cannot be read. */
  readonly brokenMetadata: readonly string[]
}

const METADATA = ['CMT1', 'CMT2', 'CMT3', 'CMT4'] as const
/** Boxes around `CMP1` in a sample entry: its own header, fields and `CRAW`'s, in which it is looked for. */
const MOST_ENTRY = 4_096
const MOST_TILES = 64

/** Reads `moov`; undefined where its raw picture or that picture's place is not told. */
export function readMovie(reader: ByteReader, box: Box): Movie | undefined {
  const { boxes } = readChildren(reader, bodyOf(box), box.end)
  const canon = boxes.find((child) => child.type === 'uuid' && uuidAt(reader, bodyOf(child)) === UUID.canon)
  if (!canon) return undefined
  const inside = readChildren(reader, bodyOf(canon) + UUID_BYTES, canon.end).boxes
  const tracks = boxes.filter(({ type }) => type === 'trak').flatMap((trak) => trackOf(reader, trak) ?? [])
  const raws = tracks.flatMap((track) => (track.raw ? [{ ...track, raw: track.raw }] : []))
  const [main] = [...raws].sort((a, b) => b.raw.width * b.raw.height - a.raw.width * a.raw.height)
  if (!main) return undefined
  const first = directoryOf(reader, childOf(inside, 'CMT1'))
  return {
    box,
    tracks,
    main,
    offsets: childOf(inside, 'CTBO'),
    thumbnail: childOf(inside, 'THMB'),
    orientation: first?.orientation ?? 1,
    model: first?.model ?? '',
    metadata: new Map(
      inside.filter(({ type }) => METADATA.some((name) => name === type)).map((box) => [box.type, box]),
    ),
    brokenMetadata: METADATA.filter((name) => !directoryOf(reader, childOf(inside, name))),
  }
}

function directoryOf(
  reader: ByteReader,
  box: Box | undefined,
): { readonly orientation: number; readonly model: string } | undefined {
  if (!box || isCut(box)) return undefined
  const inner = new ByteReader(new WindowSource(reader.source, bodyOf(box), box.end - bodyOf(box)))
  const header = readTiffHeader(inner)
  const numbers = header && new TiffNumbers(inner, header.little)
  const ifd = header && numbers && readIfd(numbers, header.firstIfd, false)
  if (!numbers || !ifd) return undefined
  const turn = ifd.entries.get(TAG.orientation)
  return { orientation: turn ? numbers.u16(turn.valueAt) : 1, model: text(inner, ifd, TAG.model) }
}

function text(reader: ByteReader, ifd: Ifd, tag: number): string {
  const entry = ifd.entries.get(tag)
  if (entry?.type !== TYPE.ascii) return ''
  return String.fromCharCode(...reader.bytes(entry.valueAt, Math.min(64, entry.bytes))).replace(/\0.*$/s, '')
}

function trackOf(reader: ByteReader, trak: Box): Track | undefined {
  const mdia = childOf(readChildren(reader, bodyOf(trak), trak.end).boxes, 'mdia')
  const minf = mdia && childOf(readChildren(reader, bodyOf(mdia), mdia.end).boxes, 'minf')
  const stbl = minf && childOf(readChildren(reader, bodyOf(minf), minf.end).boxes, 'stbl')
  const tables = stbl ? readChildren(reader, bodyOf(stbl), stbl.end).boxes : []
  const stsd = childOf(tables, 'stsd')
  const stsz = childOf(tables, 'stsz')
  const co64 = childOf(tables, 'co64')
  // one piece of payload each: those of a burst have several, and are left as they are
  if (!stsd || !stsz || !co64 || reader.u32(bodyOf(stsz) + 8) !== 1 || reader.u32(bodyOf(co64) + 4) !== 1)
    return undefined
  const constant = reader.u32(bodyOf(stsz) + 4)
  const sizeAt = bodyOf(stsz) + (constant > 0 ? 4 : 12)
  const offsetAt = bodyOf(co64) + 8
  const entry = bodyOf(stsd) + 8
  const type = reader.fourcc(entry + 4)
  const end = Math.min(stsd.end, entry + MOST_ENTRY)
  const raw = type === 'CRAW' ? rawHeader(reader, entry, end) : undefined
  const jpeg = type === 'CRAW' && !raw && findType(reader, 'JPEG', entry, end) >= 0
  return {
    kind: raw ? 'raw' : jpeg ? 'jpeg' : type === 'CTMD' ? 'metadata' : 'other',
    offset: reader.u64(offsetAt),
    size: reader.u32(sizeAt),
    offsetAt,
    sizeAt,
    raw,
  }
}

/** `CMP1`: how a raw picture is coded. */
function rawHeader(reader: ByteReader, entry: number, end: number): RawHeader | undefined {
  const at = findType(reader, 'CMP1', entry, end)
  if (at < 0) return undefined
  const width = reader.u32(at + 12)
  const height = reader.u32(at + 16)
  const tileWidth = reader.u32(at + 20)
  const tileHeight = reader.u32(at + 24)
  if (width === 0 || height === 0 || tileWidth === 0 || tileHeight === 0) return undefined
  const tiles = Math.ceil(width / tileWidth) * Math.ceil(height / tileHeight)
  return tiles > MOST_TILES ? undefined : { width, height, tiles, header: reader.u32(at + 32) }
}

/** Where a box's type stands in [from, to); -1 where it does not. */
function findType(reader: ByteReader, type: string, from: number, to: number): number {
  for (let at = from; at + 4 <= to; at++)
    if (reader.u8(at) === type.charCodeAt(0) && reader.fourcc(at) === type) return at
  return -1
}
