import type { ByteReader } from '../../../../bytes/reader.ts'
import { type Region, regionAt } from '../../../../bytes/regions.ts'
import type { Allowance } from '../../../../model/allowance.ts'
import { nextAbove } from '../../../../model/bisect.ts'
import type { Findings } from '../../../../model/finding.ts'
import type { Monitor } from '../../../../model/monitor.ts'
import type { TrackDescription } from '../../../../model/track.ts'
import type { MediaHeader } from '../../boxes/mdhd.ts'
import type { SampleToChunk } from '../../boxes/stsc.ts'
import type { SampleSizes } from '../../boxes/stsz.ts'
import { runTotal } from '../../boxes/tables.ts'
import { tableMended } from '../../findings.ts'
import type { RowLayout, TrackTables } from '../../read/movie.ts'
import { differByOneBit } from '../bits.ts'
import { mendChunkSizes } from './chunk-sizes.ts'
import type { Placed } from './chunk-steps.ts'
import { type Layout, LayoutWalk } from './layout-walk.ts'
import { arePartedByHabit } from './parted-chunks.ts'
import type { Proof } from './proof-memory.ts'
import { SampleFit } from './sample-fit.ts'
import { stuffedStarts } from './stuffed-starts.ts'
import { Lane } from './track-chunks.ts'

/** A track whose tables may be mended. */
export interface LayoutTrack {
  readonly description: TrackDescription
  readonly layout: RowLayout
  readonly tables: TrackTables
  /** Absent where nothing but the tables is known. */
  readonly mediaHeader?: Pick<MediaHeader, 'duration'>
}

/**
 * Cost of a gap between chunks, in flipped bits: where tracks are lost whose chunks lie there, where nothing speaks of flipped
 * bits or most chunks leave one, and where something does.
 */
const GAP_OF_LOST = 0.1
const GAP_OF_SOUND = 0.5
const GAP_OF_HIT = 3.5

/**
 * Mends flipped bits in the chunk offsets, chunk maps and sample sizes of all tracks together, by the chunks being laid end to
 * end: see `LayoutWalk`. Tables that agree are not touched. `cut`: the movie box is, so that tracks may be lost. Search ends
 * where the steps of `work` do: tables then stay as they are.
 * @returns the tracks' tables as they should be. @throws AbortedError
 */
export async function mendLayout(
  reader: ByteReader,
  given: readonly LayoutTrack[],
  payload: readonly Region[],
  cut: boolean,
  findings: Findings,
  work: Allowance,
  monitor: Monitor,
): Promise<readonly TrackTables[]> {
  const starts = allStarts(given)
  const tracks = given.map((track) => ({
    ...track,
    tables: mendEqualSizes(track, starts, reader.size, findings, work),
  }))
  const unchanged = tracks.map(({ tables }) => tables)
  const lanes = tracks.map((track) => laneOf(track, work))
  const used = lanes.flatMap((lane, i) => (lane ? [{ lane, track: i }] : []))
  if (used.length === 0) return unchanged
  const list = used.map(({ lane }) => lane)
  const seams = new Set(payload.map(({ offset }) => offset))
  const fits = used.map(
    ({ lane, track }) => new SampleFit(reader, tracks[track].description, lane.offsets, work),
  )
  // of what a file cut short no longer has, its bytes say nothing
  const known = isCutShort(list, reader.size) ? reader.size : Number.POSITIVE_INFINITY
  const mayStart = (lane: number, offset: number): boolean => offset >= known || fits[lane].mayStart(offset)
  const proof: Proof = {
    areSamples: (lane, offset, sizes) =>
      sizes.reduce((end, size) => end + size, offset) > known
        ? undefined
        : fits[lane].areSamples(offset, sizes),
    reach: (lane, from, to, samples) => (to > known ? undefined : fits[lane].reach(from, to, samples)),
    isPayload: (from, to) => {
      if (to > known) return true
      const region = regionAt(payload, from)
      return region !== undefined && to <= region.offset + region.length
    },
  }
  const size = known < Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : reader.size
  if (findings.healthy) {
    const stuffed = stuffedStarts(reader, list, starts, work)
    const cautious = new LayoutWalk(list, seams.union(stuffed), size, GAP_OF_SOUND, mayStart, proof, work)
    if (cautious.isSound() || (await cautious.solve(monitor))?.faults === 0) return unchanged
  }
  const usual = arePartedByHabit(list, starts) ? GAP_OF_SOUND : GAP_OF_HIT
  const gapCost = cut || used.length < given.length ? GAP_OF_LOST : usual
  const walk = new LayoutWalk(list, seams, size, gapCost, mayStart, proof, work)
  const found = await walk.solve(monitor)
  if (!found) return unchanged
  const mended = [...unchanged]
  for (const [i, { lane, track }] of used.entries()) {
    const resized = found.resized.filter((chunk) => chunk.lane === i)
    mended[track] = apply(reader, tracks[track], lane, found.lanes[i], resized, findings, work)
  }
  return mended
}

