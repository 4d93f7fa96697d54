import type { ByteSink } from '../../bytes/sink.ts'
import { doubtsThat } from '../../model/doubt.ts'
import type { RecordingOutcome, RepairJob } from '../format.ts'
import { assess } from './assess.ts'
import { settle } from './mend/settle.ts'
import { trimStart } from './mend/trim-start.ts'
import { trackReport } from './outcome.ts'
import { DAMAGED, LOST } from './read/chunk-table.ts'
import { chooseHeader } from './ways/choose-header.ts'
import { writeAvi } from './write/write.ts'

/** Share of a file that may stay unexplained in a repair called complete. */
const UNEXPLAINED_SHARE = 0.005

/** Writes all chunks that are there with a header, counts and an index that are right. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<RecordingOutcome> {
  const { reader } = job.damaged
  const { limits, monitor } = job
  const { file, matched, findings } = await assess(reader, limits, monitor)
  const base = { findings: findings.list, omittedFindings: findings.omitted }
  const fail = (reason: string): RecordingOutcome => ({
    ...base,
    verdict: 'unrepairable',
    tracks: [],
    strategies: [],
    sampleUsed: [],
    reason,
  })
  if (findings.healthy) return { ...base, verdict: 'healthy', tracks: [], strategies: [], sampleUsed: [] }
  if (matched.chunks.length === 0) return fail('Nothing of a recording was found in the file.')
  const chosen = await chooseHeader(job, file)
  if ('reason' in chosen) return fail(chosen.reason)
  const { header, walk } = chosen
  const settled = await settle(
    reader,
    chosen.matched ?? matched,
    walk.gaps,
    header.streams,
    {
      expectedLead: chosen.expectedLead,
      drop: job.options.damagedFrames === 'drop',
      dataFrom: walk.movi,
      dataUntil: dataEnd(walk.indexes),
    },
    limits,
    monitor,
  )
  const chunks = trimStart(settled.chunks, header.streams, limits.samplesPerTrack)
  let kept = 0
  let damaged = 0
  for (let row = 0; row < chunks.length; row++) {
    if (!(chunks.flags[row] & LOST)) kept++
    if (chunks.flags[row] & DAMAGED) damaged++
  }
  if (kept === 0) return fail('Nothing of a recording was found in the file.')
  await writeAvi(reader, header, chunks, sink, monitor)
  const doubts = doubtsThat({
    times: settled.estimated,
    unexplained: settled.unexplained > reader.size * UNEXPLAINED_SHARE,
    assumed: chosen.assumed,
  })
  const lost = chunks.length - kept
  return {
    ...base,
    verdict: doubts.length > 0 ? 'partial' : 'repaired',
    tracks: header.streams.map((stream) => trackReport(reader, chunks, stream, settled.estimated)),
    strategies: [
      ...(chosen.strategy ? [chosen.strategy] : []),
      { name: 'chunks', outcome: `${kept - damaged} whole, ${damaged} damaged, ${lost} lost` },
    ],
    sampleUsed: chosen.sampleUsed,
    ...(doubts.length > 0 ? { doubts } : {}),
  }
}

/** Where the old index stands behind the data; the end of everything where there is none. */
function dataEnd(indexes: readonly { readonly offset: number; readonly stream: number }[]): number {
  return indexes.find(({ stream }) => stream < 0)?.offset ?? Number.POSITIVE_INFINITY
}
