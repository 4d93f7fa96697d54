import type { Findings } from '../../../../model/finding.ts'
import { RUN_DURATION } from '../../boxes/trun.ts'
import { tableMended } from '../../findings.ts'
import type { Fragments } from '../../read/fragments.ts'
import { flip, isOneBitApart } from '../bits.ts'

/** Durations that make this share of a track's samples, and are those of two at least, are usual ones. */
const USUAL_SHARE = 0.01
const USUAL_LEAST = 2
/** Share of samples of one duration that makes a constant rate. */
const CONSTANT_SHARE = 0.9
/** Without a next fragment to tell, a duration as many times the commonest is none. */
const FAR = 4
/** Ticks that durations of a constant rate differ by because they are rounded to a clock. */
const ROUNDED = 1

/** No recording starts later than this many ticks: a year of the finest time scale in use. */
const LATEST = 2 ** 46

/** Fragments that prove a default duration far from what is written, where something was hit. */
const AGREEING = 3

/** Ticks that a track's samples last by default. */
export type DefaultDurations = (track: number) => number

/**
 * Mends flipped bits in the times of fragments, ISO/IEC 14496-12:2022 §8.8.8 and §8.8.12: what a fragment lasts and where it
 * starts must lead to where the next one starts, unless fragments are missing between them.
 * @param known ids of the tracks that are of interest
 * @returns by track, the default duration that the fragments' starts ask for where the one of `defaults` was hit
 */
export function mendFragmentTimes(
  fragments: Fragments,
  known: ReadonlySet<number>,
  defaults: DefaultDurations,
  findings: Findings,
): ReadonlyMap<number, number> {
  const byTrack = new Map<number, number[]>()
  for (const [part, { track }] of fragments.headers.entries()) {
    if (!known.has(track)) continue
    const parts = byTrack.get(track)
    if (parts) parts.push(part)
    else byTrack.set(track, [part])
  }
  const mended = new Map<number, number>()
  for (const [track, parts] of byTrack) {
    const duration = new TrackTimes(track, fragments, parts, defaults(track), findings).mend()
    if (duration !== defaults(track)) mended.set(track, duration)
  }
  return mended
}

class TrackTimes {
  readonly #track: number
  readonly #fragments: Fragments
  /** Of the track. */
  readonly #parts: readonly number[]
  #fallback: number
  readonly #findings: Findings
  readonly #usual = new Set<number>()
  #commonest = 0
  /** Nearly all samples last equally long. */
  #constant = false

  constructor(
    track: number,
    fragments: Fragments,
    parts: readonly number[],
    fallback: number,
    findings: Findings,
  ) {
    this.#track = track
    this.#fragments = fragments
    this.#parts = parts
    this.#fallback = fallback
    this.#findings = findings
  }

