import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackReport } from '../../model/report.ts'
import { SampleTable } from '../../model/sample-table.ts'
import { reportStamped } from '../../recording/stamped-track.ts'
import { CLOCK } from '../../syntax/pes/time-stamp.ts'
import { markUnfed } from './read/unfed.ts'
import { type Survey, type SurveyedTrack, unitOf } from './survey.ts'

/** What became of a track: its PES packets are pictures, or hold as many frames of sound as their time allows. */
export function reportTrack(
  reader: ByteReader,
  { layout }: Survey,
  track: SurveyedTrack,
  origin: number,
  dropsLast: boolean,
): TrackReport {
  const { stream, nature } = track
  const table = stream.table ?? new SampleTable()
  const unit = unitOf(reader, layout, track)
  if (nature.codec === 'mp2') markUnfed(reader, layout, stream)
  return reportStamped({ about: { id: stream.pid, ...nature }, table, clock: CLOCK, unit, dropsLast }, origin)
}
