import type { ByteReader } from '../../bytes/reader.ts'
import { isZero } from '../../bytes/zeros.ts'
import { Padding } from '../padding.ts'
import { type Recogniser, Unit } from '../recogniser.ts'
import type { NalCursor } from './cursor.ts'
import { Habits } from './habits.ts'
import { isIntact } from './intact.ts'
import { type Opening, searchLength, searchStartCode } from './search.ts'
import { StepLearner } from './step-learner.ts'

/** After a hole, display order that goes back by more than this many pictures began anew: no encoder reorders so far. */
const REORDER_SPAN = 20
/** The most that speaks for a unit whose own parameter set tells another picture size: files hold several tracks. */
const OTHER_SIZE_EVIDENCE = 24

/** What is found in one access unit, kept in `Unit.detail` between `recognise` and `accept`. */
export interface NalUnit<Store> {
  /** The recogniser that filled it. */
  owner: object | undefined
  readonly offset: number
  /** Parameter sets in the unit: in force once it is accepted. */
  readonly sets: { readonly otherSize: boolean; of(store: Store): boolean; commit(): void }
  /** A slice ends in zeros, which none does. */
  readonly zeroTail: boolean
  /** Bits of structure that checked out. */
  readonly evidence: number
  reset(owner: object, offset: number): void
}

/** Walks the NAL units of one access unit. */
export interface NalWalker<Found> {
  /** NAL unit types beyond the standard's that the stream was seen to put behind its slices. */
  readonly trailers: Set<number>
  /** The end of the unit at `offset`, its facts in `found`; -1 when none starts there. */
  walk(reader: ByteReader, offset: number, end: number, found: Found): number
}

/** How a unit comes to lie in display order. */
export interface Placing {
  readonly order: number
  /** Display order starts anew. */
  readonly restart: boolean
}

