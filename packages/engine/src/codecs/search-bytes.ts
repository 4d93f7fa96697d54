import type { ByteReader } from '../bytes/reader.ts'

const WINDOW = 1 << 18
/** Places looked at one by one before: in bytes full of the pattern a view for each would cost most. */
const NEAR = 4

/**
 * First offset in [from, end) where the bytes of `pattern` stand, or `end`; the pattern may reach past `end`, not past the
 * file. Native byte search, so as fast as memory.
 */
export function searchBytes(reader: ByteReader, from: number, end: number, pattern: Uint8Array): number {
  const [first] = pattern
  const ahead = pattern.length - 1
  const last = Math.min(end, reader.size - ahead)
  let at = from
  for (const near = Math.min(last, from + NEAR); at < near; at++) {
    let same = 0
    while (same <= ahead && reader.u8(at + same) === pattern[same]) same++
    if (same > ahead) return at
  }
  while (at < last) {
    const window = WINDOW - (at % WINDOW)
    // no further than is searched: where the first byte is rare, each of many small regions would cost a window
    const left = Math.min(window > ahead ? window : window + ahead, last - at + ahead)
    const bytes = reader.bytes(at, left)
    const stop = Math.min(bytes.length - ahead, last - at)
    if (stop <= 0) return end
    for (let i = bytes.indexOf(first); i >= 0 && i < stop; i = bytes.indexOf(first, i + 1)) {
      let same = 1
      while (same <= ahead && bytes[i + same] === pattern[same]) same++
      if (same > ahead) return at + i
    }
    at += stop
  }
  return end
}
