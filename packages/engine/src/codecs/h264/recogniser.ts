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
import { EXTENSION_3D } from './nal-types.ts'
import { type ParameterStore, PendingSets } from './parameter-sets.ts'
import { PictureOrder } from './picture-order.ts'
import { type FieldFacts, pairsWith, type SliceHeader } from './slice-header.ts'
import type { Sps } from './sps.ts'
import { UnitWalker } from './unit-walker.ts'

const OPENING: Opening = { headers: OPENS_UNIT, fits: opensPicture }

/** Features of a unit that habits are kept of, and the bits by which one valid value is rarer than all. */
const FIRST_HEADER = 0
const SLICE_NAL = 1
const SLICES = 2
const STYLE = 3
const PRELUDE = 4
const RARITY = [4, 3, 0.2, 4, 2]

/** After a hole, display order that goes back by more than this many pictures began anew: no encoder reorders so far. */
const REORDER_SPAN = 20
/** Display order within this of the last picture's is a neighbour's. */
const NEAR_BITS = 6

/** Samples of one size that make all samples of that size. */
const CONSTANT_UNITS = 4
/** The most that speaks for a unit whose own parameter set tells another picture size: files hold several tracks. */
const OTHER_SIZE_EVIDENCE = 24

/** Finds H.264 access units in either NAL unit framing; see `UnitWalker` for their boundaries. */
export class H264Recogniser implements Recogniser {
  readonly codec = 'h264'
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
  /** Bytes of every sample behind start codes (AVC-Intra); 0 when unknown. */
  #constantSize = 0
  #constantUnits = 0
  /** The last unit is the next one's neighbour. */
  #linked = false
  #started = false
  #lastOrder = 0
  #period = 0
  /** Display order of the recovery point behind a hole: pictures before it cannot be decoded. */
  #leadingBelow = Number.NEGATIVE_INFINITY
  /** A first field accepted alone, which the next unit may complete. */
  #openField: FieldFacts | undefined

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

  /** The parameter sets in force, to build an `avcC` from. */
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
    unit.key = first.idr
    unit.recovery = !first.idr && found.recoveryFrames === 0 && found.intra
    unit.duration = 0
    unit.lengthKnown = !this.#startCodes
    if (this.#startCodes && this.#constantUnits >= CONSTANT_UNITS && offset + this.#constantSize <= end) {
      unit.length = this.#constantSize
      unit.lengthKnown = true
    }
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
    const { first, second, hasSecond } = found
    const { sps } = first
    if (!sps) return
    this.#period = periodOf(sps)
    const completes = this.#seeUnit(found)
    unit.gap = completes ? 0 : this.#order.gapBefore(first, sps)
    const resets = first.resets || (hasSecond && second.resets)
    let restart = !completes && (first.idr || resets || !this.#started)
    let order = this.#orderOf(found)
    if (!restart && !this.#linked && order < this.#lastOrder - REORDER_SPAN * this.orderStep) {
      this.#order.reanchor(first)
      order = this.#orderOf(found)
      restart = true
    }
    if (!this.#linked) this.#leadingBelow = unit.recovery ? order : Number.NEGATIVE_INFINITY
    else if (restart) this.#leadingBelow = Number.NEGATIVE_INFINITY
    unit.order = order
    unit.restart = restart
    unit.leading = order < this.#leadingBelow
    this.#steps.see(order, restart)
    this.#lastOrder = order
    this.#linked = true
    this.#started = true
  }

  discontinuity(): void {
    this.#linked = false
    this.#openField = undefined
    this.#steps.restart()
  }

  learn(reader: ByteReader, offset: number, length: number): void {
    const end = offset + length
    if (this.#constantSize === 0) this.#constantSize = length
    this.#constantUnits = this.#constantSize === length ? this.#constantUnits + 1 : Number.NEGATIVE_INFINITY
    if (!this.recognise(reader, offset, end, this.#learning)) return
    const found = this.#detail(this.#learning)
    found.sets.commit()
    this.#seeUnit(found)
    let position = offset + this.#learning.length
    this.#padding.learn(length, isZero(reader, position, end) ? end - position : 0)
    while (position < end && this.#cursor.read(reader, position, end, length)) {
      const type = reader.u8(this.#cursor.start) & 31
      if (type === 0 || type > EXTENSION_3D) this.#walker.trailers.add(type)
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

  #orderOf(found: AccessUnit): number {
    const { first, second, hasSecond } = found
    if (!first.sps) return 0
    const order = this.#order.next(first, first.sps)
    if (!hasSecond || !second.sps) return order
    const other = this.#order.next(second, second.sps)
    return second.resets ? other : Math.min(order, other)
  }

  /** Counts the unit's habits. Returns whether it is the second field of the unit before. */
  #seeUnit(found: AccessUnit): boolean {
    const { first } = found
    const completes = this.#openField !== undefined && !found.hasSecond && pairsWith(this.#openField, first)
    if (completes) this.#walker.separateFields = true
    const alone = first.field && !found.hasSecond && !completes
    const { field, bottom, frameNum, refIdc, idr, sps } = first
    this.#openField = alone ? { field, bottom, frameNum, refIdc, idr, sps } : undefined
    this.#setFeatures(found)
    this.#habits.see(this.#features)
    return completes
  }

  #setFeatures(found: AccessUnit): void {
    const { first } = found
    this.#features[FIRST_HEADER] = found.firstHeader
    this.#features[SLICE_NAL] = first.nalType + 32 * first.refIdc
    this.#features[SLICES] = found.slices
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
    if (!sps || !this.#linked || first.idr) return 0
    let bits = 0
    if (first.frameNum === this.#order.expectedFrameNum(sps)) bits += sps.log2MaxFrameNum
    if (sps.pocType === 0) bits += nearOrderBits(first.pocLsb, this.#lastOrder, sps.log2MaxPocLsb, NEAR_BITS)
    return bits
  }
}

/** Picture order counts after which the numbers in slice headers repeat; 0 when they are not in proportion to pictures. */
function periodOf(sps: Sps): number {
  if (sps.pocType === 0) return 2 ** sps.log2MaxPocLsb
  return sps.pocType === 2 ? 2 * 2 ** sps.log2MaxFrameNum : 0
}
