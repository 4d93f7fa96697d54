import { AV_PKT_DATA_DISPLAYMATRIX } from 'node-av/constants'
import type { Stream } from 'node-av/lib'

/** Hands a camera's orientation on, so that players turn the copy as they turn the original. */
export function copyRotation(from: Stream, to: Stream): void {
  const matrix = from.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)
  if (matrix) to.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, Buffer.from(matrix))
}

/**
 * Filters that turn a stream's pictures upright, ending in a comma, or nothing. Cameras turn by quarters only; other
 * angles stay as they are. The matrix is of ISO/IEC 14496-12:2022 §6.2.2, 16.16 numbers of the machine's byte order.
 */
export function uprightFilters(stream: Stream): string {
  const matrix = stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)
  if (!matrix || matrix.length < 20) return ''
  const a = matrix.readInt32LE(0)
  const b = matrix.readInt32LE(4)
  const c = matrix.readInt32LE(12)
  const d = matrix.readInt32LE(16)
  if (a === 0 && d === 0) {
    if (b > 0 && c < 0) return 'transpose=clock,'
    if (b < 0 && c > 0) return 'transpose=cclock,'
    return ''
  }
  if (b !== 0 || c !== 0) return ''
  return `${a < 0 ? 'hflip,' : ''}${d < 0 ? 'vflip,' : ''}`
}
