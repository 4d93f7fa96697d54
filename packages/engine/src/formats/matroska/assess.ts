import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { isZero } from '../../bytes/zeros.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { UNKNOWN_SIZE } from '../../syntax/ebml/element.ts'
import * as found from './findings.ts'
import { BESIDE, CUES, EBML, INFO, TRACKS } from './ids.ts'
import { awaitsIndex, checkCues, checkSeekHeads } from './index-check.ts'
import { cuedTimes } from './mend/cued-times.ts'
import { mendBlockTimes, soundFallsBack } from './mend/flipped-times.ts'
import { type Paces, pacesOf } from './mend/pace.ts'
import { checkPayload, type PayloadState } from './mend/payload.ts'
import { type Solved, solveRunTimes } from './mend/run-times.ts'
import { unlaceHit } from './mend/unlace.ts'
import { HIT, KEY } from './read/block-table.ts'
import { USUAL_SCALE } from './read/info.ts'
import type { Run, Survey } from './read/survey.ts'
import type { MatroskaTrack } from './read/track.ts'
import { walk } from './read/walk.ts'
import type { SampleHead } from './sample.ts'
import { endOf } from './timeline.ts'

/** Everything that a look at a whole file tells. */
export interface Assessment {
  readonly survey: Survey
  readonly findings: Findings
  readonly healthy: boolean
  readonly payload: PayloadState
  readonly paces: Paces
  readonly times: Solved
  /** Times of sound contradict each other, and nothing tells which of them are wrong. */
  readonly contradicted: boolean
  /** Laced blocks of which nothing tells which frames are whole. */
  readonly untoldLaces: number
  /** Nanoseconds of a tick. */
  readonly scale: number
  /** Ticks at which the last block ends. */
  readonly end: number
  /** What stands in front of the damage or behind it and cannot hold blocks. */
  readonly explained: (gap: number) => boolean
}

/** Ticks, as a share of a second, by which a stated Duration may be off. */
const DURATION_SLACK_SECONDS = 1
const NANOSECONDS = 1e9

const NO_SAMPLE = { tracks: [], scale: USUAL_SCALE, clusterDistance: 0 }

/**
 * Reads a file and says what is wrong with it. `fallback` are a sample's tracks and scale, for a file whose own are gone,
 * `numbers` those of further tracks. `walked` is called before any payload is looked at.
 */
export async function assess(
  reader: ByteReader,
  limits: Limits,
  monitor: Monitor,
  fallback: Pick<SampleHead, 'tracks' | 'scale' | 'clusterDistance'> = NO_SAMPLE,
  numbers: readonly number[] = [],
  walked: (survey: Survey, scale: number) => Promise<void> = async () => {},
): Promise<Assessment> {
  const survey = await walkByOwn(reader, limits, monitor, fallback.tracks, numbers)
  const findings = new Findings(limits.findings)
  const scale = survey.info?.scale ?? fallback.scale
  await walked(survey, scale)
  const tracks = survey.tracksWhole ? survey.tracks : [...survey.tracks, ...fallback.tracks]
  const paces = pacesOf(survey, tracks, scale)
  const payload = await checkPayload(reader, survey, tracks, monitor)
  const isProven = (run: Run): boolean => payload.proven.has(run)
  const mended = mendBlockTimes(survey, paces, isProven)
  for (const row of mended) findings.add(found.blockTime(survey.blocks.offset[row], survey.blocks.track[row]))
  for (const { time, offset, firstRow, endRow } of survey.runs)
    if (time === undefined && endRow > firstRow) findings.add(found.clusterTime(offset))
  const times = solveRunTimes(survey, paces, cuedTimes(reader, survey), fallback.clusterDistance)
  const untoldLaces = unlaceHit(reader, survey, tracks, paces, scale, payload.checkers)
  const end = endOf(survey, paces)
  noteHead(survey, findings)
  noteGaps(reader, survey, findings)
  noteClusters(survey, payload, findings)
  noteIndex(reader, survey, end, scale, findings)
  return {
    ...{ survey, findings, healthy: findings.healthy, payload, paces, times, untoldLaces, scale, end },
    contradicted: soundFallsBack(survey, tracks, paces, isProven),
    explained: (index) => isExplained(reader, survey, index),
  }
}

/**
 * Walks a file by its own tracks where it has them, though they stand behind blocks, which a sample's would have been taken for.
 */
async function walkByOwn(
  reader: ByteReader,
  limits: Limits,
  monitor: Monitor,
  fallback: readonly MatroskaTrack[],
  numbers: readonly number[],
): Promise<Survey> {
  const survey = await walk(reader, limits, monitor, fallback, numbers)
  const own = survey.elements.find(({ id }) => id === TRACKS)
  const isLate = own !== undefined && survey.runs.some(({ offset }) => offset < own.offset)
  return survey.tracksWhole && isLate && fallback.length > 0
    ? walk(reader, limits, monitor, survey.tracks)
    : survey
}

