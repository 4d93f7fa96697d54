import { Foresight } from '../../bytes/foresight.ts'
import { RangeWriter } from '../../bytes/range-writer.ts'
import { ByteReader } from '../../bytes/reader.ts'
import { type ByteSink, endAhead } from '../../bytes/sink.ts'
import { doubtsThat } from '../../model/doubt.ts'
import type { Findings } from '../../model/finding.ts'
import { SAMPLE_DAMAGED } from '../../model/sample-table.ts'
import { startOf } from '../../recording/stamped-track.ts'
import type { RecordingOutcome, RepairJob } from '../format.ts'
import { RetimedSource } from './mend/arrivals.ts'
import { insertTables, mendSections, type TableSection, tableSections } from './mend/tables.ts'
import { walkStretch } from './read/stretch.ts'
import { nothingFound, type Survey, type SurveyedTrack, survey } from './survey.ts'
import { reportTrack } from './units.ts'

/** Repairs a transport stream: what is whole stays where it is, what is not is left out, mended, or said to be missing. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<RecordingOutcome> {
  const { reader } = job.damaged
  const foresight = new Foresight(sink, reader.source)
  const found = await survey(reader, job.limits, job.monitor, job.sample?.reader, foresight)
  const findings = found?.findings ?? nothingFound(job.limits)
  if (!found) return refusal(findings, 'No transport packets were found in the file.')
  if (found.encrypted)
    return refusal(findings, 'The recording is encrypted: only the device that made it can read it.')
  if (found.tracks.length === 0) return refusal(findings, 'No pictures or sound were found in the file.')
  if (found.healthy) return { ...about(findings), verdict: 'healthy', tracks: [] }
  const sections = tableSections(found.demux, found.made)
  if (!sections)
    return refusal(findings, 'The program map is lost, and every packet number that it could have is taken.')
  const dropped = new Set(found.tracks.filter((track) => dropsLast(track, found, job)))
  for (const track of dropped) dropLast(reader, found, track)
  mendSections(found.edits, reader, found.demux, found.layout, sections)
  putTablesInFront(reader, found, sections)
  await endAhead(sink)
  const writer = new RangeWriter(retimed(reader, found), sink, job.monitor, reader.size)
  await found.edits.write(writer, reader.size)
  await writer.end()
  const origin = startOf(found.tracks.flatMap(({ stream }) => stream.table ?? []))
  const tracks = found.tracks.map((track) => reportTrack(reader, found, track, origin, dropped.has(track)))
  const doubts = doubtsThat({
    assumed: found.made.length > 0 && !found.borrowed,
    missing: found.unnamed,
    times: found.guessed,
    hits:
      findings.has('mpegts.packet-header') ||
      findings.has('mpegts.sound-header') ||
      found.tracks.some(({ stream }) => (stream.sound?.breaks ?? 0) > 0),
  })
  const lost = tracks.reduce((sum, track) => sum + track.lost, 0)
  return {
    ...about(findings),
    verdict: doubts.length > 0 ? 'partial' : 'repaired',
    doubts,
    strategies: [{ name: 'packets', outcome: `${found.demux.packets} packets, ${lost} units lost` }],
    sampleUsed: found.borrowed ? ['program tables'] : [],
    tracks,
  }
}

/** The file with the arrival times that its packets ought to have. */
function retimed(reader: ByteReader, { lateArrivals, demux, layout }: Survey): ByteReader {
  if (lateArrivals.length === 0) return reader
  return new ByteReader(
    new RetimedSource(reader.source, lateArrivals, demux.arrivals.usual, layout),
    reader.work,
  )
}

function about(
  findings: Findings,
): Pick<RecordingOutcome, 'findings' | 'omittedFindings' | 'strategies' | 'sampleUsed'> {
  return { findings: findings.list, omittedFindings: findings.omitted, strategies: [], sampleUsed: [] }
}

function refusal(findings: Findings, reason: string): RecordingOutcome {
  return { ...about(findings), verdict: 'unrepairable', tracks: [], reason }
}

/** A picture that the file breaks off in is shown as far as it goes, unless damaged ones are to be left out. */
function dropsLast(
  { stream, nature, open }: SurveyedTrack,
  { demux }: Survey,
  { options }: RepairJob,
): boolean {
  const { table } = stream
  if (!open || !demux.cut || !table) return false
  table.flags[table.length - 1] |= SAMPLE_DAMAGED
  return nature.kind === 'video' && options.damagedFrames === 'drop' && table.length > 1
}

function dropLast(reader: ByteReader, { layout, edits, demux }: Survey, { stream }: SurveyedTrack): void {
  const { table } = stream
  if (!table) return
  const from = table.offset[table.length - 1]
  for (const { pid, offset } of walkStretch(reader, layout, from, demux.end))
    if (pid === stream.pid) edits.drop(offset, layout.size)
}

/** What plays a stream needs its tables in front of everything else. */
function putTablesInFront(reader: ByteReader, found: Survey, sections: readonly TableSection[]): void {
  const { demux, edits, layout, tracks, made } = found
  const first = Math.min(...tracks.map(({ stream }) => stream.table?.offset[0] ?? 0))
  const { firstAssociation, firstMap } = demux.tables
  const isThere = firstAssociation >= 0 && firstMap >= 0 && made.length === 0
  if (isThere && Math.max(firstAssociation, firstMap) < first) return
  insertTables(edits, reader, demux, layout, sections, demux.start)
}
