import type { ByteReader } from '../bytes/reader.ts'
import type { Monitor } from '../model/monitor.ts'
import {
  SAMPLE_AFTER_HOLE,
  SAMPLE_DAMAGED,
  SAMPLE_KEY,
  SAMPLE_OTHER_SIZE,
  SAMPLE_RESTART,
  SAMPLE_SKIPPED_LEADING,
  type SampleTable,
} from '../model/sample-table.ts'
import {
  ANCHOR,
  BEHIND_GAP,
  ENDS_DAMAGED,
  EXPECTED,
  GAP_COST,
  LEADS_TO_ANCHOR,
  LOOK_AHEAD,
  PLAUSIBLE,
} from './evidence.ts'
import { type Anchored, fitGap, knownGap, type PlacedPiece, soundBefore } from './gap.ts'
import type { Lane, LaneGroup } from './lane.ts'
import type { Interleave } from './learn.ts'
import { type Alike, RunSplitter } from './run-splitter.ts'
import { WeakUnits } from './weak-units.ts'

/** A stretch of the damaged file that may hold units. */
export interface Region {
  readonly offset: number
  readonly length: number
}

/** Bytes between units that belong to no unit: damage, or content of tracks nobody knows. */
export interface Hole {
  readonly offset: number
  readonly length: number
  /** Rows that each lane had when the hole began: what follows lies behind it. */
  readonly rows: readonly number[]
}

/** Bytes scanned between two pauses. */
const PAUSE_BYTES = 4 << 20
/** Gaps of the sample, the commonest, that may lie behind a unit in doubt: each is looked for behind each before it. */
const COMMON_GAPS = 8
/** Bytes one search covers before it looks at the others again. */
const SEARCH_WINDOW = 1 << 20

/**
 * Finds the units of all lanes in bytes without an index, front to back, once. Where units join it follows them; where
 * several readings are possible it looks ahead; where nothing fits it takes the gap for lanes without syntax if its
 * length agrees, else for a hole, and goes on at the next strong anchor.
 */
export class Assembler {
  readonly holes: Hole[] = []
  readonly #reader: ByteReader
  readonly #lanes: readonly Lane[]
  readonly #groups: readonly LaneGroup[]
  readonly #interleave: Interleave
  /** The same with its commonest gaps alone. */
  readonly #common: Interleave
  /** By the families of lanes that look alike. */
  readonly #splitters: ReadonlyMap<readonly Lane[], RunSplitter>
  /** Further groups of each group's codec, which may read its units otherwise. */
  readonly #rivals: readonly (readonly number[])[]
  /** Group of the last unit: the likeliest for the next. */
  #lastGroup = 0
  /** Offset of the last unit, or -1 when what precedes is no unit. */
  #lastOffset = -1
  #lastEnd = -1
  #afterHole: boolean[]

