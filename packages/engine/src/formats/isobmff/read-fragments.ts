import type { ByteReader } from '../../bytes/reader.ts'
import { Allowance } from '../../model/allowance.ts'
import { LimitError } from '../../model/errors.ts'
import type { Findings } from '../../model/finding.ts'
import { SAMPLE_AFTER_HOLE, SAMPLE_KEY, type SampleTable } from '../../model/sample-table.ts'
import { type Box, bodyOf, childOf, readChildren } from './boxes/box.ts'
import { isNonSync, type TrackExtends } from './boxes/mvex.ts'
import { parseDecodeTime, parseTrackFragmentHeader, type TrackFragmentHeader } from './boxes/tfhd.ts'
import { parseTrackRun, type TrackRun } from './boxes/trun.ts'
import { fragmentBroken, fragmentsMissing, tableLimit } from './findings.ts'

/** A track that fragments add samples to. */
export interface FragmentTarget {
  readonly id: number
  readonly extends: TrackExtends | undefined
  readonly samples: SampleTable
}

/**
 * Samples of all fragments together of which no run says anything, beyond one for every byte of the file: some hours of sound in frames
 * of one size. A count claims any number.
 */
const UNWRITTEN_ROWS = 1_000_000

/** Everything about one fragment that its samples' places depend on. */
interface Place {
  readonly moof: Box
  /** Offset past the last sample placed in this fragment. */
  end: number
}

/** What reading the fragments showed. */
export interface FragmentReading {
  /** Samples added. */
  readonly added: number
  /** Tracks that fragments speak of and no target has. */
  readonly unknownTracks: ReadonlySet<number>
}

/**
 * Appends the samples of movie fragments, ISO/IEC 14496-12:2022 §8.8, to the tables of their tracks, in file order,
 * with their times from `tfdt` where present, else running on.
 */
export function readFragments(
  reader: ByteReader,
  fragments: readonly Box[],
  targets: readonly FragmentTarget[],
  findings: Findings,
): FragmentReading {
  const byId = new Map(targets.map((target) => [target.id, target]))
  const times = new Map<number, number>()
  for (const { id, samples } of targets) {
    const last = samples.length - 1
    times.set(id, last < 0 ? 0 : samples.dts[last] + samples.duration[last])
  }
  const unwritten = new Allowance(UNWRITTEN_ROWS + reader.size)
  const unknownTracks = new Set<number>()
  let added = 0
  let sequence = -1
  for (const moof of fragments) {
    const children = readChildren(reader, bodyOf(moof), moof.end)
    if (!children.sound) findings.add(fragmentBroken(moof.offset, moof.size, 'boxes of impossible size'))
    const header = childOf(children.boxes, 'mfhd')
    const number = header && header.end - bodyOf(header) >= 8 ? reader.u32(bodyOf(header) + 4) : -1
    const missing = sequence >= 0 && number > sequence + 1 ? number - sequence - 1 : 0
    if (number >= 0) sequence = number
    const place: Place = { moof, end: moof.offset }
    let hole = false
    for (const traf of children.boxes) {
      if (traf.type !== 'traf') continue
      const outcome = readTrackFragment(reader, traf, place, byId, times, missing > 0, unwritten, findings)
      if (outcome.unknown !== undefined) unknownTracks.add(outcome.unknown)
      added += outcome.added
      hole ||= outcome.hole
    }
    if (hole) findings.add(fragmentsMissing(moof.offset, missing))
  }
  return { added, unknownTracks }
}

function readTrackFragment(
  reader: ByteReader,
  traf: Box,
  place: Place,
  targets: ReadonlyMap<number, FragmentTarget>,
  times: Map<number, number>,
  afterGap: boolean,
  unwritten: Allowance,
  findings: Findings,
): { added: number; unknown?: number; hole: boolean } {
  const boxes = readChildren(reader, bodyOf(traf), traf.end).boxes
  const headerBox = childOf(boxes, 'tfhd')
  const header = headerBox && parseTrackFragmentHeader(reader, headerBox)
  if (!header) {
    findings.add(fragmentBroken(traf.offset, traf.size, "no readable 'tfhd'"))
    return { added: 0, hole: false }
  }
  const target = targets.get(header.track)
  const decodeTime = childOf(boxes, 'tfdt')
  const running = times.get(header.track) ?? 0
  const start = (decodeTime && parseDecodeTime(reader, decodeTime)) ?? running
  const hole = afterGap && start > running
  const base = header.baseOffset ?? (header.baseIsFragment ? place.moof.offset : place.end)
  let at = base
  let time = start
  let added = 0
  for (const box of boxes) {
    if (box.type !== 'trun') continue
    const run = parseTrackRun(reader, box, findings)
    if (!run) continue
    if (run.dataOffset !== undefined) at = base + run.dataOffset
    if (!target) continue
    const appended = appendRun(run, header, target, at, time, hole && added === 0, unwritten, findings)
    at = appended.end
    time = appended.time
    added += appended.added
  }
  place.end = at
  times.set(header.track, time)
  return { added, hole, ...(target ? {} : { unknown: header.track }) }
}

function appendRun(
  run: TrackRun,
  header: TrackFragmentHeader,
  target: FragmentTarget,
  offset: number,
  start: number,
  afterHole: boolean,
  unwritten: Allowance,
  findings: Findings,
): { end: number; time: number; added: number } {
  const { samples } = target
  const defaultDuration = header.duration ?? target.extends?.duration ?? 0
  const defaultSize = header.size ?? target.extends?.size ?? 0
  const defaultFlags = header.flags ?? target.extends?.flags ?? 0
  const isWritten = run.sizes ?? run.durations ?? run.flags ?? run.compositions
  let at = offset
  let time = start
  let added = 0
  for (let i = 0; i < run.count; i++) {
    if (!isWritten && !unwritten.take()) {
      findings.add(tableLimit(target.id, samples.length))
      break
    }
    const size = run.sizes ? run.sizes[i] : defaultSize
    const duration = run.durations ? run.durations[i] : defaultDuration
    const flags =
      i === 0 && run.firstFlags !== undefined ? run.firstFlags : run.flags ? run.flags[i] : defaultFlags
    const marks = (isNonSync(flags) ? 0 : SAMPLE_KEY) | (afterHole && i === 0 ? SAMPLE_AFTER_HOLE : 0)
    try {
      const row = samples.push(at, size, 1, duration, samples.length, marks)
      samples.dts[row] = time
      samples.cts[row] = run.compositions ? run.compositions[i] : 0
    } catch (error) {
      if (!(error instanceof LimitError)) throw error
      findings.add(tableLimit(target.id, samples.length))
      break
    }
    at += size
    time += duration
    added++
  }
  return { end: at, time, added }
}
