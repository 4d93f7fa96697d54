import type { ByteReader } from '../../bytes/reader.ts'
import { looksOf } from '../../codecs/recogniser.ts'
import type { Interleave } from '../learning/learn.ts'
import { ANCHOR, BEHIND_GAP, EXPECTED, GAP_COST, JOINED, LOOK_AHEAD, PLAUSIBLE } from './evidence.ts'
import { type Anchored, knownGap } from './gap.ts'
import type { Lane, LaneGroup } from './lane.ts'

/** Gaps of the sample, the commonest, that may lie behind a unit in doubt: each is looked for behind each before it. */
const COMMON_GAPS = 8

/**
 * Tells which unit stands at a place, by the bits that it shows itself and those of what follows. Changes nothing but what groups
 * remember of their last look.
 */
export class LookAhead {
  /** Places read so far as units of some group; where there is one, its bytes count too. */
  looks = 0
  readonly #reader: ByteReader
  readonly #lanes: readonly Lane[]
  readonly #groups: readonly LaneGroup[]
  readonly #interleave: Interleave
  /** The same with its commonest gaps alone. */
  readonly #common: Interleave
  /** Further groups of each group's codec, which may read its units otherwise. */
  readonly #rivals: readonly (readonly number[])[]
  /** What a unit must show where the previous one ended if nothing else matches there. */
  readonly #least: number

