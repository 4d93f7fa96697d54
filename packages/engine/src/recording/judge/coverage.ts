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
  const named: { offset: number; length: number }[] = []
  for (const [lane, { samples }] of index.tracks.entries()) {
    const { shift } = index.alignment.tracks[lane]
    for (let row = 0; row < samples.length; row++) {
      const offset = samples.offset[row] + shift[row]
      // of a sample that the end of the file cuts, the first part is named
      const length = Math.min(samples.size[row], reader.size - offset)
      if (offset < 0 || length <= 0) continue
      const last = named.at(-1)
      // most lie one behind the other
      if (last && last.offset + last.length === offset) last.length += length
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
 * Samples of each track that an index names and whose bytes are gone for certain: what the index lost does not count to them.
 * @param cut the file ends before its media
 */
export function goneSamples(reader: ByteReader, index: AlignedIndex, cut: boolean): number[] {
  const gone = index.tracks.map(() => 0)
  const pinned = pinnedRows(index)
  for (const [lane, { samples }] of index.tracks.entries()) {
    const { state, shift } = index.alignment.tracks[lane]
    const last = state.findLastIndex((each) => each !== ROW_OUTSIDE)
    for (let row = 0; row < samples.length; row++) {
      if (!hasNoBytes(state[row])) continue
      const offset = samples.offset[row] + shift[row]
      const end = offset + samples.size[row]
      // an entry past the end with others behind it that are not may have been hit itself
      const isGone =
        end > reader.size
          ? cut && row > last
          : pinned[lane].has(row) || (offset >= 0 && isZero(reader, offset, end))
      if (isGone) gone[lane] += samples.count[row]
    }
  }
  return gone
}

/**
 * Whether entries of a track lie past the end of the file though later ones do not: no cut explains it, they were hit. Those
 * before the start were cut away.
 */
export function pointsPastEnd(reader: ByteReader, { tracks, alignment }: AlignedIndex): boolean {
  return tracks.some(({ samples }, lane) => {
    const { state, shift } = alignment.tracks[lane]
    const last = state.findLastIndex((each) => each !== ROW_OUTSIDE)
    for (let row = 0; row < last; row++)
      if (state[row] === ROW_OUTSIDE && samples.offset[row] + shift[row] + samples.size[row] > reader.size)
        return true
    return false
  })
}

/**
 * The entries whose bytes fit no sample, between two in file order that do, where no room is left for anything else: they lie
 * where the index says, and were hit or removed.
 */
function pinnedRows({ tracks, alignment }: AlignedIndex): Set<number>[] {
  const pinned = tracks.map(() => new Set<number>())
  const largest = tracks.map((track, lane) => largestFitting(track.samples, alignment.tracks[lane].state))
  const { order } = alignment
  let end = Number.POSITIVE_INFINITY
  let bytes = 0
  /** Places in file order. */
  let between: number[] = []
  for (let i = 0; i < order.length; i++) {
    const lane = order.table[i]
    const row = order.row[i]
    const { samples } = tracks[lane]
    const { state, shift } = alignment.tracks[lane]
    if (state[row] === ROW_OUTSIDE) continue
    if (state[row] === ROW_BROKEN) {
      between.push(i)
      bytes += Math.min(samples.size[row], largest[lane])
      continue
    }
    const offset = samples.offset[row] + shift[row]
    if (offset >= end && offset - end <= bytes)
      for (const place of between) pinned[order.table[place]].add(order.row[place])
    end = offset + samples.size[row]
    bytes = 0
    if (between.length > 0) between = []
  }
  return pinned
}

/** Bytes of the largest sample that is there: an entry of more may have been hit. */
function largestFitting(samples: SampleTable, state: Uint8Array): number {
  let largest = 0
  for (let row = 0; row < samples.length; row++)
    if (!hasNoBytes(state[row])) largest = Math.max(largest, samples.size[row])
  return largest
}

function hasNoBytes(state: number): boolean {
  return state === ROW_OUTSIDE || state === ROW_BROKEN
}
