import type { ByteReader } from '../../../../bytes/reader.ts'
import { type Region, subtractRegions } from '../../../../bytes/regions.ts'
import type { Findings } from '../../../../model/finding.ts'
import { coversPayload, goneSamples } from '../../../../recording/judge/coverage.ts'
import type { Assessment, HeldIndex } from '../../assess.ts'
import { describesSamples } from '../descriptions/mend-descriptions.ts'
import { announcedTracks } from './carve-beside-index.ts'
import type { RecoveredTrack } from './surviving-index.ts'

/** Samples of each track of an index that are gone for certain: see `goneSamples`. */
export function goneOf(reader: ByteReader, index: HeldIndex, findings: Findings): readonly number[] {
  return goneSamples(reader, index, findings.has('isobmff.mdat-size'))
}

/** The same by the tracks' ids. */
export function goneById(
  reader: ByteReader,
  index: HeldIndex,
  findings: Findings,
): ReadonlyMap<number, number> {
  const gone = goneOf(reader, index, findings)
  return new Map(index.tracks.map(({ description }, lane) => [description.id, gone[lane]]))
}

/**
 * True when an index that was hit nevertheless has all: entries without bytes, bytes without an entry, tables of other lengths,
 * tracks that it announces and does not have, or samples that are none by its own description may each be the damage.
 * @param named regions that samples of its entries fill, though it says otherwise where those lie
 */
export function provesAll(
  reader: ByteReader,
  { reading, findings }: Assessment,
  index: HeldIndex,
  tracks: readonly RecoveredTrack[],
  named: readonly Region[],
): boolean {
  const payload = subtractRegions(reading.survey.payload, named)
  const samplesLost = tracks.reduce((sum, { outcome }) => sum + outcome.lost, 0)
  const samplesGone = [...goneById(reader, index, findings).values()].reduce((sum, gone) => sum + gone, 0)
  return (
    coversPayload(reader, index, payload) &&
    samplesLost <= samplesGone &&
    !findings.has('isobmff.table-counts-differ') &&
    index.movie.unread === 0 &&
    announcedTracks(index.movie) <= index.movie.tracks.length &&
    index.tracks.every((track) => describesSamples(reader, track))
  )
}
