import type { ByteReader } from './reader.ts'

/** Bytes taken at once: few at first, since what is no filling mostly shows that soon, then four times as many each time. */
const FIRST_PIECE = 256
const PIECE = 1024 * 1024

/** True when every byte of [from, to) is zero. Stops at the first that is not. */
export function isZero(reader: ByteReader, from: number, to: number): boolean {
  const end = Math.min(to, reader.size)
  return zerosEnd(reader, from, end) >= end
}

/** Where the zeros end that [from, to) begins with, at the end of the file at the latest; `from` where there are none. */
export function zerosEnd(reader: ByteReader, from: number, to: number): number {
  const end = Math.min(to, reader.size)
  // most often the first byte tells
  if (from >= end || reader.u8(from) !== 0) return from
  for (let at = from, piece = FIRST_PIECE; at < end; at += piece, piece = Math.min(piece * 4, PIECE)) {
    const bytes = reader.bytes(at, Math.min(piece, end - at))
    for (let i = 0; i < bytes.length; i++) if (bytes[i] !== 0) return at + i
  }
  return end
}

/** True when every byte of [from, to) is 0 or 0xff, as encoders fill up with. Stops at the first that is not. */
export function isFiller(reader: ByteReader, from: number, to: number): boolean {
  const end = Math.min(to, reader.size)
  for (let at = from, piece = FIRST_PIECE; at < end; at += piece, piece = Math.min(piece * 4, PIECE)) {
    const bytes = reader.bytes(at, Math.min(piece, end - at))
    for (let i = 0; i < bytes.length; i++) if (bytes[i] !== 0 && bytes[i] !== 0xff) return false
  }
  return true
}

/**
 * Bytes between two looks at a long stretch, and those looked at; one shorter than `SHORT` is looked at everywhere, in pieces of
 * `PIECES` bytes.
 */
const STEP = 64 * 1024
const LOOK = 4096
const SHORT = 1024 * 1024
const PIECES = 256

/** About how many bytes of [from, to) are not in stretches of zeros; reads a sixteenth of a long stretch. */
export function filledBytes(reader: ByteReader, from: number, to: number): number {
  const step = to - from < SHORT ? PIECES : STEP
  let filled = 0
  for (let at = from; at < to; at += step) {
    const length = Math.min(step, to - at)
    const look = Math.min(LOOK, length)
    const start = at + Math.floor((length - look) / 2)
    if (!isZero(reader, start, start + look)) filled += length
  }
  return filled
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
