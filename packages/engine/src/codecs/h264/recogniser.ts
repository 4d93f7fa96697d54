import type { ByteReader } from '../../bytes/reader.ts'
import type { NalCursor } from '../nal/cursor.ts'
import { NalRecogniser, type Placing } from '../nal/nal-recogniser.ts'
import { nearOrderBits } from '../nal/near-order.ts'
import type { Unit } from '../recogniser.ts'
import { AccessUnit } from './access-unit.ts'
import { OPENS_UNIT, opensPicture } from './first-nal.ts'
import { EXTENSION_3D } from './nal-types.ts'
import { type ParameterStore, PendingSets } from './parameter-sets.ts'
import { PictureOrder } from './picture-order.ts'
import { type FieldFacts, pairsWith } from './slice-header.ts'
import type { Sps } from './sps.ts'
import { UnitWalker } from './unit-walker.ts'

/** Features of a unit that habits are kept of, and the bits by which one valid value is rarer than all. */
const FIRST_HEADER = 0
const SLICE_NAL = 1
const SLICES = 2
const STYLE = 3
const PRELUDE = 4
const HABITS = { opening: { headers: OPENS_UNIT, fits: opensPicture }, rarity: [4, 3, 0.2, 4, 2] }

/** Display order within this of the last picture's is a neighbour's. */
const NEAR_BITS = 6
/** Samples of one size that make all samples of that size. */
const CONSTANT_UNITS = 4

/** Finds H.264 access units in either NAL unit framing; see `UnitWalker` for their boundaries. */
export class H264Recogniser extends NalRecogniser<AccessUnit, ParameterStore> {
  readonly codec = 'h264'
  readonly #walker: UnitWalker
  readonly #order = new PictureOrder()
  /** Bytes of every sample behind start codes (AVC-Intra); 0 when unknown. */
  #constantSize = 0
  #constantUnits = 0
  /** Display order of the recovery point behind a hole: pictures before it cannot be decoded. */
  #leadingBelow = Number.NEGATIVE_INFINITY
  /** A first field accepted alone, which the next unit may complete. */
  #openField: FieldFacts | undefined
  /** The unit seen last is the second field of the unit before. */
  #completes = false

  constructor(cursor: NalCursor, startCodes: boolean, store: ParameterStore) {
    const walker = new UnitWalker(cursor)
    super({ cursor, startCodes }, store, walker, HABITS)
    this.#walker = walker
  }

  /** The parameter sets in force, to build an `avcC` from. */
  get parameterSets(): ReturnType<ParameterStore['all']> {
    return this.store.all()
  }

  override discontinuity(): void {
    super.discontinuity()
    this.#openField = undefined
  }

  override learn(reader: ByteReader, offset: number, length: number): void {
    if (this.#constantSize === 0) this.#constantSize = length
    this.#constantUnits = this.#constantSize === length ? this.#constantUnits + 1 : Number.NEGATIVE_INFINITY
    super.learn(reader, offset, length)
  }

  protected own(detail: unknown): AccessUnit | undefined {
    return detail instanceof AccessUnit ? detail : undefined
  }

  protected make(): AccessUnit {
    return new AccessUnit(new PendingSets(this.store))
  }

  protected describe(found: AccessUnit, unit: Unit, offset: number, end: number): void {
    unit.key = found.first.idr
    unit.recovery = !found.first.idr && found.recoveryFrames === 0 && found.intra
    if (this.startCodes && this.#constantUnits >= CONSTANT_UNITS && offset + this.#constantSize <= end) {
      unit.length = this.#constantSize
      unit.lengthKnown = true
    }
  }

  protected begin(found: AccessUnit, unit: Unit): boolean | undefined {
    const { first, second, hasSecond } = found
    const { sps } = first
    if (!sps) return undefined
    this.period = periodOf(sps)
    this.see(found)
    const completes = this.#completes
    unit.gap = completes ? 0 : this.#order.gapBefore(first, sps)
    const resets = first.resets || (hasSecond && second.resets)
    return !completes && (first.idr || resets || !this.started)
  }

  protected override see(found: AccessUnit): void {
    const { first } = found
    this.#completes = this.#openField !== undefined && !found.hasSecond && pairsWith(this.#openField, first)
    if (this.#completes) this.#walker.separateFields = true
    const alone = first.field && !found.hasSecond && !this.#completes
    const { field, bottom, frameNum, refIdc, idr, sps } = first
    this.#openField = alone ? { field, bottom, frameNum, refIdc, idr, sps } : undefined
    super.see(found)
  }

  protected orderOf(found: AccessUnit): number {
    const { first, second, hasSecond } = found
    if (!first.sps) return 0
    const order = this.#order.next(first, first.sps)
    if (!hasSecond || !second.sps) return order
    const other = this.#order.next(second, second.sps)
    return second.resets ? other : Math.min(order, other)
  }

  protected reanchor({ first }: AccessUnit): void {
    this.#order.reanchor(first)
  }

  protected isLeading(_found: AccessUnit, unit: Unit, { order, restart }: Placing): boolean {
    if (!this.linked) this.#leadingBelow = unit.recovery ? order : Number.NEGATIVE_INFINITY
    else if (restart) this.#leadingBelow = Number.NEGATIVE_INFINITY
    return order < this.#leadingBelow
  }

  protected trailerOf(header: number): number | undefined {
    const type = header & 31
    return type === 0 || type > EXTENSION_3D ? type : undefined
  }

  protected featuresOf(found: AccessUnit, features: number[]): void {
    const { first } = found
    features[FIRST_HEADER] = found.firstHeader
    features[SLICE_NAL] = first.nalType + 32 * first.refIdc
    features[SLICES] = found.slices
    features[STYLE] = first.style
    features[PRELUDE] = found.prelude
  }

  protected contextBits({ first }: AccessUnit): number {
    const { sps } = first
    if (!sps || !this.linked || first.idr) return 0
    let bits = 0
    if (first.frameNum === this.#order.expectedFrameNum(sps)) bits += sps.log2MaxFrameNum
    if (sps.pocType === 0) bits += nearOrderBits(first.pocLsb, this.lastOrder, sps.log2MaxPocLsb, NEAR_BITS)
    return bits
  }
}

/** Picture order counts after which the numbers in slice headers repeat; 0 when they are not in proportion to pictures. */
function periodOf(sps: Sps): number {
  if (sps.pocType === 0) return 2 ** sps.log2MaxPocLsb
  return sps.pocType === 2 ? 2 * 2 ** sps.log2MaxFrameNum : 0
}