  constructor(
    reader: ByteReader,
    lanes: readonly Lane[],
    groups: readonly LaneGroup[],
    interleave: Interleave,
    alikeOf: (family: readonly Lane[]) => Alike | undefined,
  ) {
    this.#reader = reader
    this.#lanes = lanes
    this.#groups = groups
    this.#interleave = interleave
    this.#common = { ...interleave, patterns: interleave.patterns.slice(0, COMMON_GAPS) }
    const families = new Set(groups.map(({ family }) => family).filter(({ length }) => length > 1))
    this.#splitters = new Map(
      [...families].map((family) => [family, new RunSplitter(family, interleave, alikeOf(family))]),
    )
    this.#rivals = groups.map(({ recogniser }, own) =>
      groups.flatMap((other, index) =>
        index !== own && other.recogniser.codec === recogniser.codec ? [index] : [],
      ),
    )
    this.#afterHole = lanes.map(() => false)
  }

  /**
   * Assembles the units of one region; regions come by rising offset. `onProgress` gets bytes done, and the offset before which
   * nothing is taken back any more.
   */
  async assemble(
    region: Region,
    monitor: Monitor,
    onProgress: (bytes: number, until: number) => Promise<void>,
  ): Promise<void> {
    const end = region.offset + region.length
    let at = region.offset
    let pauseAt = at + PAUSE_BYTES
    this.#lastOffset = -1
    while (at < end) {
      if (at >= pauseAt) {
        const until = this.#lastOffset < 0 ? at : this.#lastOffset
        await onProgress(
          at - region.offset,
          Math.min(until, ...[...this.#splitters.values()].map(({ waitsFrom }) => waitsFrom)),
        )
        await monitor.pause()
        pauseAt = at + PAUSE_BYTES
      }
      const group = this.#choose(at, end)
      if (group >= 0) at = this.#take(group, at, end)
      else at = await this.#bridge(at, end, monitor)
    }
    for (const splitter of this.#splitters.values()) splitter.flush()
  }

  /** Whether it was partly guessed which of the units around are a lane's own, because other lanes have the same syntax. */
  isGuessed(lane: Lane): boolean {
    for (const [family, splitter] of this.#splitters) if (family.includes(lane)) return splitter.guessed
    return false
  }

  /** The group whose unit at `at` is believed, or -1. */
  #choose(at: number, end: number): number {
    const groups = this.#groups
    let best = -1
    let bestEvidence = 0
    let matches = 0
    for (let i = 0; i < groups.length; i++) {
      // the last group first: units come in runs
      const index = i === 0 ? this.#lastGroup : i <= this.#lastGroup ? i - 1 : i
      if (!this.#match(index, at, end)) continue
      const { evidence } = groups[index].unit
      if (evidence >= EXPECTED && !this.#isDisputed(index, at, end)) return index
      matches++
      if (best < 0 || evidence > bestEvidence) {
        best = index
        bestEvidence = evidence
      }
    }
    if (matches === 0) return -1
    if (matches === 1) {
      if (bestEvidence >= PLAUSIBLE) return best
      // as far as `#resync` looks: what ends a hole there must be taken here
      return this.#chain(at, end, LOOK_AHEAD + 1) >= PLAUSIBLE ? best : -1
    }
    return this.#bestOf(at, end)
  }

  /** Whether another group of the same codec reads a unit of another length where group `index` does. */
  #isDisputed(index: number, at: number, end: number): boolean {
    const { length } = this.#groups[index].unit
    return this.#rivals[index].some(
      (rival) => this.#match(rival, at, end) && this.#groups[rival].unit.length !== length,
    )
  }

  /** Compares all groups that match at `at` by what follows them. */
  #bestOf(at: number, end: number): number {
    let best = -1
    let bestTotal = PLAUSIBLE - 1
    for (let index = 0; index < this.#groups.length; index++) {
      if (!this.#match(index, at, end)) continue
      const { evidence, length } = this.#groups[index].unit
      const total = evidence + this.#chain(at + length, end, LOOK_AHEAD)
      if (total > bestTotal) {
        best = index
        bestTotal = total
      }
    }
    return best
  }

  /** Evidence of the best chain of units from `at` on, up to `depth` units or what an anchor needs. */
  #chain(at: number, end: number, depth: number, gaps = true): number {
    if (at >= end) return at === end ? PLAUSIBLE : 0
    if (depth === 0) return 0
    let best = 0
    for (let index = 0; index < this.#groups.length; index++) {
      if (!this.#match(index, at, end)) continue
      const { evidence, length } = this.#groups[index].unit
      const total = evidence >= ANCHOR ? evidence : evidence + this.#chain(at + length, end, depth - 1, gaps)
      if (total > best) best = total
      if (best >= ANCHOR) return best
    }
    if (best > 0 || !gaps) return best
    const gap = knownGap(this.#reader, this.#lanes, this.#interleave, at, end, this.#anchored)
    const last = gap?.at(-1)
    if (!last) return 0
    return Math.max(0, this.#chain(last.offset + last.length, end, depth - 1) - GAP_COST)
  }

  /** Whether a unit that shows `need` bits, or weaker ones that do together, with a known gap between them at most, stands at `at`. */
  readonly #anchored: Anchored = (at, end, need) => this.#stands(at, end, need, this.#anchoredNear)

  /** The same without a gap between them. */
  readonly #anchoredNear: Anchored = (at, end, need) => this.#stands(at, end, need)

  #stands(at: number, end: number, need: number, behindGap?: Anchored): boolean {
    for (let index = 0; index < this.#groups.length; index++) {
      if (!this.#match(index, at, end)) continue
      const { length, evidence } = this.#groups[index].unit
      const next = at + length
      if (evidence >= need || evidence + this.#chain(next, end, 2, false) >= need) return true
      if (!behindGap) continue
      const last = knownGap(this.#reader, this.#lanes, this.#common, next, end, behindGap)?.at(-1)
      if (!last) continue
      const chain = this.#chain(last.offset + last.length, end, 2, false)
      if (evidence + chain - GAP_COST >= need) return true
    }
    return false
  }

  #match(index: number, at: number, end: number): boolean {
    const group = this.#groups[index]
    if (group.at !== at) {
      group.at = at
      group.matched = group.recogniser.recognise(this.#reader, at, end, group.unit)
    }
    return group.matched
  }

  /** Appends the unit of group `index` at `at`. Returns the offset behind it. */
  #take(index: number, at: number, end: number): number {
    const group = this.#groups[index]
    if (!this.#match(index, at, end)) return at
    const { unit, recogniser } = group
    if (group.family !== this.#groups[this.#lastGroup].family) this.#endRun()
    if (!unit.lengthKnown) {
      const boundary = this.#boundary(index, at, at + unit.length, end)
      // looking for the boundary looked at other places with the same recogniser
      if (!this.#match(index, at, end)) return at
      unit.length = soundBefore(this.#reader, this.#lanes, this.#interleave, at, boundary) - at
    }
    recogniser.accept(this.#reader, at, unit)
    const flags =
      (unit.key || (unit.recovery && group.recoveryIsKey) ? SAMPLE_KEY : 0) |
      (unit.restart ? SAMPLE_RESTART : 0) |
      (unit.damaged ? SAMPLE_DAMAGED : 0) |
      (unit.otherSize ? SAMPLE_OTHER_SIZE : 0) |
      (unit.leading ? SAMPLE_SKIPPED_LEADING : 0)
    const first = group.lanes[0]
    const splitter = this.#splitters.get(group.family)
    if (splitter) splitter.add(at, unit.length, unit.duration, unit.order, flags | this.#holeFlag(first))
    else {
      const ticks = this.#ticks(first, unit.duration, recogniser.timescale)
      first.table.push(at, unit.length, 1, ticks, unit.order, flags | this.#holeFlag(first))
    }
    this.#lastGroup = index
    this.#lastOffset = at
    this.#lastEnd = at + unit.length
    group.at = -1
    return this.#lastEnd
  }

  /** Where a unit without a length of its own ends: at the first anchor of another group before `until`, else there. */
  #boundary(own: number, at: number, until: number, end: number): number {
    let nearest = until
    for (let index = 0; index < this.#groups.length; index++) {
      if (index === own) continue
      const { recogniser } = this.#groups[index]
      let next = recogniser.search(this.#reader, at + 1, nearest)
      while (next < nearest) {
        if (this.#match(index, next, end)) {
          const { length, evidence } = this.#groups[index].unit
          const leads = evidence >= ENDS_DAMAGED
          if (leads && evidence + this.#chain(next + length, end, LOOK_AHEAD) >= ANCHOR) nearest = next
        }
        if (next < nearest) next = recogniser.search(this.#reader, next + 1, nearest)
      }
    }
    return nearest
  }

  #ticks(lane: Lane, duration: number, timescale: number): number {
    if (duration > 0 && timescale > 0) return (duration * lane.description.timescale) / timescale
    return this.#interleave.lanes[lane.index].unitDuration
  }

  #holeFlag(lane: Lane): number {
    if (!this.#afterHole[lane.index]) return 0
    this.#afterHole[lane.index] = false
    return SAMPLE_AFTER_HOLE
  }

  #endRun(): void {
    for (const splitter of this.#splitters.values()) splitter.endRun()
  }

  /** Nothing matches at `at`: a gap of lanes without syntax, or a hole. Returns where units go on, or `end`. */
  async #bridge(at: number, end: number, monitor: Monitor): Promise<number> {
    this.#endRun()
    const known = knownGap(this.#reader, this.#lanes, this.#interleave, at, end, this.#anchored)
    if (known) return this.#place(known, at)
    // a wrong length may have led here: the last unit is only believed when nothing starts inside it
    const suspect = this.#lastEnd === at ? this.#lastOffset : -1
    const anchor = await this.#resync(suspect >= 0 ? suspect + 1 : at, at, end, monitor)
    if (anchor < at) {
      this.#dropLast(suspect)
      this.#openHole(suspect, anchor - suspect)
      return anchor
    }
    const pieces = fitGap(this.#reader, this.#lanes, this.#interleave, at, anchor, anchor === end)
    let from = at
    for (const piece of pieces) {
      if (piece.offset > from) this.#openHole(from, piece.offset - from)
      this.#appendPiece(piece)
      from = piece.offset + piece.length
    }
    if (from < anchor) this.#openHole(from, anchor - from)
    this.#lastOffset = -1
    return anchor
  }

  /**
   * The next offset from `from` on where a chain of units stands firm, or `end`. Units found before `at` count
   * when they lead past it: those that end where the last unit ended are its own inside.
   */
  async #resync(from: number, at: number, end: number, monitor: Monitor): Promise<number> {
    const next = this.#groups.map(() => from - 1)
    const weak = new WeakUnits()
    let windowStart = from
    let scanned = 0
    while (windowStart < end) {
      const windowEnd = Math.min(windowStart + SEARCH_WINDOW, end)
      for (;;) {
        let soonest = -1
        for (let index = 0; index < this.#groups.length; index++) {
          if (next[index] < windowStart) {
            next[index] = this.#groups[index].recogniser.search(this.#reader, windowStart, windowEnd)
          }
          if (next[index] < windowEnd && (soonest < 0 || next[index] < next[soonest])) soonest = index
        }
        if (soonest < 0) break
        const candidate = next[soonest]
        if (this.#match(soonest, candidate, end)) {
          const { length, evidence } = this.#groups[soonest].unit
          const total = evidence + this.#chain(candidate + length, end, LOOK_AHEAD)
          const firm = total >= ANCHOR || this.#standsAlone(evidence, candidate + length, end)
          if (firm && (candidate >= at || this.#runsPast(candidate + length, at, end))) {
            return weak.chainTo(candidate)
          }
          if (candidate >= at && evidence >= LEADS_TO_ANCHOR) weak.remember(candidate, candidate + length)
        }
        next[soonest] = this.#groups[soonest].recogniser.search(this.#reader, candidate + 1, windowEnd)
      }
      for (let index = 0; index < next.length; index++) next[index] = -1
      scanned += windowEnd - windowStart
      windowStart = windowEnd
      if (scanned >= PAUSE_BYTES) {
        scanned = 0
        await monitor.pause()
      }
    }
    return end
  }

  /**
   * Whether a unit with `evidence` that ends at `from` is one of those that stand alone: in recordings with tracks nobody knows, where the
   * next one comes within the usual distance.
   */
  #standsAlone(evidence: number, from: number, end: number): boolean {
    const { filler } = this.#interleave
    if (filler === 0 || evidence < PLAUSIBLE) return false
    const until = from + filler
    if (until >= end) return true
    for (const [index, { recogniser }] of this.#groups.entries()) {
      for (let at = from; at <= until; at++) {
        at = recogniser.search(this.#reader, at, until + 1)
        if (at <= until && this.#match(index, at, end) && this.#groups[index].unit.evidence >= BEHIND_GAP)
          return true
      }
    }
    return false
  }

  /**
   * Whether units that join from `from` on lead past `at` without one ending there: the unit that ended at `at` swallowed others.
   * Units inside it that end with it are its own.
   */
  #runsPast(from: number, at: number, end: number): boolean {
    let next = from
    while (next < at) {
      const index = this.#groups.findIndex((_, i) => this.#match(i, next, end))
      if (index < 0) return false
      next += this.#groups[index].unit.length
    }
    return next > at
  }

  /** Takes back the last unit: its length led astray. */
  #dropLast(offset: number): void {
    for (const splitter of this.#splitters.values()) splitter.dropLast(offset)
    for (const lane of this.#lanes) {
      const { table } = lane
      if (table.length > 0 && table.offset[table.length - 1] === offset) table.truncate(table.length - 1)
    }
    this.#lastOffset = -1
  }

  #openHole(offset: number, length: number): void {
    for (const splitter of this.#splitters.values()) splitter.hole()
    this.holes.push({ offset, length, rows: this.#lanes.map((lane) => lane.table.length) })
    for (const group of this.#groups) {
      group.recogniser.discontinuity()
      group.at = -1
    }
    this.#afterHole = this.#lanes.map(() => true)
  }

  #place(pieces: readonly PlacedPiece[], at: number): number {
    let end = at
    for (const piece of pieces) {
      this.#appendPiece(piece)
      end = piece.offset + piece.length
    }
    this.#lastOffset = -1
    return end
  }

  /** Appends bytes of a lane without syntax: a run of sample frames for sound, a unit each for the rest. */
  #appendPiece(piece: PlacedPiece): void {
    const lane = this.#lanes[piece.lane]
    const prior = this.#interleave.lanes[piece.lane]
    const unitBytes = lane.description.blockAlign ?? prior.constantUnitBytes
    const flags = SAMPLE_KEY | this.#holeFlag(lane)
    if (unitBytes > 0 && lane.description.blockAlign !== undefined) {
      const count = Math.floor(piece.length / unitBytes)
      if (count > 0)
        push(lane.table, piece.offset, count * unitBytes, count, count * prior.unitDuration, flags)
      return
    }
    if (unitBytes > 0 && piece.length % unitBytes === 0) {
      for (let done = 0; done < piece.length; done += unitBytes) {
        push(
          lane.table,
          piece.offset + done,
          unitBytes,
          1,
          prior.unitDuration,
          done === 0 ? flags : SAMPLE_KEY,
        )
      }
      return
    }
    push(lane.table, piece.offset, piece.length, 1, prior.unitDuration, flags)
  }
}

function push(
  table: SampleTable,
  offset: number,
  size: number,
  count: number,
  duration: number,
  flags: number,
): void {
  table.push(offset, size, count, duration, table.length, flags)
}
