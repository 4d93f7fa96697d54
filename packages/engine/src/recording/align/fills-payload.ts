import type { Region } from '../../bytes/regions.ts'
import type { SampleTable } from '../../model/sample-table.ts'
import type { TrackAlignment } from './row-state.ts'

/** Whether the rows, where they were found, fill the places of media data to the last byte and none lies in another's. */
export function fillsPayload(
  { tables, payload }: { readonly tables: readonly SampleTable[]; readonly payload: readonly Region[] },
  tracks: readonly TrackAlignment[],
): boolean {
  let left = payload.reduce((sum, { length }) => sum + length, 0)
  for (const { size, length } of tables) for (let row = 0; row < length; row++) left -= size[row]
  if (left !== 0) return false
  // rows that fill what there is follow each other without a gap: every end is the next one's start, or a place ends there
  const starts = new Float64Array(tables.reduce((sum, { length }) => sum + length, 0))
  const ends = new Float64Array(starts.length)
  let filled = 0
  for (const [lane, { offset, size, length }] of tables.entries()) {
    for (let row = 0; row < length; row++) {
      if (size[row] === 0) continue
      starts[filled] = offset[row] + tracks[lane].shift[row]
      ends[filled] = starts[filled] + size[row]
      filled++
    }
  }
  const inOrder = starts.subarray(0, filled).sort()
  ends.subarray(0, filled).sort()
  let at = 0
  for (const region of payload) {
    if (region.length === 0) continue
    if (inOrder[at] !== region.offset) return false
    const end = region.offset + region.length
    while (at < filled && ends[at] < end && ends[at] === inOrder[at + 1]) at++
    if (ends[at] !== end) return false
    at++
  }
  // none is left over: their sizes are what the places have
  return true
}
