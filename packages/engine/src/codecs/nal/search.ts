import type { ByteReader } from '../../bytes/reader.ts'
import { nextStartCode } from './start-code.ts'

/** The reader's block, so that views need no copying. */
const WINDOW = 1 << 18
/** Bytes of a NAL unit that `Opening.fits` may look at. */
const HEAD = 4

/** What the first NAL unit of an access unit looks like. */
export interface Opening {
  /** By first header byte: 1 where a unit may begin with it. */
  readonly headers: Uint8Array
  /** A closer look at the NAL unit at `at` of `bytes`, of `length` bytes (0 when unknown); at least four bytes are there. */
  fits(bytes: Uint8Array, at: number, length: number): boolean
}

/** First offset in [from, end) where the length of an opening NAL unit may stand, or `end`; looks past `end` for the header. */
export function searchLength(
  reader: ByteReader,
  from: number,
  end: number,
  lengthSize: number,
  bound: number,
  opening: Opening,
): number {
  const ahead = lengthSize + HEAD
  const last = Math.min(end, reader.size - ahead + 1)
  let at = from
  while (at < last) {
    const left = WINDOW - (at % WINDOW)
    const bytes = reader.bytes(at, left > ahead ? left : left + ahead)
    const stop = Math.min(bytes.length - ahead + 1, last - at)
    if (stop <= 0) return end
    const found =
      lengthSize === 4
        ? inLongLengths(bytes, stop, bound, opening)
        : inShortLengths(bytes, stop, lengthSize, bound, opening)
    if (found < stop) return at + found
    at += stop
  }
  return end
}

/** The usual case, kept lean: most places fail at the length's first byte or at the header. */
function inLongLengths(bytes: Uint8Array, stop: number, bound: number, opening: Opening): number {
  const { headers } = opening
  const top = Math.floor(bound / 2 ** 24)
  for (let i = 0; i < stop; i++) {
    const first = bytes[i]
    if (first > top || headers[bytes[i + 4]] === 0) continue
    const length = ((first << 24) | (bytes[i + 1] << 16) | (bytes[i + 2] << 8) | bytes[i + 3]) >>> 0
    if (length >= 2 && length <= bound && opening.fits(bytes, i + 4, length)) return i
  }
  return stop
}

function inShortLengths(
  bytes: Uint8Array,
  stop: number,
  lengthSize: number,
  bound: number,
  opening: Opening,
): number {
  const { headers } = opening
  for (let i = 0; i < stop; i++) {
    const header = i + lengthSize
    if (headers[bytes[header]] === 0) continue
    let length = 0
    for (let j = i; j < header; j++) length = length * 256 + bytes[j]
    if (length >= 2 && length <= bound && opening.fits(bytes, header, length)) return i
  }
  return stop
}

/** First offset in [from, end) of a start code before an opening NAL unit, its zero byte included, or `end`. */
export function searchStartCode(reader: ByteReader, from: number, end: number, opening: Opening): number {
  const limit = Math.min(reader.size, end + 3)
  let at = from
  for (;;) {
    const code = nextStartCode(reader, at, limit)
    if (code >= limit) return end
    const bytes = reader.bytes(code + 3, HEAD)
    if (bytes.length === HEAD && opening.headers[bytes[0]] === 1 && opening.fits(bytes, 0, 0)) {
      const start = code > from && reader.u8(code - 1) === 0 ? code - 1 : code
      return Math.min(start, end)
    }
    at = code + 3
  }
}
