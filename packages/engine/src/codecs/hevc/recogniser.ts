import type { NalCursor } from '../nal/cursor.ts'
import { NalRecogniser } from '../nal/nal-recogniser.ts'
import { nearOrderBits } from '../nal/near-order.ts'
import type { Unit } from '../recogniser.ts'
import { AccessUnit } from './access-unit.ts'
import { OPENS_UNIT, opensPicture } from './first-nal.ts'
import { FILLER, isIrap, isRasl, SUFFIX_SEI } from './nal-types.ts'
import { type ParameterStore, PendingSets } from './parameter-sets.ts'
import { PictureOrder } from './picture-order.ts'
import { UnitWalker } from './unit-walker.ts'

/** Features of a unit that habits are kept of, and the bits by which one valid value is rarer than all. */
const FIRST_TYPE = 0
const SLICE_NAL = 1
const SEGMENTS = 2
const STYLE = 3
const PRELUDE = 4
const HABITS = { opening: { headers: OPENS_UNIT, fits: opensPicture }, rarity: [4, 4, 0.2, 3, 2] }

/** Display order within this of the last picture's is a neighbour's. */
const NEAR_BITS = 5

/** Finds HEVC access units in either NAL unit framing; see `UnitWalker` for their boundaries. */
export class HevcRecogniser extends NalRecogniser<AccessUnit, ParameterStore> {
  readonly codec = 'hevc'
  readonly #order = new PictureOrder()
  /** The last IRAP picture follows a hole: its RASL pictures refer to what is lost. */
  #raslLost = false

  constructor(cursor: NalCursor, startCodes: boolean, store: ParameterStore) {
    super({ cursor, startCodes }, store, new UnitWalker(cursor), HABITS)
  }

  /** The parameter sets in force, to build an `hvcC` from. */
  get parameterSets(): ReturnType<ParameterStore['all']> {
    return this.store.all()
  }

  protected own(detail: unknown): AccessUnit | undefined {
    return detail instanceof AccessUnit ? detail : undefined
  }

  protected make(): AccessUnit {
    return new AccessUnit(new PendingSets(this.store))
  }

  protected describe({ first }: AccessUnit, unit: Unit): void {
    unit.key = isIrap(first.nalType)
    unit.recovery = false
  }

  protected begin(found: AccessUnit, unit: Unit): boolean {
    this.see(found)
    const { first } = found
    this.period = first.sps ? 2 ** first.sps.log2MaxPocLsb : 0
    unit.gap = 0
    return this.#order.begins(first) || !this.started
  }

  protected orderOf({ first }: AccessUnit): number {
    return this.#order.next(first)
  }

  protected reanchor({ first }: AccessUnit): void {
    this.#order.reanchor(first)
  }

  protected isLeading({ first, ends }: AccessUnit): boolean {
    if (isIrap(first.nalType)) this.#raslLost = !this.linked || this.#order.raslSkipped
    if (ends) this.#order.endSequence()
    return isRasl(first.nalType) && this.#raslLost
  }

  protected trailerOf(header: number): number | undefined {
    const type = header >> 1
    return type > SUFFIX_SEI || type === FILLER ? type : undefined
  }

  protected featuresOf(found: AccessUnit, features: number[]): void {
    const { first } = found
    features[FIRST_TYPE] = found.firstHeader
    features[SLICE_NAL] = first.nalType + 64 * first.temporalId
    features[SEGMENTS] = found.segments
    features[STYLE] = first.style
    features[PRELUDE] = found.prelude
  }

  protected contextBits({ first }: AccessUnit): number {
    const { sps } = first
    if (!sps || !this.linked || this.#order.begins(first)) return 0
    return nearOrderBits(first.pocLsb, this.lastOrder, sps.log2MaxPocLsb, NEAR_BITS)
  }
}
