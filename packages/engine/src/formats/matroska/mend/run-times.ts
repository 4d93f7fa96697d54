import { UNKNOWN_SIZE } from '../../../syntax/ebml/element.ts'
import type { BlockTable } from '../read/block-table.ts'
import type { Run, Survey } from '../read/survey.ts'
import type { Paces } from './pace.ts'

/** Blocks of a track at either end of a run that are looked at: pictures are reordered within fewer. */
const EDGE = 24
/** Share of a track's pace by which neighbours may be off. */
const TOLERANCE = 0.75
/** Ticks by which rounding puts neighbours off. */
const ROUNDING = 2
/** Times that a gap may last longer than its bytes usually do, and ticks on top. */
const STRETCH = 4
const SLACK = 2000
/** Parts that gaps divide one Cluster into, at most. */
const PARTS = 64

/** How many runs got a time that is proven, and how many one that is an estimate. */
export interface Solved {
  readonly proven: number
  readonly estimated: number
}

/**
 * Gives a time to the runs that have none: blocks behind a gap belong to the Cluster before it, or to one whose header the gap took.
 * What adjoins without a gap tells it to the tick; else the bytes of the gap tell about how long it lasted. `cued` gives the time of the
 * block at an offset where an index tells.
 */
export function solveRunTimes(
  survey: Survey,
  paces: Paces,
  cued: (offset: number) => number | undefined,
): Solved {
  const solver = new Solver(survey, paces, cued)
  return solver.solve()
}

class Solver {
  readonly #survey: Survey
  readonly #blocks: BlockTable
  readonly #paces: Paces
  readonly #cued: (offset: number) => number | undefined
  readonly #rate: number
  #proven = 0
  #estimated = 0

  constructor(survey: Survey, paces: Paces, cued: (offset: number) => number | undefined) {
    this.#survey = survey
    this.#blocks = survey.blocks
    this.#paces = paces
    this.#cued = cued
    this.#rate = this.#byteRate()
  }

  solve(): Solved {
    const runs = this.#survey.runs.filter(({ firstRow, endRow }) => endRow > firstRow)
    // from the end: a run that adjoins one whose time is known has it proven
    for (let pass = 0; pass < 2; pass++) {
      for (let i = runs.length - 1; i >= 0; i--) if (runs[i].time === undefined) this.#byNeighbours(runs, i)
    }
    for (let i = 0; i < runs.length; i++) if (runs[i].time === undefined) this.#estimate(runs, i)
    return { proven: this.#proven, estimated: this.#estimated }
  }

  #byNeighbours(runs: readonly Run[], index: number): void {
    const run = runs[index]
    const before = runs[index - 1]
    const behind = runs[index + 1]
    const cue = this.#byCue(run)
    const next = behind && run.end === behind.offset ? this.#upTo(run, behind) : undefined
    const same = before ? this.#sameCluster(run, before) : undefined
    if (same !== undefined && (next === undefined || this.#agrees(run, behind, same))) {
      const certain = next !== undefined || cue === same || this.#isInside(runs, index)
      if (certain || this.#isNear(run, before, same)) {
        this.#set(run, same)
        return
      }
    }
    if (cue !== undefined) this.#set(run, cue)
    else if (next !== undefined) this.#set(run, next)
  }

  #set(run: Run, time: number): void {
    run.time = Math.max(0, time)
    this.#proven++
  }

