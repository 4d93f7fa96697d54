import type { ByteReader } from '../../../bytes/reader.ts'
import type { HeldIndex } from '../assess.ts'
import { explainsPayload } from '../recovery.ts'
import { mergeRegions, type Region, subtractRegions } from '../regions.ts'
import { isZero } from '../zero-runs.ts'

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
