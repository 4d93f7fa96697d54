import type { Findings } from '../../model/finding.ts'
import type { MediaHeader } from './boxes/mdhd.ts'
import type { SampleToChunk } from './boxes/stsc.ts'
import { type Runs, runTotal } from './boxes/tables.ts'
import { tableMended } from './findings.ts'
import type { TrackTables } from './movie.ts'

/**
 * Mends single flipped bits in the tables of a track where the other tables betray them: numbers of samples must agree
 * between sizes, chunks and times, and durations must add up to the media's. A value is changed only when flipping one bit of
 * it makes the sums agree and no other flip does.
 */
export function mendTables(track: number, tables: TrackTables, media: MediaHeader, findings: Findings): void {
  const samples = sampleCount(tables)
  if (samples > 0) {
    mendChunks(track, tables, samples, findings)
    if (tables.durations) mendCounts(track, 'stts', tables.durations, samples, findings)
    if (tables.compositions) mendCounts(track, 'ctts', tables.compositions.runs, samples, findings)
  }
  if (tables.durations) mendDurations(track, tables.durations, media, samples, findings)
}

/** Samples from which on one wrong duration stands out. */
const MANY = 16

function sampleCount(tables: TrackTables): number {
  const sizes = tables.sizes
  if (!sizes) return 0
  return sizes.constant > 0 ? sizes.count : sizes.sizes.length
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && value <= 0x8000_0000 && Number.isInteger(Math.log2(value))
}

/** True when two 32-bit numbers differ in exactly one bit. */
function differByOneBit(a: number, b: number): boolean {
  return isPowerOfTwo((a ^ b) >>> 0)
}

/** Finds the one entry of `values` that, changed to `wanted(i)`, differs from itself by one bit; -1 for none or several. */
function oneBitAway(length: number, value: (i: number) => number, wanted: (i: number) => number): number {
  let found = -1
  for (let i = 0; i < length; i++) {
    const target = wanted(i)
    if (!Number.isInteger(target) || target < 0 || target > 0xffff_ffff || !differByOneBit(value(i), target))
      continue
    if (found >= 0) return -1
    found = i
  }
  return found
}

function mendCounts(track: number, type: string, runs: Runs, samples: number, findings: Findings): void {
  const excess = runTotal(runs) - samples
  if (excess === 0) return
  const { counts } = runs
  const wanted = (i: number): number => counts[i] - excess
  const at = oneBitAway(runs.length, (i) => counts[i], wanted)
  if (at < 0) return
  findings.add(tableMended(track, type, counts[at], wanted(at)))
  counts[at] = wanted(at)
}

function mendDurations(
  track: number,
  runs: Runs,
  media: MediaHeader,
  samples: number,
  findings: Findings,
): void {
  const { duration: total, timescale } = media
  const { counts, values } = runs
  if (total === 0 || (samples > 0 && runTotal(runs) !== samples)) return
  let sum = 0
  for (let i = 0; i < runs.length; i++) sum += counts[i] * values[i]
  const excess = sum - total
  // Writers round durations and forget the last sample: only what spoils the film is mended.
  if (Math.abs(excess) < timescale || samples < MANY) return
  const wanted = (i: number): number => (counts[i] < MANY / 2 ? Number.NaN : values[i] - excess / counts[i])
  const at = oneBitAway(runs.length, (i) => values[i], wanted)
  if (at < 0) return
  findings.add(tableMended(track, 'stts', values[at], wanted(at)))
  values[at] = wanted(at)
}

function mendChunks(track: number, tables: TrackTables, samples: number, findings: Findings): void {
  const map = tables.sampleToChunk
  const chunks = tables.chunkOffsets?.length ?? 0
  if (!map || chunks === 0 || map.length === 0 || placed(map, chunks) === samples) return
  if (map.length > MAX_RUNS) return
  let mended: (() => void) | undefined
  for (const column of [map.firstChunk, map.samples]) {
    for (let run = 0; run < map.length; run++) {
      const was = column[run]
      for (let bit = 0; bit < 32; bit++) {
        column[run] = (was ^ (1 << bit)) >>> 0
        const is = column[run]
        const agrees = placed(map, chunks) === samples
        column[run] = was
        if (!agrees) continue
        // Two ways to make the sums agree are none.
        if (mended) return
        mended = () => {
          column[run] = is
          findings.add(tableMended(track, 'stsc', was, is))
        }
      }
    }
  }
  mended?.()
}

/** Runs of a chunk map that are searched for the flipped bit; more would cost more than they are worth. */
const MAX_RUNS = 256

/** Samples that a chunk map places, or -1 when its runs are out of order. */
function placed(map: SampleToChunk, chunks: number): number {
  if (map.firstChunk[0] !== 1) return -1
  let sum = 0
  for (let run = 0; run < map.length; run++) {
    const until = run + 1 < map.length ? map.firstChunk[run + 1] : chunks + 1
    if (until <= map.firstChunk[run]) return -1
    sum += (until - map.firstChunk[run]) * map.samples[run]
  }
  return sum
}
