import { BitReader } from '../../bytes/bit-reader.ts'
import { joined } from '../../bytes/joined.ts'
import { emptyPicture, extendPicture, readPicture, rowsOf, type Sequence } from './headers.ts'
import { readSlice, TALL } from './slice.ts'
import { nextCode } from './start-codes.ts'
import { EXTENSION, LAST_SLICE, PICTURE, PICTURE_EXTENSION } from './unit-walker.ts'

const CODE_BYTES = 4
/** As good as a start code behind the last slice. */
const ZEROS = new Uint8Array(3)

/** How far a picture is coded. */
export interface PictureProgress {
  /** Its header is there and can be read. */
  readonly isKnown: boolean
  /** Macroblock row of its last slice, from 1; 0 where none begins. */
  readonly row: number
  /** Place of its last whole macroblock from its first one; -1 where that is not known. */
  readonly reached: number
  /** Macroblocks of a row, and rows. */
  readonly columns: number
  readonly rows: number
}

/** How far the last picture is coded of a stretch of a stream of MPEG-1 or MPEG-2 pictures, ITU-T H.262 (02/2012) §6.2. */
export function pictureProgress(bytes: Uint8Array, sequence: Sequence): PictureProgress {
  const picture = emptyPicture()
  let isKnown = false
  let slice = -1
  for (let at = nextCode(bytes, 0); at + CODE_BYTES <= bytes.length; at = nextCode(bytes, at + 3)) {
    const value = bytes[at + 3]
    const body = bytes.subarray(at + CODE_BYTES)
    if (value === PICTURE) {
      isKnown = readPicture(body, picture)
      slice = -1
    } else if (value === EXTENSION && body[0] >> 4 === PICTURE_EXTENSION) {
      isKnown = extendPicture(body, picture) && isKnown
    } else if (value > PICTURE && value <= LAST_SLICE) slice = at
  }
  const columns = Math.ceil(sequence.width / 16)
  const rows = rowsOf(sequence, picture)
  const row = slice < 0 ? 0 : sliceRow(bytes, slice, sequence)
  let reached = -1
  if (isKnown && row > 0 && row <= rows) {
    const coded = joined([bytes.subarray(slice), ZEROS])
    const bits = new BitReader(coded)
    bits.reset(coded, CODE_BYTES * 8, coded.length * 8)
    const last = readSlice(bits, sequence, picture, sequence.mpeg1 ? columns * (rows - row + 1) : columns)
    if (last >= 0 && bits.position <= (coded.length - ZEROS.length) * 8) reached = (row - 1) * columns + last
  }
  return { isKnown, row, reached, columns, rows }
}

/**
 * Whether a stretch of a stream ends inside its last picture, or that one was hit in its last slice. Nothing is said where the
 * picture in front of it cannot be read to its end either: the stream has something then that is not known here.
 */
export function endsTorn(bytes: Uint8Array, sequence: Sequence): boolean {
  let last = -1
  for (let at = nextCode(bytes, 0); at + CODE_BYTES <= bytes.length; at = nextCode(bytes, at + 3))
    if (bytes[at + 3] === PICTURE) last = at
  if (last < 0 || !isWhole(pictureProgress(bytes.subarray(0, last), sequence))) return false
  const progress = pictureProgress(bytes, sequence)
  return progress.isKnown && !isWhole(progress)
}

function isWhole({ reached, rows, columns }: PictureProgress): boolean {
  return reached === rows * columns - 1
}

/** Whether slices from row `row` on, of which nothing in front tells, are of another picture; row 0 where none of them begins. */
export function isOfAnother(row: number, progress: PictureProgress): boolean {
  const { columns, rows, reached } = progress
  if (row > 0 && row < progress.row) return true
  return reached >= (row > 0 ? row : rows) * columns - 1
}

/** The macroblock row that the slice at `at` begins in, from 1. */
export function sliceRow(bytes: Uint8Array, at: number, { height }: Sequence): number {
  return bytes[at + 3] + (height > TALL ? (bytes[at + CODE_BYTES] >> 5) * 128 : 0)
}
