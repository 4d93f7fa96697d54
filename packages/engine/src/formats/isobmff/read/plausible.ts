import type { ByteReader } from '../../../bytes/reader.ts'
import { type Box, bodyOf, isFourcc, readBox } from '../../../syntax/iso-boxes/box.ts'
import { MOVIE_CHILDREN, TOP_LEVEL } from './box-types.ts'

/** Largest box that is no media data, no free space and no movie: previews and maker data reach some tens of megabytes. */
const MAX_ORDINARY = 256 * 1024 * 1024
const UNBOUNDED: ReadonlySet<string> = new Set([
  'mdat',
  'free',
  'skip',
  'uuid',
  'junk',
  'idat',
  'imda',
  'wide',
  'moov',
  'meta',
  'sefd',
])

/**
 * The top-level box at `offset` when its header is believable: a known type with content that fits it, or an unknown
 * type followed by another believable header. Media data may run past the end of the file, others may not unless they
 * show the children they must have.
 */
export function believableBox(reader: ByteReader, offset: number): Box | undefined {
  const box = readBox(reader, offset, reader.size)
  if (!box || !isFourcc(box.type)) return undefined
  if (!TOP_LEVEL.has(box.type)) return isLinked(reader, box) ? box : undefined
  if (!UNBOUNDED.has(box.type) && box.size > MAX_ORDINARY) return undefined
  switch (box.type) {
    case 'ftyp':
    case 'styp':
      return box.size >= 16 && box.size <= 4096 && isFourcc(reader.fourcc(bodyOf(box))) ? box : undefined
    case 'moov':
      return hasChild(reader, box, MOVIE_CHILDREN) || isLinked(reader, box) ? box : undefined
    case 'moof':
      if (box.size < LEAST_FRAGMENT) return undefined
      return hasChild(reader, box, FRAGMENT_CHILDREN) || isLinked(reader, box) ? box : undefined
    case 'mfra':
      return hasChild(reader, box, RANDOM_ACCESS_CHILDREN) ? box : undefined
    case 'mdat':
      return box
    case 'sidx':
    case 'ssix':
    case 'prft':
    case 'emsg':
      return reader.u8(bodyOf(box)) <= 1 && box.size >= 16 && offset + box.size <= reader.size
        ? box
        : undefined
    default:
      return offset + box.size <= reader.size ? box : undefined
  }
}

/** Bytes of a fragment that holds nothing but the header it must have, ISO/IEC 14496-12:2022 §8.8.5. */
const LEAST_FRAGMENT = 24
const FRAGMENT_CHILDREN: ReadonlySet<string> = new Set(['mfhd', 'traf', 'meta', 'pssh', 'uuid'])
const RANDOM_ACCESS_CHILDREN: ReadonlySet<string> = new Set(['tfra', 'mfro'])

/** True when the first child of a box has one of the given types and a size that fits. */
function hasChild(reader: ByteReader, box: Box, types: ReadonlySet<string>): boolean {
  const at = bodyOf(box)
  const size = reader.u32(at)
  return at + 8 <= reader.size && size >= 8 && types.has(reader.fourcc(at + 4))
}

/** True when a box ends at the end of the file or where another known box starts. */
export function isLinked(reader: ByteReader, box: Box): boolean {
  const next = box.offset + box.size
  if (next >= reader.size) return next === reader.size && box.form !== 'to-end'
  const type = reader.fourcc(next + 4)
  const size = reader.u32(next)
  return TOP_LEVEL.has(type) && (size < 2 || size >= 8)
}

/**
 * As `believableBox`, for a header found by its signature among other bytes, where chance offers four letters once in
 * 4 GB: types without telling content must also end where another box starts.
 */
export function certainBox(reader: ByteReader, offset: number): Box | undefined {
  const box = believableBox(reader, offset)
  if (!box) return undefined
  if (box.type === 'moov' || box.type === 'moof' || box.type === 'ftyp') return box
  return isLinked(reader, box) && box.form !== 'to-end' ? box : undefined
}
