import type { ByteReader } from '../bytes/reader.ts'

/** Are all bytes from `from` to before `to` zero? */
export function isZero(reader: ByteReader, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (reader.u8(at) !== 0) return false
  return true
}

/** Whether more than `most` zero bytes stand in a row in [from, until). Looks at one byte of so many. */
export function hasZeroRun(reader: ByteReader, from: number, until: number, most: number): boolean {
  for (let at = from + most; at < until; at += most + 1) {
    if (reader.u8(at) !== 0) continue
    let first = at
    while (first > from && at - first <= most && reader.u8(first - 1) === 0) first--
    let last = at
    while (last + 1 < until && last - first <= most && reader.u8(last + 1) === 0) last++
    if (last - first + 1 > most) return true
  }
  return false
}
