import { Allowance } from '../../../model/allowance.ts'
import { type Ifd, type IfdEntry, numberOf, numbersOf } from '../../../syntax/tiff-ifd/ifd.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG } from '../../../syntax/tiff-ifd/tags.ts'
import { PANASONIC_BLOCKS, UNCOMPRESSED } from './compression.ts'

/** A strip or tile: a part of the pixels that is stored, and compressed, by itself. TIFF 6.0 §3, §15. */
export interface Unit {
  /** Number in the fields of offsets and byte counts. */
  readonly index: number
  readonly offset: number
  readonly bytes: number
  /** What it covers of the picture, in pixels. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The picture that a directory describes. */
export interface TiffImage {
  readonly ifd: Ifd
  readonly width: number
  readonly height: number
  readonly orientation: number
  readonly compression: number
  /** A smaller version of another picture: `NewSubfileType` bit 0. */
  readonly reduced: boolean
  readonly kind: 'strip' | 'tile'
  /** Bytes of one unit of full height before compression; 0 where the layout does not tell. */
  readonly rowBytes: number
  readonly units: readonly Unit[]
  readonly offsets: IfdEntry
  readonly counts: IfdEntry | undefined
  /** Units that the layout asks for: all of `units`. */
  readonly expected: number
  /** Those that the field of offsets names; where the others lie is inferred, or 0. */
  readonly named: number
  /** Numbers of units whose places or lengths the fields do not tell: those here are inferred. */
  readonly inferred?: ReadonlySet<number>
}

/** Strips or tiles of one picture: a row each of the tallest picture that is written. */
const MOST_UNITS = 1 << 20
/** Pixels of a picture: 2^31 is what the largest stitched panoramas have. */
const MOST_PIXELS = 2 ** 33

/** Samples of a pixel: what its field of 16 bits can say. */
const MOST_SAMPLES = 0xffff
/** Bits of a sample: floating point of double precision. */
const MOST_SAMPLE_BITS = 64

/** Strips and tiles that all pictures of a file may have together: each has a place and a length in it, of two bytes at least. */
export function unitsWithin(bytes: number): Allowance {
  return new Allowance(UNITS + bytes / BYTES_A_UNIT)
}

const UNITS = 1 << 18
const BYTES_A_UNIT = 4

/**
 * The picture of a directory; undefined where it describes none that has pixels in the file, or has more strips or tiles than are
 * left of what all pictures may have. One with a tile's width lies in tiles, also where their places stand in the fields of
 * strips: readers take the two for one.
 */
export function imageOf(
  numbers: TiffNumbers,
  ifd: Ifd,
  allowance = unitsWithin(numbers.reader.size),
): TiffImage | undefined {
  const number = (tag: number, otherwise: number): number => numberOf(numbers, ifd, tag, otherwise)
  const panasonic = !ifd.entries.has(TAG.imageWidth) && ifd.entries.has(TAG.panasonicWidth)
  const width = number(panasonic ? TAG.panasonicWidth : TAG.imageWidth, 0)
  const height = number(panasonic ? TAG.panasonicHeight : TAG.imageLength, 0)
  const tiled = ifd.entries.has(TAG.tileOffsets) || ifd.entries.has(TAG.tileWidth)
  const placed = panasonic && ifd.entries.get(TAG.panasonicOffset)
  const either = (tiles: number, strips: number): IfdEntry | undefined =>
    (tiled ? ifd.entries.get(tiles) : undefined) ?? ifd.entries.get(strips)
  const offsets = placed || either(TAG.tileOffsets, TAG.stripOffsets)
  if (!offsets || width === 0 || height === 0 || width * height > MOST_PIXELS) return undefined
  const counts = either(TAG.tileByteCounts, TAG.stripByteCounts)
  const samples = number(TAG.samplesPerPixel, 1)
  const bits = numbersOf(numbers, ifd.entries.get(TAG.bitsPerSample), samples)
  if (bits.some((each) => each === 0 || each > MOST_SAMPLE_BITS)) return undefined
  const planar = number(TAG.planarConfiguration, 1) === 2
  const compression = number(panasonic ? TAG.panasonicCompression : TAG.compression, UNCOMPRESSED)
  const unitWidth = tiled ? number(TAG.tileWidth, width) : width
  const rows = tiled ? number(TAG.tileLength, height) : number(TAG.rowsPerStrip, height)
  const unitHeight = Math.max(1, tiled ? rows : Math.min(rows, height))
  const across = Math.ceil(width / Math.max(1, unitWidth))
  const down = Math.ceil(height / unitHeight)
  const planes = planar ? samples : 1
  const expected = across * down * planes
  if (samples > MOST_SAMPLES || expected > MOST_UNITS || !allowance.take(expected)) return undefined
  const bitsAPixel = planar
    ? (bits[0] ?? 1)
    : sum(bits.length === samples ? bits : Array(samples).fill(bits[0] ?? 1))
  const starts = numbersOf(numbers, offsets, expected)
  const named = numbersOf(numbers, counts, expected)
  // its count is that of the values unpacked
  const lengths =
    compression === PANASONIC_BLOCKS
      ? named.map((bytes) => Math.min(bytes, panasonicBytes(width * height)))
      : named
  const rowBytes = Math.ceil((unitWidth * bitsAPixel) / 8)
  const unitOf = (offset: number, index: number): Unit => {
    const place = index % (across * down)
    const x = (place % across) * unitWidth
    const y = Math.floor(place / across) * unitHeight
    const unitRows = Math.min(unitHeight, height - y)
    return {
      index,
      offset,
      // an unpacked strip without a count is as long as it must be
      bytes:
        lengths[index] ?? (compression === UNCOMPRESSED ? rowBytes * (tiled ? unitHeight : unitRows) : 0),
      x,
      y,
      width: Math.min(unitWidth, width - x),
      height: unitRows,
    }
  }
  // how documents of several layers name one that is empty
  if (offsets.inline && counts?.inline && starts[0] === 0 && named[0] === 0 && expected === 1)
    return undefined
  const units = starts.map(unitOf)
  // where the field of offsets was cut off, unpacked strips follow each other; of packed ones nothing is known
  const follows = compression === UNCOMPRESSED
  for (let index = units.length; index < expected; index++) {
    const last = units.at(-1)
    units.push(unitOf(follows && last ? last.offset + last.bytes : 0, index))
  }
  return {
    ifd,
    width,
    height,
    orientation: number(TAG.orientation, 1),
    compression,
    reduced: (number(TAG.newSubfileType, 0) & 1) === 1,
    kind: tiled ? 'tile' : 'strip',
    // subsampled colour is packed otherwise, TIFF 6.0 §21
    rowBytes: number(TAG.photometric, 0) === YCBCR ? 0 : rowBytes,
    units,
    named: starts.length,
    offsets,
    counts,
    expected,
  }
}

const YCBCR = 6

/** Panasonic's blocks of 16 bytes for 14 pixels. */
function panasonicBytes(pixels: number): number {
  return Math.ceil(pixels / 14) * 16
}

/** The field of lengths that belongs to one of places. */
export function countsTag(offsets: IfdEntry): number {
  return offsets.tag === TAG.tileOffsets ? TAG.tileByteCounts : TAG.stripByteCounts
}

/** Bytes of a unit before compression; 0 where the layout does not tell. */
export function plainBytes(numbers: TiffNumbers, image: TiffImage, unit: Unit): number {
  const rows = image.kind === 'tile' ? numberOf(numbers, image.ifd, TAG.tileLength, unit.height) : unit.height
  return image.rowBytes * rows
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
