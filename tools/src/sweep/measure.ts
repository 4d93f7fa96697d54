import { createHash } from 'node:crypto'
import { type ReadSample, type ReadTrack, readRecording } from '@mendframe/engine/testing'
import type { ByteRange } from '@mendframe/renderer'
import { findBlocks, isHit, PCM_BLOCK, wholeBlocks } from '../bench/pcm.ts'
import { AUDIO_TOLERANCE, clockOf, halfInterval, timely } from '../bench/times.ts'

/** A file, and its tracks as its own index tells them. */
export interface Recording {
  readonly bytes: Buffer
  readonly tracks: readonly ReadTrack[]
}

/** What of a healthy track is in another file. */
export interface Share {
  readonly kind: 'video' | 'audio'
  readonly codec: string
  /** Samples (of plain sound blocks of 256 bytes) that the damage left whole. */
  readonly whole: number
  /** Shares of them, 0 to 1, that are there byte for byte, and that are shown at their time, one constant offset allowed. */
  readonly exact: number
  readonly timely: number
  /** That offset, in seconds. */
  readonly offset: number
}

/** Where all samples repeat, so many of them are enough to tell how late they are. */
const ALIKE = 64

/** Times of pictures may be off by this many seconds at least: time scales round. */
const ROUNDING = 0.01
/** A picture that is half an interval off is in time to either side, whatever fractions of a tick the numbers round to. */
const EVEN = 1e-6

export async function readTracks(bytes: Buffer): Promise<Recording> {
  return { bytes, tracks: await readRecording(bytes) }
}

/** A sample of the original, and when samples of the same bytes are shown in the result, in order of time. */
interface Pairing {
  readonly pts: number
  readonly times: readonly number[]
}

interface Paired extends Pick<Share, 'kind' | 'codec'> {
  readonly pairings: readonly Pairing[]
  /** Seconds. */
  readonly tolerance: number
}

/**
 * What of each track of pictures and of sound is in `result`, of what `lost` left of it. Samples are held byte for byte, none is
 * decoded.
 */
export function measure(original: Recording, lost: readonly ByteRange[], result: Recording): Share[] {
  const tracks: Paired[] = []
  for (const { kind, codec, plain, samples } of original.tracks) {
    if (kind !== 'video' && kind !== 'audio') continue
    const found = result.tracks.filter((track) => track.kind === kind && track.plain === plain)
    const tolerance =
      kind === 'audio' ? AUDIO_TOLERANCE : Math.max(ROUNDING, halfInterval(shownOf(samples)) + EVEN)
    const pairings = plain
      ? pairBlocks(samples, original, lost, found, result)
      : pairSamples(samples, original, lost, found, result)
    if (pairings.length > 0) tracks.push({ kind, codec, pairings, tolerance })
  }
  const told = tracks
    .filter(({ pairings }) => fewestTimes(pairings) === 1)
    .map(({ pairings, tolerance }) => agreed(pairings, tolerance, [0]).offset)
  return tracks.map(({ kind, codec, pairings, tolerance }) => ({
    kind,
    codec,
    ...agreed(pairings, tolerance, [0, ...told]),
  }))
}

function shownOf(samples: readonly ReadSample[]): number[] {
  return samples.map(({ pts }) => pts).sort((a, b) => a - b)
}

function pairSamples(
  samples: readonly ReadSample[],
  { bytes }: Recording,
  lost: readonly ByteRange[],
  found: readonly ReadTrack[],
  result: Recording,
): Pairing[] {
  const times = new Map<string, number[]>()
  for (const sample of found.flatMap((track) => track.samples).sort((a, b) => a.pts - b.pts)) {
    const hash = hashOf(result.bytes, withoutStuffing(result.bytes, sample))
    const list = times.get(hash)
    if (list) list.push(sample.pts)
    else times.set(hash, [sample.pts])
  }
  return samples
    .filter(({ position, size }) => size > 0 && position + size <= bytes.length)
    .filter(({ position, size }) => !isHit(lost, position, position + size))
    .map((sample) => ({
      pts: sample.pts,
      times: times.get(hashOf(bytes, withoutStuffing(bytes, sample))) ?? [],
    }))
}

