import type { Findings } from '../../../../model/finding.ts'
import { SampleTable } from '../../../../model/sample-table.ts'
import type { RepairJob } from '../../../format.ts'
import { type HeldIndex, holdIndex } from '../../assess.ts'
import { SampleKeys } from '../../boxes/sample-encryption.ts'
import { readFragmentKeys } from '../../read/fragment-keys.ts'
import type { Movie, MovieTrack } from '../../read/movie.ts'
import type { FileReading } from '../../read/read.ts'
import { readFragments, withFragmentTimes } from '../../read/read-fragments.ts'
import { openEdits } from '../../write/plan-edits.ts'
import { defaultsOf, idsByContent } from './fragment-ids.ts'
import type { RecoveredTrack } from './surviving-index.ts'

/**
 * Gives fragments whose movie box is lost the sample's: tracks are matched by what the fragments hold, by their ids where that
 * tells nothing, or by their order where the ids differ. Undefined when no sample of theirs can be placed that way.
 */
export async function fragmentsWithSample(
  job: RepairJob,
  reading: FileReading,
  sample: Movie,
  findings: Findings,
): Promise<HeldIndex | undefined> {
  const { limits, monitor } = job
  const { reader } = job.damaged
  const empty = (track: MovieTrack): MovieTrack => ({
    ...track,
    samples: new SampleTable(limits.samplesPerTrack),
    descriptions: undefined,
    edits: track.edits && openEdits(track.edits),
    keys: track.protection && new SampleKeys(),
  })
  const ids = idsByContent(reader, reading.fragments, sample.tracks, limits.samplesPerTrack)
  const targets = sample.tracks.map((track, i) => ({ track: empty(track), id: ids[i] }))
  const told = readFragments(
    reader,
    reading.fragments,
    targets.map(({ track, id }, i) => ({
      id,
      description: track.description,
      extends: defaultsOf(sample.tracks[i]),
      samples: track.samples,
    })),
    findings,
  )
  const tracks = targets.map(({ track, id }) => withFragmentTimes(track, id, told))
  if (tracks.every((track) => track.samples.length === 0)) return undefined
  readFragmentKeys(reader, reading.fragments, tracks)
  return holdIndex(
    reader,
    reading,
    { ...sample, fileType: reading.fileType ?? sample.fileType, tracks },
    findings,
    monitor,
  )
}

/**
 * Moves the times of all tracks so that the earliest starts at zero: fragments of a live recording count from its own
 * start, which a file of its own does not have.
 */
export function rebase(tracks: readonly RecoveredTrack[]): void {
  let origin = Number.POSITIVE_INFINITY
  for (const { plan } of tracks) {
    if (plan.table.length > 0)
      origin = Math.min(origin, plan.table.dts[0] / plan.template.description.timescale)
  }
  if (!Number.isFinite(origin) || origin === 0) return
  for (const { plan } of tracks) {
    const ticks = Math.floor(origin * plan.template.description.timescale + 1e-6)
    for (let row = 0; row < plan.table.length; row++) plan.table.dts[row] -= ticks
  }
}