  /** Returns the default duration as it should be. */
  mend(): number {
    this.#mendDefault()
    this.#count()
    this.#lateStarts()
    for (const [i, part] of this.#parts.entries()) {
      const apart = this.#apart(i)
      const changes = this.#outliersOf(i)
      if (apart === undefined) {
        this.#apply(changes)
        continue
      }
      const length = this.#length(part)
      const mended = lengthened(length, changes)
      // of a duration that no other sample has and the next start, the duration was hit where that explains both
      const isExplained = apart === length || apart === mended
      if (apart === length || (!isExplained && this.#start(i, length))) continue
      if (changes.length > 0 && (isExplained || this.#start(i, mended))) this.#apply(changes)
      else if (!this.#startAndDuration(i, changes)) this.#durations(part, apart - length, apart, changes)
    }
    return this.#fallback
  }

  /** Fragments are missing before that of the part. */
  #isAfterGap(part: number): boolean {
    const fragments = this.#fragments
    return fragments.missing[fragments.fragmentOf(part)] > 0
  }

  /**
   * Ticks from where a part starts to where the next one does; undefined where one does not say, or something is missing between
   * them.
   */
  #apart(i: number): number | undefined {
    const next = this.#parts[i + 1]
    if (next === undefined || this.#isAfterGap(next)) return undefined
    const apart = this.#fragments.start[next] - this.#fragments.start[this.#parts[i]]
    return Number.isNaN(apart) ? undefined : apart
  }

  /**
   * A start behind the next one's is, but for a flipped bit, as far before that as the fragment lasts, if all its durations are
   * usual. From the last on, since each is told by the one behind it.
   */
  #lateStarts(): void {
    const told = this.#fragments.start
    for (let i = this.#parts.length - 2; i >= 0; i--) {
      const part = this.#parts[i]
      const next = this.#parts[i + 1]
      if (this.#isAfterGap(next) || !(told[part] > told[next])) continue
      const previous = i > 0 ? told[this.#parts[i - 1]] : 0
      // one that is late itself tells nothing
      const before = previous <= told[next] ? previous : 0
      const start = told[next] - this.#length(part)
      const isHit = told[part] > LATEST || isOneBitApart(start, told[part])
      if (isHit && start >= before && this.#isUsual(part)) this.#put(part, start)
    }
  }

  /** Whether all durations of a part are usual. */
  #isUsual(part: number): boolean {
    for (const { duration } of this.#told(part)) if (!this.#usual.has(duration)) return false
    return true
  }

  /** What runs of a part tell of how long each sample lasts. */
  *#told(part: number): Generator<{ run: number; sample: number; duration: number }> {
    const fragments = this.#fragments
    for (let run = fragments.firstRun(part); run < fragments.runsEnd(part); run++) {
      if (!fragments.tells(run, RUN_DURATION)) continue
      for (let sample = 0; sample < fragments.count[run]; sample++)
        yield { run, sample, duration: fragments.value(run, RUN_DURATION, sample) }
    }
  }

  /**
   * The default duration is what nearly all fragments that go by it ask for, where one flipped bit made another of it or much was
   * hit.
   */
  #mendDefault(): void {
    const fragments = this.#fragments
    const asked = new Map<number, number>()
    let all = 0
    for (const [i, part] of this.#parts.entries()) {
      const apart = this.#apart(i)
      if (apart === undefined || fragments.headers[part].duration !== undefined) continue
      const hasRuns = fragments.firstRun(part) < fragments.runsEnd(part)
      if (!hasRuns || fragments.anyTells(part, RUN_DURATION)) continue
      const each = apart / fragments.samplesOf(part)
      asked.set(each, (asked.get(each) ?? 0) + 1)
      all++
    }
    const [best] = [...asked].sort((a, b) => b[1] - a[1])
    if (!best || best[1] < all * CONSTANT_SHARE) return
    const [each, often] = best
    if (!Number.isInteger(each) || each <= 0 || each === this.#fallback) return
    const proven = often >= AGREEING && !this.#findings.healthy
    if (!proven && (often < USUAL_LEAST || !isOneBitApart(each, this.#fallback))) return
    this.#findings.add(tableMended(this.#track, 'trex', this.#fallback, each))
    this.#fallback = each
  }

  #count(): void {
    const counts = new Map<number, number>()
    let samples = 0
    const fragments = this.#fragments
    for (const part of this.#parts) {
      for (let run = fragments.firstRun(part); run < fragments.runsEnd(part); run++) {
        const count = fragments.count[run]
        samples += count
        if (!fragments.tells(run, RUN_DURATION)) this.#add(counts, this.#default(part), count)
        else
          for (let sample = 0; sample < count; sample++)
            this.#add(counts, fragments.value(run, RUN_DURATION, sample), 1)
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

  #default(part: number): number {
    return this.#fragments.headers[part].duration ?? this.#fallback
  }

  #length(part: number): number {
    return this.#fragments.ticksOf(part, this.#default(part))
  }

  /**
   * Mends the start of a part's successor, or of the first part, where one bit leads to where the neighbours on both sides agree.
   * @param length ticks that the part lasts
   */
  #start(i: number, length: number): boolean {
    const told = this.#fragments.start
    const [part, next, behind] = this.#parts.slice(i, i + 3)
    if (next === undefined || Number.isNaN(told[part]) || Number.isNaN(told[next])) return false
    const wanted = told[part] + length
    const agreed =
      behind === undefined || this.#isAfterGap(behind) || this.#lasts(i + 1, told[behind] - wanted)
    if (agreed && (isOneBitApart(wanted, told[next]) || told[next] > LATEST)) return this.#put(next, wanted)
    const first = told[next] - length
    const isFirst = i === 0 || this.#isAfterGap(part)
    if (isFirst && first >= 0 && (isOneBitApart(first, told[part]) || told[part] > LATEST))
      return this.#put(part, first)
    return false
  }

  /**
   * Mends a start behind the next one's together with one duration of its fragment, beside those that are outliers, where just
   * one flipped bit of each explains both.
   */
  #startAndDuration(i: number, outliers: readonly Change[]): boolean {
    const told = this.#fragments.start
    const [part, next] = this.#parts.slice(i, i + 2)
    if (!(told[part] > told[next])) return false
    const length = lengthened(this.#length(part), outliers)
    const previous = i > 0 ? told[this.#parts[i - 1]] : 0
    const found: { start: number; change: Change }[] = []
    for (let bit = 1; bit <= told[part]; bit *= 2) {
      const start = told[part] - bit
      if (Math.floor(told[part] / bit) % 2 === 0 || start > told[next] || start < previous) continue
      const change = this.#single(part, told[next] - start - length)
      const isAnother = outliers.every(({ run, sample }) => run !== change?.run || sample !== change.sample)
      if (change && isAnother && isOneBitApart(change.was, change.value)) found.push({ start, change })
    }
    if (found.length !== 1) return false
    this.#apply([...outliers, found[0].change])
    return this.#put(part, found[0].start)
  }

  /** Whether a part lasts so many ticks, as it says or once its durations are mended. */
  #lasts(i: number, ticks: number): boolean {
    const length = this.#length(this.#parts[i])
    return ticks === length || ticks === lengthened(length, this.#outliersOf(i))
  }

  #put(part: number, start: number): boolean {
    this.#findings.add(tableMended(this.#track, 'tfdt', this.#fragments.start[part], start))
    this.#fragments.start[part] = start
    return true
  }

  /** Mends durations so that they add up to `wanted`, which takes `missing` more: one of them, or the outliers and one more. */
  #durations(part: number, missing: number, wanted: number, outliers: readonly Change[]): void {
    const fragments = this.#fragments
    const header = fragments.headers[part]
    if (header.duration !== undefined && !fragments.anyTells(part, RUN_DURATION)) {
      const each = wanted / fragments.samplesOf(part)
      if (!this.#usual.has(each) || each === header.duration) return
      this.#findings.add(tableMended(this.#track, 'tfhd', header.duration, each))
      fragments.headers[part] = { ...header, duration: each }
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
   * The one unusual duration that makes up for what is missing: the only one that becomes a usual one so, whatever bits were hit,
   * else one that a flipped bit was, to a usual one first.
   */
  #single(part: number, missing: number): Change | undefined {
    if (missing === 0) return undefined
    const found: Change[] = []
    for (const { run, sample, duration } of this.#told(part)) {
      const value = duration + missing
      if (this.#usual.has(duration) || value < 0 || value > this.#commonest * FAR) continue
      found.push({ run, sample, was: duration, value })
    }
    const toUsual = found.filter(({ value }) => this.#usual.has(value))
    if (toUsual.length === 1) return toUsual[0]
    const oneBit = found.filter(({ was, value }) => isOneBitApart(value, was))
    return oneBit.find(({ value }) => this.#usual.has(value)) ?? (oneBit.length === 1 ? oneBit[0] : undefined)
  }

  /**
   * Durations of a part that no other sample has, and that are one bit away from a usual one; where no next start tells, those
   * far longer than the commonest, or at a constant rate by more than the tick that clocks round to. A recording's very last
   * sample lasts what is left.
   */
  #outliersOf(i: number): Change[] {
    const part = this.#parts[i]
    const isTold = this.#apart(i) !== undefined
    const far = isTold || this.#constant ? 0 : FAR
    const last = i === this.#parts.length - 1
    const changes: Change[] = []
    const fragments = this.#fragments
    for (let run = fragments.firstRun(part); run < fragments.runsEnd(part); run++) {
      const count = fragments.tells(run, RUN_DURATION) ? fragments.count[run] : 0
      const end = last && run === fragments.runsEnd(part) - 1 ? count - 1 : count
      for (let sample = 0; sample < end; sample++) {
        const duration = fragments.value(run, RUN_DURATION, sample)
        if (this.#usual.has(duration) || duration < this.#commonest * far) continue
        const value = BITS.map((bit) => flip(duration, bit)).find((near) => this.#usual.has(near))
        if (value === undefined || (!isTold && Math.abs(value - duration) <= ROUNDED)) continue
        changes.push({ run, sample, was: duration, value })
      }
    }
    return changes
  }

  #apply(changes: readonly Change[]): void {
    for (const { run, sample, was, value } of changes) {
      this.#findings.add(tableMended(this.#track, 'trun', was, value))
      this.#fragments.setValue(run, RUN_DURATION, sample, value)
    }
  }
}

/** A duration to be mended. */
interface Change {
  readonly run: number
  readonly sample: number
  readonly was: number
  readonly value: number
}

/** Ticks that a part of `length` lasts once its durations are changed. */
function lengthened(length: number, changes: readonly Change[]): number {
  return changes.reduce((sum, { was, value }) => sum + value - was, length)
}

const BITS = Array.from({ length: 32 }, (_, bit) => bit)
