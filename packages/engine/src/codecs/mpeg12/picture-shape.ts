import { BitReader } from '../../bytes/bit-reader.ts'
import { emptyPicture, extendPicture, FRAME, readPicture, type Sequence } from './headers.ts'
import { readSlice } from './slice.ts'
import { nextCode } from './start-codes.ts'
import { EXTENSION, LAST_SLICE, PICTURE, PICTURE_EXTENSION } from './unit-walker.ts'

/** Size of pictures in macroblocks of 16 by 16, and of which standard they are. */
export interface PictureShape {
  readonly macroblocks: number
  /** Undefined where a slice goes over a whole picture, which does not tell how wide it is. */
  readonly columns: number | undefined
  readonly mpeg1: boolean
}

/** Values that have to agree, and their share. */
const LEAST_VALUES = 6
const AGREEING = 0.9
/** Slices are at most so many rows down, and a picture is as wide: 2800 lines, ITU-T H.262 (02/2012) §6.3.16. */
const MOST_ROWS = 175
/** No picture has as many macroblocks: slices end by themselves. */
const ENDLESS = 1 << 20

/** What pictures are read by whose sequence header is gone: only its standard, and that colour is halved, 4:2:0. */
const unknown = (mpeg1: boolean): Sequence => ({
  ...{ width: 16, height: 16, frameRateCode: 1, bitRate: 0, mpeg1, progressive: true, chromaFormat: 1 },
})

/**
 * How large the frame pictures in a stretch of a stream without its sequence header are, by reading their slices: one ends with
 * the last macroblock of a row, and the last one with that of the picture. Undefined where slices do not agree.
 */
export function shapeOf(bytes: Uint8Array): PictureShape | undefined {
  const widths: number[] = []
  const pictures: { row: number; end: number }[] = []
  const picture = emptyPicture()
  const bits = new BitReader(new Uint8Array(0))
  let sequence: Sequence | undefined
  let isExtended = false
  let before: { row: number; end: number } | undefined
  for (let at = nextCode(bytes, 0); at + 4 < bytes.length; ) {
    const next = nextCode(bytes, at + 3)
    if (next === bytes.length) break
    const value = bytes[at + 3]
    const body = bytes.subarray(at + 4, next)
    if (value === PICTURE) {
      if (before) pictures.push(before)
      before = undefined
      sequence = readPicture(body, picture) ? unknown(true) : undefined
    } else if (value === EXTENSION && body[0] >> 4 === PICTURE_EXTENSION) {
      isExtended = true
      sequence = extendPicture(body, picture) && picture.structure === FRAME ? unknown(false) : undefined
    } else if (value > 0 && value <= LAST_SLICE && sequence) {
      bits.reset(bytes, (at + 4) * 8, (next + 3) * 8)
      const end = readSlice(bits, sequence, picture, ENDLESS)
      const last = end >= 0 && value <= MOST_ROWS ? { row: value, end: end + 1 } : undefined
      if (before && value > before.row) widths.push(before.end / (value - before.row))
      before = last
    }
    at = next
  }
  const columns = agreed(widths)
  if (columns === undefined && widths.length > 0) return undefined
  const macroblocks = agreed(pictures.map(({ row, end }) => (row - 1) * (columns ?? 0) + end))
  return macroblocks === undefined ? undefined : { macroblocks, columns, mpeg1: !isExtended }
}

/** The whole number that nearly all of enough values are. */
function agreed(values: readonly number[]): number | undefined {
  const middle = [...values].sort((a, b) => a - b)[values.length >> 1]
  if (values.length < LEAST_VALUES || middle < 1 || !Number.isInteger(middle)) return undefined
  return values.filter((value) => value === middle).length >= values.length * AGREEING ? middle : undefined
}
