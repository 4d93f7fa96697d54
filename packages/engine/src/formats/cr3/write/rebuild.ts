import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { Splice } from '../../../bytes/splice.ts'
import { FILLER } from '../../../photo/raw/unwritten.ts'
import { bodyOf } from '../../../syntax/iso-boxes/box.ts'
import { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import type { PlacedTrack } from '../mend/match-sample.ts'
import type { Movie } from '../read/container.ts'
import { emptyMetadata } from '../read/timed-metadata.ts'
import { personalRegions } from './personal.ts'

/** What a file is put together from. */
export interface Parts {
  readonly fileType: Uint8Array
  /** Where `moov` is taken from, the damaged file or a sample. */
  readonly reader: ByteReader
  readonly movie: Movie
  /** Its small picture shows another photo, and its metadata tell of that. */
  readonly foreign: boolean
  readonly tracks: readonly PlacedTrack[]
  /** The boxes beside `moov`, whole. */
  readonly xmp: Region | undefined
  readonly preview: Region | undefined
}

const LONG_HEADER = 16
/** Bytes of the thumbnail box in front of its picture. */
const THUMBNAIL_HEAD = 16
/** Numbers that `CTBO` has for the boxes beside `moov`. */
const ENTRY = { xmp: 1, preview: 2, payload: 3 } as const
const ENTRY_BYTES = 20
const MOST_ENTRIES = 16

/** Puts a file together anew around its payload, every place and size as it comes out. */
export function rebuild(damaged: ByteReader, parts: Parts): Splice {
  const { reader, movie, tracks } = parts
  const moov = Uint8Array.from(reader.bytes(movie.box.offset, movie.box.end - movie.box.offset))
  const view = new DataView(moov.buffer)
  const at = (offset: number): number => offset - movie.box.offset
  const splice = new Splice()
  splice.bytes(parts.fileType)
  splice.bytes(moov)
  const beside = (region: Region | undefined): Region | undefined =>
    region && { offset: splice.copy(region.offset, region.length), length: region.length }
  const xmp = beside(parts.xmp)
  const preview = beside(parts.preview)
  const places = tracks.flatMap(({ place }) => place ?? [])
  const from = Math.min(...places.map(({ offset }) => offset))
  const to = Math.max(...places.map(({ offset, length }) => offset + length))
  const metadata = tracks.find(({ track, place }) => track.kind === 'metadata' && !place)
  const further = metadata ? Math.min(metadata.track.size, MOST_METADATA) : 0
  const total = LONG_HEADER + (to - from) + further
  const header = new BoxWriter()
  header.u32(1)
  header.fourcc('mdat')
  header.i64(total)
  const payload = splice.bytes(header.bytes().slice())
  const base = payload + LONG_HEADER
  const there = Math.min(damaged.size, to) - from
  splice.copy(from, there)
  splice.fill(FILLER.coded, to - from - there)
  splice.bytes(emptyMetadata(further))
  for (const { track, place } of tracks) {
    const lost = track === metadata?.track ? { offset: to, length: further } : { offset: from, length: 0 }
    const { offset, length } = place ?? lost
    view.setUint32(at(track.sizeAt), length)
    view.setBigUint64(at(track.offsetAt), BigInt(base + offset - from))
  }
  if (movie.offsets) {
    const table = at(bodyOf(movie.offsets))
    const count = Math.min(view.getUint32(table), MOST_ENTRIES)
    for (let i = 0, entry = table + 4; i < count && entry + ENTRY_BYTES <= at(movie.offsets.end); i++) {
      const number = view.getUint32(entry)
      const none = { offset: 0, length: 0 }
      const region =
        number === ENTRY.xmp
          ? (xmp ?? none)
          : number === ENTRY.preview
            ? (preview ?? none)
            : number === ENTRY.payload
              ? { offset: payload, length: total }
              : undefined
      if (region) {
        view.setBigUint64(entry + 4, BigInt(region.offset))
        view.setBigUint64(entry + 12, BigInt(region.length))
      }
      entry += ENTRY_BYTES
    }
  }
  if (movie.thumbnail && parts.foreign)
    moov.fill(0, at(bodyOf(movie.thumbnail)) + THUMBNAIL_HEAD, at(movie.thumbnail.end))
  if (parts.foreign)
    for (const { offset, length } of personalRegions(reader, movie))
      moov.fill(0, at(offset), at(offset + length))
  return splice
}

/** Timed metadata of one photo: cameras write about 40 KB. */
const MOST_METADATA = 1024 * 1024

/** The type of a CR3 file, as every camera writes it. */
export function fileTypeBytes(): Uint8Array {
  const writer = new BoxWriter()
  writer.box('ftyp', () => {
    writer.fourcc('crx ')
    writer.u32(1)
    writer.fourcc('crx ')
    writer.fourcc('isom')
  })
  return writer.bytes().slice()
}
