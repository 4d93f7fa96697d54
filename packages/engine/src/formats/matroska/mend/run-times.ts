import { countBelow } from '../../../model/bisect.ts'
import { UNKNOWN_SIZE } from '../../../syntax/ebml/element.ts'
import type { BlockTable } from '../read/block-table.ts'
import type { Run, Survey } from '../read/survey.ts'
import { byteRate, clusterDistance, EDGE, edgeOf, headedIn, keyBytesOf } from './cluster-layout.ts'
import type { CuedTimes } from './cued-times.ts'
import { Grids } from './grid.ts'
import { type Paces, steadyTracks } from './pace.ts'

/** Share of a track's pace by which neighbours may be off. */
const TOLERANCE = 0.75
/** Paces by which pictures around a gap may be out of order. */
const REORDERED = 4
/** Ticks by which rounding puts neighbours off. */
const ROUNDING = 2
/** Times that a gap may last longer than its bytes usually do, and ticks on top. */
const STRETCH = 4
const SLACK = 200
/** Paces from the start up to which a Cluster without any before it is the first. */
const START_PACES = 4
/** Share of the usual distance of Clusters by which an estimate may be off for them to be as far from each other as ever. */
const NEARLY = 0.6
/** Clusters that must begin with a key picture for all of them to. */
const LEAST_CLUSTERS = 3
/** Parts that gaps divide one Cluster into, at most. */
const PARTS = 64

/** By when a run ends where the one behind it begins. */
interface UpTo {
  readonly time: number
  /** A track told it that keeps to its pace. */
  readonly steady: boolean
}

/** How many runs got a time that is proven, and how many one that is an estimate. */
export interface Solved {
  readonly proven: number
  readonly estimated: number
}

/**
 * Gives a time to the runs that have none: blocks behind a gap belong to the Cluster before it, or to one whose header the gap
 * took. What adjoins without a gap tells it to the tick; else the bytes of the gap tell about how long it lasted. `cued` tells of
 * Clusters that an index names, `usualDistance` how many ticks a sample's Clusters last, 0 when that differs.
 */
export function solveRunTimes(survey: Survey, paces: Paces, cued: CuedTimes, usualDistance: number): Solved {
  const solver = new Solver(survey, paces, cued, usualDistance)
  return solver.solve()
}

class Solver {
  readonly #survey: Survey
  readonly #blocks: BlockTable
  readonly #paces: Paces
  readonly #steady: ReadonlySet<number>
  readonly #cued: CuedTimes
  readonly #grids: Grids
  readonly #rate: number
  /** Ticks of the slowest track's pace. */
  readonly #coarsest: number
  /** Ticks up to which a Cluster is taken for the recording's first. */
  readonly #atStart: number
  /** Offsets of the gaps, which rise, and bytes of all gaps before each. */
  readonly #gapOffsets: Float64Array
  readonly #gapBytes: Float64Array
  /** Offsets at which Clusters and other elements begin. */
  readonly #begun: ReadonlySet<number>
  /** Bytes of the key picture that a Cluster usually begins with, 0 where none does. */
  readonly #keyBytes: number
  /** Bytes of the smallest key picture of those that all Clusters begin with, 0 where some do not. */
  readonly #leastKeyBytes: number
  /** Ticks from each Cluster to the next where they are always the same, else 0. */
  readonly #distance: number
  #proven = 0
  #estimated = 0

  constructor(survey: Survey, paces: Paces, cued: CuedTimes, usualDistance: number) {
    this.#survey = survey
    this.#blocks = survey.blocks
    this.#paces = paces
    this.#steady = steadyTracks(survey, paces)
    this.#cued = cued
    this.#grids = new Grids(survey, paces)
    this.#distance = clusterDistance(survey.runs) || usualDistance
    this.#rate = byteRate(survey)
    this.#coarsest = Math.ceil(Math.max(...paces.values(), 1))
    this.#atStart = this.#coarsest * START_PACES
    const { gaps, elements, runs } = survey
    this.#gapOffsets = Float64Array.from(gaps, ({ offset }) => offset)
    this.#gapBytes = new Float64Array(gaps.length + 1)
    for (const [i, { length }] of gaps.entries()) this.#gapBytes[i + 1] = this.#gapBytes[i] + length
    this.#begun = new Set([...elements, ...runs.filter(({ headed }) => headed)].map(({ offset }) => offset))
    const keys = keyBytesOf(survey)
    this.#keyBytes = keys[keys.length >> 1] ?? 0
    this.#leastKeyBytes = keys.length >= LEAST_CLUSTERS && keys.length === headedIn(survey) ? keys[0] : 0
  }

