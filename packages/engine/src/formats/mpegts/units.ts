import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackReport } from '../../model/report.ts'
import { SampleTable } from '../../model/sample-table.ts'
import { unitSeconds } from '../../recording/sniff-stream.ts'
import { reportStamped } from '../../recording/stamped-track.ts'
import { CLOCK } from '../../syntax/pes/time-stamp.ts'
import { firstPayload } from './read/sniff.ts'
import type { Survey, SurveyedTrack } from './survey.ts'

/** What became of a track: its PES packets are pictures, or hold as many frames of sound as their time allows. */
export function reportTrack(
  reader: ByteReader,
  { layout }: Survey,
  { stream, nature }: SurveyedTrack,
  origin: number,
  dropsLast: boolean,
): TrackReport {
  const table = stream.table ?? new SampleTable()
  const sounds = nature.kind === 'audio'
  const unit = sounds ? unitSeconds(nature.codec, firstPayload(reader, layout, stream, 0)) * CLOCK : 0
  return reportStamped({ about: { id: stream.pid, ...nature }, table, clock: CLOCK, unit, dropsLast }, origin)
}
