import type { ByteReader } from '../../../bytes/reader.ts'
import type { CheckedUnit } from './check-units.ts'
import { UNCOMPRESSED } from './compression.ts'
import type { TiffImage } from './image.ts'

/** Zeros of a strip or tile by which what emptied the header is seen to go on in it: a dark picture begins with some, too. */
const LEAST = 64
const PIECE = 1 << 16

/** Where the zeros end that a file begins with. */
export function emptyHead(reader: ByteReader): number {
  for (let at = 0; at < reader.size; at += PIECE) {
    const bytes = reader.bytes(at, Math.min(PIECE, reader.size - at))
    const other = bytes.findIndex((byte) => byte !== 0)
    if (other >= 0) return at + other
  }
  return reader.size
}

/** Strips and tiles of which some is gone in the zeros that a file without its header begins with, up to `empty`. */
export function withoutEmptied(
  { compression, rowBytes }: TiffImage,
  units: readonly CheckedUnit[],
  empty: number,
): readonly CheckedUnit[] {
  return units.map((checked) => {
    const { offset, bytes, height } = checked.unit
    const zeros = Math.min(empty, offset + bytes) - offset
    if (checked.state !== 'whole' || zeros < LEAST) return checked
    const rows = compression === UNCOMPRESSED && rowBytes > 0 ? Math.ceil(zeros / rowBytes) : height
    return { ...checked, gone: Math.min(height, rows) }
  })
}
