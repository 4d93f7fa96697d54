import type { ByteReader } from '../../bytes/reader.ts'
import { TiffNumbers } from './numbers.ts'

/** What a TIFF file begins with. */
export interface TiffHeader {
  readonly little: boolean
  /** BigTIFF: offsets of 64 bits. */
  readonly big: boolean
  /** The number behind the byte order: 42, 43 for BigTIFF, cameras' own for ORF and RW2. */
  readonly magic: number
  readonly firstIfd: number
}

const LITTLE = 0x4949
const BIG = 0x4d4d
export const TIFF_MAGIC = 42
export const BIGTIFF_MAGIC = 43
/** Olympus ORF writes `RO` or `RS`, Panasonic RW2 `U`: ExifTool's tag documentation. */
export const CAMERA_MAGICS: readonly number[] = [0x4f52, 0x5352, 0x0055]

export const HEADER_BYTES = 8
export const BIG_HEADER_BYTES = 16

/** The header at an offset; undefined where there is none. TIFF 6.0 §2, BigTIFF design (libtiff). */
export function readTiffHeader(reader: ByteReader, at = 0): TiffHeader | undefined {
  const order = reader.u16(at)
  if (order !== LITTLE && order !== BIG) return undefined
  const numbers = new TiffNumbers(reader, order === LITTLE)
  const magic = numbers.u16(at + 2)
  if (magic === BIGTIFF_MAGIC) {
    const known = numbers.u16(at + 4) === 8 && numbers.u16(at + 6) === 0
    return known ? { little: numbers.little, big: true, magic, firstIfd: numbers.u64(at + 8) } : undefined
  }
  if (magic !== TIFF_MAGIC && !CAMERA_MAGICS.includes(magic)) return undefined
  return { little: numbers.little, big: false, magic, firstIfd: numbers.u32(at + 4) }
}

/** The bytes of a header: 8, or 16 of a BigTIFF. */
export function tiffHeaderBytes({ little, big, magic, firstIfd }: TiffHeader): Uint8Array {
  const bytes = new Uint8Array(big ? BIG_HEADER_BYTES : HEADER_BYTES)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, little ? LITTLE : BIG)
  view.setUint16(2, magic, little)
  if (big) {
    view.setUint16(4, 8, little)
    view.setBigUint64(8, BigInt(firstIfd), little)
  } else view.setUint32(4, firstIfd, little)
  return bytes
}
