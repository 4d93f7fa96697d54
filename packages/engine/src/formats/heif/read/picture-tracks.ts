import type { ByteReader } from '../../../bytes/reader.ts'
import { type Box, bodyOf, childOf, readBox, readChildren } from '../../../syntax/iso-boxes/box.ts'

/** Bytes at head and tail that are searched for a movie box. */
const LOOK = 128 * 1024
const MOVIE = 0x6d6f_6f76
const MOST_TRACKS = 64

/** Tracks of pictures that are none of a film, by their handler `pict`: ISO/IEC 23008-12:2022 §7.2.2. */
export function findPictureTracks(reader: ByteReader): readonly Box[] {
  const movie =
    findMovie(reader, 0, LOOK) ?? findMovie(reader, Math.max(LOOK, reader.size - LOOK), reader.size)
  if (!movie) return []
  const tracks = readChildren(reader, bodyOf(movie), movie.end).boxes.filter(({ type }) => type === 'trak')
  return tracks.slice(0, MOST_TRACKS).filter((track) => handlerOf(reader, track) === 'pict')
}

function findMovie(reader: ByteReader, from: number, to: number): Box | undefined {
  for (let at = from; at + 16 <= Math.min(to, reader.size); at++) {
    if (reader.u8(at + 4) !== MOVIE >>> 24 || reader.u32(at + 4) !== MOVIE) continue
    const box = readBox(reader, at, reader.size)
    if (box && reader.fourcc(bodyOf(box) + 4) === 'mvhd') return box
  }
  return undefined
}

function handlerOf(reader: ByteReader, track: Box): string {
  const media = childOf(readChildren(reader, bodyOf(track), track.end).boxes, 'mdia')
  const handler = media && childOf(readChildren(reader, bodyOf(media), media.end).boxes, 'hdlr')
  return handler ? reader.fourcc(bodyOf(handler) + 8) : ''
}
