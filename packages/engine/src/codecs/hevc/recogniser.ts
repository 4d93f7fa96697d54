import type { ByteReader } from '../../bytes/reader.ts'
import { isZero } from '../../bytes/zeros.ts'
import type { NalCursor } from '../nal/cursor.ts'
import { Habits } from '../nal/habits.ts'
import { isIntact } from '../nal/intact.ts'
import { nearOrderBits } from '../nal/near-order.ts'
import { type Opening, searchLength, searchStartCode } from '../nal/search.ts'
import { StepLearner } from '../nal/step-learner.ts'
import { Padding } from '../padding.ts'
import { type Recogniser, Unit } from '../recogniser.ts'
import { AccessUnit } from './access-unit.ts'
import { OPENS_UNIT, opensPicture } from './first-nal.ts'
import { FILLER, isIrap, isRasl, SUFFIX_SEI } from './nal-types.ts'
import { type ParameterStore, PendingSets } from './parameter-sets.ts'
import { PictureOrder } from './picture-order.ts'
import type { SliceHeader } from './slice-header.ts'
import { UnitWalker } from './unit-walker.ts'

const OPENING: Opening = { headers: OPENS_UNIT, fits: opensPicture }

/** Features of a unit that habits are kept of, and the bits by which one valid value is rarer than all. */
const FIRST_TYPE = 0
const SLICE_NAL = 1
const SEGMENTS = 2
const STYLE = 3
const PRELUDE = 4
const RARITY = [4, 4, 0.2, 3, 2]

/** After a hole, display order that goes back by more than this many pictures began anew: no encoder reorders so far. */
const REORDER_SPAN = 20
/** Display order within this of the last picture's is a neighbour's. */
const NEAR_BITS = 5

/** The most that speaks for a unit whose own parameter set tells another picture size: files hold several tracks. */
const OTHER_SIZE_EVIDENCE = 24

/** Finds HEVC access units in either NAL unit framing; see `UnitWalker` for their boundaries. */
export class HevcRecogniser implements Recogniser {
  readonly codec = 'hevc'
  readonly timescale = 0
  readonly selfDelimiting = true
  readonly #cursor: NalCursor
  readonly #startCodes: boolean
  readonly #store: ParameterStore
  readonly #walker: UnitWalker
  readonly #order = new PictureOrder()
  readonly #steps = new StepLearner()
  readonly #habits = new Habits(RARITY.length)
  readonly #features = RARITY.map(() => 0)
  readonly #learning = new Unit()
  readonly #padding = new Padding([0])
  /** The last unit is the next one's neighbour. */
  #linked = false
  #started = false
  #lastOrder = 0
  #period = 0
  /** The last IRAP picture follows a hole: its RASL pictures refer to what is lost. */
  #raslLost = false

  constructor(cursor: NalCursor, startCodes: boolean, store: ParameterStore) {
    this.#cursor = cursor
    this.#startCodes = startCodes
    this.#store = store
    this.#walker = new UnitWalker(cursor)
  }

  get orderStep(): number {
    return this.#steps.step
  }

  get orderPeriod(): number {
    return this.#period
  }

  /** The parameter sets in force, to build an `hvcC` from. */
  get parameterSets(): ReturnType<ParameterStore['all']> {
    return this.#store.all()
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const found = this.#detail(unit)
    found.reset(this, offset)
    const unitEnd = this.#walker.walk(reader, offset, end, found)
    if (unitEnd < 0) {
      found.owner = undefined
      return false
    }
    const { first } = found
    unit.length = this.#padding.end(reader, offset, unitEnd, end) - offset
    unit.key = isIrap(first.nalType)
    unit.recovery = false
    unit.duration = 0
    unit.lengthKnown = !this.#startCodes
    unit.damaged = found.zeroTail
    const evidence = found.evidence + this.#habitBits(found) + this.#contextBits(first)
    unit.otherSize = found.sets.otherSize
    unit.evidence = Math.max(0, found.sets.otherSize ? Math.min(evidence, OTHER_SIZE_EVIDENCE) : evidence)
    return true
  }

  accept(reader: ByteReader, offset: number, unit: Unit): void {
    let found = this.#detail(unit)
    if (found.owner !== this || found.offset !== offset) {
      if (!this.recognise(reader, offset, offset + unit.length, unit)) return
      found = this.#detail(unit)
    }
    found.sets.commit()
    this.#see(found)
    const { first } = found
    this.#period = first.sps ? 2 ** first.sps.log2MaxPocLsb : 0
    let restart = this.#order.begins(first) || !this.#started
    let order = this.#order.next(first)
    if (!restart && !this.#linked && order < this.#lastOrder - REORDER_SPAN * this.orderStep) {
      this.#order.reanchor(first)
      order = this.#order.next(first)
      restart = true
    }
    if (isIrap(first.nalType)) this.#raslLost = !this.#linked || this.#order.raslSkipped
    if (found.ends) this.#order.endSequence()
    unit.gap = 0
    unit.order = order
    unit.restart = restart
    unit.leading = isRasl(first.nalType) && this.#raslLost
    this.#steps.see(order, restart)
    this.#lastOrder = order
    this.#linked = true
    this.#started = true
  }

  discontinuity(): void {
    this.#linked = false
    this.#steps.restart()
  }

  learn(reader: ByteReader, offset: number, length: number): void {
    const end = offset + length
    if (!this.recognise(reader, offset, end, this.#learning)) return
    const found = this.#detail(this.#learning)
    found.sets.commit()
    this.#see(found)
    let position = offset + this.#learning.length
    this.#padding.learn(length, isZero(reader, position, end) ? end - position : 0)
    while (position < end && this.#cursor.read(reader, position, end, length)) {
      const type = reader.u8(this.#cursor.start) >> 1
      if (type > SUFFIX_SEI || type === FILLER) this.#walker.trailers.add(type)
      position = this.#cursor.next
    }
  }

  intact(reader: ByteReader, offset: number, length: number): boolean {
    return isIntact(reader, this.#cursor, offset, length)
  }

  search(reader: ByteReader, from: number, end: number): number {
    if (this.#startCodes) return searchStartCode(reader, from, end, OPENING)
    return searchLength(reader, from, end, this.#cursor.framing, this.#store.bound, OPENING)
  }

  #detail(unit: Unit): AccessUnit {
    if (unit.detail instanceof AccessUnit && unit.detail.sets.of(this.#store)) return unit.detail
    const detail = new AccessUnit(new PendingSets(this.#store))
    unit.detail = detail
    return detail
  }

  #see(found: AccessUnit): void {
    this.#setFeatures(found)
    this.#habits.see(this.#features)
  }

  #setFeatures(found: AccessUnit): void {
    const { first } = found
    this.#features[FIRST_TYPE] = found.firstHeader
    this.#features[SLICE_NAL] = first.nalType + 64 * first.temporalId
    this.#features[SEGMENTS] = found.segments
    this.#features[STYLE] = first.style
    this.#features[PRELUDE] = found.prelude
  }

  #habitBits(found: AccessUnit): number {
    this.#setFeatures(found)
    return this.#habits.bitsOf(this.#features, RARITY)
  }

  /** What the numbering says to the unit being the next: nothing against it, since pictures may have been lost. */
  #contextBits(first: SliceHeader): number {
    const { sps } = first
    if (!sps || !this.#linked || this.#order.begins(first)) return 0
    return nearOrderBits(first.pocLsb, this.#lastOrder, sps.log2MaxPocLsb, NEAR_BITS)
  }
}
