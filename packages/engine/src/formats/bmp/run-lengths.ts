import type { ByteReader } from '../../bytes/reader.ts'
import type { Monitor } from '../../model/monitor.ts'
import { type Info, RLE4, strideOf } from './read.ts'

/** Run-length coded pixels as far as they can be read. */
export interface Runs {
  /** Where they end: behind their last whole code. */
  readonly end: number
  /** Whether an end of the bitmap stands there. */
  readonly ended: boolean
  /** Rows from the first in the file on that are there. */
  readonly rows: number
}

/** Codes between two pauses. */
const PAUSE = 1 << 16

/**
 * Reads codes of BI_RLE8 and BI_RLE4 from `start` on. Ends of rows that nothing follows are taken for zeros that were never
 * written.
 */
export async function readRuns(
  reader: ByteReader,
  info: Info,
  start: number,
  monitor: Monitor,
): Promise<Runs> {
  const { width, height, compression, bits } = info
  const four = compression === RLE4
  // some programs code what fills rows up to whole words, too
  const room = (strideOf(info) * 8) / bits
  let at = start
  let x = 0
  let y = 0
  let sure = { end: start, rows: 0 }
  for (let codes = 1; at + 2 <= reader.size; codes++) {
    if (codes % PAUSE === 0) await monitor.pause()
    const count = reader.u8(at)
    const value = reader.u8(at + 1)
    if (count === 0 && value === 1) return { end: at + 2, ended: true, rows: height }
    let length = 2
    if (count > 0) x += count
    else if (value === 0) {
      x = 0
      y++
    } else if (value === 2) {
      length = 4
      x += reader.u8(at + 2)
      y += reader.u8(at + 3)
    } else {
      length = 2 + 2 * Math.ceil((four ? Math.ceil(value / 2) : value) / 2)
      x += value
    }
    if (x > room || y > height || (y === height && x > 0) || at + length > reader.size) break
    at += length
    if (count > 0 || value !== 0) sure = { end: at, rows: x >= width ? y + 1 : y }
  }
  return { ...sure, ended: false, rows: Math.min(height, sure.rows) }
}
