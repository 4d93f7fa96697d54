import type { ByteReader } from './reader.ts'

const PIECE = 1024 * 1024

/** True when every byte of [from, to) is zero. Stops at the first that is not. */
export function isZero(reader: ByteReader, from: number, to: number): boolean {
  const end = Math.min(to, reader.size)
  for (let at = from; at < end; at += PIECE) {
    const bytes = reader.bytes(at, Math.min(PIECE, end - at))
    for (let i = 0; i < bytes.length; i++) if (bytes[i] !== 0) return false
  }
  return true
}

/** True when every byte of [from, to) is 0 or 0xff, as encoders fill up with. Stops at the first that is not. */
export function isFiller(reader: ByteReader, from: number, to: number): boolean {
  const end = Math.min(to, reader.size)
  for (let at = from; at < end; at += PIECE) {
    const bytes = reader.bytes(at, Math.min(PIECE, end - at))
    for (let i = 0; i < bytes.length; i++) if (bytes[i] !== 0 && bytes[i] !== 0xff) return false
  }
  return true
}

/** Bytes between two looks at a stretch, and those looked at. */
const STEP = 64 * 1024
const LOOK = 4096

/** About how many bytes of [from, to) are not in stretches of zeros; reads a sixteenth of a long stretch. */
export function filledBytes(reader: ByteReader, from: number, to: number): number {
  let filled = 0
  for (let at = from; at < to; at += STEP) {
    const length = Math.min(STEP, to - at)
    const middle = at + Math.floor(length / 2)
    if (!isZero(reader, middle, Math.min(middle + LOOK, to))) filled += length
  }
  return filled
}
