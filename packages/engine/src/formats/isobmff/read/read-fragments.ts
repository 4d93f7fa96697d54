import { samplesOfAllTracks } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { Allowance } from '../../../model/allowance.ts'
import { LimitError } from '../../../model/errors.ts'
import type { Findings } from '../../../model/finding.ts'
import {
  SAMPLE_AFTER_HOLE,
  SAMPLE_ESTIMATED,
  SAMPLE_KEY,
  type SampleTable,
} from '../../../model/sample-table.ts'
import type { TrackDescription } from '../../../model/track.ts'
import type { Box } from '../../../syntax/iso-boxes/box.ts'
import { isNonSync, type TrackExtends } from '../boxes/mvex.ts'
import type { TrackFragmentHeader } from '../boxes/tfhd.ts'
import { RUN_COMPOSITION, RUN_DURATION, RUN_FLAGS, RUN_SIZE } from '../boxes/trun.ts'
import { fragmentsMissing, tableLimit } from '../findings.ts'
import { mendFragmentCompositions } from '../mend/fragments/fragment-compositions.ts'
import { mendPlaces } from '../mend/fragments/fragment-places.ts'
import { mendFragmentTimes } from '../mend/fragments/fragment-times.ts'
import { mendFragmentTracks } from '../mend/fragments/fragment-tracks.ts'
import { mendMovedFragments } from '../mend/fragments/moved-fragments.ts'
import { readDrafts } from './fragment-drafts.ts'
import type { Fragments } from './fragments.ts'
import type { MovieTrack } from './movie.ts'
import { usualDuration } from './usual-duration.ts'

/** A track that fragments add samples to. */
export interface FragmentTarget {
  readonly id: number
  /** Undefined while nobody knows what the track is. */
  readonly description: TrackDescription | undefined
  readonly extends: TrackExtends | undefined
  readonly samples: SampleTable
}

/** What reading the fragments showed. */
export interface FragmentReading {
  /** Samples added. */
  readonly added: number
  /** Tracks that fragments speak of and no target has. */
  readonly unknownTracks: ReadonlySet<number>
  /** Tracks whose order of pictures could have been mended otherwise as well. */
  readonly orderGuessed: ReadonlySet<number>
  /** Tracks of which nothing says how long their samples in fragments last. */
  readonly durationsGuessed: ReadonlySet<number>
  /** See `TrackTables.fragmentTicks`, by track. */
  readonly fragmentTicks: ReadonlyMap<number, number>
  /** Sample entries of the samples added, by track. */
  readonly entries: ReadonlyMap<number, readonly EntryRun[]>
}

/** Samples in a row that have one sample entry, whose number counts from 1. */
interface EntryRun {
  readonly entry: number
  samples: number
}

/** Steps that mending fragments may take: so many, and so many more for every byte of the file. */
const MENDING_STEPS = 1_000_000
const MENDING_STEPS_A_BYTE = 2

/**
 * Appends the samples of movie fragments, ISO/IEC 14496-12:2022 §8.8, to the tables of their tracks, in file order,
 * with their times from `tfdt` where present, else running on, with as much time for missing ones as others take. Flipped bits in
 * them are mended.
 */
export function readFragments(
  reader: ByteReader,
  boxes: readonly Box[],
  targets: readonly FragmentTarget[],
  findings: Findings,
): FragmentReading {
  const fragments = readDrafts(reader, boxes, findings)
  const byId = new Map(targets.map((target) => [target.id, target]))
  const work = new Allowance(MENDING_STEPS + reader.size * MENDING_STEPS_A_BYTE, reader.work)
  const sizeOf = (track: number): number => byId.get(track)?.extends?.size ?? 0
  mendFragmentTracks(fragments, new Set(byId.keys()), findings)
  mendMovedFragments(fragments, sizeOf, findings)
  mendPlaces(reader, fragments, (track) => byId.get(track)?.description, sizeOf, findings, work)
  const untold = withUsualDurations(fragments, byId)
  const durations = mendFragmentTimes(
    fragments,
    new Set(byId.keys()),
    (track) => byId.get(track)?.extends?.duration ?? 0,
    findings,
  )
  for (const target of byId.values()) {
    const duration = durations.get(target.id)
    if (duration !== undefined) untold.delete(target.id)
    const given = target.extends ?? { track: target.id, description: 1, duration: 0, size: 0, flags: 0 }
    if (duration !== undefined) byId.set(target.id, { ...target, extends: { ...given, duration } })
  }
  const rows = new Allowance(samplesOfAllTracks(reader.size))
  const fragmentTicks = untoldStarts(
    fragments,
    new Set(byId.keys()),
    (track) => byId.get(track)?.extends?.duration ?? 0,
  )
  const reading = append(fragments, byId, rows, fragmentTicks, findings)
  const reordered = new Set<number>()
  for (const [part, { track }] of fragments.headers.entries())
    if (fragments.anyTells(part, RUN_COMPOSITION)) reordered.add(track)
  const orderGuessed = new Set<number>()
  for (const { id, samples } of targets) {
    if (!reordered.has(id)) continue
    if (mendFragmentCompositions(id, samples, !findings.healthy, findings, work)) orderGuessed.add(id)
  }
  return { ...reading, orderGuessed, durationsGuessed: untold, fragmentTicks }
}