/**
 * Last chunks of a track that all start behind the file's end where it is cut short: flipped bits do not hit so many in a row.
 */
const BEHIND = 3

/** Whether a track's chunks go on behind the end of the file. */
function isCutShort(lanes: readonly Lane[], size: number): boolean {
  return lanes.some(
    ({ offsets }) =>
      offsets.length > BEHIND && offsets.subarray(offsets.length - BEHIND).every((offset) => offset >= size),
  )
}

/** Offsets of the chunks of all tracks, sorted. */
function allStarts(tracks: readonly LayoutTrack[]): Float64Array {
  const lists = tracks.map(({ tables }) => tables.chunkOffsets ?? new Float64Array(0))
  const [first] = lists
  if (lists.length === 1 && isRising(first)) return first
  const starts = new Float64Array(lists.reduce((sum, list) => sum + list.length, 0))
  let length = 0
  for (const list of lists) {
    starts.set(list, length)
    length += list.length
  }
  return starts.sort()
}

function isRising(offsets: Float64Array): boolean {
  for (let i = 1; i < offsets.length; i++) if (offsets[i] < offsets[i - 1]) return false
  return true
}

/** Mends the number and the size of samples that all have one size: nothing but the other tables tells them. */
function mendEqualSizes(
  track: LayoutTrack,
  starts: Float64Array,
  fileSize: number,
  findings: Findings,
  work: Allowance,
): TrackTables {
  const { tables, description } = track
  const { sizes } = tables
  if (!sizes || sizes.constant === 0) return tables
  const mended = mendConstant(track, mendCount(track, sizes, fileSize, work), starts, work)
  for (const field of ['count', 'constant'] as const)
    if (mended[field] !== sizes[field])
      findings.add(tableMended(description.id, 'stsz', sizes[field], mended[field]))
  return mended === sizes ? tables : { ...tables, sizes: mended }
}

/**
 * How many samples there are: the number that two of three tables agree on, or that the chunks have and the length of the media
 * asks for, or one that the file has room for where the number given is more than that and one bit away.
 */
function mendCount(
  { tables, mediaHeader }: LayoutTrack,
  sizes: SampleSizes,
  fileSize: number,
  work: Allowance,
): SampleSizes {
  const { durations, sampleToChunk, chunkOffsets } = tables
  if (!sampleToChunk || !chunkOffsets || !durations) return sizes
  const { counts } = new Lane(chunkOffsets, sampleToChunk, sizes, { bytes: 1, samples: 1 }, work)
  const placed = counts.reduce((sum, count) => sum + count, 0)
  const timed = runTotal(durations)
  if (sizes.count === placed || sizes.count === timed) return sizes
  if (placed === timed) return { ...sizes, count: placed }
  const lasts = durations.length === 1 ? (mediaHeader?.duration ?? 0) / durations.values[0] : 0
  if (placed === lasts && differByOneBit(placed, sizes.count)) return { ...sizes, count: placed }
  if (sizes.count * sizes.constant <= fileSize) return sizes
  const count = [timed, placed].find(
    (one) => differByOneBit(one, sizes.count) && one * sizes.constant <= fileSize,
  )
  return count === undefined ? sizes : { ...sizes, count }
}

/** Chunks by which the size that all samples have is judged, and how many of them, where there are so many, prove another. */
const JUDGED = 64
const SURE = 3

/**
 * The sample sizes of a track. Where all have one size, but the chunks' distances ask for another that differs from it in one
 * bit, that one: it is asked for by most chunks behind which another starts.
 */
