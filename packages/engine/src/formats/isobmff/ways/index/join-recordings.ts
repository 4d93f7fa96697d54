import { doubtsThat } from '../../../../model/doubt.ts'
import { Findings } from '../../../../model/finding.ts'
import { SampleTable } from '../../../../model/sample-table.ts'
import { TrackOutcome } from '../../../../recording/track-outcome.ts'
import type { Strategies } from '../../../../recording/ways.ts'
import type { RepairJob } from '../../../format.ts'
import { type Assessment, holdIndex } from '../../assess.ts'
import type { Movie, MovieTrack } from '../../read/movie.ts'
import type { Recovery } from '../result.ts'
import { copyRow } from '../some-rows.ts'
import { fromSurvivingIndex, type RecoveredTrack } from './surviving-index.ts'

/** Recordings put one behind the other; more in one file are copies of an index, or an attack. */
const MAX_RECORDINGS = 8

/**
 * Puts further recordings in the file, which have an index of their own, before or behind the one that was recovered, as they lie
 * in the file: where their settings are the same. Others are named and left out. Undefined when there is none: an index of the
 * same media is a copy.
 */
export async function joinRecordings(
  job: RepairJob,
  assessment: Assessment,
  recovery: Recovery,
  strategies: Strategies,
): Promise<Recovery | undefined> {
  const { reading, findings } = assessment
  const parts: { movie: Movie; tracks: readonly RecoveredTrack[] }[] = [recovery]
  let omitted = 0
  for (const movie of reading.others.slice(0, MAX_RECORDINGS)) {
    const own = new Findings(0)
    const index = await holdIndex(job.damaged.reader, { ...reading, movie }, movie, own, job.monitor)
    const found = index.alignment.tracks.reduce((sum, { fits, damaged }) => sum + fits + damaged, 0)
    if (found === 0) continue
    const tracks = fromSurvivingIndex(job.damaged.reader, index, job.options.damagedFrames)
    if (tracks.length === 0 || parts.some((part) => overlap(part.tracks, tracks))) continue
    if (isAlike(recovery.tracks, tracks)) parts.push({ movie, tracks })
    else omitted++
  }
  const doubts = [...recovery.doubts, ...doubtsThat({ others: omitted > 0 })]
  if (omitted > 0)
    strategies.push({ name: 'together', outcome: `${omitted} further recordings of other settings left out` })
  if (parts.length === 1) return omitted > 0 ? { ...recovery, doubts } : undefined
  parts.sort((a, b) => extent(a.tracks).start - extent(b.tracks).start)
  const tracks = recovery.tracks.map((track, lane) => append(track, parts, lane, startsOf(parts)))
  strategies.push({
    name: 'together',
    outcome: `${parts.length} recordings of the same settings put one behind the other`,
  })
  // the others may have gone on where the last index breaks off
  const cut = doubtsThat({ indexCut: findings.has('isobmff.moov-truncated') })
  return { ...recovery, tracks, doubts: [...doubts, ...cut] }
}

/** First and last byte of the samples of a recording. */
function extent(tracks: readonly RecoveredTrack[]): { start: number; end: number } {
  let start = Number.POSITIVE_INFINITY
  let end = 0
  for (const { plan } of tracks) {
    for (let row = 0; row < plan.table.length; row++) {
      start = Math.min(start, plan.table.offset[row])
      end = Math.max(end, plan.table.offset[row] + plan.table.size[row])
    }
  }
  return { start, end }
}

function overlap(a: readonly RecoveredTrack[], b: readonly RecoveredTrack[]): boolean {
  const [one, other] = [extent(a), extent(b)]
  return one.start < other.end && other.start < one.end
}

/** Whether two recordings have the same kinds of tracks, in the same order, and the same decoders for them. */
function isAlike(a: readonly RecoveredTrack[], b: readonly RecoveredTrack[]): boolean {
  return (
    a.length === b.length &&
    a.every((track, i) => {
      const [one, other] = [track.plan.template, b[i].plan.template]
      const [mine, theirs] = [one.description, other.description]
      return (
        one.handlerType === other.handlerType &&
        one.layout.rows === other.layout.rows &&
        mine.codec === theirs.codec &&
        mine.timescale === theirs.timescale &&
        mine.width === theirs.width &&
        mine.height === theirs.height &&
        mine.sampleRate === theirs.sampleRate &&
        mine.blockAlign === theirs.blockAlign &&
        sameBytes(mine.config, theirs.config)
      )
    })
  )
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

/** Media time at which a track's edit list starts to show it. */
function shownFrom({ edits }: MovieTrack): number {
  return edits?.find(({ mediaTime }) => mediaTime >= 0)?.mediaTime ?? 0
}

/** Seconds at which each recording starts: when all tracks of the one before have ended. */
function startsOf(parts: readonly { tracks: readonly RecoveredTrack[] }[]): number[] {
  const starts = [0]
  for (let i = 1; i < parts.length; i++) {
    let start = 0
    for (const [lane, { plan }] of parts[i - 1].tracks.entries()) {
      const { table, template } = plan
      const last = table.length - 1
      const end = table.dts[last] + Math.max(1, table.duration[last])
      // The next recording's first sample comes as much before its start as its edit list skips.
      const skipped = shownFrom(parts[i].tracks[lane].plan.template) - shownFrom(template)
      start = Math.max(start, (end + skipped) / template.description.timescale)
    }
    starts.push(starts[i - 1] + start)
  }
  return starts
}

/** One track of all recordings, each from its start on. */
function append(
  track: RecoveredTrack,
  parts: readonly { tracks: readonly RecoveredTrack[] }[],
  lane: number,
  starts: readonly number[],
): RecoveredTrack {
  const { template } = track.plan
  const { timescale } = template.description
  const first = parts[0].tracks[lane].plan
  const table = new SampleTable()
  const outcome = new TrackOutcome(timescale, first.table.dts[0])
  let lost = 0
  let estimated = false
  for (const [i, part] of parts.entries()) {
    const piece = part.tracks[lane]
    const from = piece.plan.table
    const shift =
      Math.round(starts[i] * timescale) + (shownFrom(first.template) - shownFrom(piece.plan.template))
    for (let row = 0; row < from.length; row++) {
      copyRow(from, row, table)
      const at = table.length - 1
      table.dts[at] += shift
      outcome.add('recovered', table, at, from.offset[row])
    }
    outcome.recovered -= piece.outcome.damaged
    outcome.damaged += piece.outcome.damaged
    lost += piece.outcome.lost
    estimated ||= piece.estimated
  }
  outcome.lost = lost
  return {
    plan: { template: { ...template, edits: first.template.edits }, table, times: 'index', grown: true },
    outcome,
    estimated,
  }
}
