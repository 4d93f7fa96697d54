import type { EntropyData } from '../../codecs/jpeg/entropy-data.ts'
import { damagedZones } from './damaged-zones.ts'
import type { Piece } from './pieces.ts'
import type { McuStream } from './read-stream.ts'

/** Bytes that damage may reach beyond a marker that no scan holds: noise has few of them, a sector is as long. */
const AROUND_MARKER = 512
/** MCUs in front of damage from which on reading may be off, and behind it up to which it may not be in step yet. */
const BEFORE = 16
const BEHIND = 64
/** The same of a place where pieces were cut. */
const BEFORE_CUT = 24
const BEHIND_CUT = 48
const BITS_OF_BYTE = 8

/**
 * The MCUs of a stream, 1 for each, at which reading may have lost its way: around bytes that are none of the scan's, and where
 * pieces begin. Only there DC takes steps that are reading's, unless single bits were turned.
 */
export function lostWay(
  data: EntropyData,
  pieces: readonly Piece[],
  { starts, count }: McuStream,
): Uint8Array {
  const lost = new Uint8Array(count)
  const mark = (from: number, to: number): void => {
    lost.fill(1, Math.max(0, from), Math.max(0, Math.min(count, to)))
  }
  const mcuFrom = (byte: number): number => {
    let low = 0
    let high = count
    while (low < high) {
      const middle = (low + high) >> 1
      if (starts[middle] < byte * BITS_OF_BYTE) low = middle + 1
      else high = middle
    }
    return low
  }
  for (const { from, to, foreign } of damagedZones(data)) {
    const around = foreign ? AROUND_MARKER : 0
    mark(mcuFrom(from - around) - BEFORE, mcuFrom(to + around) + BEHIND)
  }
  for (const { first, omitted } of pieces) mark(first - (omitted ?? 0) - BEFORE_CUT, first + BEHIND_CUT)
  return lost
}
