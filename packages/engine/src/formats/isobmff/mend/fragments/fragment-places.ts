import type { ByteReader } from '../../../../bytes/reader.ts'
import type { Allowance } from '../../../../model/allowance.ts'
import type { Findings } from '../../../../model/finding.ts'
import type { TrackDescription } from '../../../../model/track.ts'
import { RUN_SIZE } from '../../boxes/trun.ts'
import { tableMended } from '../../findings.ts'
import type { Fragments, Payload } from '../../read/fragments.ts'
import { differByOneBit } from '../bits.ts'
import { mendChunkSizes } from '../chunks/chunk-sizes.ts'
import { SampleFit } from '../chunks/sample-fit.ts'

/** Runs of a file that must fill their payload for the others to be judged by it. */
const USUAL = 0.6

/** A run of a part with what its offset counts from; undefined where that depends on what is before it. */
interface PlacedRun {
  readonly part: number
  readonly run: number
  readonly base: number | undefined
}

/** Sizes that fragments leave to their track's defaults, by track. */
export type DefaultSizes = (track: number) => number

/**
 * Mends flipped bits in the data offsets and sample sizes of fragments, ISO/IEC 14496-12:2022 §8.8.8: where runs fill their
 * payload as a rule, one that does not is wrong in an offset or in a size. Sizes are told apart by the bytes.
 * @param describe what is known of a track, undefined for tracks nobody knows
 * @param work steps that looking may take
 */
export function mendPlaces(
  reader: ByteReader,
  fragments: Fragments,
  describe: (track: number) => TrackDescription | undefined,
  defaultSize: DefaultSizes,
  findings: Findings,
  work: Allowance,
): void {
  const places = new Places(fragments, defaultSize, findings)
  const torn: number[] = []
  let whole = 0
  for (let fragment = 0; fragment < fragments.length; fragment++) {
    const payload = fragments.payload(fragment)
    const runs = payload ? places.runsOf(fragment) : []
    if (!payload || runs.length === 0 || runs.some((placed) => places.startOf(placed) === undefined)) continue
    if (places.areWhole(runs, payload)) whole++
    else torn.push(fragment)
  }
  if (torn.length === 0 || whole < (whole + torn.length) * USUAL) return
  const fits = new Map<number, SampleFit>()
  const fitOf = (track: number): SampleFit | undefined => {
    const known = fits.get(track)
    const description = known ? undefined : describe(track)
    if (!description) return known
    const fit = new SampleFit(reader, description, places.startsOf(track, reader.size), work)
    fits.set(track, fit)
    return fit
  }
  for (const fragment of torn) {
    const payload = fragments.payload(fragment)
    if (!payload) continue
    const runs = places.runsOf(fragment)
    places.mendOffsets(runs, payload)
    places.mendFromEnd(runs, payload, fitOf)
    for (const [i, placed] of runs.entries()) {
      const start = places.startOf(placed) ?? payload.start
      const end = (i + 1 < runs.length ? places.startOf(runs[i + 1]) : undefined) ?? payload.end
      if (start + places.bytes(placed) === end || start >= end || end > payload.end) continue
      places.mendSizes(placed, start, end, fitOf, work)
    }
  }
}

type FitOf = (track: number) => SampleFit | undefined

class Places {
  readonly #fragments: Fragments
  readonly #defaultSize: DefaultSizes
  readonly #findings: Findings

  constructor(fragments: Fragments, defaultSize: DefaultSizes, findings: Findings) {
    this.#fragments = fragments
    this.#defaultSize = defaultSize
    this.#findings = findings
  }

  runsOf(fragment: number): PlacedRun[] {
    const fragments = this.#fragments
    const placed: PlacedRun[] = []
    for (let part = fragments.firstPart(fragment); part < fragments.partsEnd(fragment); part++) {
      const base = fragments.baseOf(part)
      for (let run = fragments.firstRun(part); run < fragments.runsEnd(part); run++)
        placed.push({ part, run, base })
    }
    return placed
  }

  startOf({ run, base }: PlacedRun): number | undefined {
    const offset = this.#fragments.dataOffset[run]
    return base === undefined || Number.isNaN(offset) ? undefined : base + offset
  }

