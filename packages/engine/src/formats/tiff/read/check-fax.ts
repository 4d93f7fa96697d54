import { faxRows } from '../../../codecs/fax/count-rows.ts'
import type { Allowance } from '../../../model/allowance.ts'
import { numberOf } from '../../../syntax/tiff-ifd/ifd.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG } from '../../../syntax/tiff-ifd/tags.ts'
import { FAX_WRITINGS } from './compression.ts'
import type { TiffImage, Unit } from './image.ts'

/** Bits of `T4Options` and `T6Options`: rows of two dimensions, and some that are not coded. */
const TWO_DIMENSIONS = 1
const NOT_CODED = 2
const REVERSED = 2
/** Steps that a byte takes: one for each bit. */
const STEPS = 8

/**
 * Rows of a unit of fax code that can be read; undefined where it is none, or of a kind that is not read here, or more than
 * `allowance` has left.
 */
export function faxRowsOf(
  numbers: TiffNumbers,
  { compression, ifd, kind, rowBytes, width: whole }: TiffImage,
  { offset, bytes, height }: Unit,
  allowance: Allowance,
): number | undefined {
  const writing = FAX_WRITINGS[compression]
  // a tile is coded in its full width, also where it reaches beyond the picture: TIFF 6.0 §15
  const width = kind === 'tile' ? numberOf(numbers, ifd, TAG.tileWidth, whole) : whole
  if (!writing || rowBytes !== Math.ceil(width / STEPS)) return undefined
  const options = numberOf(numbers, ifd, writing === 'g4' ? TAG.t6Options : TAG.t4Options, 0)
  if (writing !== 'bytes' && (options & NOT_CODED) !== 0) return undefined
  if (!allowance.take(bytes * STEPS)) return undefined
  const there = numbers.reader.bytes(offset, bytes)
  const turned = numberOf(numbers, ifd, TAG.fillOrder, 1) === REVERSED
  const tagged = (options & TWO_DIMENSIONS) !== 0
  return faxRows(turned ? there.map(reversed) : there, { writing, tagged, width, height })
}

/** The bits of a byte from the last to the first. */
function reversed(byte: number): number {
  let turned = 0
  for (let bit = 1; bit <= 0x80; bit <<= 1) turned = (turned << 1) | ((byte & bit) === 0 ? 0 : 1)
  return turned
}
