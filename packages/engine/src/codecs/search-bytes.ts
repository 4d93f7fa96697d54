import { nextByte } from '../bytes/next-byte.ts'
import type { ByteReader } from '../bytes/reader.ts'

const WINDOW = 1 << 18
/** Places looked at one by one before: in bytes full of the pattern a view for each would cost most. */
const NEAR = 4

/** A closer look at the place `at` of `bytes`, which hold as many bytes behind it as was asked for. */
export interface CloserLook {
  /** Bytes looked at from a place on. */
  readonly length: number
  fits(bytes: Uint8Array, at: number): boolean
}

/**
 * First offset in [from, end) where the bytes of `pattern` stand, or `end`; the pattern may reach past `end`, not past the
 * file. Native byte search, so as fast as memory. With a closer look the first of them that fits: a pattern of few bytes may
 * stand everywhere.
 */
export function searchBytes(
  reader: ByteReader,
  from: number,
  end: number,
  pattern: Uint8Array,
  closer?: CloserLook,
): number {
  const [first] = pattern
  const ahead = Math.max(pattern.length, closer?.length ?? 0) - 1
  const last = Math.min(end, reader.size - ahead)
  let at = from
  for (const near = Math.min(last, from + NEAR); at < near; at++) {
    let same = 0
    while (same < pattern.length && reader.u8(at + same) === pattern[same]) same++
    if (same === pattern.length && (!closer || closer.fits(reader.bytes(at, ahead + 1), 0))) return at
  }
  while (at < last) {
    const window = WINDOW - (at % WINDOW)
    // no further than is searched: where the first byte is rare, each of many small regions would cost a window
    const left = Math.min(window > ahead ? window : window + ahead, last - at + ahead)
    const bytes = reader.bytes(at, left)
    const stop = Math.min(bytes.length - ahead, last - at)
    if (stop <= 0) return end
    for (let i = nextByte(bytes, first, 0); i >= 0 && i < stop; i = nextByte(bytes, first, i + 1)) {
      let same = 1
      while (same < pattern.length && bytes[i + same] === pattern[same]) same++
      if (same === pattern.length && (!closer || closer.fits(bytes, i))) return at + i
    }
    at += stop
  }
  return end
}
