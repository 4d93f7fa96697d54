import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { Allowance } from '../../model/allowance.ts'
import type { Monitor } from '../../model/monitor.ts'
import {
  SAMPLE_AFTER_HOLE,
  SAMPLE_DAMAGED,
  SAMPLE_KEY,
  SAMPLE_OTHER_SIZE,
  SAMPLE_RESTART,
  SAMPLE_SKIPPED_LEADING,
  type SampleTable,
} from '../../model/sample-table.ts'
import type { Interleave } from '../learning/learn.ts'
import { type Alike, RunSplitter } from '../telling-apart/run-splitter.ts'
import { ANCHOR, ENDS_DAMAGED, LEADS_TO_ANCHOR, LOOK_AHEAD } from './evidence.ts'
import { claimedSound, fitGap, knownGap, soundBefore, soundsBefore } from './gap.ts'
import type { Lane, LaneGroup } from './lane.ts'
import { LookAhead } from './look-ahead.ts'
import type { PlacedPiece } from './placed-piece.ts'
import { WeakUnits } from './weak-units.ts'

/** Bytes between units that belong to no unit: damage, or content of tracks nobody knows. */
export interface Hole {
  readonly offset: number
  readonly length: number
  /** Rows that each lane had when the hole began: what follows lies behind it. */
  readonly rows: readonly number[]
  /** Something is missing somewhere around, and nothing tells where. */
  readonly unplaced?: true
}

/** Bytes scanned between two pauses. */
const PAUSE_BYTES = 4 << 20
/**
 * Bytes one search covers before it looks at the others again: few at first, since units mostly go on soon, and where those of
 * one track do each further search would have been in vain; then twice as many each time.
 */
const FIRST_WINDOW = 1 << 12
const SEARCH_WINDOW = 1 << 20
/**
 * Places that are read as units in vain while the end of a hole is looked for, or that of a unit which does not tell its length:
 * noise offers one in twenty bytes for speech, and fewer for anything else. In bytes that begin units everywhere not each is
 * tried any more behind a hole, and such units reach as far as they may.
 */
const VAIN_LOOKS = 1 << 20
const VAIN_LOOKS_A_BYTE = 1 / 4
const SPARSE_BYTES = 256

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
  readonly #ahead: LookAhead
  /** By the families of lanes that look alike. */
  readonly #splitters: ReadonlyMap<readonly Lane[], RunSplitter>
  /** Group of the last unit: the likeliest for the next. */
  #lastGroup = 0
  /** Offset of the last unit, or -1 when what precedes is no unit. */
  #lastOffset = -1
  #lastEnd = -1
  #afterHole: boolean[]
  readonly #vain: Allowance
  readonly #ending: Allowance

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
    this.#ahead = new LookAhead(reader, lanes, groups, interleave)
    const families = new Set(groups.map(({ family }) => family).filter(({ length }) => length > 1))
    this.#splitters = new Map(
      [...families].map((family) => [
        family,
        new RunSplitter(family, interleave, alikeOf(family), reader.work),
      ]),
    )
    this.#afterHole = lanes.map(() => false)
    this.#vain = new Allowance(VAIN_LOOKS + reader.size * VAIN_LOOKS_A_BYTE)
    this.#ending = new Allowance(VAIN_LOOKS + reader.size * VAIN_LOOKS_A_BYTE)
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
      const group = this.#ahead.choose(at, end, this.#lastGroup)
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

  /** Appends the unit of group `index` at `at`. Returns the offset behind it. */
  #take(index: number, at: number, end: number): number {
    const group = this.#groups[index]
    if (!this.#ahead.match(index, at, end)) return at
    const { unit, recogniser, pace = 1 } = group
    if (group.family !== this.#groups[this.#lastGroup].family) this.#endRun()
    if (!unit.lengthKnown) {
      const boundary = this.#boundary(index, at, at + unit.length, end)
      // looking for the boundary looked at other places with the same recogniser
      if (!this.#ahead.match(index, at, end)) return at
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
    const duration = unit.duration * pace
    const splitter = this.#splitters.get(group.family)
    if (splitter) splitter.add(at, unit.length, duration, unit.order, flags | this.#holeFlag(first))
    else {
      const ticks = this.#ticks(first, duration, recogniser.timescale)
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
        const { looks } = this.#ahead
        if (this.#ahead.match(index, next, end)) {
          const { length, evidence } = this.#groups[index].unit
          const leads = evidence >= ENDS_DAMAGED
          if (leads && this.#ahead.reaches(next + length, end, LOOK_AHEAD, ANCHOR - evidence)) nearest = next
        }
        if (!this.#ending.take(this.#ahead.looks - looks)) return nearest
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
    const known = knownGap(this.#reader, this.#lanes, this.#interleave, at, end, this.#ahead.anchored)
    if (known) return this.#place(known, at)
    // a wrong length may have led here: the last unit is only believed when nothing starts inside it
    const suspect = this.#lastEnd === at ? this.#lastOffset : -1
    const anchor = await this.#resync(suspect >= 0 ? suspect + 1 : at, at, end, monitor)
    if (anchor < at)
      return this.#retake(
        suspect,
        anchor,
        soundsBefore(this.#reader, this.#lanes, this.#interleave, suspect, anchor),
      )
    if (suspect >= 0 && anchor < end) {
      const claimed = claimedSound(this.#reader, this.#lanes, this.#interleave, suspect, at, anchor)
      if (claimed) return this.#retake(suspect, anchor, claimed)
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
    let window = FIRST_WINDOW
    let scanned = 0
    while (windowStart < end) {
      const windowEnd = Math.min(windowStart + window, end)
      window = Math.min(window * 2, SEARCH_WINDOW)
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
        const looks = this.#ahead.looks
        if (this.#ahead.match(soonest, candidate, end)) {
          const { length, evidence } = this.#groups[soonest].unit
          const leads = this.#ahead.reaches(candidate + length, end, LOOK_AHEAD, ANCHOR - evidence)
          const firm = leads || this.#ahead.standsAlone(evidence, candidate + length, end)
          if (firm && (candidate >= at || this.#ahead.runsPast(candidate + length, at, end))) {
            return weak.chainTo(candidate)
          }
          if (candidate >= at && evidence >= LEADS_TO_ANCHOR) weak.remember(candidate, candidate + length)
        }
        const step = this.#vain.take(this.#ahead.looks - looks) ? 1 : SPARSE_BYTES
        const further = Math.min(candidate + step, windowEnd)
        next[soonest] = this.#groups[soonest].recogniser.search(this.#reader, further, windowEnd)
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

  /** Takes back the last unit, at `suspect`, for a hole and the sound between it and `anchor`. Returns `anchor`. */
  #retake(suspect: number, anchor: number, sounds: readonly PlacedPiece[]): number {
    this.#dropLast(suspect)
    this.#openHole(suspect, (sounds[0]?.offset ?? anchor) - suspect)
    for (const piece of sounds) this.#appendPiece(piece)
    return anchor
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
    for (const splitter of this.#splitters.values()) splitter.hole(offset + length)
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
    this.#endRun()
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
