import { SAMPLE_KEY } from '../../../model/sample-table.ts'
import { RunBuilder } from '../boxes/stts.ts'
import type { PlannedTrack } from './plan.ts'
import { Silence } from './silence.ts'

/** The time tables of one track, ready to be written. All in ticks of the track's timescale. */
export interface TrackTimes {
  readonly durations: RunBuilder
  /** Undefined when composition is decoding order. */
  readonly compositions: RunBuilder | undefined
  /** Version of `ctts`: 1 when offsets are negative. */
  readonly compositionVersion: 0 | 1
  /** Sample numbers from 1 of sync samples; undefined when all are. */
  readonly sync: Uint32Array | undefined
  /** Decoding time of the first row as planned: the media's own times start at 0. */
  readonly start: number
  /** Sum of the durations. */
  readonly total: number
  /** Smallest composition time of the media as written. */
  readonly firstComposition: number
  /** Composition time at which the last sample to be shown ends: behind the durations' sum where the rate varies. */
  readonly compositionEnd: number
  /** Ticks by which compositions were moved to make them positive. */
  readonly moved: number
}

/** Computes the time tables of the planned tracks of a movie. Times that run backwards are held. */
export function planAllTimes(tracks: readonly PlannedTrack[]): TrackTimes[] {
  const all = tracks.map((track) => planTimes(track))
  const ends = all.map(({ start, total }, i) => (start + total) / tracks[i].template.description.timescale)
  const end = Math.max(0, ...ends)
  return all.map((times, i) => (isTimeless(tracks[i], times) ? planTimes(tracks[i], end) : times))
}

/**
 * A track of no length, as a fragment's time code of which nobody knew how long it holds: it holds to the movie's end. Readers
 * pass over samples of no duration, which ISO/IEC 14496-12:2022 §8.6.1.2 lets only the last of a track have.
 */
function isTimeless({ table }: PlannedTrack, { total }: TrackTimes): boolean {
  return total === 0 && table.length > 0
}

/**
 * Computes the time tables of a planned track.
 * @param until seconds to which a last sample of no duration lasts, where the one before tells nothing either
 */
export function planTimes(track: PlannedTrack, until = 0): TrackTimes {
  return track.template.layout.rows === 'runs' ? runTimes(track) : sampleTimes(track, until)
}

function runTimes(track: PlannedTrack): TrackTimes {
  const { table, template } = track
  const durations = new RunBuilder()
  const perUnit = template.layout.rows === 'runs' ? template.layout.unitSamples : 1
  const silence = new Silence(track)
  const perSample = Math.max(1, Math.round(silence.unitTicks / perUnit))
  let samples = 0
  for (let row = 0; row < table.length; row++) samples += (table.count[row] + silence.behind(row)) * perUnit
  // One run: readers take PCM in large pieces only when every sample lasts the same.
  durations.add(perSample, samples)
  return {
    durations,
    compositions: undefined,
    compositionVersion: 0,
    sync: undefined,
    start: table.length > 0 ? table.dts[0] : 0,
    total: samples * perSample,
    firstComposition: 0,
    compositionEnd: samples * perSample,
    moved: 0,
  }
}

function sampleTimes(track: PlannedTrack, until: number): TrackTimes {
  const { table, template } = track
  const rows = table.length
  const start = rows > 0 ? table.dts[0] : 0
  const durations = new RunBuilder()
  let lowest = 0
  let composed = false
  // First pass: decoding times as they will be read back.
  const decoding = new Float64Array(rows)
  let time = 0
  for (let row = 0; row < rows; row++) {
    decoding[row] = time
    const offset = table.dts[row] + table.cts[row] - start - time
    if (offset !== 0) composed = true
    if (offset < lowest) lowest = offset
    const planned = row + 1 < rows ? table.dts[row + 1] - start - time : lastDuration(track, row, until)
    const delta = Math.min(0xffff_ffff, Math.max(0, Math.round(planned)))
    durations.add(delta)
    time += delta
  }
  const negative = lowest < 0
  const keepsNegative = negative && template.tables.compositions?.version === 1
  const moved = negative && !keepsNegative ? -lowest : 0
  const compositions = composed || moved > 0 ? new RunBuilder() : undefined
  let first = rows > 0 ? Number.POSITIVE_INFINITY : 0
  let end = 0
  for (let row = 0; row < rows; row++) {
    const offset = table.dts[row] + table.cts[row] - start - decoding[row] + moved
    compositions?.add(offset)
    const shown = decoding[row] + offset
    first = Math.min(first, shown)
    end = Math.max(end, shown + (row + 1 < rows ? decoding[row + 1] : time) - decoding[row])
  }
  return {
    durations,
    compositions,
    compositionVersion: keepsNegative ? 1 : 0,
    sync: syncSamples(track),
    start,
    total: time,
    firstComposition: first,
    compositionEnd: Math.max(end, first + time),
    moved,
  }
}

/** A last sample without duration lasts as long as the one before it, or to the end of the movie: zero would hide it. */
function lastDuration({ table, template }: PlannedTrack, row: number, until: number): number {
  const { dts, duration } = table
  if (duration[row] > 0) return duration[row]
  if (row > 0 && duration[row - 1] > 0) return duration[row - 1]
  return Math.max(0, until * template.description.timescale - dts[row])
}

function syncSamples(track: PlannedTrack): Uint32Array | undefined {
  const { table, template } = track
  let keys = 0
  for (let row = 0; row < table.length; row++) if (table.flags[row] & SAMPLE_KEY) keys++
  if (keys === table.length) return undefined
  // Only pictures have frames that depend on others; a player cannot start where no sample is marked.
  if (template.description.kind !== 'video' && keys === 0) return undefined
  if (keys === 0) return Uint32Array.of(1)
  const numbers = new Uint32Array(keys)
  let next = 0
  for (let row = 0; row < table.length; row++) if (table.flags[row] & SAMPLE_KEY) numbers[next++] = row + 1
  return numbers
}
