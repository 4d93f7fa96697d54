import type { ByteReader } from '../../bytes/reader.ts'

/** Bytes of BITMAPFILEHEADER. */
export const FILE_HEADER = 14
export const CORE = 12
/** The least that OS/2 2 writes, and the header that has all fields told of here. */
const SHORT = 16
export const FULL = 40
/** Sizes of the headers behind it: of OS/2, of Windows with masks or without, and versions 4 and 5. */
export const INFO_SIZES: ReadonlySet<number> = new Set([CORE, SHORT, FULL, 52, 56, 64, 108, 124])
const V5 = 124
/** Bits of a pixel. */
export const DEPTHS: ReadonlySet<number> = new Set([1, 2, 4, 8, 16, 24, 32])
const MOST_PIXELS = 1 << 20
/** Some palettes have more colours than pixels can name. */
const MOST_COLOURS = 512

/** What biCompression says. */
export const RGB = 0
export const RLE8 = 1
export const RLE4 = 2
const BITFIELDS = 3
const ALPHA_BITFIELDS = 6

/** What tells how the pixels lie in a file. */
export interface Info {
  /** Bytes of the header itself. */
  readonly bytes: number
  readonly width: number
  readonly height: number
  readonly topDown: boolean
  readonly bits: number
  readonly compression: number
  /** As declared; 0 where there is none. */
  readonly imageSize: number
  /** Entries of the palette, and bytes of each. */
  readonly colours: number
  readonly colourBytes: number
  /** Whether a palette is told of that no pixel could name. */
  readonly coloursOdd: boolean
  /** Bytes of masks between header and palette. */
  readonly masks: number
  /** A colour profile behind the header's first byte. */
  readonly profile: { readonly offset: number; readonly length: number } | undefined
}

/** The header at `at`; undefined where none stands there. */
export function readInfo(reader: ByteReader, at: number): Info | undefined {
  const bytes = reader.u32le(at)
  if (!INFO_SIZES.has(bytes) || at + bytes > reader.size) return undefined
  const core = bytes === CORE
  const width = core ? reader.u16le(at + 4) : reader.u32le(at + 4)
  const signed = core ? reader.u16le(at + 6) : reader.u32le(at + 8) | 0
  const planes = reader.u16le(at + (core ? 8 : 12))
  const bits = reader.u16le(at + (core ? 10 : 14))
  const full = bytes >= FULL
  const compression = full ? reader.u32le(at + 16) : RGB
  const used = full ? reader.u32le(at + 32) : 0
  const height = Math.abs(signed)
  if (planes !== 1 || !DEPTHS.has(bits) || !fits(compression, bits)) return undefined
  if (width === 0 || height === 0 || width > MOST_PIXELS || height > MOST_PIXELS) return undefined
  const coloursOdd = used > MOST_COLOURS
  if (coloursOdd && bits <= 8) return undefined
  const coded = isCoded({ compression })
  if (coded && signed < 0) return undefined
  const masks =
    bytes === FULL ? (compression === BITFIELDS ? 12 : compression === ALPHA_BITFIELDS ? 16 : 0) : 0
  const profileBytes = bytes === V5 ? reader.u32le(at + 116) : 0
  return {
    ...{ bytes, width, height, topDown: signed < 0, bits, compression, masks },
    imageSize: full ? reader.u32le(at + 20) : 0,
    colours: coloursOdd ? 0 : used > 0 || bits > 8 ? used : 1 << bits,
    coloursOdd,
    colourBytes: core ? 3 : 4,
    profile: profileBytes > 0 ? { offset: reader.u32le(at + 112), length: profileBytes } : undefined,
  }
}

function fits(compression: number, bits: number): boolean {
  if (compression === RLE8) return bits === 8
  if (compression === RLE4) return bits === 4
  if (compression === BITFIELDS || compression === ALPHA_BITFIELDS) return bits === 16 || bits === 32
  return compression === RGB
}

export function isCoded({ compression }: Pick<Info, 'compression'>): boolean {
  return compression === RLE8 || compression === RLE4
}

/**
 * Whether a whole header tells of pixels that are coded in a way not known here: as JPEG or PNG, or as OS/2 alone does, by
 * Huffman codes or runs of 24 bits.
 */
export function isForeign(reader: ByteReader): boolean {
  const at = FILE_HEADER
  if (!isSigned(reader) || reader.size < at + FULL || !INFO_SIZES.has(reader.u32le(at))) return false
  const bits = reader.u16le(at + 14)
  const compression = reader.u32le(at + 16)
  const fitting =
    compression === 3 ? bits === 1 : (compression === 4 || compression === 5) && (bits === 0 || bits === 24)
  return reader.u32le(at) >= FULL && reader.u16le(at + 12) === 1 && fitting
}

/** Bytes of a row, which are whole words of 32 bits. */
export function strideOf({ width, bits }: Pick<Info, 'width' | 'bits'>): number {
  return Math.ceil((width * bits) / 32) * 4
}

/** Bytes of all rows where they are not run-length coded. */
export function plainBytes(info: Pick<Info, 'width' | 'bits' | 'height'>): number {
  return strideOf(info) * info.height
}

/** Bytes from the header's first to the palette's first, and to the first that can be a pixel. */
export function paletteStart({ bytes, masks }: Info): number {
  return bytes + masks
}

export function leastOffset(info: Info): number {
  return paletteStart(info) + info.colours * info.colourBytes
}

/** Where the header begins: behind a file header, or nearer to the start where bytes were cut away in front. */
export function findInfo(reader: ByteReader): { readonly at: number; readonly info: Info } | undefined {
  for (let at = FILE_HEADER; at >= 0; at--) {
    const info = readInfo(reader, at)
    if (info) return { at, info }
  }
  return undefined
}

export function isSigned(reader: ByteReader): boolean {
  return reader.u16(0) === 0x424d
}
