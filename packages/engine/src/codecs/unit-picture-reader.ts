import { ByteReader } from '../bytes/reader.ts'
import { MemorySource } from '../bytes/source.ts'
import { isZero } from '../bytes/zeros.ts'
import type { PictureReader, PictureReading } from './picture-reading.ts'
import { type Recogniser, Unit } from './recogniser.ts'

/** As intra and other slices count, see `PictureReader.sliceType`. */
const INTRA = 2
const INTER = 0

/** Reads pictures by a recogniser that finds their ends by reading every macroblock: one unit fills a sample. */
export class UnitPictureReader implements PictureReader {
  sliceType = -1
  readonly #recogniser: Recogniser
  readonly #unit = new Unit()

  constructor(recogniser: Recogniser) {
    this.#recogniser = recogniser
  }

  read(sample: Uint8Array): PictureReading {
    const unit = this.#unit
    const reader = new ByteReader(new MemorySource(sample))
    if (!this.#recogniser.recognise(reader, 0, sample.length, unit)) return 'unread'
    this.sliceType = unit.key ? INTRA : INTER
    this.#recogniser.accept(reader, 0, unit)
    const fills = unit.length >= sample.length
    // behind a picture that was read to its end other writers' data may stand
    if (unit.lengthKnown) return fills || isZero(reader, unit.length, sample.length) ? 'whole' : 'unread'
    if (!unit.damaged) return 'unread'
    return fills ? 'torn' : 'broken'
  }
}
