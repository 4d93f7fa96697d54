import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'

/** Bytes of framing in front of a NAL unit: a length of so many bytes, or 0 for a start code. */
export type Framing = 0 | 2 | 4

/** Parameter sets are short: those with scaling lists and timing reach some hundred bytes. */
const SHORTEST = 4
const LONGEST = 1024
/** Bytes taken at a time, and in front of them, where the longest framing may stand. */
const PIECE = 1 << 18
const AHEAD = 4

/** High byte of a length of 16 bits that is no longer than that; a start code has a zero there. */
const HIGHEST = LONGEST >> 8

/** Whoever looks for parameter sets of a codec. */
export interface SetVisitor {
  /** By first byte: 1 where a set may begin with it. */
  readonly headers: Uint8Array
  /** Whether the bytes of what begins at `at` of `bytes`, at `offset` of the file, do not rule it out: asked first, of many. */
  mayBe(bytes: Uint8Array, at: number, offset: number): boolean
  /** Is told of a NAL unit that may be a parameter set, whose bytes stay until it returns; says whether it is one. */
  visit(nal: Uint8Array, offset: number, framing: Framing): boolean
}

/**
 * Finds NAL units in `regions`, which come by rising offset, that begin with one of the headers of some visitor and whose framing
 * gives a plausible length for a parameter set, in either framing, wherever they stand: in samples, between them, in a camera's
 * own blocks. A length of four bytes goes before a start code, and that before two bytes, which is also how configuration records
 * frame their sets. The bytes are read once for all visitors, and what is needed is made once for all regions, which may be of
 * some bytes each.
 */
export function searchSets(
  reader: ByteReader,
  regions: readonly Region[],
  visitors: readonly SetVisitor[],
): void {
  const places = visitors.map((visitor) => ({ visitor, skipTo: 0 }))
  const headers = new Uint8Array(256)
  for (const visitor of visitors)
    visitor.headers.forEach((may, byte) => {
      headers[byte] |= may
    })
  const longest = regions.reduce((most, { length }) => Math.max(most, length), 0)
  const piece = new Uint8Array(Math.min(PIECE, longest, reader.size) + LONGEST + AHEAD)
  for (const { offset: from, length } of regions) {
    const limit = Math.min(from + length, reader.size)
    for (let start = from; start < limit; start += PIECE)
      searchPiece(reader, start, Math.min(PIECE, limit - start), piece, headers, places)
  }
}

/** A visitor, and the end of the last set that it took. */
interface Place {
  readonly visitor: SetVisitor
  skipTo: number
}

/** The same for sets that begin in the `length` bytes from `start` on, by way of `piece`. */
function searchPiece(
  reader: ByteReader,
  start: number,
  length: number,
  piece: Uint8Array,
  headers: Uint8Array,
  places: readonly Place[],
): void {
  // a copy: the visitor may read elsewhere, and lengths stand before the piece's first byte
  const before = Math.min(AHEAD, start)
  const bytes = piece.subarray(0, Math.min(length + LONGEST, reader.size - start) + before)
  reader.copyTo(start - before, bytes)
  for (let i = before; i < length + before && i < bytes.length; i++) {
    if (headers[bytes[i]] === 0 || bytes[i - 2] > HIGHEST) continue
    const offset = start - before + i
    for (const place of places) {
      if (place.visitor.headers[bytes[i]] === 0 || offset < place.skipTo) continue
      place.skipTo = Math.max(place.skipTo, visited(bytes, i, offset, place.visitor))
    }
  }
}

/** End of the parameter set at `at` of `bytes`, at `offset` of the file, or 0 where there is none of the visitor's. */
function visited(bytes: Uint8Array, at: number, offset: number, visitor: SetVisitor): number {
  if (!visitor.mayBe(bytes, at, offset)) return 0
  for (const framing of [4, 0, 2] as const) {
    const size = sizeOf(bytes, at, framing)
    if (size < SHORTEST || size > LONGEST || at + size > bytes.length) continue
    if (visitor.visit(bytes.subarray(at, at + size), offset, framing)) return offset + size
  }
  return 0
}

/** Bytes of the NAL unit whose header is at `at`, as this framing before it says; 0 when there is no such framing. */
function sizeOf(bytes: Uint8Array, at: number, framing: Framing): number {
  if (at < (framing === 0 ? 3 : framing)) return 0
  if (framing === 4)
    return bytes[at - 4] === 0 && bytes[at - 3] === 0 ? (bytes[at - 2] << 8) | bytes[at - 1] : 0
  if (framing === 2) return (bytes[at - 2] << 8) | bytes[at - 1]
  if (bytes[at - 3] !== 0 || bytes[at - 2] !== 0 || bytes[at - 1] !== 1) return 0
  const last = Math.min(bytes.length, at + LONGEST)
  for (let i = at; i + 2 < last; i++) {
    if (bytes[i] === 0 && bytes[i + 1] === 0 && bytes[i + 2] <= 1) return i - at
  }
  return 0
}
