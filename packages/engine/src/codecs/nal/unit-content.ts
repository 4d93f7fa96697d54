import type { ByteReader } from '../../bytes/reader.ts'
import type { NalCursor } from './cursor.ts'
import { unescapeInto } from './rbsp.ts'
import { readSei, type SeiSummary } from './sei.ts'

/** Bytes of a slice within which impossible sequences make it none. */
const STRICT_BYTES = 24
/** Trailing zero bytes of a slice that show it was cut off by zeros: hardware encoders pad slices to 16 bytes. */
const ZERO_TAIL = 64
/** Bytes of filler data looked at. */
const FILLER_BYTES = 16
/**
 * Steps of `ByteReader.work` for each byte of messages and of long slice headers: 6 to 12 ns. A few bytes claim some thousand, which the price
 * of a look does not cover.
 */
const UNESCAPED_BYTE = 1

/** A slice header that parses itself from unescaped bytes. */
interface Header<Sets> {
  /** The header ended beyond the bytes that were given. */
  readonly overrun: boolean
  parse(bytes: Uint8Array, length: number, sets: Sets): boolean
}

const NO_MESSAGES: SeiSummary = { exact: false, plausible: false, recoveryFrames: -1 }

/** Sizes in which a codec's NAL units are read. */
export interface UnitSizes {
  readonly headerBytes: 1 | 2
  /** Bytes that hold nearly every slice header; longer ones are read again. */
  readonly head: number
  readonly longHead: number
}

/** Reads what the NAL unit under a cursor holds, as walkers of access units need it. Buffers are reused. */
export class UnitContent {
  readonly #cursor: NalCursor
  readonly #headerBytes: number
  readonly #head: Uint8Array
  readonly #longHead: Uint8Array
  readonly #sei: SeiSummary = { exact: false, plausible: false, recoveryFrames: -1 }

  constructor(cursor: NalCursor, { headerBytes, head, longHead }: UnitSizes) {
    this.#cursor = cursor
    this.#headerBytes = headerBytes
    this.#head = new Uint8Array(head)
    this.#longHead = new Uint8Array(longHead)
  }

  /** Parses the slice header under the cursor, or that of the NAL unit at `start`. */
  slice<Sets>(
    reader: ByteReader,
    header: Header<Sets>,
    sets: Sets,
    start = this.#cursor.start,
    length = this.#cursor.length,
  ): boolean {
    const short = this.#unescape(reader, start, length, this.#head)
    if (short <= this.#headerBytes) return false
    if (header.parse(this.#head, short, sets)) return true
    if (!header.overrun || length <= this.#head.length) return false
    if (!reader.work.take(UNESCAPED_BYTE * Math.min(length, this.#longHead.length))) return false
    const long = this.#unescape(reader, start, length, this.#longHead)
    return long > this.#headerBytes && header.parse(this.#longHead, long, sets)
  }

  /** What the messages under the cursor say, nothing once `reader.work` is spent; valid until the next call. */
  messages(reader: ByteReader): SeiSummary {
    const { start, length } = this.#cursor
    const into = this.#longHead
    const read = Math.min(length, into.length)
    if (!reader.work.take(UNESCAPED_BYTE * read)) return NO_MESSAGES
    const taken = unescapeInto(reader.bytes(start, read), into)
    readSei(into, Math.max(0, taken), this.#headerBytes, length <= into.length, this.#sei)
    return this.#sei
  }

  /** Whether filler data stand under the cursor: ones, and the trailing bits. */
  isFiller(reader: ByteReader): boolean {
    const { start, length } = this.#cursor
    const header = this.#headerBytes
    if (length <= header || reader.u8(start + length - 1) !== 0x80) return false
    const probe = reader.bytes(start + header, Math.min(length - header - 1, FILLER_BYTES))
    return probe.every((byte) => byte === 0xff)
  }

  /** Whether the NAL unit under the cursor ends in more zeros than an encoder pads it with. */
  endsInZeros(reader: ByteReader): boolean {
    const { start, length } = this.#cursor
    if (reader.u8(start + length - 1) !== 0) return false
    const tail = reader.bytes(start + Math.max(0, length - ZERO_TAIL), ZERO_TAIL)
    return tail.every((byte) => byte === 0)
  }

  #unescape(reader: ByteReader, start: number, length: number, into: Uint8Array): number {
    return unescapeInto(reader.bytes(start, Math.min(length, into.length)), into, STRICT_BYTES)
  }
}
