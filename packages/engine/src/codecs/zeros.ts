import type { ByteReader } from '../bytes/reader.ts'

/** Are all bytes from `from` to before `to` zero? */
export function isZero(reader: ByteReader, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (reader.u8(at) !== 0) return false
  return true
}
