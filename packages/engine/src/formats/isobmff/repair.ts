import type { ByteReader } from '../../bytes/reader.ts'
import { mergeRegions, type Region } from '../../bytes/regions.ts'
import { type ByteSink, isSeekable, type SeekableSink } from '../../bytes/sink.ts'
import { DOUBT, distinctDoubts } from '../../model/doubt.ts'
import type { TrackReport } from '../../model/report.ts'
import { flagBlankRows } from '../../recording/judge/blank-rows.ts'
import type { Strategies } from '../../recording/ways.ts'
import type { RecordingOutcome, RepairJob } from '../format.ts'
import { type Assessment, assess } from './assess.ts'
import { settle } from './mend/settle.ts'
import type { ReadingDepth } from './read/read.ts'
import { readTeacher, type Teacher } from './ways/carve-file.ts'
import { choose } from './ways/choose.ts'
import { carvesExactly } from './ways/hidden-boxes.ts'
import type { RecoveredTrack } from './ways/index/surviving-index.ts'
import { sequenceDoubts } from './ways/picture-sequence.ts'
import { type Recovery, summary } from './ways/result.ts'
import { weighDamaged } from './ways/weigh-damaged.ts'
import { EarlyCopy } from './write/copy-ahead.ts'
import type { WritePlan } from './write/plan.ts'
import { writeMovie } from './write/write.ts'

/** Repairs a file by the best evidence that survives: its index, its fragments, the bytes themselves. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<RecordingOutcome> {
  const { reader } = job.damaged
  const teacher = await readTeacher(job)
  // carving leaves an index that its walk passed over in a hole: the payload need not be read twice
  const depth = teacher && carvesExactly(teacher) ? 'walk' : 'search'
  const look = async (how: ReadingDepth): Promise<Assessment> =>
    settle(reader, await assess(reader, job.limits, job.monitor, how), job.decoder)
  let assessment = await look(depth)
  let strategies: Strategies = []
  const conclude = (
    rest: Pick<RecordingOutcome, 'verdict' | 'tracks' | 'sampleUsed' | 'doubts' | 'reason'>,
  ): RecordingOutcome => ({
    findings: assessment.findings.list,
    omittedFindings: assessment.findings.omitted,
    strategies,
    ...rest,
  })
  if (assessment.healthy) return conclude({ verdict: 'healthy', tracks: [], sampleUsed: [] })
  const early =
    teacher && depth === 'walk' && isSeekable(sink) && job.options.damagedFrames !== 'drop'
      ? new EarlyCopy(sink, reader, assessment.reading.survey.payload, isReordered(teacher))
      : undefined
  let choice = await choose(job, assessment, strategies, teacher, early)
  if ('unsearched' in choice || 'reason' in choice) await early?.discard()
  if ('unsearched' in choice) {
    assessment = await look('search')
    strategies = []
    choice = await choose(job, assessment, strategies, teacher)
  }
  if ('unsearched' in choice) throw new Error('a payload that was searched needs no search')
  if ('reason' in choice)
    return conclude({ verdict: 'unrepairable', tracks: [], sampleUsed: [], reason: choice.reason })
  const tracks = await weighDamaged(job, choice.movie, inOrder(choice))
  const plan: WritePlan = {
    movie: choice.movie,
    tracks: tracks.map((track) => track.plan),
    ...(assessment.reading.fileType ? { fileType: assessment.reading.fileType } : {}),
  }
  const copied = early && early.front > 0 ? early.copied : undefined
  await writeMovie(plan, reader, sink, job.monitor, early)
  if (copied && isSeekable(sink)) {
    await sink.settled()
    if (spoilBlank(reader, tracks, copied, sink.zeros))
      strategies.push({ name: 'zeros', outcome: summary(tracks) })
  }
  const doubts = distinctDoubts([...choice.doubts, ...sequenceDoubts(choice.movie, tracks)])
  return conclude({
    verdict: doubts.length === 0 ? 'repaired' : 'partial',
    doubts,
    tracks: tracks.map((track) => report(track, choice.doubts.includes(DOUBT.assumed))),
    sampleUsed: choice.sampleUsed,
  })
}

/** The tracks by their ids, wherever each came from, where the movie has them so. */
function inOrder({ movie, tracks }: Recovery): readonly RecoveredTrack[] {
  const rising = movie.tracks.every(({ header }, i) => i === 0 || header.id > movie.tracks[i - 1].header.id)
  const id = ({ plan }: RecoveredTrack): number => plan.template.header.id
  return rising ? [...tracks].sort((a, b) => id(a) - id(b)) : tracks
}

/** Counts the pictures as damaged that zeros were copied of. Says whether there are any. */
function spoilBlank(
  reader: ByteReader,
  tracks: readonly RecoveredTrack[],
  regions: readonly Region[],
  zeros: SeekableSink['zeros'],
): boolean {
  const passed = zeros && { regions, zeros: mergeRegions(zeros) }
  let spoiled = false
  for (const { plan, outcome } of tracks)
    for (const row of flagBlankRows(reader, plan.template.description, plan.table, passed)) {
      outcome.spoil(plan.table, row, 'damaged')
      spoiled = true
    }
  return spoiled
}

/** Whether some picture is shown at another time than it is decoded at. */
function isReordered(teacher: Teacher): boolean {
  return teacher.tracks.some(({ samples }) =>
    samples.cts.subarray(0, samples.length).some((shift) => shift !== samples.cts[0]),
  )
}

/** `assumed`: nothing tells at what rate the recording was made, so that what was carved of it has no exact times. */
function report(track: RecoveredTrack, assumed: boolean): TrackReport {
  const { table, template } = track.plan
  const last = table.length - 1
  const ticks = last < 0 ? 0 : table.dts[last] + table.duration[last] - table.dts[0]
  const told = track.outcome.report(
    template.description,
    ticks / template.description.timescale,
    track.estimated || (assumed && track.plan.times === 'carved') ? 'estimated' : 'exact',
  )
  return track.placed ? { ...told, placed: true } : told
}
