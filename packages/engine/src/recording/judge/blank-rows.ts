import type { ByteReader } from '../../bytes/reader.ts'
import { type Region, regionAt } from '../../bytes/regions.ts'
import { SAMPLE_DAMAGED, type SampleTable } from '../../model/sample-table.ts'
import type { TrackDescription } from '../../model/track.ts'
import { hasZeroHole, isDense, ZERO_HOLE } from '../zero-holes.ts'

/** What was copied of a file, in file order, and the zeros seen there in passing. */
export interface Passed {
  readonly regions: readonly Region[]
  /** In file order, none overlapping. */
  readonly zeros: readonly Region[]
}

/**
 * Flags the rows of a track as damaged that hold zeros no encoder writes. Where bytes were copied their zeros are known already;
 * other bytes are read. Returns these rows.
 */
export function flagBlankRows(
  reader: ByteReader,
  { codec, framing }: TrackDescription,
  table: SampleTable,
  passed?: Passed,
): readonly number[] {
  // NAL units hold no more than two zero bytes in a row, ITU-T H.264 §7.4.1 and H.265 §7.4.2; start codes may follow more
  if (framing !== 'length' && !isDense(codec)) return []
  const blank: number[] = []
  for (let row = 0; row < table.length; row++) {
    const offset = table.offset[row]
    const size = table.size[row]
    if (size < ZERO_HOLE || (table.flags[row] & SAMPLE_DAMAGED) !== 0) continue
    if (passed && hasPassed(passed, offset, size) && !holdsZeros(passed.zeros, offset, offset + size))
      continue
    if (!hasZeroHole(reader, offset, size)) continue
    table.flags[row] |= SAMPLE_DAMAGED
    blank.push(row)
  }
  return blank
}

function hasPassed({ regions }: Passed, offset: number, size: number): boolean {
  const region = regionAt(regions, offset)
  return region !== undefined && offset + size <= region.offset + region.length
}

/** Whether enough of one of the stretches lies in [from, end). */
function holdsZeros(zeros: readonly Region[], from: number, end: number): boolean {
  let low = 0
  let high = zeros.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (zeros[middle].offset + zeros[middle].length <= from) low = middle + 1
    else high = middle
  }
  for (let i = low; i < zeros.length && zeros[i].offset < end; i++) {
    const { offset, length } = zeros[i]
    if (Math.min(end, offset + length) - Math.max(from, offset) >= ZERO_HOLE) return true
  }
  return false
}
