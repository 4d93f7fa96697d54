import { RangeWriter } from '../../bytes/range-writer.ts'
import type { ByteSink } from '../../bytes/sink.ts'
import { I_PICTURE } from '../../codecs/mpeg12/headers.ts'
import { doubtsThat } from '../../model/doubt.ts'
import type { Findings } from '../../model/finding.ts'
import type { RecordingOutcome, RepairJob } from '../format.ts'
import { fillLost } from './mend/fill.ts'
import { survey } from './survey.ts'
import { reportPictures } from './track.ts'

/**
 * Repairs bare pictures: what is whole stays as it is, what belongs to none is left out, and lost ones are made up for, as the
 * rest is shown by their count.
 */
export async function repair(job: RepairJob, sink: ByteSink): Promise<RecordingOutcome> {
  const { reader } = job.damaged
  const found = await survey(reader, job.sample?.reader, job.limits, job.monitor)
  const { findings, pictures, numbers, lacking, edits } = found
  if (pictures.length === 0) {
    const reason = 'No pictures were found in the file.'
    return { ...about(findings), verdict: 'unrepairable', tracks: [], reason }
  }
  if (found.healthy) return { ...about(findings), verdict: 'healthy', tracks: [] }
  if (lacking) edits.insert(pictures[0].start, lacking.head.bytes)
  const isFilled = fillLost(found, reader.size, job.options.damagedFrames === 'drop')
  const writer = new RangeWriter(reader, sink, job.monitor, reader.size)
  await edits.write(writer, reader.size)
  await writer.end()
  const track = reportPictures(found)
  const doubts = doubtsThat({
    unexplained: found.unheaded > 0,
    times: numbers.estimated || !isFilled,
    assumed: lacking?.assumed ?? false,
    // without an intra picture there is nothing that the others are predicted from
    missing: lacking !== undefined && !pictures.some(({ type }) => type === I_PICTURE),
  })
  return {
    ...about(findings),
    verdict: doubts.length > 0 ? 'partial' : 'repaired',
    doubts,
    sampleUsed: lacking?.from === 'sample' ? ['sequence header'] : [],
    strategies: [{ name: 'pictures', outcome: `${pictures.length} pictures, ${track.lost} lost` }],
    tracks: [track],
  }
}

function about(
  findings: Findings,
): Pick<RecordingOutcome, 'findings' | 'omittedFindings' | 'strategies' | 'sampleUsed'> {
  return { findings: findings.list, omittedFindings: findings.omitted, strategies: [], sampleUsed: [] }
}