/** Where a sample lies without the zeros at its end: stuffing that no decoder sees (ISO/IEC 13818-2 §5.2.3), of any length. */
function withoutStuffing(
  bytes: Buffer,
  { position, size }: Pick<ReadSample, 'position' | 'size'>,
): Pick<ReadSample, 'position' | 'size'> {
  let end = Math.min(bytes.length, position + size)
  while (end > position + 1 && bytes[end - 1] === 0) end--
  return { position, size: end - position }
}

function hashOf(bytes: Buffer, { position, size }: Pick<ReadSample, 'position' | 'size'>): string {
  return createHash('md5')
    .update(bytes.subarray(position, position + size))
    .digest('base64')
}

/** The same for blocks of plain sound, but for silence and tones: blocks that repeat tell nothing of where they belong. */
function pairBlocks(
  samples: readonly ReadSample[],
  { bytes }: Recording,
  lost: readonly ByteRange[],
  found: readonly ReadTrack[],
  result: Recording,
): Pairing[] {
  const before = payloadOf(bytes, samples)
  const clock = clockOf({ packets: samples })
  const single = singleBlocks(before)
  const times = new Map<number, number[]>()
  for (const block of wholeBlocks(samples, lost)) if (single.has(block)) times.set(block, [])
  for (const track of found) {
    const otherClock = clockOf({ packets: track.samples })
    for (const { left, right } of findBlocks(before, payloadOf(result.bytes, track.samples)))
      times.get(left / PCM_BLOCK)?.push(otherClock(right) ?? Number.NaN)
  }
  return [...times].map(([block, of]) => ({
    pts: clock(block * PCM_BLOCK) ?? Number.NaN,
    times: of.sort((a, b) => a - b),
  }))
}

/** Numbers of the blocks whose bytes occur in no other. */
function singleBlocks(payload: Buffer): Set<number> {
  const blocks = Array.from({ length: Math.floor(payload.length / PCM_BLOCK) }, (_, block) =>
    hashOf(payload, { position: block * PCM_BLOCK, size: PCM_BLOCK }),
  )
  const counts = new Map<string, number>()
  for (const hash of blocks) counts.set(hash, (counts.get(hash) ?? 0) + 1)
  return new Set(blocks.flatMap((hash, block) => (counts.get(hash) === 1 ? [block] : [])))
}

function payloadOf(bytes: Buffer, samples: readonly ReadSample[]): Buffer {
  return Buffer.concat(samples.map(({ position, size }) => bytes.subarray(position, position + size)))
}

/** How often the sample that repeats least is in the result, of those that are there. */
function fewestTimes(pairings: readonly Pairing[]): number {
  return pairings.reduce(
    (least, { times }) => (times.length > 0 ? Math.min(least, times.length) : least),
    Number.POSITIVE_INFINITY,
  )
}

/**
 * Silence and still pictures repeat thousands of times: the samples that repeat least tell how late a track is. `likely` are
 * offsets that it may have, in seconds.
 */
function agreed(
  pairings: readonly Pairing[],
  tolerance: number,
  likely: readonly number[],
): Pick<Share, 'whole' | 'exact' | 'timely' | 'offset'> {
  const there = pairings.filter(({ times }) => times.length > 0)
  const fewest = fewestTimes(pairings)
  const rarest = there.filter(({ times }) => times.length === fewest)
  const telling = fewest > 1 ? rarest.slice(0, ALIKE) : rarest
  const shifts = telling.flatMap(({ pts, times }) => times.map((time) => time - pts))
  const inTime = (offset: number): number =>
    there.filter(({ pts, times }) => Math.abs(nearest(times, pts + offset) - pts - offset) <= tolerance)
      .length
  // where all repeats, samples agree on any offset about as well: on a likely one best
  const offset = likely.reduce(
    (best, other) => (inTime(best) > inTime(other) ? best : other),
    timely(shifts, tolerance).offset,
  )
  return {
    whole: pairings.length,
    exact: there.length / pairings.length,
    timely: inTime(offset) / pairings.length,
    offset,
  }
}

/** Of rising times, the one nearest to another. */
function nearest(times: readonly number[], time: number): number {
  let low = 0
  let high = times.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (times[middle] <= time) low = middle
    else high = middle
  }
  const [before, after] = [times[low], times[low + 1] ?? Number.POSITIVE_INFINITY]
  return time - before <= after - time ? before : after
}