  solve(): Solved {
    const runs = this.#survey.runs.filter(({ firstRow, endRow }) => endRow > firstRow)
    for (let i = 1; i < runs.length; i++) if (this.#goesOn(runs, i)) this.#set(runs[i], runs[i - 1].time ?? 0)
    // from the end: a run that adjoins one whose time is known has it proven; then on to the ends of their Clusters. What Info
    // says of the whole comes last: what lasted to the end may be lost
    for (const ends of [false, true]) {
      for (let i = runs.length - 1; i >= 0; i--) this.#byNeighbours(runs, i, ends)
      for (let i = 0; i < runs.length; i++) this.#byNeighbours(runs, i, ends)
    }
    for (let i = 0; i < runs.length; i++) if (runs[i].time === undefined) this.#estimate(runs, i)
    return { proven: this.#proven, estimated: this.#estimated }
  }

  /** Where `ends`, what Info says of the end counts. */
  #byNeighbours(runs: readonly Run[], index: number, ends: boolean): void {
    const run = runs[index]
    if (run.time !== undefined) return
    const before = runs[index - 1]
    const behind = runs[index + 1]
    const cue = this.#byCue(run, before)
    const next = behind && run.end === behind.offset ? this.#upTo(run, behind) : undefined
    const same = before ? this.#sameCluster(run, before) : undefined
    if (same !== undefined && (next === undefined || this.#agrees(run, behind, same))) {
      const near = next === undefined && this.#isNear(run, before, same)
      if (next !== undefined || (near && this.#isInside(runs, index))) {
        this.#set(run, same)
        return
      }
    }
    const end = next === undefined && ends ? this.#byDuration(run, before) : undefined
    const time = cue ?? (next === undefined ? end : this.#snap(run, next.time, 1))
    if (time !== undefined) this.#set(run, time, cue !== undefined || next?.steady !== false)
  }

  #set(run: Run, time: number, isProven = true): void {
    run.time = Math.max(0, time)
    if (isProven) this.#proven++
    else this.#estimated++
  }

  /** The time of the Cluster that the run before belongs to. */
  #sameCluster(run: Run, before: Run): number | undefined {
    return run.headed ? undefined : before.time
  }

  /**
   * Whether a run goes on where a Cluster before it was that does not say where it ends: the gap cannot hold the key picture that
   * all Clusters begin with.
   */
  #goesOn(runs: readonly Run[], index: number): boolean {
    const run = runs[index]
    const before = runs[index - 1]
    const owner = this.#owner(runs, index)
    if (run.time !== undefined || run.headed || before.time === undefined || owner?.time !== before.time)
      return false
    if (!this.#isOpen(owner) || this.#gapsIn(this.#end(before), run.offset) >= this.#leastKeyBytes)
      return false
    const behind = runs[index + 1]
    return this.#isNear(run, before, before.time) && !(behind && this.#isBehind(run, before.time, behind))
  }

  /** Whether a run at `time` would end behind what the one after it begins with. */
  #isBehind(run: Run, time: number, after: Run): boolean {
    for (const [track, pace] of this.#paces) {
      const last = edgeOf(this.#blocks, run, track, false)
      const first = edgeOf(this.#blocks, after, track, true)
      if (last === undefined || first === undefined || after.time === undefined) continue
      if (time + last > after.time + first + pace * REORDERED) return true
    }
    return false
  }

  /** Whether a run lies where the Cluster before says that its data is. */
  #isInside(runs: readonly Run[], index: number): boolean {
    let at = index - 1
    while (at > 0 && at > index - PARTS && !runs[at].headed) at--
    const owner = runs[at]
    if (!owner.headed || owner.size === UNKNOWN_SIZE || owner.time !== runs[index - 1].time) return false
    const end = owner.body + owner.size
    const own = this.#end(runs[index])
    if (own <= end) return true
    const put = this.#gapsIn(owner.body, runs[index].offset)
    return own <= end + put && this.#begins(end + put)
  }

  /** Bytes of the gaps in [from, end). */
  #gapsIn(from: number, end: number): number {
    const place = (offset: number): number => countBelow(this.#gapOffsets, offset)
    return Math.max(0, this.#gapBytes[place(end)] - this.#gapBytes[place(from)])
  }

  /** Whether a Cluster or another element begins at `offset`, or the file ends there. */
  #begins(offset: number): boolean {
    return offset === this.#survey.size || this.#begun.has(offset)
  }

  #end(run: Run): number {
    const { blocks } = this.#survey
    return blocks.offset[run.endRow - 1] + blocks.size[run.endRow - 1]
  }

  /** The time of the Cluster that lay between the run before and this one, where an index names it. */
  #byCue(run: Run, before: Run | undefined): number | undefined {
    const from = before ? this.#end(before) : 0
    return run.headed
      ? this.#cued.clusterIn(run.offset, run.offset + 1)
      : this.#cued.clusterIn(from, run.offset)
  }