  /** Where the runs of a track start, as far as they say, before `end`. */
  startsOf(track: number, end: number): Float64Array {
    const starts: number[] = []
    for (let fragment = 0; fragment < this.#fragments.length; fragment++)
      for (const placed of this.runsOf(fragment)) {
        const start = this.#track(placed) === track ? this.startOf(placed) : undefined
        if (start !== undefined && start < end) starts.push(start)
      }
    return Float64Array.from(starts)
  }

  /** Bytes of the samples of a run. */
  bytes({ part, run }: PlacedRun): number {
    const { size, track } = this.#fragments.headers[part]
    return this.#fragments.bytesOf(run, size ?? this.#defaultSize(track))
  }

  /** Whether runs fill the payload. */
  areWhole(runs: readonly PlacedRun[], payload: Payload): boolean {
    let at = payload.start
    for (const placed of runs) {
      if (this.startOf(placed) !== at) return false
      at += this.bytes(placed)
    }
    return at === payload.end
  }

  #track({ part }: PlacedRun): number {
    return this.#fragments.headers[part].track
  }

  #put(placed: PlacedRun, offset: number): void {
    this.#findings.add(tableMended(this.#track(placed), 'trun', this.#offset(placed), offset))
    this.#fragments.dataOffset[placed.run] = offset
  }

  /** Zero where the run does not say. */
  #offset({ run }: PlacedRun): number {
    const offset = this.#fragments.dataOffset[run]
    return Number.isNaN(offset) ? 0 : offset
  }

  /** A run starts where the one before it ends, if one bit of its offset leads there and it then ends where it should. */
  mendOffsets(runs: readonly PlacedRun[], payload: Payload): void {
    let at = payload.start
    for (const [i, placed] of runs.entries()) {
      const wanted = at - (placed.base ?? 0)
      const end = (i + 1 < runs.length ? this.startOf(runs[i + 1]) : undefined) ?? payload.end
      const was = this.#offset(placed)
      if (was !== wanted && differByOneBit(was, wanted) && at + this.bytes(placed) === end)
        this.#put(placed, wanted)
      at = (this.startOf(placed) ?? at) + this.bytes(placed)
    }
  }

  /**
   * A run ends where the one behind it starts, if one bit of its offset leads there and its samples are there rather than where
   * it says.
   */
  mendFromEnd(runs: readonly PlacedRun[], payload: Payload, fitOf: FitOf): void {
    let end = payload.end
    for (const placed of [...runs].reverse()) {
      const { run, base = 0 } = placed
      const start = end - this.bytes(placed)
      const was = this.#offset(placed)
      const outside = base + was < payload.start || base + was >= payload.end
      if (start >= payload.start && differByOneBit(was, start - base)) {
        const sizes = this.#fragments.tells(run, RUN_SIZE) ? this.#fragments.values(run, RUN_SIZE) : undefined
        const proof = sizes && fitOf(this.#track(placed))?.areSamples(start, sizes)
        if (proof ?? outside) this.#put(placed, start - base)
      }
      end = this.startOf(placed) ?? end
    }
  }

  mendSizes(placed: PlacedRun, start: number, end: number, fitOf: FitOf, work: Allowance): void {
    const fragments = this.#fragments
    const { part, run } = placed
    const header = fragments.headers[part]
    if (!fragments.tells(run, RUN_SIZE)) {
      const each = (end - start) / fragments.count[run]
      if (header.size === undefined || !Number.isInteger(each) || !differByOneBit(each, header.size)) return
      this.#findings.add(tableMended(header.track, 'tfhd', header.size, each))
      fragments.headers[part] = { ...header, size: each }
      return
    }
    const fit = fitOf(header.track)
    const sizes = fragments.values(run, RUN_SIZE)
    const mended = fit && mendChunkSizes(sizes, start, end, fit, work)
    for (const [i, size] of mended?.entries() ?? []) {
      if (size === sizes[i]) continue
      this.#findings.add(tableMended(header.track, 'trun', sizes[i], size))
      fragments.setValue(run, RUN_SIZE, i, size)
    }
  }
}
