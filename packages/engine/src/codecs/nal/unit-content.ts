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
 * Prices in steps of `ByteReader.work` of messages and of long slice headers, a few bytes of which claim thousands: so many of
 * their bytes are one step, since most are passed three at a time; those that are taken out of their midst and messages
 * themselves cost more.
 */
const BYTES_A_STEP = 4
const ESCAPED_BYTE = 2
const MESSAGE = 2

/** A slice header that parses itself from unescaped bytes. */
interface Header<Sets> {
  /** The header ended beyond the bytes that were given. */
  readonly overrun: boolean
  parse(bytes: Uint8Array, length: number, sets: Sets): boolean
}

/**
 * The last byte of messages, ITU-T H.264 (08/2021) §7.3.2.3: they are whole bytes, and nothing but a one and zeros follows them.
 */
const TRAILING_BITS = 0x80

const NO_MESSAGES: SeiSummary = { exact: false, plausible: false, recoveryFrames: -1, messages: 0 }

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
  readonly #sei: SeiSummary = { exact: false, plausible: false, recoveryFrames: -1, messages: 0 }

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
    const read = Math.min(length, this.#longHead.length)
    if (!reader.work.take(Math.ceil(read / BYTES_A_STEP))) return false
    const long = this.#unescape(reader, start, length, this.#longHead)
    return (
      reader.work.take(ESCAPED_BYTE * (read - Math.max(0, long))) &&
      long > this.#headerBytes &&
      header.parse(this.#longHead, long, sets)
    )
  }

  /** What the messages under the cursor say, nothing once `reader.work` is spent; valid until the next call. */
  messages(reader: ByteReader): SeiSummary {
    const { start, length } = this.#cursor
    const into = this.#longHead
    const read = Math.min(length, into.length)
    if (!reader.work.take(Math.ceil(read / BYTES_A_STEP))) return NO_MESSAGES
    const taken = unescapeInto(reader.bytes(start, read), into)
    readSei(into, taken, this.#headerBytes, length <= into.length, this.#sei)
    const price = ESCAPED_BYTE * (read - taken) + MESSAGE * this.#sei.messages
    return reader.work.take(price) ? this.#sei : NO_MESSAGES
  }

  /**
   * Whether the NAL unit under the cursor may hold messages that fill it and end in trailing bits: one that is too long to be
   * read whole, or ends otherwise, is never said to.
   */
  mayEndExactly(reader: ByteReader): boolean {
    const { start, length } = this.#cursor
    return length <= this.#longHead.length && reader.u8(start + length - 1) === TRAILING_BITS
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