function mendConstant(
  { description, tables, layout }: LayoutTrack,
  sizes: SampleSizes,
  starts: Float64Array,
  work: Allowance,
): SampleSizes {
  const { sampleToChunk, chunkOffsets } = tables
  if (!sampleToChunk || !chunkOffsets || layout.rows === 'runs') return sizes
  const unit = { bytes: sizes.constant, samples: 1 }
  const lane = new Lane(chunkOffsets, sampleToChunk, sizes, unit, work)
  const votes = new Map<number, number>()
  const step = Math.max(1, Math.floor(lane.chunks / JUDGED))
  for (let chunk = 0; chunk < lane.chunks; chunk += step) {
    const size = (nextAbove(starts, lane.offsets[chunk]) - lane.offsets[chunk]) / lane.counts[chunk]
    if (size === sizes.constant || (Number.isFinite(size) && differByOneBit(size, sizes.constant)))
      votes.set(size, (votes.get(size) ?? 0) + 1)
  }
  const [size, count] = [...votes].sort((a, b) => b[1] - a[1])[0] ?? [0, 0]
  if (size === sizes.constant || count < Math.min(SURE, lane.chunks)) return sizes
  // Behind a few chunks too late a start of the next may as well be what was hit.
  if (lane.chunks < SURE && size > sizes.constant) return sizes
  // PCM counts bytes of sample frames, which its description knows as well.
  return description.codec === 'pcm' && size !== description.blockAlign ? sizes : { ...sizes, constant: size }
}

/** The chunks of a track with all tables; undefined where one is missing or empty. */
function laneOf(track: LayoutTrack, work: Allowance): Lane | undefined {
  const { sizes, sampleToChunk, chunkOffsets } = track.tables
  if (!sizes || !sampleToChunk || !chunkOffsets || chunkOffsets.length === 0 || sampleToChunk.length === 0)
    return undefined
  const { layout } = track
  const unit =
    layout.rows === 'runs'
      ? { bytes: layout.unitBytes, samples: layout.unitSamples }
      : { bytes: sizes.constant, samples: 1 }
  const lane = new Lane(chunkOffsets, sampleToChunk, sizes, unit, work)
  return lane.samples > 0 ? lane : undefined
}

function apply(
  reader: ByteReader,
  track: LayoutTrack,
  lane: Lane,
  found: Layout['lanes'][number],
  resized: readonly Placed[],
  findings: Findings,
  work: Allowance,
): TrackTables {
  const { id } = track.description
  const { offsets, counts } = found
  for (let i = 0; i < lane.chunks; i++) {
    if (offsets[i] !== lane.offsets[i]) findings.add(tableMended(id, 'stco', lane.offsets[i], offsets[i]))
    if (counts[i] !== lane.counts[i]) findings.add(tableMended(id, 'stsc', lane.counts[i], counts[i]))
  }
  const { tables } = track
  let guessed = false
  if (resized.length > 0 && lane.sizes.length > 0) {
    const fit = new SampleFit(reader, track.description, offsets, work)
    for (const chunk of resized) {
      const changes = resize(lane.sizes, chunk, fit, id, findings, work)
      // where one ends the chunk as a whole tells, of several nothing does
      if (changes > 1 && !fit.exact) guessed = true
    }
  }
  return {
    ...tables,
    ...(guessed ? { sizesGuessed: true as const } : {}),
    chunkOffsets: offsets,
    sampleToChunk: mapOf(counts, lane, tables.sampleToChunk),
  }
}

/** Gives the samples of a chunk the sizes with which they are what their codec asks for. @returns how many have another */
function resize(
  sizes: Uint32Array,
  { firstSample, samples, offset, end }: Placed,
  fit: SampleFit,
  track: number,
  findings: Findings,
  work: Allowance,
): number {
  const mended = mendChunkSizes(sizes.subarray(firstSample, firstSample + samples), offset, end, fit, work)
  let changes = 0
  if (!mended) return changes
  for (const [i, size] of mended.entries()) {
    const was = sizes[firstSample + i]
    if (size === was) continue
    findings.add(tableMended(track, 'stsz', was, size))
    sizes[firstSample + i] = size
    changes++
  }
  return changes
}

/** A chunk map of single chunks. */
function mapOf(counts: Uint32Array, lane: Lane, map: SampleToChunk | undefined): SampleToChunk {
  const length = counts.length
  const firstChunk = new Uint32Array(length)
  const description = new Uint32Array(length)
  for (let i = 0; i < length; i++) {
    firstChunk[i] = i + 1
    description[i] = map?.description[lane.runs[i]] ?? 1
  }
  return { length, firstChunk, samples: counts, description }
}
