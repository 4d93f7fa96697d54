import type { ByteReader } from '../../bytes/reader.ts'
import type { Allowance } from '../../model/allowance.ts'
import type { UnitReader } from '../recogniser.ts'
import { PictureReader } from './picture-reader.ts'

/** Bytes that a picture is looked for in at first, and at most. */
const USUAL_BYTES = 1 << 17
const MOST_BYTES = 1 << 21

/**
 * Reads pictures by those before them. Where some that were hit lie between, either they were none, or what their headers say
 * holds: both are tried.
 */
export class Vp9UnitReader implements UnitReader {
  #pictures: PictureReader
  /** As `#pictures`, with what the headers of hit pictures say, where there were such. */
  #other: PictureReader
  #isPassed = false
  /** That of the two that read the last one. */
  #successful: PictureReader | undefined
  #closing = 0
  /** Bytes at hand, and which ones they are. */
  #bytes = new Uint8Array(0)
  #reader: ByteReader | undefined
  #from = 0
  #until = 0

  constructor(width: number, height: number, allowance: Allowance) {
    this.#pictures = new PictureReader(width, height, allowance)
    this.#other = new PictureReader(width, height, allowance)
  }

  get closing(): number {
    return this.#closing
  }

  read(reader: ByteReader, offset: number, end: number): number {
    this.#successful = undefined
    const tried = this.#isPassed ? [this.#other, this.#pictures] : [this.#pictures]
    for (const pictures of tried) {
      const length = this.#length(pictures, reader, offset, end)
      if (length === 0) continue
      this.#successful = pictures
      return offset + length
    }
    return 0
  }

  #length(pictures: PictureReader, reader: ByteReader, offset: number, end: number): number {
    for (const most of [USUAL_BYTES, MOST_BYTES]) {
      const length = Math.min(end - offset, most)
      this.#hold(reader, offset, length)
      const from = offset - this.#from
      const until = Math.min(from + length, this.#until - this.#from)
      const picture = pictures.read(this.#bytes, from, until)
      this.#closing = picture?.closing ?? 0
      if (picture) return picture.evidence > 0 ? picture.end - from : 0
      if (!pictures.isShort || length === end - offset) return 0
    }
    return 0
  }

  /** Has these bytes at hand, and some behind them for the pictures to come. */
  #hold(reader: ByteReader, offset: number, length: number): void {
    const isHeld = this.#reader === reader && offset >= this.#from && offset + length <= this.#until
    if (isHeld) return
    const wanted = Math.min(reader.size - offset, 2 * length)
    if (this.#bytes.length < wanted) this.#bytes = new Uint8Array(wanted)
    this.#until = offset + reader.copyTo(offset, this.#bytes.subarray(0, wanted))
    this.#from = offset
    this.#reader = reader
  }

  accept(): void {
    if (!this.#successful) return
    if (this.#successful === this.#other) this.#exchange()
    this.#pictures.accept()
    this.#isPassed = false
    this.#successful = undefined
  }

  pass(): void {
    if (!this.#isPassed) {
      this.#other.copy(this.#pictures)
      this.#exchange()
    }
    this.#isPassed = this.#other.pass()
  }

  #exchange(): void {
    const pictures = this.#pictures
    this.#pictures = this.#other
    this.#other = pictures
  }
}
