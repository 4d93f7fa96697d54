import type { ByteReader } from '../../../bytes/reader.ts'
import { mergeRegions, type Region, subtractRegions } from '../../../bytes/regions.ts'
import { isZero } from '../../../bytes/zeros.ts'
import { ROW_BROKEN, ROW_OUTSIDE } from '../../../recording/align/row-state.ts'
import type { HeldIndex } from '../assess.ts'
import { explainsPayload } from './recovery.ts'
import type { RecoveredTrack } from './surviving-index.ts'

/**
 * True when the index names nearly all of the payload, zeros apart. One that was hit and does not may have lost tracks or entries
 * without a trace; a sound one leaves out what an editor cut.
 */
export function coversPayload(reader: ByteReader, index: HeldIndex, payload: readonly Region[]): boolean {
  const named: Region[] = []
  for (const [lane, { samples }] of index.tracks.entries()) {
    const { shift } = index.alignment.tracks[lane]
    for (let row = 0; row < samples.length; row++) {
      const offset = samples.offset[row] + shift[row]
      // of a sample that the end of the file cuts, the first part is named
      const length = Math.min(samples.size[row], reader.size - offset)
      if (offset >= 0 && length > 0) named.push({ offset, length })
    }
  }
  const left = subtractRegions(mergeRegions(payload), mergeRegions(named)).filter(
    ({ offset, length }) => !isZero(reader, offset, offset + length),
  )
  return explainsPayload(
    left.reduce((sum, region) => sum + region.length, 0),
    payload,
  )
}

/**
 * True when entries of an index have no sample although their bytes are there: neither zeros nor past the end of media that was cut.
 * @param cut the file ends before its media
 */
export function missesEntries(
  reader: ByteReader,
  index: HeldIndex,
  tracks: readonly RecoveredTrack[],
  cut: boolean,
): boolean {
  let lost = tracks.reduce((sum, { outcome }) => sum + outcome.lost, 0)
  for (const [lane, { samples }] of index.tracks.entries()) {
    const { state, shift } = index.alignment.tracks[lane]
    for (let row = 0; row < samples.length && lost > 0; row++) {
      if (state[row] !== ROW_OUTSIDE && state[row] !== ROW_BROKEN) continue
      const offset = samples.offset[row] + shift[row]
      const end = offset + samples.size[row]
      const gone = end > reader.size ? cut : offset >= 0 && isZero(reader, offset, end)
      if (gone) lost -= samples.count[row]
    }
  }
  return lost > 0
}
