import type { ByteReader } from '../bytes/reader.ts'

const FIRST = 1 << 15
const GROWTH = 4

/** The parser met the end of the bytes it was given. */
export const TOO_SHORT = -2
/** The bytes are none of what the parser reads. */
export const NOT_VALID = -1

/**
 * Hands `parse` the bytes from `offset` on, more of them each time it answers `TOO_SHORT`, as far as `limit` bytes or `end`.
 * Returns what it answers: the bytes it used, or a negative answer.
 */
export function parseGrowing(
  reader: ByteReader,
  offset: number,
  end: number,
  limit: number,
  parse: (bytes: Uint8Array) => number,
): number {
  const most = Math.min(end - offset, limit)
  for (let size = Math.min(FIRST, most); ; size = Math.min(size * GROWTH, most)) {
    const result = parse(reader.bytes(offset, size))
    if (result !== TOO_SHORT || size >= most) return result
  }
}
