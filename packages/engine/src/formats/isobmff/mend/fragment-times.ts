import type { Findings } from '../../../model/finding.ts'
import type { TrackRun } from '../boxes/trun.ts'
import { tableMended } from '../findings.ts'
import type { Fragment, TrackFragment } from '../read/fragment-drafts.ts'
import { flip, isPowerOfTwo } from './bits.ts'

/** Durations that make this share of a track's samples, and are those of two at least, are usual ones. */
const USUAL_SHARE = 0.01
const USUAL_LEAST = 2
/** Share of samples of one duration that makes a constant rate. */
const CONSTANT_SHARE = 0.9
/** Without a next fragment to tell, a duration as many times the commonest is none. */
const FAR = 4

/** No recording starts later than this many ticks: a year of the finest time scale in use. */
const LATEST = 2 ** 46

/** Fragments that prove a default duration far from what is written, where something was hit. */
const AGREEING = 3

/** Ticks that a track's samples last by default. */
export type DefaultDurations = (track: number) => number

/**
 * Mends flipped bits in the times of fragments, ISO/IEC 14496-12:2022 §8.8.8 and §8.8.12: what a fragment lasts and where it starts must
 * lead to where the next one starts, unless fragments are missing between them.
 * @param known ids of the tracks that are of interest
 * @returns by track, the default duration that the fragments' starts ask for where the one of `defaults` was hit
 */
export function mendFragmentTimes(
  fragments: readonly Fragment[],
  known: ReadonlySet<number>,
  defaults: DefaultDurations,
  findings: Findings,
): ReadonlyMap<number, number> {
  const byTrack = new Map<number, Part[]>()
  for (const { tracks, missing } of fragments) {
    for (const part of tracks) {
      if (!known.has(part.header.track)) continue
      const parts = byTrack.get(part.header.track) ?? []
      parts.push({ part, afterGap: missing > 0 })
      byTrack.set(part.header.track, parts)
    }
  }
  const mended = new Map<number, number>()
  for (const [track, parts] of byTrack) {
    const duration = new TrackTimes(track, parts, defaults(track), findings).mend()
    if (duration !== defaults(track)) mended.set(track, duration)
  }
  return mended
}

interface Part {
  readonly part: TrackFragment
  readonly afterGap: boolean
}

class TrackTimes {
  readonly #track: number
  readonly #parts: readonly Part[]
  #fallback: number
  readonly #findings: Findings
  readonly #usual = new Set<number>()
  #commonest = 0
  /** Nearly all samples last equally long. */
  #constant = false

  constructor(track: number, parts: readonly Part[], fallback: number, findings: Findings) {
    this.#track = track
    this.#parts = parts
    this.#fallback = fallback
    this.#findings = findings
  }

  /** Returns the default duration as it should be. */
  mend(): number {
    this.#mendDefault()
    this.#count()
    this.#lateStarts()
    for (const [i, { part, afterGap }] of this.#parts.entries()) {
      const next = this.#parts[i + 1]
      const follows = next !== undefined && !next.afterGap
      const apart = follows ? apartOf(part, next.part) : undefined
      const far = apart === undefined && !this.#constant ? FAR : 0
      const changes = this.#outliers(part, far, next === undefined)
      if (apart === undefined) {
        this.#apply(changes)
        continue
      }
      const length = this.#length(part)
      if (apart === length || this.#start(i, length, afterGap)) continue
      const mended = changes.reduce((sum, { was, value }) => sum + value - was, length)
      if (changes.length > 0 && (apart === mended || this.#start(i, mended, afterGap))) this.#apply(changes)
      else this.#durations(part, apart - length, apart, changes)
    }
    return this.#fallback
  }

  /** A start behind the next one's is, but for a flipped bit, as far before that as the fragment lasts, if all its durations are usual. */
  #lateStarts(): void {
    for (const [i, { part }] of this.#parts.entries()) {
      const next = this.#parts[i + 1]
      const before = this.#parts[i - 1]?.part.start ?? 0
      if (part.start === undefined || next?.part.start === undefined || next.afterGap) continue
      if (part.start <= next.part.start) continue
      const start = next.part.start - this.#length(part)
      const isUsual = part.runs.every(
        ({ durations }) => durations?.every((value) => this.#usual.has(value)) ?? true,
      )
      const isHit = part.start > LATEST || differInOneBit(start, part.start)
      if (isUsual && isHit && start >= before) this.#put(part, start)
    }
  }

  /** The default duration is what nearly all fragments that go by it ask for, where one flipped bit made another of it or much was hit. */
  #mendDefault(): void {
    const asked = new Map<number, number>()
    let all = 0
    for (const [i, { part }] of this.#parts.entries()) {
      const next = this.#parts[i + 1]
      const apart = next && !next.afterGap ? apartOf(part, next.part) : undefined
      if (apart === undefined || part.header.duration !== undefined) continue
      if (part.runs.length === 0 || part.runs.some(({ durations }) => durations)) continue
      const each = apart / part.runs.reduce((sum, { count }) => sum + count, 0)
      asked.set(each, (asked.get(each) ?? 0) + 1)
      all++
    }
    const [best] = [...asked].sort((a, b) => b[1] - a[1])
    if (!best || best[1] < all * CONSTANT_SHARE) return
    const [each, often] = best
    if (!Number.isInteger(each) || each <= 0 || each === this.#fallback) return
    const proven = often >= AGREEING && !this.#findings.healthy
    if (!proven && (often < USUAL_LEAST || !differInOneBit(each, this.#fallback))) return
    this.#findings.add(tableMended(this.#track, 'trex', this.#fallback, each))
    this.#fallback = each
  }

  #count(): void {
    const counts = new Map<number, number>()
    let samples = 0
    for (const { part } of this.#parts) {
      for (const run of part.runs) {
        samples += run.count
        if (!run.durations) this.#add(counts, this.#default(part), run.count)
        else for (const duration of run.durations) this.#add(counts, duration, 1)
      }
    }
    let most = 0
    for (const [duration, count] of counts) {
      if (count >= Math.max(USUAL_LEAST, samples * USUAL_SHARE)) this.#usual.add(duration)
      if (count > most) {
        most = count
        this.#commonest = duration
      }
    }
    this.#constant = most >= samples * CONSTANT_SHARE
  }

  #add(counts: Map<number, number>, duration: number, by: number): void {
    counts.set(duration, (counts.get(duration) ?? 0) + by)
  }

  #default(part: TrackFragment): number {
    return part.header.duration ?? this.#fallback
  }

  #length(part: TrackFragment): number {
    let sum = 0
    for (const { durations, count } of part.runs) {
      if (!durations) sum += count * this.#default(part)
      else for (const duration of durations) sum += duration
    }
    return sum
  }

  /**
   * Mends the start of a part's successor, or of the first part, where one bit leads to where the neighbours on both sides agree.
   * @param length ticks that the part lasts
   */
  #start(i: number, length: number, afterGap: boolean): boolean {
    const { part } = this.#parts[i]
    const { part: next } = this.#parts[i + 1]
    const behind = this.#parts[i + 2]
    if (part.start === undefined || next.start === undefined) return false
    const wanted = part.start + length
    const agreed =
      behind === undefined || behind.afterGap || behind.part.start === wanted + this.#length(next)
    if (agreed && (differInOneBit(wanted, next.start) || next.start > LATEST)) return this.#put(next, wanted)
    const first = next.start - length
    const isFirst = i === 0 || afterGap
    if (isFirst && first >= 0 && (differInOneBit(first, part.start) || part.start > LATEST))
      return this.#put(part, first)
    return false
  }

  #put(part: TrackFragment, start: number): boolean {
    this.#findings.add(tableMended(this.#track, 'tfdt', part.start ?? 0, start))
    part.start = start
    return true
  }