/** The part that H.264 and HEVC share: finding access units in either NAL unit framing, and learning an encoder's habits. */
export abstract class NalRecogniser<Found extends NalUnit<Store>, Store extends { readonly bound: number }>
  implements Recogniser
{
  abstract readonly codec: string
  readonly timescale = 0
  readonly selfDelimiting = true
  protected readonly cursor: NalCursor
  protected readonly startCodes: boolean
  protected readonly store: Store
  /** The last unit is the next one's neighbour. */
  protected linked = false
  protected started = false
  protected lastOrder = 0
  protected period = 0
  readonly #walker: NalWalker<Found>
  readonly #opening: Opening
  readonly #rarity: readonly number[]
  readonly #steps = new StepLearner()
  readonly #habits: Habits
  readonly #features: number[]
  readonly #learning = new Unit()
  readonly #padding = new Padding([0])

  /**
   * `rarity` has, for each feature of a unit that habits are kept of, the bits by which one valid value is rarer than all;
   * `opening` says which NAL units begin a unit.
   */
  constructor(
    framing: { readonly cursor: NalCursor; readonly startCodes: boolean },
    store: Store,
    walker: NalWalker<Found>,
    { opening, rarity }: { readonly opening: Opening; readonly rarity: readonly number[] },
  ) {
    this.cursor = framing.cursor
    this.startCodes = framing.startCodes
    this.store = store
    this.#walker = walker
    this.#opening = opening
    this.#rarity = rarity
    this.#habits = new Habits(rarity.length)
    this.#features = rarity.map(() => 0)
  }

  /** The unit's detail where it is of this codec, in front of the parameter sets in force. */
  protected abstract own(detail: unknown): Found | undefined
  protected abstract make(): Found
  /** Writes the features of a unit, in the order of their rarities. */
  protected abstract featuresOf(found: Found, features: number[]): void
  /** What the numbering says to the unit being the next: nothing against it, since pictures may have been lost. */
  protected abstract contextBits(found: Found): number
  /** Says whether a decoder can start at the unit, and what else its headers tell. */
  protected abstract describe(found: Found, unit: Unit, offset: number, end: number): void
  /**
   * Takes in a unit of the track before its order is known, and sets its gap. Returns whether display order starts anew;
   * undefined when nothing tells an order.
   */
  protected abstract begin(found: Found, unit: Unit): boolean | undefined
  protected abstract orderOf(found: Found): number
  /** Counts display order anew from this unit on. */
  protected abstract reanchor(found: Found): void
  /** Says whether the unit, whose order is known now, leads to what is lost. */
  protected abstract isLeading(found: Found, unit: Unit, placing: Placing): boolean
  /** Whether a NAL unit that stands behind a unit's slices, by its header's first byte, is of a type beyond the standard's. */
  protected abstract trailerOf(header: number): number | undefined

  get orderStep(): number {
    return this.#steps.step
  }

  get orderPeriod(): number {
    return this.period
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const found = this.#detail(unit)
    found.reset(this, offset)
    const unitEnd = this.#walker.walk(reader, offset, end, found)
    if (unitEnd < 0) {
      found.owner = undefined
      return false
    }
    unit.length = this.#padding.end(reader, offset, unitEnd, end) - offset
    unit.duration = 0
    unit.lengthKnown = !this.startCodes
    unit.damaged = found.zeroTail
    this.describe(found, unit, offset, end)
    const evidence = found.evidence + this.#habitBits(found) + this.contextBits(found)
    unit.otherSize = found.sets.otherSize
    unit.evidence = Math.max(0, unit.otherSize ? Math.min(evidence, OTHER_SIZE_EVIDENCE) : evidence)
    return true
  }

  accept(reader: ByteReader, offset: number, unit: Unit): void {
    let found = this.#detail(unit)
    if (found.owner !== this || found.offset !== offset) {
      if (!this.recognise(reader, offset, offset + unit.length, unit)) return
      found = this.#detail(unit)
    }
    found.sets.commit()
    let restart = this.begin(found, unit)
    if (restart === undefined) return
    let order = this.orderOf(found)
    if (!restart && !this.linked && order < this.lastOrder - REORDER_SPAN * this.orderStep) {
      this.reanchor(found)
      order = this.orderOf(found)
      restart = true
    }
    unit.order = order
    unit.restart = restart
    unit.leading = this.isLeading(found, unit, { order, restart })
    this.#steps.see(order, restart)
    this.lastOrder = order
    this.linked = true
    this.started = true
  }

  discontinuity(): void {
    this.linked = false
    this.#steps.restart()
  }

  learn(reader: ByteReader, offset: number, length: number): void {
    const end = offset + length
    if (!this.recognise(reader, offset, end, this.#learning)) return
    const found = this.#detail(this.#learning)
    found.sets.commit()
    this.see(found)
    let position = offset + this.#learning.length
    this.#padding.learn(length, isZero(reader, position, end) ? end - position : 0)
    while (position < end && this.cursor.read(reader, position, end, length)) {
      const type = this.trailerOf(reader.u8(this.cursor.start))
      if (type !== undefined) this.#walker.trailers.add(type)
      position = this.cursor.next
    }
  }

  intact(reader: ByteReader, offset: number, length: number): boolean {
    return isIntact(reader, this.cursor, offset, length)
  }

  search(reader: ByteReader, from: number, end: number): number {
    if (this.startCodes) return searchStartCode(reader, from, end, this.#opening)
    return searchLength(reader, from, end, this.cursor.framing, this.store.bound, this.#opening)
  }

  /** Counts the unit's habits. */
  protected see(found: Found): void {
    this.featuresOf(found, this.#features)
    this.#habits.see(this.#features)
  }

  #habitBits(found: Found): number {
    this.featuresOf(found, this.#features)
    return this.#habits.bitsOf(this.#features, this.#rarity)
  }

  #detail(unit: Unit): Found {
    const own = this.own(unit.detail)
    if (own?.sets.of(this.store)) return own
    const made = this.make()
    unit.detail = made
    return made
  }
}