/**
 * Gives the tracks whose fragments leave durations unsaid, and of which no `trex` says them (ISO/IEC 14496-12:2022 §8.8.3: there
 * is one of each), what most of their samples before the fragments last. Returns their ids.
 */
function withUsualDurations(fragments: Fragments, byId: Map<number, FragmentTarget>): Set<number> {
  const untold = new Set<number>()
  for (const [part, { track, duration }] of fragments.headers.entries()) {
    const target = byId.get(track)
    const isSaid = duration !== undefined || fragments.anyTells(part, RUN_DURATION)
    if (!target || target.extends || isSaid || fragments.samplesOf(part) === 0) continue
    const usual = { track, description: 1, duration: usualDuration(target.samples), size: 0, flags: 0 }
    byId.set(track, { ...target, extends: usual })
    untold.add(track)
  }
  return untold
}

/** A track with what reading fragments showed of its times and of its samples' entries. */
export function withFragmentTimes(
  given: MovieTrack,
  id: number,
  { orderGuessed, durationsGuessed, fragmentTicks, entries }: FragmentReading,
): MovieTrack {
  const track = withEntries(given, entries.get(id) ?? [])
  const ticks = fragmentTicks.get(id)
  if (!orderGuessed.has(id) && !durationsGuessed.has(id) && ticks === undefined) return track
  const tables = {
    ...track.tables,
    ...(orderGuessed.has(id) ? { orderGuessed: true as const } : {}),
    ...(durationsGuessed.has(id) ? { durationsGuessed: true as const } : {}),
    ...(ticks === undefined ? {} : { fragmentTicks: ticks }),
  }
  return { ...track, tables }
}

/** A track whose last samples have such entries; as it is where all have the first, or one that there is not. */
function withEntries(track: MovieTrack, added: readonly EntryRun[]): MovieTrack {
  if (added.every(({ entry }) => entry === 1)) return track
  if (added.some(({ entry }) => entry < 1 || entry > track.entries.length)) return track
  const descriptions = new Uint16Array(track.samples.length).fill(1)
  descriptions.set(track.descriptions ?? [])
  let row = track.samples.length - added.reduce((sum, { samples }) => sum + samples, 0)
  for (const { entry, samples } of added) {
    descriptions.fill(entry, row, row + samples)
    row += samples
  }
  return { ...track, descriptions }
}

/** Ticks that the middle one of a track's fragments lasts, for tracks whose fragments never say when they start. */
function untoldStarts(
  fragments: Fragments,
  known: ReadonlySet<number>,
  defaults: (track: number) => number,
): ReadonlyMap<number, number> {
  const spans = new Map<number, number[]>()
  const told = new Set<number>()
  for (const [part, { track, duration }] of fragments.headers.entries()) {
    if (!known.has(track)) continue
    if (!Number.isNaN(fragments.start[part])) told.add(track)
    const list = spans.get(track) ?? []
    list.push(fragments.ticksOf(part, duration ?? defaults(track)))
    spans.set(track, list)
  }
  return new Map(
    [...spans].flatMap(([track, list]) => {
      const sorted = list.sort((a, b) => a - b)
      return told.has(track) ? [] : [[track, sorted[sorted.length >> 1]]]
    }),
  )
}

