import { Foresight } from '../../bytes/foresight.ts'
import { RangeWriter } from '../../bytes/range-writer.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { type ByteSink, endAhead } from '../../bytes/sink.ts'
import { doubtsThat } from '../../model/doubt.ts'
import type { Finding, Findings } from '../../model/finding.ts'
import { reportStamped, startOf } from '../../recording/stamped-track.ts'
import { CLOCK } from '../../syntax/pes/time-stamp.ts'
import type { RecordingOutcome, RepairJob } from '../format.ts'
import { putInSequenceHeads, type SampleHeads } from './mend/sequence-heads.ts'
import { firstParameterSets, firstSequenceHead } from './read/sequence-heads.ts'
import { isPayloadSpared } from './read/spared-payload.ts'
import { writeSectors } from './sectors/write-sectors.ts'
import { isHollow, numberOf, type Survey, survey } from './survey.ts'

/** Repairs a program stream: what is whole stays as it is, what belongs to no packet is left out, wrong lengths are put right. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<RecordingOutcome> {
  const { reader } = job.damaged
  const found = await survey(reader, job.limits, job.monitor, new Foresight(sink, reader.source))
  const { findings, streams } = found
  if (found.encrypted)
    return refusal(findings, 'The recording is encrypted: only the device that made it can read it.')
  if (streams.every(isHollow)) return refusal(findings, 'No pictures or sound were found in the file.')
  if (found.healthy) return { ...about(findings), verdict: 'healthy', tracks: [] }
  // sectors keep their places: a disc of them has a header in each group
  const heads = job.sample && found.headless.length > 0 ? headsOf(job.sample.reader) : undefined
  const putIn = found.sectors ? undefined : putInSequenceHeads(found.headless, heads, found.edits)
  await endAhead(sink)
  const writer = new RangeWriter(reader, sink, job.monitor, reader.size)
  if (found.sectors) await writeSectors(reader, found.sectors, found.edits, writer)
  else await found.edits.write(writer, reader.size)
  await writer.end()
  const origin = startOf(streams.map(({ table }) => table))
  const tracks = streams.map((stream) =>
    reportStamped(
      {
        about: { id: numberOf(stream), kind: stream.kind, codec: stream.codec || 'unknown' },
        table: stream.table,
        clock: CLOCK,
        unit: stream.unit * CLOCK,
        dropsLast: false,
      },
      origin,
    ),
  )
  const doubts = doubtsThat({
    unexplained: found.walk.mixed > 0,
    times: found.guessed,
    assumed: putIn?.assumed ?? false,
    missing:
      (putIn ? putIn.missing : found.headless.length > 0) ||
      streams.some(({ kind, codec }) => kind === 'video' && codec === ''),
    // what belongs to nothing may be packets whose headers were hit as others were
    hits: findings.has('mpegps.header') && (findings.has('mpegps.foreign-bytes') || !isSpared(found)),
  })
  const lost = tracks.reduce((sum, track) => sum + track.lost, 0)
  return {
    ...about(findings),
    verdict: doubts.length > 0 ? 'partial' : 'repaired',
    doubts,
    sampleUsed: putIn?.used ?? [],
    strategies: [{ name: 'packets', outcome: `${found.walk.packets} packets, ${lost} units lost` }],
    tracks,
  }
}

function headsOf(sample: ByteReader): SampleHeads {
  return { sequence: firstSequenceHead(sample), sets: firstParameterSets(sample) }
}

/** Whether reading the pictures shows that nothing but headers was hit. */
function isSpared({ payload, streams, walk, findings }: Survey): boolean {
  if (findings.omitted > 0) return false
  const { packs, packets } = walk
  const at = ({ offset = -1 }: Finding): number => offset
  const hits = findings.list.filter(({ code }) => code === 'mpegps.header').map(at)
  return isPayloadSpared({
    reader: payload,
    streams,
    packs,
    packets,
    hits,
    wrong: new Set(findings.list.map(at)),
  })
}

function about(
  findings: Findings,
): Pick<RecordingOutcome, 'findings' | 'omittedFindings' | 'strategies' | 'sampleUsed'> {
  return { findings: findings.list, omittedFindings: findings.omitted, strategies: [], sampleUsed: [] }
}

function refusal(findings: Findings, reason: string): RecordingOutcome {
  return { ...about(findings), verdict: 'unrepairable', tracks: [], reason }
}
