import type { PictureShape } from './picture-shape.ts'
import { readSequenceHead, writeSequenceHead } from './sequence-head.ts'

const MACROBLOCK = 16
/** Width by height of pictures without any other hint. */
const USUAL_FORM = 4 / 3

/** Whether pictures of an unknown size may be those of a sequence header; ones that are known have to be. */
export function fitsShape(head: Uint8Array, shape: PictureShape | undefined): boolean {
  const sequence = readSequenceHead(head)
  if (!sequence || !shape) return sequence !== undefined
  const columns = Math.ceil(sequence.width / MACROBLOCK)
  const rows = sequence.progressive
    ? Math.ceil(sequence.height / MACROBLOCK)
    : 2 * Math.ceil(sequence.height / (2 * MACROBLOCK))
  return (
    sequence.mpeg1 === shape.mpeg1 &&
    columns * rows === shape.macroblocks &&
    (shape.columns ?? columns) === columns
  )
}

/** A header for pictures of MPEG-1; MPEG-2 has more to say than its pictures tell. */
export function headOfShape(
  { mpeg1, macroblocks, columns }: PictureShape,
  frameRateCode: number,
): Uint8Array | undefined {
  const wide = columns ?? likelyColumns(macroblocks)
  return mpeg1
    ? writeSequenceHead(wide * MACROBLOCK, (macroblocks / wide) * MACROBLOCK, frameRateCode)
    : undefined
}

/** The columns of as many macroblocks that come nearest to the usual form. */
function likelyColumns(macroblocks: number): number {
  let best = macroblocks
  const off = (columns: number): number => Math.abs(Math.log(columns ** 2 / macroblocks / USUAL_FORM))
  for (let columns = 1; columns <= macroblocks; columns++)
    if (macroblocks % columns === 0 && off(columns) < off(best)) best = columns
  return best
}
