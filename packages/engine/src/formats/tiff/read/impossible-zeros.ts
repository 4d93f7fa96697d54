import type { ByteReader } from '../../../bytes/reader.ts'
import { zerosEnd } from '../../../bytes/zeros.ts'
import type { Allowance } from '../../../model/allowance.ts'
import { numberOf } from '../../../syntax/tiff-ifd/ifd.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG } from '../../../syntax/tiff-ifd/tags.ts'
import { SENSOR, UNCOMPRESSED } from './compression.ts'
import type { TiffImage, Unit } from './image.ts'

/**
 * Zero bytes in a row that codes of cameras do not have within. Where all bits are zeros, they say one difference again and
 * again, which leads out of the range of values: of Nikon's by 31 and more in 9 bits at most, of Pentax' by 7 in 5, of Sony's
 * first by 131,071 in 32. Sony's second has a largest value at one place and a smallest at another in every 16 bytes.
 */
const MOST_ZEROS: Readonly<Record<number, number>> = { 32767: 1024, 34713: 1024, 65535: 2048 }

/** Zero bytes next to each other that are seen as a value of zero: of values of 16 bits, those of one. */
const WORD = 2
/** Zero bytes in a row of uncoded values that are looked at. */
const UNCODED = 2048
/** Rows to the next one of the same colours. */
const SAME_COLOURS = 2

type Span = readonly [from: number, to: number]

/**
 * Whether zeros overwrote bytes within a unit of a raw picture: its code has none of so many, or of uncoded values all those
 * above and below are others. Zeros that a unit begins or ends with may be borders and filling. Looks as far as `allowance` goes.
 */
export function hasImpossibleZeros(
  numbers: TiffNumbers,
  image: TiffImage,
  unit: Unit,
  allowance: Allowance,
): boolean {
  const { reader } = numbers
  const span: Span = [unit.offset, Math.min(reader.size, unit.offset + unit.bytes)]
  const coded = MOST_ZEROS[image.compression]
  if (coded !== undefined)
    return allowance.take(unit.bytes) && zerosWithin(reader, span, coded).next().done === false
  if (image.compression !== UNCOMPRESSED || image.rowBytes === 0) return false
  if (numberOf(numbers, image.ifd, TAG.photometric, 0) !== SENSOR || !allowance.take(unit.bytes)) return false
  for (const run of zerosWithin(reader, span, UNCODED)) if (isHole(reader, image, span, run)) return true
  return false
}

/** Runs of more than `most` zero bytes that bytes other than zero stand in front of and behind. Looks at one byte of so many. */
function* zerosWithin(reader: ByteReader, [from, to]: Span, most: number): Generator<Span> {
  for (let at = from + most; at < to; at += most + 1) {
    if (reader.u8(at) !== 0) continue
    let first = at
    while (first > from && at - first <= most && reader.u8(first - 1) === 0) first--
    const end = zerosEnd(reader, at, to)
    if (first > from && end < to && end - first > most) yield [first, end]
    at = Math.max(at, end - 1)
  }
}

/**
 * Whether no value is zero in the rows of the same colours above where zeros begin, and below where they end. A row of zeros is a
 * sensor's own.
 */
function isHole(
  reader: ByteReader,
  { rowBytes, width }: TiffImage,
  [from, to]: Span,
  [first, end]: Span,
): boolean {
  const step = rowBytes === width * WORD ? WORD : 1
  const start = first + ((first - from) % WORD)
  const stop = end - ((end - from) % WORD)
  const length = Math.min(stop - start, UNCODED, rowBytes)
  const above = start - SAME_COLOURS * rowBytes
  const below = stop + SAME_COLOURS * rowBytes - length
  if ((start - from) % rowBytes === 0 && (stop - from) % rowBytes === 0) return false
  if (above < from || below + length > to) return false
  return [above, below].every((at) => {
    const bytes = reader.bytes(at, length)
    for (let i = 0; i < length; i += step) if (bytes[i] === 0 && bytes[i + 1] === 0) return false
    return true
  })
}
