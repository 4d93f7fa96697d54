import type { ByteReader } from '../../bytes/reader.ts'

/** Bytes of a chunk's header: four characters and a size (Multimedia Programming Interface and Data Specifications 1.0, RIFF). */
export const CHUNK_HEADER = 8
/** Bytes of a list's header: a chunk's, and the list's own type. */
export const LIST_HEADER = 12

/** A chunk, or a list with its `type`. */
export interface Chunk {
  readonly id: string
  /** Type of a `RIFF` or `LIST`, else empty. */
  readonly type: string
  readonly offset: number
  /** First byte of what it holds: behind the type in a list. */
  readonly body: number
  /** One past its last byte by its size, without the byte that fills up to an even length. May lie beyond the file. */
  readonly end: number
}

/** The chunk header at `offset`, whatever its bytes; undefined past the end of the file. */
export function chunkAt(reader: ByteReader, offset: number): Chunk | undefined {
  if (offset + CHUNK_HEADER > reader.size) return undefined
  const id = reader.fourcc(offset)
  const list = isList(id)
  return {
    id,
    type: list ? reader.fourcc(offset + CHUNK_HEADER) : '',
    offset,
    body: offset + (list ? LIST_HEADER : CHUNK_HEADER),
    end: offset + CHUNK_HEADER + reader.u32le(offset + 4),
  }
}

export function isList(id: string): boolean {
  return id === 'LIST' || id === 'RIFF'
}

/** Where the chunk behind one that ends at `end` begins: at an even offset. */
export function padded(end: number): number {
  return end + (end & 1)
}

/** The chunks in [from, to), as far as their sizes fit; at most `most`. */
export function chunksIn(reader: ByteReader, from: number, to: number, most: number): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = from; at + CHUNK_HEADER <= to && chunks.length < most; ) {
    const chunk = chunkAt(reader, at)
    if (!chunk || chunk.end > to) break
    chunks.push(chunk)
    at = padded(chunk.end)
  }
  return chunks
}
