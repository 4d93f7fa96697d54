import type { ByteReader } from '../../bytes/reader.ts'
import type { Recogniser, Unit } from '../recogniser.ts'

/**
 * The part that codecs of independent pictures share: every picture is a key picture, and display order is decoding
 * order.
 */
export abstract class IntraRecogniser implements Recogniser {
  abstract readonly codec: string
  readonly timescale = 0
  readonly orderStep = 1
  readonly selfDelimiting = true
  #order = 0
  #started = false

  /** Fills length, evidence and damage of the picture at `offset`. */
  protected abstract measure(reader: ByteReader, offset: number, end: number, unit: Unit): boolean

  abstract search(reader: ByteReader, from: number, end: number): number

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    unit.damaged = false
    unit.lengthKnown = true
    if (!this.measure(reader, offset, end, unit)) return false
    unit.key = true
    unit.recovery = false
    unit.duration = 0
    return true
  }

  accept(_reader: ByteReader, _offset: number, unit: Unit): void {
    unit.order = this.#order++
    unit.restart = !this.#started
    unit.gap = 0
    unit.leading = false
    this.#started = true
  }

  discontinuity(): void {}
}