  /** Mends durations so that they add up to `wanted`, which takes `missing` more: one of them, or the outliers and one more. */
  #durations(part: TrackFragment, missing: number, wanted: number, outliers: readonly Change[]): void {
    if (part.header.duration !== undefined && part.runs.every(({ durations }) => !durations)) {
      const count = part.runs.reduce((sum, run) => sum + run.count, 0)
      const each = wanted / count
      if (!this.#usual.has(each) || each === part.header.duration) return
      this.#findings.add(tableMended(this.#track, 'tfhd', part.header.duration, each))
      part.header = { ...part.header, duration: each }
      return
    }
    const one = this.#single(part, missing)
    if (one) {
      this.#apply([one])
      return
    }
    this.#apply(outliers)
    const more = this.#single(part, wanted - this.#length(part))
    if (more) this.#apply([more])
  }

  /**
   * The one unusual duration that makes up for what is missing: the only one that becomes a usual one so, whatever bits were hit, else one that
   * a flipped bit was, to a usual one first.
   */
  #single(part: TrackFragment, missing: number): Change | undefined {
    if (missing === 0) return undefined
    const found: Change[] = []
    for (const run of part.runs) {
      for (const [sample, duration] of run.durations?.entries() ?? []) {
        const value = duration + missing
        if (this.#usual.has(duration) || value < 0 || value > this.#commonest * FAR) continue
        found.push({ run, sample, was: duration, value })
      }
    }
    const toUsual = found.filter(({ value }) => this.#usual.has(value))
    if (toUsual.length === 1) return toUsual[0]
    const oneBit = found.filter(({ was, value }) => differInOneBit(value, was))
    return oneBit.find(({ value }) => this.#usual.has(value)) ?? (oneBit.length === 1 ? oneBit[0] : undefined)
  }

  /**
   * Durations that no other sample has, and that are one bit away from a usual one; those at least `far` times the commonest. A
   * recording's very last sample lasts what is left.
   */
  #outliers(part: TrackFragment, far: number, last: boolean): Change[] {
    const changes: Change[] = []
    for (const run of part.runs) {
      const { durations, count } = run
      const end = last && run === part.runs.at(-1) ? count - 1 : count
      for (let sample = 0; durations && sample < end; sample++) {
        const duration = durations[sample]
        if (this.#usual.has(duration) || duration < this.#commonest * far) continue
        const value = BITS.map((bit) => flip(duration, bit)).find((near) => this.#usual.has(near))
        if (value !== undefined) changes.push({ run, sample, was: duration, value })
      }
    }
    return changes
  }

  #apply(changes: readonly Change[]): void {
    for (const { run, sample, was, value } of changes) {
      this.#findings.add(tableMended(this.#track, 'trun', was, value))
      // a column of one may be that of other runs, too
      if (run.count === 1) run.durations = [value]
      else if (run.durations) run.durations[sample] = value
    }
  }
}

/** A duration to be mended. */
interface Change {
  readonly run: TrackRun
  readonly sample: number
  readonly was: number
  readonly value: number
}

const BITS = Array.from({ length: 32 }, (_, bit) => bit)

function apartOf(part: TrackFragment, next: TrackFragment): number | undefined {
  return part.start === undefined || next.start === undefined ? undefined : next.start - part.start
}

/** As for 32-bit numbers, for times of up to 53. */
function differInOneBit(a: number, b: number): boolean {
  const apart = Math.abs(a - b)
  return isPowerOfTwo(apart) && Math.floor(Math.min(a, b) / apart) % 2 === 0
}
