import type { ByteReader } from '../../../bytes/reader.ts'

/** The marker that ends a code, as in JPEG: ITU-T T.81 Table B.1. */
const [MARK, END] = [0xff, 0xd9]

/** Bytes of a code without the zeros behind each 0xff, and without the marker, and zeros, that it ends with. */
export function plainBytes(reader: ByteReader, from: number, to: number): Uint8Array {
  const bytes = reader.bytes(from, Math.max(0, to - from))
  let last = bytes.length
  while (last > 0 && bytes[last - 1] === 0) last--
  if (bytes[last - 2] === MARK && bytes[last - 1] === END) last -= 2
  const plain = new Uint8Array(last)
  let length = 0
  for (let i = 0; i < last; i++) {
    plain[length++] = bytes[i]
    if (bytes[i] === MARK) i++
  }
  return plain.subarray(0, length)
}
