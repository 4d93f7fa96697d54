import type { ByteReader } from '../bytes/reader.ts'

const STEP = 1 << 16

/** The first offset in [from, end) where the four bytes of `code` stand, or `end`. */
export function searchFourcc(reader: ByteReader, code: number, from: number, end: number): number {
  const first = code >>> 24
  let at = from
  while (at < end) {
    const bytes = reader.bytes(at, Math.min(STEP, end - at))
    if (bytes.length === 0) return end
    for (let i = bytes.indexOf(first); i >= 0; i = bytes.indexOf(first, i + 1)) {
      if (i + 4 <= bytes.length) {
        const word = ((bytes[i] << 24) | (bytes[i + 1] << 16) | (bytes[i + 2] << 8) | bytes[i + 3]) >>> 0
        if (word === code) return at + i
      } else if (at + i + 4 <= reader.size) {
        // across the step's edge: begin the next step here
        if (i === 0) return reader.u32(at) === code ? at : searchFourcc(reader, code, at + 1, end)
        at += i - bytes.length
        break
      }
    }
    at += bytes.length
  }
  return end
}
