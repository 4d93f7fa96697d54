import { BitReader } from '../../bytes/bit-reader.ts'
import {
  emptyPicture,
  extendPicture,
  extendSequence,
  parseSequence,
  readPicture,
  rowsOf,
  type Sequence,
} from './headers.ts'
import { readSlice, TALL } from './slice.ts'
import { nextCode } from './start-codes.ts'
import {
  EXTENSION,
  LAST_SLICE,
  PICTURE,
  PICTURE_EXTENSION,
  SEQUENCE,
  SEQUENCE_EXTENSION,
} from './unit-walker.ts'

const START_CODE = 3
/** Bits of a start code and of what fills up the byte in front of it. */
const STUFFED_BITS = 7

/** What reading slices symbol by symbol came to. */
export interface SliceReading {
  /** Bytes of slices that end right where the next start code tells. */
  readonly whole: number
  /** Slices that do not: bits in them were hit, or bytes are missing. */
  readonly torn: number
}

/** Reads the slices of a stream of MPEG-1 or MPEG-2 pictures, ITU-T H.262 (02/2012) §6.2, stretch by stretch. */
export class SliceReader {
  #sequence: Sequence | undefined
  readonly #bits = new BitReader(new Uint8Array(0))

  /** Reads a stretch of the stream. Slices in front of the first picture header in it, and the last one, are not read. */
  read(bytes: Uint8Array): SliceReading {
    const picture = emptyPicture()
    let isKnown = false
    let whole = 0
    let torn = 0
    let at = nextCode(bytes, 0)
    while (at + START_CODE < bytes.length) {
      const next = nextCode(bytes, at + START_CODE)
      if (next === bytes.length) break
      const value = bytes[at + START_CODE]
      const body = bytes.subarray(at + START_CODE + 1, next)
      if (value === SEQUENCE) {
        this.#sequence = parseSequence(body)
        isKnown = false
      } else if (value === PICTURE) {
        isKnown = this.#sequence !== undefined && readPicture(body, picture)
      } else if (value === EXTENSION) {
        const kind = body[0] >> 4
        if (kind === SEQUENCE_EXTENSION && this.#sequence)
          this.#sequence = extendSequence(this.#sequence, body)
        if (kind === PICTURE_EXTENSION) isKnown = extendPicture(body, picture) && isKnown
      } else if (value <= LAST_SLICE && this.#sequence && isKnown) {
        const rows = rowsOf(this.#sequence, picture)
        const columns = Math.ceil(this.#sequence.width / 16)
        const isTall = this.#sequence.height > TALL
        const row = value + (isTall ? (body[0] >> 5) * 128 : 0)
        const macroblocks = this.#sequence.mpeg1 ? columns * Math.max(1, rows - row + 1) : columns
        // the start code behind tells the end
        this.#bits.reset(bytes, (at + START_CODE + 1) * 8, (next + START_CODE) * 8)
        const last = readSlice(this.#bits, this.#sequence, picture, macroblocks)
        if (last >= 0 && row <= rows && this.#endsAt(next * 8)) whole += next - at
        else torn++
      }
      at = next
    }
    return { whole, torn }
  }

  /** Whether nothing but zeros lies between what was read and the start code at `end`, in bits. */
  #endsAt(end: number): boolean {
    let left = end - this.#bits.position
    if (left < 0) return false
    for (; left > STUFFED_BITS; left -= STUFFED_BITS) if (this.#bits.bits(STUFFED_BITS) !== 0) return false
    return this.#bits.bits(left) === 0
  }
}
