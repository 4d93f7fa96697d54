import type { ByteReader } from '../../bytes/reader.ts'
import { isZero } from '../../bytes/zeros.ts'
import { Allowance } from '../../model/allowance.ts'
import { Habits } from '../nal/habits.ts'
import { type Recogniser, Unit } from '../recogniser.ts'
import type { SequenceHeader } from './headers/sequence-header.ts'
import { HintedPictures } from './hinted-pictures.ts'
import { readAv1Picture } from './picture-reader.ts'
import { OPENS_UNIT, TemporalUnit, walkTemporalUnit, wholeObus } from './temporal-unit.ts'

const WINDOW = 1 << 18
const DEFAULT_BOUND = 1 << 24
const BYTES_PER_PIXEL = 4
/** Zero bytes at the end of a unit that no encoder writes: tiles end with a bit that is set, AV1 specification §8.2.4. */
const TAIL = 64

/** Bytes of two units by which they are told apart: of arithmetic coding as many are not alike by chance. */
const COMPARED = 1024

/** Bytes of a picture that is read to its last symbol: more are not held at once. */
const MOST_READ = 1 << 24
/** Bytes of pictures that are read so in any file, and the part of the file's own that is added. */
const EFFORT = 1 << 25
const EFFORT_PART = 16

/** Features that habits are kept of, and how rare one valid value is, in bits. */
const FIRST = 0
const FRAME = 1
const RARITY = [3, 2]

/** Finds AV1 temporal units. They are shown in decoding order: each shows one frame. */
export class Av1Recogniser implements Recogniser {
  readonly codec = 'av1'
  readonly timescale = 0
  readonly orderStep = 1
  readonly orderPeriod?: number
  readonly orderLateBy = 1
  readonly selfDelimiting = true
  readonly #habits = new Habits(RARITY.length)
  readonly #learning = new Unit()
  #sequence: SequenceHeader | undefined
  readonly #pictures: HintedPictures
  /** What is left of the work of reading pictures to their ends. */
  #allowance: Allowance | undefined
  /** The last picture that was hit and on which those asked for next build. */
  #tornAt: number | undefined
  #lastHint = -1
  /** Where the last unit lies, and its bytes. */
  #lastOffset = 0
  #lastLength = 0

  constructor(sequence: SequenceHeader | undefined) {
    this.#sequence = sequence
    const bits = sequence?.orderHintBits ?? 0
    if (bits > 0) this.orderPeriod = 2 ** bits
    this.#pictures = new HintedPictures(bits)
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const found = this.#detail(unit)
    found.owner = undefined
    const stop = walkTemporalUnit(reader, offset, end, this.#bound(), this.#sequence, found)
    if (stop < 0 || this.#repeats(reader, offset, stop - offset, found)) return false
    found.owner = this
    found.offset = offset
    unit.length = stop - offset
    unit.lengthKnown = true
    unit.key = found.key
    unit.recovery = false
    unit.damaged = unit.length > TAIL && isZero(reader, stop - TAIL, stop)
    unit.duration = 0
    const bits =
      found.evidence +
      this.#habits.bits(FIRST, found.first, RARITY[FIRST]) +
      this.#habits.bits(FRAME, frameKind(found), RARITY[FRAME]) +
      this.#hintBits(found)
    unit.evidence = Math.max(0, bits)
    return true
  }

  accept(reader: ByteReader, offset: number, unit: Unit): void {
    let found = this.#detail(unit)
    if (found.owner !== this || found.offset !== offset) {
      if (!this.recognise(reader, offset, offset + unit.length, unit)) return
      found = this.#detail(unit)
    }
    this.#sequence = found.sequence
    this.#habits.see([found.first, frameKind(found)])
    this.#lastHint = found.frame.showsExisting ? -1 : found.frame.orderHint
    this.#lastOffset = offset
    this.#lastLength = unit.length
    this.#pictures.accept(unit, this.#lastHint < 0 ? undefined : this.#lastHint)
  }

  discontinuity(): void {
    this.#lastHint = -1
    this.#pictures.discontinuity()
  }

  learn(reader: ByteReader, offset: number, length: number): void {
    if (!this.recognise(reader, offset, offset + length, this.#learning)) return
    const found = this.#detail(this.#learning)
    this.#sequence = found.sequence
    this.#habits.see([found.first, frameKind(found)])
  }

  /**
   * Frames that depend on no others are read to their last symbols, where their bytes have to end. Pictures behind one that was
   * hit build on it, up to the next that does not: asked of pictures in decoding order.
   */
  intact(reader: ByteReader, offset: number, length: number): boolean {
    this.#allowance ??= new Allowance(EFFORT + reader.size / EFFORT_PART)
    const reading =
      length > MOST_READ
        ? 'unread'
        : readAv1Picture(reader.bytes(offset, length), this.#allowance, this.#sequence)
    if (reading === 'torn') this.#tornAt = offset
    // those that are not read may be whole
    else if (reading === 'whole' || length > MOST_READ || !this.#allowance.take(0)) this.#tornAt = undefined
    return this.#tornAt === undefined || offset < this.#tornAt
  }

  readable(reader: ByteReader, offset: number, end: number): number {
    return wholeObus(reader, offset, end)
  }

  search(reader: ByteReader, from: number, end: number): number {
    const last = Math.min(end, reader.size - 1)
    for (let at = from; at < last; ) {
      const bytes = reader.bytes(at, Math.min(WINDOW - (at % WINDOW), last - at))
      for (let i = 0; i < bytes.length; i++) if (OPENS_UNIT[bytes[i]] === 1) return at + i
      at += bytes.length
    }
    return end
  }

  #bound(): number {
    const sequence = this.#sequence
    return sequence ? sequence.width * sequence.height * BYTES_PER_PIXEL + 65_536 : DEFAULT_BOUND
  }

  /**
   * Whether the unit is the last one's bytes once more: frames count the pictures they show (order_hint, AV1 specification
   * §6.8.2), so that no two in a row are alike where they do.
   */
  #repeats(reader: ByteReader, offset: number, length: number, { key, frame }: TemporalUnit): boolean {
    const bits = this.#sequence?.orderHintBits ?? 0
    if (bits === 0 || key || frame.showsExisting || frame.orderHint !== this.#lastHint) return false
    if (length !== this.#lastLength || offset === this.#lastOffset) return false
    const compared = Math.min(length, COMPARED)
    const last = reader.bytes(this.#lastOffset, compared).slice()
    return reader.bytes(offset, compared).every((byte, i) => byte === last[i])
  }

  /** A shown frame's order hint follows the last one's. */
  #hintBits(found: TemporalUnit): number {
    const bits = this.#sequence?.orderHintBits ?? 0
    if (this.#lastHint < 0 || found.key || found.frame.showsExisting || bits === 0) return 0
    return found.frame.orderHint === (this.#lastHint + 1) % 2 ** bits ? bits : 0
  }

  #detail(unit: Unit): TemporalUnit {
    if (unit.detail instanceof TemporalUnit) return unit.detail
    const found = new TemporalUnit()
    unit.detail = found
    return found
  }
}

function frameKind(found: TemporalUnit): number {
  return found.frame.showsExisting ? 8 : found.frame.type * 2 + (found.frame.shown ? 1 : 0)
}
