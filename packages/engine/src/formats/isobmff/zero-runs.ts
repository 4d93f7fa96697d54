import type { ByteReader } from '../../bytes/reader.ts'

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

/** Zeros in the middle of a coded picture that no encoder writes. */
export const ZERO_HOLE = 512

/** Codecs whose entropy coding leaves no long runs of zeros inside a picture, but as stuffing. */
const DENSE: ReadonlySet<string> = new Set([
  ...['prores', 'dnxhd', 'mpeg4', 'h263', 'mpeg2video', 'av1', 'vp8', 'vp9'],
])

/** Whether `hasZeroHole` tells of a codec's pictures that they were hit. */
export function isDense(codec: string): boolean {
  return DENSE.has(codec)
}

/** The last bytes of a VC-3 frame, its end-of-frame signature in SMPTE ST 2019-1:2016. */
const END_OF_FRAME = 0x600d_c0de

/**
 * True when [offset, offset + size) holds `ZERO_HOLE` zero bytes in a row that are neither its end (padding) nor stuffing: in
 * front of a start code, ISO/IEC 13818-2 §5.2.3, or of the end of a VC-3 frame.
 */
export function hasZeroHole(reader: ByteReader, offset: number, size: number): boolean {
  const end = Math.min(offset + size, reader.size)
  const step = ZERO_HOLE >> 1
  for (let at = offset + step; at < end; at += step) {
    if (reader.u8(at) !== 0) continue
    let from = at
    while (from > offset && reader.u8(from - 1) === 0) from--
    let to = at + 1
    while (to < end && reader.u8(to) === 0) to++
    if (to - from >= ZERO_HOLE && to < end && reader.u8(to) !== 1 && reader.u32(to) !== END_OF_FRAME)
      return true
    at = Math.max(at, to - step)
  }
  return false
}
