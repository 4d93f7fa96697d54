import type { ByteReader } from '../../bytes/reader.ts'
import { nextStartCode } from '../nal/start-code.ts'
import { type Recogniser, Unit } from '../recogniser.ts'
import { essenceHead, fillEnd, withEssenceHead } from './essence-head.ts'
import { GroupTimes } from './group-times.ts'
import { B_PICTURE, I_PICTURE, REFERENCE_CYCLE, type Sequence } from './headers.ts'
import { Stuffing } from './stuffing.ts'
import { GROUP, PICTURE, PictureUnit, SEQUENCE, UnitWalker } from './unit-walker.ts'

const SIZE_EVIDENCE = 8
const BYTE_EVIDENCE = 8

/** Finds MPEG-1 and MPEG-2 frames with the headers before them; the last row of slices is read to find their ends. */
export class Mpeg12Recogniser implements Recogniser {
  readonly codec: string
  readonly timescale = 0
  readonly orderStep = 1
  readonly orderPeriod = 0
  readonly selfDelimiting = true
  readonly #walker = new UnitWalker()
  readonly #width: number
  readonly #learning = new Unit()
  /** By frames without and with a sequence header. */
  readonly #stuffing = [new Stuffing(), new Stuffing()] as const
  #sequence: Sequence | undefined
  #started = false
  #linked = false
  #base = 0
  #lastReference = 0
  readonly #times = new GroupTimes()
  /** What to add to time codes for the order of pictures; undefined before the first. */
  #timeOffset: number | undefined
  #highest = 0
  /** Pictures may be missing since the last group began. */
  #torn = false
  /** Behind a hole: B pictures shown before the first reference picture refer to what is lost. */
  #lostBefore = -1

  constructor(codec: string, width: number, sequence: Sequence | undefined) {
    this.codec = codec
    this.#width = width
    this.#sequence = sequence
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const found = this.#detail(unit)
    found.owner = undefined
    const head = essenceHead(reader, offset)
    const stop = this.#walker.walk(reader, offset + head, end, this.#sequence, found)
    if (stop < 0) return false
    found.owner = this
    found.offset = offset
    const last = found.exact
      ? this.#stuffing[found.hasSequence ? 1 : 0].end(reader, offset, found.dataEnd, stop, end)
      : stop
    unit.length = (head > 0 ? fillEnd(reader, last, end) : last) - offset
    unit.lengthKnown = found.exact
    unit.key = found.first.type === I_PICTURE
    unit.recovery = false
    unit.duration = 0
    // one that is whole ends with its last macroblock
    unit.damaged = found.damaged || !found.exact
    unit.evidence =
      found.evidence + head * BYTE_EVIDENCE + (found.sequence?.width === this.#width ? SIZE_EVIDENCE : 0)
    return true
  }

  accept(reader: ByteReader, offset: number, unit: Unit): void {
    let found = this.#detail(unit)
    if (found.owner !== this || found.offset !== offset) {
      if (!this.recognise(reader, offset, offset + unit.length, unit)) return
      found = this.#detail(unit)
    }
    this.#sequence = found.sequence
    const { temporalReference, type } = found.first
    unit.restart = !this.#started || (found.hasGroup && !this.#continues(found.groupPicture))
    if (unit.restart) {
      this.#base = 0
      this.#timeOffset = found.groupPicture < 0 ? undefined : -found.groupPicture
    } else if (found.hasGroup) this.#base = found.groupPicture + (this.#timeOffset ?? 0)
    else if (temporalReference + REFERENCE_CYCLE / 2 < this.#lastReference) this.#base += REFERENCE_CYCLE
    const late =
      !unit.restart && !found.hasGroup && temporalReference - this.#lastReference > REFERENCE_CYCLE / 2
    unit.order = this.#base + temporalReference - (late ? REFERENCE_CYCLE : 0)
    if (!late) this.#lastReference = temporalReference
    if (type !== B_PICTURE) {
      const lost = !this.#linked && type === I_PICTURE && !(found.hasGroup && found.closedGroup)
      this.#lostBefore = lost ? unit.order : -1
      this.#linked = true
    }
    this.#highest = unit.restart ? unit.order : Math.max(this.#highest, unit.order)
    this.#torn = (this.#torn && !found.hasGroup) || unit.damaged
    unit.leading = type === B_PICTURE && unit.order < this.#lostBefore
    unit.gap = 0
    this.#started = true
  }

  /**
   * Whether the order of pictures goes on over the start of a group by its time code; one that leaps where nothing is missing is
   * set right.
   */
  #continues(picture: number): boolean {
    if (picture < 0 || !this.#times.count) return false
    const next = this.#highest + 1
    if (!this.#torn || this.#timeOffset === undefined) this.#timeOffset = next - picture
    return picture + this.#timeOffset >= next
  }

  discontinuity(): void {
    this.#linked = false
    this.#torn = true
  }

  learn(reader: ByteReader, offset: number, length: number): void {
    if (!this.recognise(reader, offset, offset + length, this.#learning)) return
    const found = this.#detail(this.#learning)
    this.#sequence = found.sequence
    this.#times.learn(found.groupPicture)
    if (found.exact) this.#stuffing[found.hasSequence ? 1 : 0].learn(length, offset + length - found.dataEnd)
  }

  search(reader: ByteReader, from: number, end: number): number {
    const limit = Math.min(reader.size, end + 3)
    let at = nextStartCode(reader, from, limit)
    while (at < Math.min(end, limit) && !this.#opens(reader.u8(at + 3)))
      at = nextStartCode(reader, at + 3, limit)
    return Math.min(withEssenceHead(reader, from, at), end)
  }

  #opens(value: number): boolean {
    return value === SEQUENCE || (this.#sequence !== undefined && (value === GROUP || value === PICTURE))
  }

  #detail(unit: Unit): PictureUnit {
    if (unit.detail instanceof PictureUnit) return unit.detail
    const found = new PictureUnit()
    unit.detail = found
    return found
  }
}
