import type { ByteReader } from '../../bytes/reader.ts'
import type { Codec } from '../codec.ts'
import type { Recogniser, Unit } from '../recogniser.ts'

const HEADER = 8
/** Keys of one track: the largest real tables hold a dozen. */
const MAX_KEY = 64
/** One value: detected faces, orientations and scene values stay far under this. */
const MAX_VALUE_BYTES = 1 << 16

/** Boxed timed metadata, QuickTime File Format, 'Timed Metadata Media': boxes of size, key number, value. */
export const mebx: Codec = {
  name: 'mebx',
  recogniser: () => new MebxRecogniser(),
}

class MebxRecogniser implements Recogniser {
  readonly codec = 'mebx'
  readonly timescale = 0
  readonly orderStep = 1
  readonly selfDelimiting = true
  #count = 0
  #lastLength = 0
  /** Values a sample of the recording holds at most, once learned. */
  #valuesPerSample = 0

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    let at = offset
    let lastKey = -1
    let boxes = 0
    // keys rise within a sample: the first that does not opens the next one
    const most = this.#valuesPerSample > 0 ? this.#valuesPerSample : MAX_KEY
    while (at + HEADER <= end && boxes < most) {
      const size = reader.u32(at)
      const key = reader.u32(at + 4)
      if (size < HEADER || size > MAX_VALUE_BYTES || key > MAX_KEY || key <= lastKey || at + size > end) break
      at += size
      lastKey = key
      boxes++
    }
    if (boxes === 0) return false
    unit.length = at - offset
    unit.evidence = 20 + (boxes - 1) * 12 + (unit.length === this.#lastLength ? 8 : 0)
    unit.key = true
    unit.duration = 0
    unit.gap = 0
    return true
  }

  accept(_reader: ByteReader, _offset: number, unit: Unit): void {
    unit.order = this.#count++
    unit.restart = false
    this.#lastLength = unit.length
  }

  learn(reader: ByteReader, offset: number, length: number): void {
    let values = 0
    const end = Math.min(offset + length, reader.size)
    for (let at = offset; at + HEADER <= end; at += Math.max(HEADER, reader.u32(at))) values++
    this.#valuesPerSample = Math.max(this.#valuesPerSample, values)
  }

  discontinuity(): void {}

  search(reader: ByteReader, from: number, end: number): number {
    for (let at = from; at < end; at++) {
      if (reader.u16(at) === 0 && reader.u32(at + 4) <= MAX_KEY && reader.u32(at) >= HEADER) return at
    }
    return end
  }
}