  constructor(
    reader: ByteReader,
    lanes: readonly Lane[],
    groups: readonly LaneGroup[],
    interleave: Interleave,
  ) {
    this.#reader = reader
    this.#lanes = lanes
    this.#groups = groups
    this.#interleave = interleave
    const joins = interleave.filler === 0 && lanes.every(({ group }) => group >= 0)
    this.#least = joins ? JOINED : PLAUSIBLE
    this.#common = { ...interleave, patterns: interleave.patterns.slice(0, COMMON_GAPS) }
    this.#rivals = groups.map(({ recogniser }, own) =>
      groups.flatMap((other, index) =>
        index !== own && other.recogniser.codec === recogniser.codec ? [index] : [],
      ),
    )
  }

  /** Whether a unit of group `index` stands at `at`; what the group's `unit` says then is true of it until it looks elsewhere. */
  match(index: number, at: number, end: number): boolean {
    const group = this.#groups[index]
    if (group.at !== at) {
      group.at = at
      group.matched = group.recogniser.recognise(this.#reader, at, end, group.unit)
      this.looks += looksOf(group.matched, group.unit)
    }
    return group.matched
  }

  /** The group whose unit at `at` is believed, or -1; that of the last unit, `lastGroup`, is the likeliest. */
  choose(at: number, end: number, lastGroup: number): number {
    const groups = this.#groups
    let best = -1
    let bestEvidence = 0
    let matches = 0
    for (let i = 0; i < groups.length; i++) {
      // the last group first: units come in runs
      const index = i === 0 ? lastGroup : i <= lastGroup ? i - 1 : i
      if (!this.match(index, at, end)) continue
      const { evidence } = groups[index].unit
      if (evidence >= EXPECTED && !this.#isDisputed(index, at, end)) return this.#parted(index, at, end)
      matches++
      if (best < 0 || evidence > bestEvidence) {
        best = index
        bestEvidence = evidence
      }
    }
    if (matches === 0) return -1
    if (matches === 1) {
      if (bestEvidence >= this.#least) return best
      // one further than behind a hole: what ends one must be taken here
      return this.reaches(at, end, LOOK_AHEAD + 1, PLAUSIBLE) ? best : -1
    }
    return this.#bestOf(at, end)
  }

  /**
   * The group of a picture that sound of group `index` begins with, read by chance, where that picture and units which join it
   * end where the sound does and show more together; else `index`.
   */
  #parted(index: number, at: number, end: number): number {
    const { unit, lanes } = this.#groups[index]
    if (lanes[0].description.kind !== 'audio') return index
    const { evidence, length } = unit
    for (const [other, group] of this.#groups.entries()) {
      if (group.lanes[0].description.kind !== 'video' || !this.match(other, at, end)) continue
      if (group.unit.evidence < PLAUSIBLE || group.unit.length >= length) continue
      const picture = group.unit.evidence
      const joined = this.#joined(at + group.unit.length, at + length, end)
      if (joined > 0 && picture + joined > evidence) return other
    }
    return index
  }

  /** Bits that units show which join from `from` on and end at `until`; 0 where none do. */
  #joined(from: number, until: number, end: number): number {
    let total = 0
    let at = from
    for (let units = 0; units < LOOK_AHEAD && at < until; units++) {
      const index = this.#groups.findIndex((_, i) => this.match(i, at, end))
      if (index < 0) return 0
      total += this.#groups[index].unit.evidence
      at += this.#groups[index].unit.length
    }
    return at === until ? total : 0
  }

  /** Whether another group of the same codec reads a unit of another length where group `index` does. */
  #isDisputed(index: number, at: number, end: number): boolean {
    const { length } = this.#groups[index].unit
    return this.#rivals[index].some(
      (rival) => this.match(rival, at, end) && this.#groups[rival].unit.length !== length,
    )
  }

  /** Compares all groups that match at `at` by what follows them. */
  #bestOf(at: number, end: number): number {
    let best = -1
    let bestTotal = PLAUSIBLE - 1
    for (let index = 0; index < this.#groups.length; index++) {
      if (!this.match(index, at, end)) continue
      const { evidence, length } = this.#groups[index].unit
      const total = evidence + this.chain(at + length, end, LOOK_AHEAD)
      if (total > bestTotal) {
        best = index
        bestTotal = total
      }
    }
    return best
  }

  /** Evidence of the best chain of units from `at` on, up to `depth` units or what an anchor needs. */
  chain(at: number, end: number, depth: number, gaps = true): number {
    if (at >= end) return at === end ? PLAUSIBLE : 0
    if (depth === 0) return 0
    let best = 0
    for (let index = 0; index < this.#groups.length; index++) {
      if (!this.match(index, at, end)) continue
      const { evidence, length } = this.#groups[index].unit
      const total = evidence >= ANCHOR ? evidence : evidence + this.chain(at + length, end, depth - 1, gaps)
      if (total > best) best = total
      if (best >= ANCHOR) return best
    }
    if (best > 0 || !gaps) return best
    const gap = knownGap(this.#reader, this.#lanes, this.#interleave, at, end, this.anchored)
    const last = gap?.at(-1)
    if (!last) return 0
    return Math.max(0, this.chain(last.offset + last.length, end, depth - 1) - GAP_COST)
  }

  /**
   * Whether the best chain from `at` on shows `need` bits, an anchor's at most: the same as `chain` says, without looking further
   * than it takes.
   */
  reaches(at: number, end: number, depth: number, need: number): boolean {
    if (need <= 0) return true
    if (at >= end) return at === end && PLAUSIBLE >= need
    if (depth === 0) return false
    let shows = false
    for (let index = 0; index < this.#groups.length; index++) {
      if (!this.match(index, at, end)) continue
      const { evidence, length } = this.#groups[index].unit
      if (this.reaches(at + length, end, depth - 1, need - evidence)) return true
      shows ||= evidence > 0 || this.reaches(at + length, end, depth - 1, Number.MIN_VALUE)
    }
    if (shows) return false
    const last = knownGap(this.#reader, this.#lanes, this.#interleave, at, end, this.anchored)?.at(-1)
    return last !== undefined && this.chain(last.offset + last.length, end, depth - 1) - GAP_COST >= need
  }

  /**
   * Whether a unit that shows `need` bits, or weaker ones that do together, with a known gap between them at most, stands at
   * `at`.
   */
  readonly anchored: Anchored = (at, end, need) => this.#stands(at, end, need, this.#anchoredNear)

  /** The same without a gap between them. */
  readonly #anchoredNear: Anchored = (at, end, need) => this.#stands(at, end, need)

  #stands(at: number, end: number, need: number, behindGap?: Anchored): boolean {
    for (let index = 0; index < this.#groups.length; index++) {
      if (!this.match(index, at, end)) continue
      const { length, evidence } = this.#groups[index].unit
      const next = at + length
      if (evidence >= need || evidence + this.chain(next, end, 2, false) >= need) return true
      if (!behindGap) continue
      const last = knownGap(this.#reader, this.#lanes, this.#common, next, end, behindGap)?.at(-1)
      if (!last) continue
      const chain = this.chain(last.offset + last.length, end, 2, false)
      if (evidence + chain - GAP_COST >= need) return true
    }
    return false
  }

  /**
   * Whether a unit with `evidence` that ends at `from` is one of those that stand alone: in recordings with tracks nobody knows,
   * where the next one comes within the usual distance.
   */
  standsAlone(evidence: number, from: number, end: number): boolean {
    const { filler } = this.#interleave
    if (filler === 0 || evidence < PLAUSIBLE) return false
    const until = from + filler
    if (until >= end) return true
    for (const [index, { recogniser }] of this.#groups.entries()) {
      for (let at = from; at <= until; at++) {
        at = recogniser.search(this.#reader, at, until + 1)
        if (at <= until && this.match(index, at, end) && this.#groups[index].unit.evidence >= BEHIND_GAP)
          return true
      }
    }
    return false
  }

  /**
   * Whether units that join from `from` on lead past `at` without one ending there: the unit that ended at `at` swallowed others.
   * Units inside it that end with it are its own.
   */
  runsPast(from: number, at: number, end: number): boolean {
    let next = from
    while (next < at) {
      const index = this.#groups.findIndex((_, i) => this.match(i, next, end))
      if (index < 0) return false
      next += this.#groups[index].unit.length
    }
    return next > at
  }
}
