import type { SampleTable } from '../../../../model/sample-table.ts'
import { bodyOf } from '../../../../syntax/iso-boxes/box.ts'
import type { FileReading } from '../../read/read.ts'

/**
 * Shifts of the payload that a file's structures suggest: media data longer or shorter than declared, the last sample
 * not ending where the payload ends, the first not starting where it starts, recordings run together. In bytes; without 0.
 */
export function suggestShifts(reading: FileReading, tables: readonly SampleTable[]): number[] {
  const { survey, movie } = reading
  let low = Number.POSITIVE_INFINITY
  let high = 0
  for (const table of tables) {
    for (let row = 0; row < table.length; row++) {
      if (table.size[row] === 0) continue
      if (table.offset[row] < low) low = table.offset[row]
      const end = table.offset[row] + table.size[row]
      if (end > high) high = end
    }
  }
  const shifts = new Set<number>(survey.displacements)
  if (high > 0) {
    for (const box of survey.boxes) {
      if (box.type === 'mdat') {
        shifts.add(bodyOf(box) - low)
        shifts.add(box.end - high)
      }
      if (shifts.size > MAX_SUGGESTIONS) break
    }
    for (const gap of survey.gaps) shifts.add(gap.offset + gap.length - high)
    if (movie) shifts.add(movie.box.offset - high)
  }
  for (const box of survey.boxes) if (box.type === 'ftyp' && box.offset > 0) shifts.add(box.offset)
  shifts.delete(0)
  return [...shifts].filter((shift) => Number.isFinite(shift)).slice(0, MAX_SUGGESTIONS)
}

/** Suggestions tried at every place where the index stops to fit. */
const MAX_SUGGESTIONS = 24
