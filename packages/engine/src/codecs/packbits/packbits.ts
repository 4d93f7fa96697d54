import type { Unpacked } from '../lzw/tiff-lzw.ts'

/** Unpacks PackBits, TIFF 6.0 §9, to at most `wanted` bytes. */
export function unpackBits(source: Uint8Array, wanted: number): Unpacked {
  const out = new Uint8Array(wanted)
  let length = 0
  let at = 0
  while (length < wanted && at < source.length) {
    const head = source[at++]
    if (head === 128) continue
    if (head < 128) {
      const count = head + 1
      const part = source.subarray(at, Math.min(at + count, at + wanted - length))
      out.set(part, length)
      length += part.length
      at += count
    } else {
      if (at === source.length) break
      const count = Math.min(257 - head, wanted - length)
      out.fill(source[at++], length, length + count)
      length += count
    }
  }
  return { bytes: out.subarray(0, length), whole: length === wanted }
}

/** Packs rows as literals, each row by itself as TIFF 6.0 §9 asks. */
export function packBits(bytes: Uint8Array, rowBytes: number): Uint8Array {
  const parts: number[] = []
  for (let row = 0; row < bytes.length; row += rowBytes) {
    const end = Math.min(bytes.length, row + rowBytes)
    for (let at = row; at < end; at += 128) {
      const count = Math.min(128, end - at)
      parts.push(count - 1, ...bytes.subarray(at, at + count))
    }
  }
  return Uint8Array.from(parts)
}
