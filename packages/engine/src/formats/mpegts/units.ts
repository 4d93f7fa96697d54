import type { ByteReader } from '../../bytes/reader.ts'
import { parseSyncFrame } from '../../codecs/ac3/sync-frame.ts'
import { configOf, parseAdtsHeader } from '../../codecs/adts/header.ts'
import { parseHeader } from '../../codecs/mp3/header.ts'
import type { TrackReport } from '../../model/report.ts'
import { SAMPLE_AFTER_HOLE, SAMPLE_DAMAGED, SampleTable } from '../../model/sample-table.ts'
import { TrackOutcome } from '../../recording/track-outcome.ts'
import { CLOCK } from '../../syntax/pes/time-stamp.ts'
import { firstPayload } from './read/sniff.ts'
import type { Survey, SurveyedTrack } from './survey.ts'

/** PES packets whose distances tell the usual one. */
const LOOKED_AT = 2_000
/** A step this much longer than the usual one holds more than one unit. */
const LONGER = 1.5
const BLOCK_SAMPLES = 256
const AAC_SAMPLES = 1024

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
  fillTimes(table)
  const usual = usualStep(table)
  const frame =
    nature.kind === 'audio' ? frameTicks(nature.codec, firstPayload(reader, layout, stream, 0)) : 0
  const outcome = new TrackOutcome(CLOCK, origin)
  const lost = new SampleTable(1)
  lost.push(0, 0, 1, 0, 0, 0)
  const last = table.length - 1
  for (let row = 0; row <= last; row++) {
    const ticks = row < last ? table.dts[row + 1] - table.dts[row] : usual
    const holed =
      row < last &&
      ((table.flags[row] & SAMPLE_DAMAGED) !== 0 || (table.flags[row + 1] & SAMPLE_AFTER_HOLE) !== 0)
    const own = holed && usual > 0 && ticks > usual * LONGER ? usual : Math.max(0, ticks)
    table.duration[row] = own
    table.count[row] = frame > 0 ? Math.max(1, Math.round(own / frame)) : 1
    const damaged = (table.flags[row] & SAMPLE_DAMAGED) !== 0
    if (row === last && dropsLast) outcome.add('lost', table, row, table.offset[row], 'cut')
    else outcome.add(damaged ? 'damaged' : 'recovered', table, row, table.offset[row])
    if (ticks > own && holed) {
      lost.dts[0] = table.dts[row] + own
      lost.duration[0] = ticks - own
      lost.count[0] = Math.max(1, Math.round((ticks - own) / (frame > 0 ? frame : usual)))
      outcome.add('lost', lost, 0, -1, 'hole')
    }
  }
  const kept = dropsLast ? last - 1 : last
  const ticks = kept < 0 ? 0 : table.dts[kept] + table.duration[kept] - table.dts[0]
  return outcome.report({ id: stream.pid, ...nature }, Math.max(0, ticks) / CLOCK, 'exact')
}

/** Times of PES packets without a time stamp lie evenly between those around. */
function fillTimes(table: SampleTable): void {
  let known = -1
  for (let row = 0; row < table.length; row++) {
    if (Number.isNaN(table.dts[row])) continue
    const from = known < 0 ? table.dts[row] : table.dts[known]
    const step = known < 0 ? 0 : (table.dts[row] - from) / (row - known)
    for (let between = known + 1; between < row; between++)
      table.dts[between] = from + step * (between - Math.max(known, 0))
    known = row
  }
  for (let row = known + 1; row < table.length; row++) table.dts[row] = known < 0 ? 0 : table.dts[known]
}

/** The median of the distances between the first PES packets, in ticks; 0 when there are none. */
function usualStep({ dts, length }: SampleTable): number {
  const steps: number[] = []
  for (let row = 1; row < Math.min(length, LOOKED_AT); row++) {
    const step = dts[row] - dts[row - 1]
    if (step > 0) steps.push(step)
  }
  steps.sort((a, b) => a - b)
  return steps.length === 0 ? 0 : steps[steps.length >> 1]
}

/** Ticks of one frame of sound by the header in front; 0 where it does not tell. */
function frameTicks(codec: string, bytes: Uint8Array): number {
  if (codec === 'aac-adts') {
    const header = parseAdtsHeader(bytes, 0)
    return header ? (AAC_SAMPLES * header.blocks * CLOCK) / configOf(header).coreSampleRate : 0
  }
  if (codec === 'ac3' || codec === 'eac3') {
    const header = parseSyncFrame(bytes, 0)
    return header ? (BLOCK_SAMPLES * header.blocks * CLOCK) / header.sampleRate : 0
  }
  if (codec === 'mp2') {
    const header = parseHeader(((bytes[0] << 24) | (bytes[1] << 16) | (bytes[2] << 8) | bytes[3]) >>> 0)
    return header ? (header.samples * CLOCK) / header.sampleRate : 0
  }
  return 0
}
