import { BitReader } from '../../../bytes/bit-reader.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { Picture, Sequence } from '../../../codecs/mpeg12/headers.ts'
import { readSlice } from '../../../codecs/mpeg12/slice.ts'

const CODE_BYTES = 4
/** Zeros of the start code behind a slice, which end it. */
const START_CODE_BYTES = 3
/** No picture of the standards has longer ones. */
const LONGEST_SLICE = 8 << 20

/** What became of a slice. */
export interface SliceEnd {
  /** Behind its last byte that is whole; where it begins when nothing is. */
  readonly end: number
  /** Place of its last macroblock from the start of its row; -1 where bits in it were hit, or bytes are missing. */
  readonly last: number
}

/** Reads slices symbol by symbol, ITU-T H.262 (02/2012) §6.2.4, to see how far each is whole. */
export class SliceEnds {
  /** What the last byte in front of a tear is, without bits behind the last whole macroblock; -1 where it is whole. */
  lastByte = -1
  readonly #bits = new BitReader(new Uint8Array(0))
  readonly #whole = { end: -1 }

  /** Reads the slice at `at`, of row `row` of `rows`, behind which the next start code, or nothing, is at `next`. */
  read(
    reader: ByteReader,
    at: number,
    next: number,
    row: number,
    rows: number,
    sequence: Sequence,
    picture: Picture,
  ): SliceEnd {
    this.lastByte = -1
    const columns = Math.ceil(sequence.width / 16)
    const macroblocks = sequence.mpeg1 ? columns * Math.max(1, rows - row + 1) : columns
    const length = Math.min(next - at, LONGEST_SLICE)
    const bytes = reader.bytes(at, length + START_CODE_BYTES)
    const bits = this.#bits
    // zeros behind the end of the file are as good as a start code
    bits.reset(bytes, CODE_BYTES * 8, (length + START_CODE_BYTES) * 8)
    const last = readSlice(bits, sequence, picture, macroblocks, this.#whole)
    const end = Math.ceil(bits.position / 8)
    if (last >= 0 && bits.position <= length * 8 && isRestZero(bytes, bits.position)) {
      // a row of MPEG-2 ends by itself, so that only bytes put in can follow
      const isComplete = last === macroblocks - 1
      const isEnd = trailingZeros(bytes, end, length)
      if (isComplete || isEnd) return { end: at + end, last }
    }
    const whole = this.#whole.end
    if (whole < 0 || whole > length * 8) return { end: at, last: -1 }
    const bytesWhole = Math.ceil(whole / 8)
    this.lastByte = bytes[bytesWhole - 1] & (0xff << (bytesWhole * 8 - whole))
    return { end: at + bytesWhole, last: -1 }
  }
}

/** Whether the bits behind `position` up to the end of its byte are zeros. */
function isRestZero(bytes: Uint8Array, position: number): boolean {
  const used = position & 7
  return used === 0 || (bytes[position >> 3] & (0xff >> used)) === 0
}

function trailingZeros(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== 0) return false
  return true
}