function noteHead(survey: Survey, findings: Findings): void {
  const has = (id: number): boolean => survey.elements.some((element) => element.id === id)
  if (!has(EBML)) findings.add(found.headMissing('EBML header'))
  if (!survey.segment) findings.add(found.headMissing('Segment'))
  if (!has(INFO)) findings.add(found.headMissing('Info'))
  if (!has(TRACKS)) findings.add(found.headMissing('Tracks'))
  for (const { id, offset, end, whole, filled } of survey.elements) {
    if (whole) continue
    const kept = filled && BESIDE.includes(id)
    findings.add((kept ? found.elementAltered : found.elementBroken)(id, offset, end - offset))
  }
  const read = survey.elements.some(({ id, whole }) => id === TRACKS && whole)
  if (read && !survey.tracksWhole) {
    const broken = survey.elements.find(({ id }) => id === TRACKS)
    if (broken) findings.add(found.elementBroken(TRACKS, broken.offset, broken.end - broken.offset))
  }
  for (const { number, encoding } of survey.tracks)
    if (encoding === 'encrypted') findings.add({ ...found.encrypted(number), severity: 'info' })
}

/** Where the Segment ends: as it says, or with its last element where that lies behind. */
function segmentEnd({ segment, runs, elements, size }: Survey): number {
  const last = Math.max(runs.at(-1)?.end ?? 0, elements.at(-1)?.end ?? 0)
  return Math.min(Math.max(segment?.end ?? size, last), size)
}

function noteGaps(reader: ByteReader, survey: Survey, findings: Findings): void {
  const { segment } = survey
  const end = segmentEnd(survey)
  for (const { offset, length } of survey.gaps) {
    if (length === 0) continue
    if (offset >= end && end < survey.size) findings.add(found.trailing(offset, length))
    else if (offset !== survey.cutAt)
      findings.add(found.gap(offset, length, !isZero(reader, offset, offset + length)))
  }
  if (survey.cutAt !== undefined) findings.add(found.truncated(survey.cutAt, survey.size - survey.cutAt))
  if (segment?.end !== undefined && (segment.end > survey.size || segment.end < end))
    findings.add(found.segmentSize(segment.offset, segment.end, survey.size))
  if (survey.further !== undefined)
    findings.add(found.furtherRecording(survey.further, survey.size - survey.further))
}

function noteClusters(survey: Survey, payload: PayloadState, findings: Findings): void {
  const { blocks } = survey
  for (const { headed, size, body, end, offset, altered } of survey.runs) {
    if (!headed || size === UNKNOWN_SIZE || altered) continue
    if (body + size !== end && end < survey.size) findings.add(found.clusterSize(offset, body + size, end))
  }
  for (const { offset, end } of payload.alteredRuns) findings.add(found.clusterAltered(offset, end - offset))
  const numbers = new Set(survey.tracks.map(({ number }) => number))
  const strange = new Map<number, number>()
  for (let row = 0; row < blocks.length; row++) {
    if (blocks.is(row, HIT) && !findings.countMore(found.BLOCK_HIT))
      findings.add(found.blockHit(blocks.offset[row], blocks.size[row], blocks.track[row]))
    if (survey.tracksWhole && !numbers.has(blocks.track[row]))
      strange.set(blocks.track[row], (strange.get(blocks.track[row]) ?? 0) + 1)
  }
  for (const [track, count] of strange) findings.add(found.strangeTrack(track, count))
}

function noteIndex(reader: ByteReader, survey: Survey, end: number, scale: number, findings: Findings): void {
  if (survey.blocks.length === 0) return
  const cues = survey.elements.filter(({ id }) => id === CUES)
  const headed = survey.runs.filter((run) => run.headed).length
  const stated = survey.info?.duration
  const isUnfinished = awaitsIndex(reader, survey)
  if (cues.length === 0 && (headed > 1 || stated === undefined) && isSeekable(survey))
    findings.add(found.cuesMissing(isUnfinished))
  const wrong = checkCues(reader, survey)
  if (wrong > 0) findings.add(found.cuesWrong(wrong, cues[0].offset, cues[0].end - cues[0].offset))
  checkSeekHeads(reader, survey, findings)
  const slack = (DURATION_SLACK_SECONDS * NANOSECONDS) / scale
  if (stated === undefined) findings.add(found.durationMissing(isUnfinished))
  else if (Math.abs(stated - end) > slack) findings.add(found.durationWrong(stated, Math.round(end)))
}

/** Whether there is something that Cues can point to: a key picture, or a block of any kind where there are no pictures. */
function isSeekable({ blocks, tracks }: Survey): boolean {
  const pictures = new Set(
    tracks.filter(({ description }) => description.kind === 'video').map(({ number }) => number),
  )
  if (pictures.size === 0) return true
  for (let row = 0; row < blocks.length; row++)
    if (blocks.is(row, KEY) && pictures.has(blocks.track[row])) return true
  return false
}

/** Whether a gap holds no block that could be whole: it is empty, behind the Segment, or no block begins in it. */
function isExplained(reader: ByteReader, survey: Survey, index: number): boolean {
  const { offset, length, candidates } = survey.gaps[index]
  if (length === 0 || candidates === 0) return true
  if (survey.segment?.end !== undefined && offset >= segmentEnd(survey)) return true
  return isZero(reader, offset, offset + length)
}
