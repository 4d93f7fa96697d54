import type { ByteReader } from '../../bytes/reader.ts'
import { mergeRegions, type Region, subtractRegions } from '../../bytes/regions.ts'
import { isZero } from '../../bytes/zeros.ts'
import type { SampleTable } from '../../model/sample-table.ts'
import type { Alignment } from '../align/align.ts'
import { ROW_BROKEN, ROW_OUTSIDE } from '../align/row-state.ts'
import { explainsPayload } from './explained-share.ts'

/** An index held against the bytes. */
export interface AlignedIndex {
  readonly tracks: readonly { readonly samples: SampleTable }[]
  readonly alignment: Alignment
}

/**
 * True when the index names nearly all of the payload, zeros apart. One that was hit and does not may have lost tracks or entries
 * without a trace; a sound one leaves out what an editor cut.
 */
export function coversPayload(reader: ByteReader, index: AlignedIndex, payload: readonly Region[]): boolean {
  const named: Region[] = []
  for (const [lane, { samples }] of index.tracks.entries()) {
    const { shift } = index.alignment.tracks[lane]
    for (let row = 0; row < samples.length; row++) {
      const offset = samples.offset[row] + shift[row]
      // of a sample that the end of the file cuts, the first part is named
      const length = Math.min(samples.size[row], reader.size - offset)
      if (offset < 0 || length <= 0) continue
      const last = named.at(-1)
      // most lie one behind the other
      if (last && last.offset + last.length === offset)
        named[named.length - 1] = { offset: last.offset, length: last.length + length }
      else named.push({ offset, length })
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
 * @param samplesLost how many samples of the index no track has
 * @param cut the file ends before its media
 */
export function missesEntries(
  reader: ByteReader,
  index: AlignedIndex,
  samplesLost: number,
  cut: boolean,
): boolean {
  let lost = samplesLost
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
