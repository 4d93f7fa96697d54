import type { ByteReader } from '../../bytes/reader.ts'
import { CountedPictures } from '../counted-pictures.ts'
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
  readonly #pictures = new CountedPictures()

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
    this.#pictures.accept(unit)
  }

  discontinuity(): void {}
}
