import type { ByteReader } from './reader.ts'

/**
 * The first piece, and by how much each is longer than the one before, up to the longest: what is found close by costs no long
 * copy.
 */
const FIRST = 1 << 9
const GROWTH = 4
const LONGEST = 1 << 18

/** Bytes to look at, one place after another. */
export interface SearchPiece {
  /** Offset of its first byte. */
  readonly at: number
  /**
   * A copy: whoever looks may read elsewhere. Behind the places to look at as many more bytes as were asked for, as far as there
   * are any.
   */
  readonly bytes: Uint8Array
  /** Places to look at. */
  readonly length: number
}

/**
 * The bytes of [from, end) in pieces for a search that ends at the first find; `ahead` bytes behind each place are in its piece,
 * too.
 */
export function* searchPieces(
  reader: ByteReader,
  from: number,
  end: number,
  ahead: number,
): Generator<SearchPiece, void, undefined> {
  for (let at = from, size = FIRST; at < end; size = Math.min(size * GROWTH, LONGEST)) {
    const bytes = reader.bytes(at, Math.min(size, end - at) + ahead).slice()
    const length = Math.min(size, end - at, bytes.length)
    if (length === 0) return
    yield { at, bytes, length }
    at += length
  }
}