function append(
  fragments: Fragments,
  targets: ReadonlyMap<number, FragmentTarget>,
  rows: Allowance,
  fragmentTicks: ReadonlyMap<number, number>,
  findings: Findings,
): Omit<FragmentReading, 'orderGuessed' | 'durationsGuessed' | 'fragmentTicks'> {
  const times = new Map<number, number>()
  for (const { id, samples } of targets.values()) {
    const last = samples.length - 1
    times.set(id, last < 0 ? 0 : samples.dts[last] + samples.duration[last])
  }
  const unknownTracks = new Set<number>()
  const entries = new Map([...targets.keys()].map((id): [number, EntryRun[]] => [id, []]))
  /** Fragments that were missing so far, and how many of them when a track's last fragment came. */
  let gone = 0
  const goneBefore = new Map([...times.keys()].map((id) => [id, 0]))
  let added = 0
  for (const [fragment, moof] of fragments.boxes.entries()) {
    let end = moof.offset
    let holes = 0
    gone += fragments.missing[fragment]
    for (let part = fragments.firstPart(fragment); part < fragments.partsEnd(fragment); part++) {
      const header = fragments.headers[part]
      const start = fragments.start[part]
      const isTold = !Number.isNaN(start)
      const target = targets.get(header.track)
      if (!target) unknownTracks.add(header.track)
      const running = times.get(header.track) ?? 0
      const lost = gone - (goneBefore.get(header.track) ?? gone)
      const guessed = Math.min(lost, fragments.length) * (fragmentTicks.get(header.track) ?? 0)
      let time = isTold ? start : running + guessed
      const hole = lost > 0 && time > running
      const marks = hole ? SAMPLE_AFTER_HOLE | (isTold ? 0 : SAMPLE_ESTIMATED) : 0
      if (hole) holes = Math.max(holes, lost)
      goneBefore.set(header.track, gone)
      const base = header.baseOffset ?? (header.baseIsFragment ? moof.offset : end)
      let at = base
      let first = true
      for (let run = fragments.firstRun(part); run < fragments.runsEnd(part); run++) {
        if (!Number.isNaN(fragments.dataOffset[run])) at = base + fragments.dataOffset[run]
        if (!target) continue
        const firstMarks = first ? marks : 0
        const appended = appendRun(fragments, run, header, target, at, time, firstMarks, rows, findings)
        at = appended.end
        time = appended.time
        added += appended.added
        const entry = header.description ?? target.extends?.description ?? 1
        const told = entries.get(header.track)
        const before = told?.at(-1)
        if (before?.entry === entry) before.samples += appended.added
        else told?.push({ entry, samples: appended.added })
        first &&= appended.added === 0
      }
      end = at
      times.set(header.track, time)
    }
    if (holes > 0) findings.add(fragmentsMissing(moof.offset, holes))
  }
  return { added, unknownTracks, entries }
}

function appendRun(
  fragments: Fragments,
  run: number,
  header: TrackFragmentHeader,
  target: FragmentTarget,
  offset: number,
  start: number,
  firstMarks: number,
  rows: Allowance,
  findings: Findings,
): { end: number; time: number; added: number } {
  const { samples } = target
  const defaultDuration = header.duration ?? target.extends?.duration ?? 0
  const defaultSize = header.size ?? target.extends?.size ?? 0
  const defaultFlags = header.flags ?? target.extends?.flags ?? 0
  const { codec, blockAlign = 0 } = target.description ?? {}
  // as in an index: what some writers store as one sample is many sample frames
  const frame = codec === 'pcm' ? blockAlign : 0
  const hasSizes = fragments.tells(run, RUN_SIZE)
  const hasDurations = fragments.tells(run, RUN_DURATION)
  const hasFlags = fragments.tells(run, RUN_FLAGS)
  const hasCompositions = fragments.tells(run, RUN_COMPOSITION)
  const isWritten = hasSizes || hasDurations || hasFlags || hasCompositions
  const firstFlags = fragments.firstFlags[run]
  let at = offset
  let time = start
  let added = 0
  for (let i = 0; i < fragments.count[run]; i++) {
    // a run that says nothing of samples of no size tells of none
    if ((!isWritten && defaultSize === 0) || !rows.take()) {
      findings.add(tableLimit(target.id, samples.length))
      break
    }
    const size = hasSizes ? fragments.value(run, RUN_SIZE, i) : defaultSize
    const duration = hasDurations ? fragments.value(run, RUN_DURATION, i) : defaultDuration
    const ownFlags = hasFlags ? fragments.value(run, RUN_FLAGS, i) : defaultFlags
    const flags = i === 0 && !Number.isNaN(firstFlags) ? firstFlags : ownFlags
    const marks = (isNonSync(flags) ? 0 : SAMPLE_KEY) | (i === 0 ? firstMarks : 0)
    try {
      const count = frame > 0 ? Math.max(1, Math.floor(size / frame)) : 1
      const row = samples.push(at, size, count, duration, samples.length, marks)
      samples.dts[row] = time
      samples.cts[row] = hasCompositions ? fragments.value(run, RUN_COMPOSITION, i) : 0
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
