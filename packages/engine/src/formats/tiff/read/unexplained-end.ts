import { isZero } from '../../../bytes/zeros.ts'
import { endWhereTheyStand } from '../../../photo/raster/row-ends.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { UNCOMPRESSED } from './compression.ts'
import { explainedEnd } from './explained.ts'
import type { TiffImage } from './image.ts'
import type { Structure } from './structure.ts'

/** Bytes with which writers fill a file up, and those that come into a file together: a cluster of a medium. */
const MOST_PADDING = 4
const MOST_MOVED = 64 * 1024
/** Rows at the end of a picture that are looked at: so many at least, or this part of all. */
const LEAST_ROWS = 8
const PART = 1 / 8

/** Bytes at the end of a file that nothing in it tells of. */
export interface UnexplainedEnd {
  readonly offset: number
  readonly length: number
}

/**
 * Bytes at the end of a file that nothing tells of, where as many may have come in among pixels that are not packed: nothing
 * shows that the last rows of those stand where they should, and the bytes might be the last of them. Undefined where there are
 * none, or only zeros.
 */
export function unexplainedEnd(numbers: TiffNumbers, structure: Structure): UnexplainedEnd | undefined {
  const { reader } = numbers
  const offset = explainedEnd(numbers, structure)
  const length = reader.size - offset
  if (length <= MOST_PADDING || length > MOST_MOVED || isZero(reader, offset, reader.size)) return undefined
  const plain = structure.images.filter(({ compression }) => compression === UNCOMPRESSED)
  const [last] = plain.sort((a, b) => endOf(b) - endOf(a))
  if (!last || standsToItsEnd(numbers, last, length)) return undefined
  const isLast = endOf(last) === offset
  return isLast && !goesOn(numbers, last, { offset, length }) ? undefined : { offset, length }
}

/** By how many times, and levels more, bytes must differ from those a row in front of them to be no pixels. */
const FOREIGN = 3
const LEAST_DIFFERENCE = 4

/** Whether bytes behind a picture's last row could be rows of it: they differ from those a row in front as its own do. */
function goesOn(
  { reader }: TiffNumbers,
  { rowBytes }: TiffImage,
  { offset, length }: UnexplainedEnd,
): boolean {
  const difference = (from: number, to: number): number => {
    let sum = 0
    for (let at = from; at < to; at++) sum += Math.abs(reader.u8(at) - reader.u8(at - rowBytes))
    return sum / (to - from)
  }
  const from = offset - LEAST_ROWS * rowBytes
  if (rowBytes === 0 || from < rowBytes) return true
  return difference(offset, offset + length) <= FOREIGN * (difference(from, offset) + LEAST_DIFFERENCE)
}

function endOf({ units }: TiffImage): number {
  return units.reduce((most, { offset, bytes }) => Math.max(most, offset + bytes), 0)
}

/** Whether the last rows of a picture end where they stand and not `by` bytes further on. */
function standsToItsEnd({ reader }: TiffNumbers, { units, width, rowBytes }: TiffImage, by: number): boolean {
  if (rowBytes === 0) return false
  const inOrder = [...units].sort((a, b) => a.offset - b.offset)
  const rows = inOrder.reduce((sum, { height }) => sum + height, 0)
  const wanted = Math.max(LEAST_ROWS, Math.floor(rows * PART))
  const starts: number[] = []
  for (let i = inOrder.length - 1; i >= 0 && starts.length < wanted; i--) {
    const { offset, bytes } = inOrder[i]
    // the first row of a strip has one above it where strips adjoin
    const adjoins = i > 0 && inOrder[i - 1].offset + inOrder[i - 1].bytes === offset
    const count = Math.min(inOrder[i].height, Math.floor(bytes / rowBytes))
    for (let row = count - 1; row >= (adjoins ? 0 : 1) && starts.length < wanted; row--)
      starts.push(offset + row * rowBytes)
  }
  const pixelBytes = Math.max(1, Math.round(rowBytes / Math.max(1, units[0]?.width ?? width)))
  return starts.length >= LEAST_ROWS && endWhereTheyStand(reader, { starts, pixelBytes }, by)
}
