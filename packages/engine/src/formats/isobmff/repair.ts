import type { ByteSink } from '../../bytes/sink.ts'
import type { TrackReport } from '../../model/report.ts'
import type { RepairJob, RepairOutcome } from '../format.ts'
import { assess } from './assess.ts'
import { choose } from './choose.ts'
import type { WritePlan } from './plan.ts'
import type { RecoveredTrack } from './strategies/surviving-index.ts'
import { writeMovie } from './write.ts'

/** Repairs a file by the best evidence that survives: its index, its fragments, the bytes themselves. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<RepairOutcome> {
  const { reader } = job.damaged
  const assessment = await assess(reader, job.limits, job.monitor)
  const { findings, reading } = assessment
  const strategies: { name: string; outcome: string }[] = []
  const conclude = (
    rest: Pick<RepairOutcome, 'verdict' | 'tracks' | 'sampleUsed' | 'reason'>,
  ): RepairOutcome => ({
    findings: findings.list,
    omittedFindings: findings.omitted,
    strategies,
    ...rest,
  })
  if (assessment.healthy) return conclude({ verdict: 'healthy', tracks: [], sampleUsed: [] })
  const choice = await choose(job, assessment, strategies)
  if ('reason' in choice)
    return conclude({ verdict: 'unrepairable', tracks: [], sampleUsed: [], reason: choice.reason })
  const plan: WritePlan = {
    movie: choice.movie,
    tracks: choice.tracks.map((track) => track.plan),
    ...(reading.fileType ? { fileType: reading.fileType } : {}),
  }
  await writeMovie(plan, reader, sink, job.monitor)
  return conclude({
    verdict: choice.complete ? 'repaired' : 'partial',
    tracks: choice.tracks.map(report),
    sampleUsed: choice.sampleUsed,
  })
}

function report(track: RecoveredTrack): TrackReport {
  const { table, template } = track.plan
  const last = table.length - 1
  const ticks = last < 0 ? 0 : table.dts[last] + table.duration[last] - table.dts[0]
  return track.outcome.report(
    template,
    ticks / template.description.timescale,
    track.estimated ? 'estimated' : 'exact',
  )
}
