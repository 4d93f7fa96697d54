import type { ByteReader } from '../../../bytes/reader.ts'
import type { Allowance } from '../../../model/allowance.ts'
import type { Findings } from '../../../model/finding.ts'
import type { TrackDescription } from '../../../model/track.ts'
import type { TrackRun } from '../boxes/trun.ts'
import { tableMended } from '../findings.ts'
import { baseOf, type Fragment, type TrackFragment } from '../read/fragment-drafts.ts'
import { differByOneBit } from './bits.ts'
import { mendChunkSizes } from './chunk-sizes.ts'
import { SampleFit } from './sample-fit.ts'

/** Runs of a file that must fill their payload for the others to be judged by it. */
const USUAL = 0.6

/** A run with its place: samples in [start, end), `end` being where the next run or the end of the payload is. */
interface PlacedRun {
  readonly fragment: Fragment
  readonly track: TrackFragment
  readonly run: TrackRun
  /** What its offset counts from; undefined where that depends on what is before it. */
  readonly base: number | undefined
}

/** Sizes that fragments leave to their track's defaults, by track. */
export type DefaultSizes = (track: number) => number

/**
 * Mends flipped bits in the data offsets and sample sizes of fragments, ISO/IEC 14496-12:2022 §8.8.8: where runs fill their payload as
 * a rule, one that does not is wrong in an offset or in a size. Sizes are told apart by the bytes.
 * @param describe what is known of a track, undefined for tracks nobody knows
 * @param work steps that looking may take
 */
export function mendPlaces(
  reader: ByteReader,
  fragments: readonly Fragment[],
  describe: (track: number) => TrackDescription | undefined,
  defaultSize: DefaultSizes,
  findings: Findings,
  work: Allowance,
): void {
  const bytes = ({ track, run }: PlacedRun): number => bytesOf(track, run, defaultSize)
  const isWhole = (runs: readonly PlacedRun[], payload: NonNullable<Fragment['payload']>): boolean => {
    let at = payload.start
    for (const placed of runs) {
      if (startOf(placed) !== at) return false
      at += bytes(placed)
    }
    return at === payload.end
  }
  const torn: { runs: readonly PlacedRun[]; payload: NonNullable<Fragment['payload']> }[] = []
  let whole = 0
  for (const fragment of fragments) {
    const { payload } = fragment
    const runs = runsOf(fragment)
    if (!payload || runs.length === 0 || runs.some((placed) => startOf(placed) === undefined)) continue
    if (isWhole(runs, payload)) whole++
    else torn.push({ runs, payload })
  }
  if (torn.length === 0 || whole < (whole + torn.length) * USUAL) return
  const fits = new Map<number, SampleFit>()
  const fitOf = (track: number): SampleFit | undefined => {
    const known = fits.get(track)
    const description = known ? undefined : describe(track)
    if (!description) return known
    const starts = fragments.flatMap(runsOf).flatMap((placed) => {
      const start = placed.track.header.track === track ? startOf(placed) : undefined
      return start !== undefined && start < reader.size ? [start] : []
    })
    const fit = new SampleFit(reader, description, Float64Array.from(starts), work)
    fits.set(track, fit)
    return fit
  }
  for (const { runs, payload } of torn) {
    mendOffsets(runs, payload, bytes, findings)
    mendFromEnd(runs, payload, bytes, fitOf, findings)
    for (const [i, placed] of runs.entries()) {
      const start = startOf(placed) ?? payload.start
      const end = (i + 1 < runs.length ? startOf(runs[i + 1]) : undefined) ?? payload.end
      if (start + bytes(placed) === end || start >= end || end > payload.end) continue
      mendSizes(placed, start, end, fitOf, findings, work)
    }
  }
}

function runsOf(fragment: Fragment): PlacedRun[] {
  const placed: PlacedRun[] = []
  for (const track of fragment.tracks) {
    const base = baseOf(track.header, fragment, track)
    for (const run of track.runs) placed.push({ fragment, track, run, base })
  }
  return placed
}

function startOf({ run, base }: PlacedRun): number | undefined {
  return base === undefined || run.dataOffset === undefined ? undefined : base + run.dataOffset
}

/** Bytes of the samples of a run. */
export function bytesOf(
  { header }: TrackFragment,
  { sizes, count }: TrackRun,
  defaultSize: DefaultSizes,
): number {
  if (!sizes) return count * (header.size ?? defaultSize(header.track))
  let sum = 0
  for (let i = 0; i < sizes.length; i++) sum += sizes[i]
  return sum
}

/** A run starts where the one before it ends, if one bit of its offset leads there and it then ends where it should. */
function mendOffsets(
  runs: readonly PlacedRun[],
  payload: NonNullable<Fragment['payload']>,
  bytes: (placed: PlacedRun) => number,
  findings: Findings,
): void {
  let at = payload.start
  for (const [i, placed] of runs.entries()) {
    const { run, base = 0, track } = placed
    const wanted = at - base
    const end = (i + 1 < runs.length ? startOf(runs[i + 1]) : undefined) ?? payload.end
    const was = run.dataOffset ?? 0
    if (was !== wanted && differByOneBit(was, wanted) && at + bytes(placed) === end) {
      findings.add(tableMended(track.header.track, 'trun', was, wanted))
      run.dataOffset = wanted
    }
    at = (startOf(placed) ?? at) + bytes(placed)
  }
}

/** A run ends where the one behind it starts, if one bit of its offset leads there and its samples are there rather than where it says. */
function mendFromEnd(
  runs: readonly PlacedRun[],
  payload: NonNullable<Fragment['payload']>,
  bytes: (placed: PlacedRun) => number,
  fitOf: (track: number) => SampleFit | undefined,
  findings: Findings,
): void {
  let end = payload.end
  for (const placed of [...runs].reverse()) {
    const { run, base = 0, track } = placed
    const start = end - bytes(placed)
    const was = run.dataOffset ?? 0
    const outside = base + was < payload.start || base + was >= payload.end
    if (start >= payload.start && differByOneBit(was, start - base)) {
      const proof = run.sizes && fitOf(track.header.track)?.areSamples(start, Uint32Array.from(run.sizes))
      if (proof ?? outside) {
        findings.add(tableMended(track.header.track, 'trun', was, start - base))
        run.dataOffset = start - base
      }
    }
    end = startOf(placed) ?? end
  }
}

function mendSizes(
  { track, run }: PlacedRun,
  start: number,
  end: number,
  fitOf: (track: number) => SampleFit | undefined,
  findings: Findings,
  work: Allowance,
): void {
  const { header } = track
  if (!run.sizes) {
    const each = (end - start) / run.count
    if (header.size === undefined || !Number.isInteger(each) || !differByOneBit(each, header.size)) return
    findings.add(tableMended(header.track, 'tfhd', header.size, each))
    track.header = { ...header, size: each }
    return
  }
  const fit = fitOf(header.track)
  const mended = fit && mendChunkSizes(Uint32Array.from(run.sizes), start, end, fit, work)
  if (!mended) return
  for (const [i, size] of mended.entries())
    if (size !== run.sizes[i]) findings.add(tableMended(header.track, 'trun', run.sizes[i], size))
  run.sizes = mended
}
