import type { ByteReader } from '../../bytes/reader.ts'

/** A frame of Cinepak: its header and strips, as T. Ferguson's "Cinepak (CVID) stream format for AVI and QT" has them. */
export interface Frame {
  readonly width: number
  readonly height: number
  /** Bytes of all of it, as header and strips agree. */
  readonly length: number
  readonly strips: number
  /** It needs no frame before it: no block is left as it was, and no codebook is one's of the frame before. */
  readonly key: boolean
}

export const FRAME_HEADER = 10
export const STRIP_HEADER = 12
export const CHUNK_HEADER = 4
/** Strips of a frame at most, and chunks of a strip. */
const MOST_STRIPS = 32
const MOST_CHUNKS = 16
/** Blocks are squares of so many pixels. */
const BLOCK = 4

/** Strips begin with codebooks of their own, or with those of the strip before. */
export const INTRA_STRIP = 0x1000
export const INTER_STRIP = 0x1100
/** Chunks of a strip: codebooks (a bit says that only parts of one are there), and vectors of blocks. */
const CODEBOOKS = 0x20
const LAST_CODEBOOK = 0x27
const PARTIAL = 0x01
export const VECTORS = 0x30
export const VECTORS_WITH_SKIPS = 0x31
export const SINGLE_VECTORS = 0x32

/** Parses the frame at `offset` down to its chunks' headers; undefined where its sizes do not agree, or it reaches past `end`. */
export function frameAt(reader: ByteReader, offset: number, end: number): Frame | undefined {
  if (offset + FRAME_HEADER + STRIP_HEADER > end) return undefined
  const length = reader.u24(offset + 1)
  const width = reader.u16(offset + 4)
  const height = reader.u16(offset + 6)
  const strips = reader.u16(offset + 8)
  const isSize = width > 0 && height > 0 && width % BLOCK === 0 && height % BLOCK === 0
  if (!isSize || strips === 0 || strips > MOST_STRIPS || offset + length > end) return undefined
  let key = true
  let at = offset + FRAME_HEADER
  for (let strip = 0; strip < strips; strip++) {
    const chunks = stripAt(reader, at, offset + length, width)
    if (!chunks) return undefined
    const isFirst = strip === 0
    key &&= !chunks.skips && (!isFirst || chunks.own)
    at += reader.u16(at + 2)
  }
  return at === offset + length ? { width, height, length, strips, key } : undefined
}

/** What the chunks of a strip are: whether blocks are left out, and whether its codebooks are all its own. */
interface StripChunks {
  readonly skips: boolean
  readonly own: boolean
}

function stripAt(reader: ByteReader, at: number, end: number, width: number): StripChunks | undefined {
  if (at + STRIP_HEADER > end) return undefined
  const id = reader.u16(at)
  const stop = at + reader.u16(at + 2)
  if ((id !== INTRA_STRIP && id !== INTER_STRIP) || stop > end || stop < at + STRIP_HEADER) return undefined
  if (reader.u16(at + 6) !== 0 || reader.u16(at + 10) > width) return undefined
  let skips = false
  let own = id === INTRA_STRIP
  let chunk = at + STRIP_HEADER
  for (let count = 0; chunk + CHUNK_HEADER <= stop; count++) {
    const kind = reader.u16(chunk)
    const size = reader.u16(chunk + 2)
    if (count === MOST_CHUNKS || size < CHUNK_HEADER || chunk + size > stop || !isChunk(kind))
      return undefined
    skips ||= kind >> 8 === VECTORS_WITH_SKIPS
    own &&= !isCodebook(kind) || ((kind >> 8) & PARTIAL) === 0
    chunk += size
  }
  return { skips, own }
}

function isCodebook(kind: number): boolean {
  return kind >> 8 >= CODEBOOKS && kind >> 8 <= LAST_CODEBOOK
}

function isChunk(kind: number): boolean {
  const type = kind >> 8
  return (kind & 0xff) === 0 && (isCodebook(kind) || (type >= VECTORS && type <= SINGLE_VECTORS))
}

/** Whether the vectors of all strips of a frame that was parsed read to the last block of their strip, and to their own end. */
export function readsToItsEnd(reader: ByteReader, offset: number, { strips, width }: Frame): boolean {
  let at = offset + FRAME_HEADER
  for (let strip = 0; strip < strips; strip++) {
    const stop = at + reader.u16(at + 2)
    const rows = reader.u16(at + 8) - reader.u16(at + 4)
    const blocks = Math.ceil(rows / BLOCK) * Math.ceil(width / BLOCK)
    for (let chunk = at + STRIP_HEADER; chunk + CHUNK_HEADER <= stop; chunk += reader.u16(chunk + 2)) {
      const type = reader.u8(chunk)
      if (type >= VECTORS && !readsVectors(reader, chunk, type, blocks)) return false
    }
    at = stop
  }
  return true
}

/** Bytes behind the last vector that encoders leave. */
const SPARE = 4

function readsVectors(reader: ByteReader, chunk: number, type: number, blocks: number): boolean {
  const stop = chunk + reader.u16(chunk + 2)
  let at = chunk + CHUNK_HEADER
  if (type === SINGLE_VECTORS) return at + blocks <= stop && at + blocks + SPARE > stop
  let flags = 0
  let left = 0
  const bit = (): boolean => {
    if (left === 0) {
      flags = reader.u32(at)
      at += 4
      left = 32
    }
    left--
    return ((flags >>> left) & 1) === 1
  }
  for (let block = 0; block < blocks; block++) {
    if (type === VECTORS_WITH_SKIPS && !bit()) continue
    const vectors = bit() ? BLOCK : 1
    at += vectors
    if (at > stop) return false
  }
  return at <= stop && at + SPARE > stop
}
