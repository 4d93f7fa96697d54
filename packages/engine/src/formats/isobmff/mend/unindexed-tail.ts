import type { ByteReader } from '../../../bytes/reader.ts'
import { mergeRegions, type Region, subtractRegions } from '../../../bytes/regions.ts'
import { isZero } from '../../../bytes/zeros.ts'
import type { Alignment } from '../../../recording/align/align.ts'
import { ROW_OUTSIDE } from '../../../recording/align/row-state.ts'
import type { SampleChecker } from '../../../recording/align/sample-checker.ts'
import type { MovieTrack } from '../read/movie.ts'
import type { FileReading } from '../read/read.ts'
import { RegionUnits } from './region-units.ts'

/** Least payload behind the last sample that is looked into. */
const MINIMUM = 64 * 1024
/** The same where it is another recording's: nobody left that over. */
const LEAST_OTHER = 1024

/**
 * Payload behind the last sample of the index that holds coded units: cameras that lost power may leave an index that
 * ends early, and recordings run together may have lost theirs. Leftovers between samples are not looked at: editors leave cut
 * scenes there on purpose.
 */
export function unindexedTail(
  reader: ByteReader,
  reading: FileReading,
  tracks: readonly MovieTrack[],
  alignment: Alignment,
  checkers: readonly SampleChecker[],
): Region[] {
  let start = Number.POSITIVE_INFINITY
  let end = 0
  for (const [i, { samples: table }] of tracks.entries()) {
    const { state, shift } = alignment.tracks[i]
    for (let row = 0; row < table.length; row++) {
      if (state[row] === ROW_OUTSIDE) continue
      const rowStart = table.offset[row] + shift[row]
      if (rowStart < start) start = rowStart
      if (rowStart + table.size[row] > end) end = rowStart + table.size[row]
    }
  }
  if (end === 0) return []
  // Recordings with a movie box of their own are not this recording's tail; one that has lost it is found only as such.
  const other =
    reading.others.length > 0 && reading.survey.boxes.find((box) => box.type === 'ftyp' && box.offset >= end)
  const limit = other ? other.offset : reader.size
  const behind = subtractRegions(mergeRegions(reading.survey.payload), [
    { offset: 0, length: end },
    { offset: limit, length: reader.size },
  ])
  // A recording that lost its index may also lie before this one, which then begins with a file type box of its own.
  const own = reading.survey.boxes.findLast((box) => box.type === 'ftyp' && box.offset <= start)
  const first = reading.others.length > 0 || !own ? 0 : own.offset
  const before = subtractRegions(mergeRegions(reading.survey.payload), [
    { offset: first, length: reader.size - first },
  ])
  const next = reading.survey.boxes.find((box) => box.type === 'mdat' && box.offset >= end)?.offset
  const least = ({ offset }: Region): number => (next !== undefined && offset > next ? LEAST_OTHER : MINIMUM)
  const units = new RegionUnits(reader, tracks, checkers, reading.unitSteps)
  // What lies before a recording's own beginning is another one, whether or not its units show themselves where there is much of
  // it.
  return [
    ...before.filter(
      (region) =>
        (region.length >= MINIMUM && !isZero(reader, region.offset, region.offset + MINIMUM)) ||
        (region.length >= LEAST_OTHER && units.areIn(region)),
    ),
    ...behind.filter((region) => region.length >= least(region) && units.areIn(region)),
  ]
}
