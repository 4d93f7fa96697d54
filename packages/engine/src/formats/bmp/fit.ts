import type { ByteReader } from '../../bytes/reader.ts'
import { strideOf } from './read.ts'

/** How pixels without a header lie. */
export interface Fitted {
  readonly width: number
  readonly height: number
  readonly bits: number
}

/** Bytes compared for each width that may be. */
const LOOKED_AT = 4_096
const MOST_ASPECT = 8
/** Share of the difference of bytes far apart up to which rows are said to go together. */
const ALIKE = 0.5

/** Mean difference of bytes `distance` apart, taken all over [from, from + length). */
export function rowDifference(bytes: ByteReader, from: number, length: number, distance: number): number {
  const room = length - distance
  if (room <= 0) return Number.POSITIVE_INFINITY
  // an odd step comes by all channels
  const step = Math.max(1, Math.floor(room / LOOKED_AT)) | 1
  let sum = 0
  let count = 0
  for (let at = 0; at < room; at += step, count++)
    sum += Math.abs(bytes.u8(from + at) - bytes.u8(from + at + distance))
  return sum / count
}

/** Whether rows of so many bytes go on from one to the next, as those of pictures do and noise does not. */
export function rowsAgree(reader: ByteReader, from: number, length: number, stride: number): boolean {
  const near = rowDifference(reader, from, length, stride)
  const far = rowDifference(reader, from, length, Math.floor(length / 3) + 1)
  return far > 1 && near < far * ALIKE
}

/**
 * The width at which neighbouring rows are most alike: rows of whole words that fill `bytes` exactly. `there`: those that are in
 * the file.
 */
export function fitRows(
  reader: ByteReader,
  from: number,
  { bytes, there }: { readonly bytes: number; readonly there: number },
  depths: readonly number[],
): Fitted | undefined {
  let best: { readonly stride: number; readonly cost: number } | undefined
  const most = Math.floor(Math.sqrt(bytes * 4 * MOST_ASPECT))
  for (let stride = 4; stride <= most; stride += 4) {
    if (bytes % stride !== 0) continue
    if (!depths.some((bits) => isShapely((stride * 8) / bits, bytes / stride))) continue
    const cost = rowDifference(reader, from, there, stride)
    if (!best || cost < best.cost) best = { stride, cost }
  }
  if (!best || !rowsAgree(reader, from, there, best.stride)) return undefined
  const { stride } = best
  const bits = depths
    .map((depth) => ({ depth, cost: rowDifference(reader, from, there, Math.max(1, depth >> 3)) }))
    .reduce((least, each) => (each.cost < least.cost ? each : least)).depth
  return { width: widthOf(reader, from, there, stride, bits), height: bytes / stride, bits }
}

function isShapely(width: number, height: number): boolean {
  return width <= height * MOST_ASPECT && height <= width * MOST_ASPECT
}

const ROWS = 64

/** Pixels in a row: those of its last bytes that are zero in every row fill it up to a whole word. */
function widthOf(reader: ByteReader, from: number, there: number, stride: number, bits: number): number {
  const rows = Math.min(ROWS, Math.floor(there / stride))
  let padding = 0
  const isBlank = (back: number): boolean => {
    for (let row = 1; row <= rows; row++) if (reader.u8(from + row * stride - back) !== 0) return false
    return true
  }
  while (padding < 3 && isBlank(padding + 1)) padding++
  const width = Math.max(1, Math.ceil(((stride - padding) * 8) / bits))
  return strideOf({ width, bits }) === stride ? width : Math.floor((stride * 8) / bits)
}