  /** The time of the Cluster that the run before belongs to. */
  #sameCluster(run: Run, before: Run): number | undefined {
    return run.headed ? undefined : before.time
  }

  /** Whether a run lies where the Cluster before says that its data is. */
  #isInside(runs: readonly Run[], index: number): boolean {
    let at = index - 1
    while (at > 0 && at > index - PARTS && !runs[at].headed) at--
    const owner = runs[at]
    if (!owner.headed || owner.size === UNKNOWN_SIZE || owner.time !== runs[index - 1].time) return false
    return this.#end(runs[index]) <= owner.body + owner.size
  }

  #end(run: Run): number {
    const { blocks } = this.#survey
    return blocks.offset[run.endRow - 1] + blocks.size[run.endRow - 1]
  }

  #byCue(run: Run): number | undefined {
    for (let row = run.firstRow; row < run.endRow; row++) {
      const time = this.#cued(this.#blocks.offset[row])
      if (time !== undefined) return time - this.#blocks.relative[row]
    }
    return undefined
  }

  /** The time by which a run ends where the one behind it begins: that which most tracks tell, sound before pictures. */
  #upTo(run: Run, behind: Run): number | undefined {
    if (behind.time === undefined) return undefined
    const votes: { time: number; pace: number }[] = []
    for (const [track, pace] of this.#paces) {
      const last = this.#edge(run, track, false)
      const first = this.#edge(behind, track, true)
      if (pace > 0 && last !== undefined && first !== undefined)
        votes.push({ time: Math.round(behind.time + first - pace - last), pace })
    }
    // the finest pace tells best
    return votes.sort((a, b) => a.pace - b.pace)[0]?.time
  }

  #agrees(run: Run, behind: Run | undefined, time: number): boolean {
    if (behind?.time === undefined) return false
    let agreed = 0
    let against = 0
    for (const [track, pace] of this.#paces) {
      const last = this.#edge(run, track, false)
      const first = this.#edge(behind, track, true)
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
      const last = this.#edge(before, track, false)
      const first = this.#edge(run, track, true)
      if (before.time === undefined || last === undefined || first === undefined) continue
      const distance = time + first - (before.time + last)
      if (distance < -pace * TOLERANCE - ROUNDING || distance > most + pace) return false
    }
    return true
  }

  #estimate(runs: readonly Run[], index: number): void {
    const run = runs[index]
    const before = runs[index - 1]
    this.#estimated++
    if (before?.time === undefined) {
      // nothing before it: what matters is how its blocks lie to each other
      const behind = runs[index + 1]
      let least = 0
      for (let row = run.firstRow; row < run.endRow; row++)
        least = Math.min(least, this.#blocks.relative[row])
      const fromBehind = behind && this.#upTo(run, behind)
      run.time = Math.max(-least, fromBehind ?? -least)
      if (behind === undefined) this.#estimated--
      return
    }
    const lasted = Math.max(0, run.offset - this.#end(before)) / this.#rate
    let time = Number.NEGATIVE_INFINITY
    for (const [track, pace] of this.#paces) {
      const last = this.#edge(before, track, false)
      const first = this.#edge(run, track, true)
      if (last === undefined || first === undefined) continue
      // lost blocks are counted in whole ones
      const lost = pace > 0 ? Math.round(lasted / pace) * pace : lasted
      time = Math.max(time, Math.round(before.time + last + pace + lost - first))
    }
    run.time = Number.isFinite(time) ? Math.max(0, time) : before.time
  }

  /** The earliest time of a track near the start of a run, or its latest near the end, after the run's own. */
  #edge(run: Run, track: number, first: boolean): number | undefined {
    const { blocks } = this.#survey
    let found: number | undefined
    let seen = 0
    const step = first ? 1 : -1
    for (
      let row = first ? run.firstRow : run.endRow - 1;
      row >= run.firstRow && row < run.endRow && seen < EDGE;
      row += step
    ) {
      if (blocks.track[row] !== track) continue
      seen++
      const time = blocks.relative[row]
      if (found === undefined || (first ? time < found : time > found)) found = time
    }
    return found
  }

  /** Bytes a tick, over all runs whose time is known. */
  #byteRate(): number {
    const { blocks, runs } = this.#survey
    let bytes = 0
    let ticks = 0
    for (const { firstRow, endRow } of runs) {
      if (endRow <= firstRow) continue
      let least = blocks.relative[firstRow]
      let most = least
      for (let row = firstRow; row < endRow; row++) {
        bytes += blocks.size[row]
        least = Math.min(least, blocks.relative[row])
        most = Math.max(most, blocks.relative[row])
      }
      ticks += most - least
    }
    return Math.max(bytes / Math.max(1, ticks), 1e-3)
  }
}
