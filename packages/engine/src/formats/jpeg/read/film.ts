import { ByteReader } from '../../../bytes/reader.ts'
import { MemorySource } from '../../../bytes/source.ts'
import { searchFourcc } from '../../../codecs/search-fourcc.ts'
import { isCut, readBox } from '../../../syntax/iso-boxes/box.ts'

/** `ftyp`, with which films begin: ISO/IEC 14496-12:2022 §4.3. */
const FTYP = 0x66_74_79_70
/** Places where a film may begin that are looked at; boxes of one. */
const MOST_PLACES = 64
const MOST_BOXES = 64
/** Bytes of a box's size, in front of its type. */
const SIZE = 4

/** Whether an ISO media file may begin at a place, as the film of a moving photo does. */
export function isFilm(bytes: Uint8Array, at: number): boolean {
  return at + SIZE + 4 <= bytes.length && readerOf(bytes).u32(at + SIZE) === FTYP
}

/**
 * Where the film of a moving photo begins, which cameras write behind the picture; undefined where there is none. The boxes of a
 * whole film follow each other, its index among them: no entropy-coded data look like that, so that it is known also where the
 * picture's own end is gone.
 */
export function filmWithin(bytes: Uint8Array): number | undefined {
  const reader = readerOf(bytes)
  for (let from = SIZE, place = 0; place < MOST_PLACES; place++) {
    const at = searchFourcc(reader, FTYP, from, reader.size)
    if (at === reader.size) return undefined
    if (holdsMovie(reader, at - SIZE)) return at - SIZE
    from = at + 1
  }
  return undefined
}

/** Whether whole boxes from a place on hold a movie box and the data of its samples. */
function holdsMovie(reader: ByteReader, start: number): boolean {
  const seen = new Set<string>()
  for (let at = start, count = 0; count < MOST_BOXES; count++) {
    const box = readBox(reader, at, reader.size)
    if (!box || isCut(box)) break
    seen.add(box.type)
    at = box.offset + box.size
  }
  return seen.has('moov') && seen.has('mdat')
}

function readerOf(bytes: Uint8Array): ByteReader {
  return new ByteReader(new MemorySource(bytes))
}
