import { Findings } from '../../../../model/finding.ts'
import type { SampleTable } from '../../../../model/sample-table.ts'
import type { RepairJob } from '../../../format.ts'
import { holdIndex } from '../../assess.ts'
import type { Movie, MovieTrack } from '../../read/movie.ts'
import type { FileReading } from '../../read/read.ts'
import { fromSurvivingIndex, type RecoveredTrack } from './surviving-index.ts'

/**
 * A track that carving found, by the entries of an index which names its samples but has lost what they are (ISO/IEC
 * 14496-12:2022 §8.5.2): their times, and what goes with them, are the recording's own. Undefined where some sample is not among
 * them as it was found.
 */
export async function asIndexed(
  job: RepairJob,
  reading: FileReading,
  movie: Movie,
  { plan }: RecoveredTrack,
): Promise<RecoveredTrack | undefined> {
  const { description, sampleDescription, entries } = plan.template
  const named = movie.tracks.find(
    (track) => isUndescribed(track, description.kind) && names(track, plan.table),
  )
  if (!named) return undefined
  const { id, timescale } = named.description
  const described = { ...named, description: { ...description, id, timescale }, sampleDescription, entries }
  const { reader } = job.damaged
  const whole = { ...movie, tracks: movie.tracks.map((track) => (track === named ? described : track)) }
  const index = await holdIndex(reader, reading, whole, new Findings(0), job.monitor)
  return fromSurvivingIndex(reader, index, job.options.damagedFrames).find(
    (track) => track.plan.template.description.id === id,
  )
}

function isUndescribed(
  { sampleDescription, samples, external, description }: MovieTrack,
  kind: string,
): boolean {
  return sampleDescription.length === 0 && samples.length > 0 && !external && description.kind === kind
}

/** Whether every sample that was found is one of a track's, in its order. */
function names({ samples }: MovieTrack, found: SampleTable): boolean {
  let next = 0
  for (let row = 0; row < found.length; row++, next++) {
    while (next < samples.length && samples.offset[next] !== found.offset[row]) next++
    if (next === samples.length || samples.size[next] !== found.size[row]) return false
  }
  return found.length > 0
}
