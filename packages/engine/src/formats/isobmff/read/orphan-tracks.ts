import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { type Box, bodyOf, readBox, readChildren } from '../../../syntax/iso-boxes/box.ts'
import { collectFlat } from './track-parts.ts'

/** Bytes of a movie header box by version, ISO/IEC 14496-12:2022 §8.2.2. */
const MOVIE_HEADER_SIZES = [108, 120]
/** Bytes between tracks of one movie: one track's tables, whose own header was hit. */
const MOST_BETWEEN = 4 << 20
/** Bytes before the first whole track that are searched for parts of a broken one. */
const MOST_BEFORE = 1 << 20
/** What stands beside tracks in a movie box. */
const BESIDE: ReadonlySet<string> = new Set(['trak', 'mvex', 'udta', 'meta', 'iods', 'free', 'skip'])
/** Tracks of one movie that are looked at. */
const MOST_TRACKS = 256

/** The track box at `offset` if it is one for certain: a sound tree with a header and media, ISO/IEC 14496-12:2022 §8.3.1. */
export function certainTrack(reader: ByteReader, offset: number): Box | undefined {
  const box = readBox(reader, offset, reader.size)
  if (box?.type !== 'trak' || box.form !== '32' || box.offset + box.size > reader.size) return undefined
  const first = readBox(reader, bodyOf(box), box.end)
  if (!first || first.offset + first.size > box.end) return undefined
  const { boxes, sound } = readChildren(reader, bodyOf(box), box.end)
  const types = new Set(boxes.map(({ type }) => type))
  return sound && types.has('tkhd') && types.has('mdia') ? box : undefined
}

/**
 * Tracks that stand where no movie box holds them, because its header was overwritten: the stretches that such a movie box
 * would have as its body, as boxes without a header.
 * @param tracks track boxes in file order
 * @param regions where they were found
 */
export function orphanMovies(reader: ByteReader, tracks: readonly Box[], regions: readonly Region[]): Box[] {
  const movies: Box[] = []
  for (const track of tracks.slice(0, MOST_TRACKS)) {
    const last = movies.at(-1)
    if (last && track.offset - last.end <= MOST_BETWEEN) {
      movies[movies.length - 1] = body(last.offset, endBeside(reader, track.end))
      continue
    }
    const region = regions.find(
      ({ offset, length }) => offset <= track.offset && track.offset < offset + length,
    )
    const from = startBefore(reader, track.offset, region?.offset ?? track.offset)
    movies.push(body(from, endBeside(reader, track.end)))
  }
  return movies
}

function body(offset: number, end: number): Box {
  return { type: 'moov', offset, header: 0, size: end - offset, end, form: '32' }
}

/** Where the movie begins whose first whole track stands at `at`: with its header, or with what is left of a track before. */
function startBefore(reader: ByteReader, at: number, least: number): number {
  for (const size of MOVIE_HEADER_SIZES) {
    const header = readBox(reader, at - size, at)
    if (header?.type === 'mvhd' && header.size === size) return header.offset
  }
  const isHead = least === 0 && at <= MOST_BEFORE
  return isHead && collectFlat(reader, 0, at).length > 0 ? 0 : at
}

function endBeside(reader: ByteReader, from: number): number {
  let end = from
  for (;;) {
    const next = readBox(reader, end, reader.size)
    if (!next || !BESIDE.has(next.type) || next.form !== '32' || next.offset + next.size > reader.size)
      return end
    end = next.end
  }
}
