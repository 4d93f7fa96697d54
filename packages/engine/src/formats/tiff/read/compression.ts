import { deflateStored } from '../../../bytes/deflate/deflate-stored.ts'
import { inflateZlib } from '../../../bytes/deflate/inflate-zlib.ts'
import { packLzw, type Unpacked, unpackLzw } from '../../../codecs/lzw/tiff-lzw.ts'
import { packBits, unpackBits } from '../../../codecs/packbits/packbits.ts'

/** A compression whose units can be read and written here. */
export interface Compression {
  /** Unpacks at most `wanted` bytes; what comes before a fault is kept. */
  unpack(source: Uint8Array, wanted: number): Unpacked
  pack(bytes: Uint8Array, rowBytes: number): Uint8Array
}

/** A strip that holds more rows than the picture has is read up to so many times what is wanted of it. */
const MOST_BEYOND = 64

const DEFLATE: Compression = {
  unpack: (source, wanted) => {
    const { bytes, end, checked } = inflateZlib(source, wanted)
    if (bytes.length < wanted || checked === false) return { bytes, whole: false }
    // some encoders write the last strip as high as all others: the checksum is behind the rows that are not shown
    return { bytes, whole: end !== 'bounded' || inflateZlib(source, wanted * MOST_BEYOND).checked === true }
  },
  pack: (bytes) => deflateStored(bytes),
}

/** Values of the field `Compression`: TIFF 6.0, Technical Note 3, Adobe Photoshop's. */
const COMPRESSIONS: Readonly<Record<number, Compression>> = {
  5: { unpack: unpackLzw, pack: (bytes) => packLzw(bytes) },
  8: DEFLATE,
  32773: { unpack: unpackBits, pack: packBits },
  32946: DEFLATE,
}

export const UNCOMPRESSED = 1
export const LZW = 5
/** GoPro's raw photos, SMPTE ST 2073. */
export const VC5 = 9
export const PANASONIC_BLOCKS = 34_316

/** A unit begins as a JPEG stream: JPEG in TIFF (Technical Note 2), lossless JPEG of raw files (DNG, CR2). */
export const JPEG_COMPRESSIONS: readonly number[] = [6, 7, 34892]

export function compressionOf(value: number): Compression | undefined {
  return COMPRESSIONS[value]
}

/** Codes whose first bytes are of all rows: wavelets of JPEG 2000 (Aperio's and Leica's numbers among them) and VC-5, JPEG XL. */
const OF_ALL_ROWS: readonly number[] = [VC5, 33003, 33004, 33005, 34712, 50002, 52546]

/** Whether a unit of this compression is written from its first row to its last. */
export function isByRow(value: number): boolean {
  return !OF_ALL_ROWS.includes(value)
}

/** Whether a unit of this compression shows by its bytes that it is one. */
export function unpacks(value: number): boolean {
  return compressionOf(value) !== undefined || JPEG_COMPRESSIONS.includes(value)
}
