import type { ByteSink } from '../../bytes/sink.ts'
import { doubtsThat } from '../../model/doubt.ts'
import type { RecordingOutcome, RepairJob } from '../format.ts'
import { assess } from './assess.ts'
import { trackReports } from './outcome.ts'
import { readHeader } from './read/header.ts'
import { writeFile } from './write/write.ts'

/** Repairs a file by its packets, whose payloads say of which stream and which media object they are, and when it is shown. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<RecordingOutcome> {
  const { reader } = job.damaged
  const sampleHeader = job.sample && readHeader(job.sample.reader)
  const assessment = await assess(reader, job.limits, job.monitor, sampleHeader)
  const { findings, header, used, sizes, scan, objects, span } = assessment
  const own = used === header
  const conclude = (
    rest: Pick<RecordingOutcome, 'verdict' | 'tracks' | 'doubts' | 'reason'>,
    sampleUsed: readonly string[] = [],
  ): RecordingOutcome => ({
    findings: findings.list,
    omittedFindings: findings.omitted,
    strategies: scan
      ? [{ name: 'packets', outcome: `${scan.packets.length} packets, ${scan.holes.length} holes` }]
      : [],
    sampleUsed,
    ...rest,
  })
  const refuse = (reason: string): RecordingOutcome =>
    conclude({ verdict: 'unrepairable', tracks: [], reason })
  if (used.encrypted) return refuse('The recording is protected (DRM), and only its publisher has the key.')
  if (assessment.healthy) return conclude({ verdict: 'healthy', tracks: [] })
  if (used.streams.length === 0)
    return refuse(
      'How the recording is coded stood at its beginning, which is lost: a sample of the same source is needed.',
    )
  if (!scan || !sizes || objects.length === 0) return refuse('No pictures and no sound survive in the file.')
  const headerReader = own || !job.sample ? reader : job.sample.reader
  await writeFile(
    {
      packets: scan.packets,
      payloads: scan.payloads,
      sizes,
      header: used,
      headerReader,
      own,
      pictures: objects.filter(({ stream }) => stream.kind === 'video').map(({ stream }) => stream.number),
      preroll: header.file?.preroll ?? sampleHeader?.file?.preroll ?? 0,
      first: span.first,
      end: span.end,
    },
    reader,
    sink,
    job.monitor,
  )
  const doubts = doubtsThat({
    unexplained: scan.holes.some(({ unexplained }) => unexplained > 0),
    times: assessment.times.estimated > 0,
    missing: used.streams.some(
      ({ number, kind }) => kind !== 'data' && !objects.some(({ stream }) => stream.number === number),
    ),
  })
  return conclude(
    { verdict: doubts.length === 0 ? 'repaired' : 'partial', doubts, tracks: trackReports(assessment) },
    own ? [] : ['header'],
  )
}