  /**
   * The time by which the last run ends where Info says that the recording does; the file must end where it was to, and the run
   * before be about as far as the bytes between them last: a length may be hit, too.
   */
  #byDuration(run: Run, before: Run | undefined): number | undefined {
    const { info, segment, size, runs, cutAt } = this.#survey
    if (runs.at(-1) !== run || info?.duration === undefined || cutAt !== undefined) return undefined
    if (segment?.end === undefined || segment.end > size || run.altered) return undefined
    // what is shown long before may be what ends last, as text does
    let shown = 0
    for (const other of runs)
      if (other.time !== undefined) shown = Math.max(shown, other.time + this.#lasts(other))
    if (shown >= info.duration - ROUNDING) return undefined
    const time = Math.round(info.duration - this.#lasts(run))
    if (!Number.isSafeInteger(time) || (before && !this.#isNear(run, before, time))) return undefined
    return this.#snap(run, time, 2)
  }

  /** Ticks from a run's time to the end of what lasts longest in it. */
  #lasts({ firstRow, endRow }: Run): number {
    const { blocks } = this.#survey
    let end = 0
    for (let row = firstRow; row < endRow; row++) {
      const lasts =
        blocks.duration[row] >= 0 ? blocks.duration[row] : (this.#paces.get(blocks.track[row]) ?? 0)
      end = Math.max(end, blocks.relative[row] + lasts)
    }
    return end
  }

  /**
   * The time near an estimate, `most` ticks off at most, at which blocks of even tracks lie where they may; the estimate where
   * none do.
   */
  #snap(run: Run, estimate: number, most: number): number {
    const { blocks } = this.#survey
    const firsts = new Map<number, number>()
    for (let row = run.firstRow; row < Math.min(run.endRow, run.firstRow + EDGE); row++)
      if (!firsts.has(blocks.track[row])) firsts.set(blocks.track[row], blocks.relative[row])
    let best = estimate
    let least = Number.POSITIVE_INFINITY
    // numbers beyond have no next one
    if (!Number.isSafeInteger(Math.round(estimate) + most)) return best
    for (let time = Math.round(estimate) - most; time <= estimate + most; time++) {
      let off = Math.abs(time - estimate) / (most + 1)
      for (const [track, relative] of firsts)
        off += Math.max(0, Math.abs(this.#grids.off(track, time + relative) ?? 0) - 1)
      if (off < least) {
        least = off
        best = time
      }
    }
    return best
  }

  /** The time by which a run ends where the one behind it begins: that which a steady track tells, sound before pictures. */
  #upTo(run: Run, behind: Run): UpTo | undefined {
    if (behind.time === undefined) return undefined
    const votes: (UpTo & { pace: number })[] = []
    for (const [track, pace] of this.#paces) {
      const last = edgeOf(this.#blocks, run, track, false)
      const first = edgeOf(this.#blocks, behind, track, true)
      if (pace > 0 && last !== undefined && first !== undefined)
        votes.push({
          time: Math.round(behind.time + first - pace - last),
          steady: this.#steady.has(track),
          pace,
        })
    }
    // the finest pace tells best
    return votes.sort((a, b) => Number(b.steady) - Number(a.steady) || a.pace - b.pace)[0]
  }

  #agrees(run: Run, behind: Run | undefined, time: number): boolean {
    if (behind?.time === undefined) return false
    let agreed = 0
    let against = 0
    for (const [track, pace] of this.#paces) {
      const last = edgeOf(this.#blocks, run, track, false)
      const first = edgeOf(this.#blocks, behind, track, true)
      if (pace === 0 || last === undefined || first === undefined) continue
      const distance = behind.time + first - (time + last)
      if (Math.abs(distance - pace) <= pace * TOLERANCE + ROUNDING) agreed++
      else against++
    }
    return agreed > against
  }

  /** Whether a run at `time` follows the one before at about the distance that the bytes between them usually last. */
  #isNear(run: Run, before: Run, time: number): boolean {
    const between = Math.max(0, run.offset - this.#end(before))
    const most = (between / this.#rate) * STRETCH + SLACK
    for (const [track, pace] of this.#paces) {
      const last = edgeOf(this.#blocks, before, track, false)
      const first = edgeOf(this.#blocks, run, track, true)
      if (before.time === undefined || last === undefined || first === undefined) continue
      const distance = time + first - (before.time + last)
      if (distance < -pace * REORDERED - ROUNDING || distance > most + pace) return false
    }
    return true
  }

  #estimate(runs: readonly Run[], index: number): void {
    const run = runs[index]
    const before = runs[index - 1]
    this.#estimated++
    if (before?.time === undefined) {
      // nothing before it: what matters is how its blocks lie to those behind
      const behind = runs[index + 1]
      let least = 0
      for (let row = run.firstRow; row < run.endRow; row++)
        least = Math.min(least, this.#blocks.relative[row])
      const end = behind && this.#upTo(run, behind)?.time
      const between = behind ? Math.max(0, behind.offset - this.#end(run)) / this.#rate : 0
      const time = end === undefined ? 0 : end - between
      run.time =
        time <= this.#atStart ? -least : Math.max(-least, this.#snap(run, Math.round(time), this.#coarsest))
      if (behind === undefined) this.#estimated--
      return
    }
    const together = this.#withBehind(run, before, runs[index + 1])
    if (together !== undefined) {
      run.time = together
      return
    }
    const owner = this.#owner(runs, index)
    const lasted = this.#lasted(run, before)
    let time = Number.NEGATIVE_INFINITY
    for (const [track, pace] of this.#paces) {
      const last = edgeOf(this.#blocks, before, track, false)
      const first = edgeOf(this.#blocks, run, track, true)
      if (last === undefined || first === undefined) continue
      time = Math.max(time, Math.round(before.time + last + pace + lasted - first))
    }
    if (!Number.isFinite(time)) time = before.time
    const steady = this.#distance > 0 && owner ? (owner.time ?? 0) + this.#distance : undefined
    if (!run.headed && this.#isNear(run, before, before.time) && this.#isOpen(owner)) run.time = before.time
    else if (steady !== undefined && Math.abs(steady - time) < this.#distance * NEARLY) run.time = steady
    else run.time = Math.max(0, this.#snap(run, time, this.#coarsest))
  }

  /**
   * The time of the run behind a gap, where that has no header either, and blocks go on over both gaps as those of one Cluster.
   */
  #withBehind(run: Run, before: Run, behind: Run | undefined): number | undefined {
    const time = behind?.time
    if (run.headed || !behind || behind.headed || time === undefined) return undefined
    const goesOn = this.#isNear(run, before, time) && this.#isNear(behind, { ...run, time }, time)
    return goesOn ? time : undefined
  }

  /** Whether a Cluster does not say where it ends. */
  #isOpen(owner: Run | undefined): boolean {
    return owner?.headed === true && owner.size === UNKNOWN_SIZE
  }

  /** The Cluster with a header that precedes a run. */
  #owner(runs: readonly Run[], index: number): Run | undefined {
    let at = index - 1
    while (at > 0 && at > index - PARTS && !runs[at].headed) at--
    return runs[at]
  }

  /**
   * Ticks that the bytes between two runs usually last, when they hold the key picture that the second one's Cluster begins with.
   */
  #lasted(run: Run, before: Run): number {
    const { blocks } = this.#survey
    const between = Math.max(0, run.offset - this.#end(before))
    const behind = Math.max(0, blocks.relative[run.firstRow])
    const rest = between - this.#keyBytes
    return Math.max(behind, (rest > 0 ? rest : between) / this.#rate)
  }
}
