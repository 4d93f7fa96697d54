import { roomFor, widened } from '../../../bytes/columns.ts'
import { LimitError } from '../../../model/errors.ts'

/** Types of tags, Adobe Flash Video File Format Specification 10.1 Annex E.4.1. */
export const AUDIO = 8
export const VIDEO = 9
export const SCRIPT = 18

/** Bytes of a tag's header, and of the size of the tag that stands behind it. */
export const TAG_HEADER = 11
export const TRAILER = 4

/** Bits of `TagTable.flags`: a decoder can start here. */
export const KEY = 1
/** Configuration of the codec (a sequence header). */
export const CONFIG = 2
/** Nothing to decode: end of a sequence, information, commands. */
export const EMPTY = 4
/** Fewer, or other, bytes than the tag's header says. */
export const TORN = 8
/** The header is written anew. */
export const NEW_HEADER = 16
/** The size behind the tag is written anew. */
export const NEW_TRAILER = 32
/** Its time is estimated. */
export const ESTIMATED = 64
/** Something was lost right before it. */
export const AFTER_HOLE = 128
/** Its bytes cannot be what the codec writes. */
export const DAMAGED = 256
/** Left out. */
export const DROPPED = 512

/** The tags of a file in its order, in columns of typed arrays: 28 bytes a tag. */
export class TagTable {
  length = 0
  /** Offset of the tag's header. */
  offset = new Float64Array(1024)
  /** Bytes of data, without header. */
  size = new Uint32Array(1024)
  /** Milliseconds. */
  time = new Float64Array(1024)
  /** Milliseconds between decoding and showing a picture; 0 where nothing is said of it. */
  delay = new Int32Array(1024)
  /** `AUDIO`, `VIDEO` or `SCRIPT`. */
  kind = new Uint8Array(1024)
  /** Place of the codec's name in `codecs`. */
  codec = new Uint8Array(1024)
  flags = new Uint16Array(1024)
  readonly codecs: string[] = []
  readonly #limit: number
  readonly #bytes: number

  /**
   * @param limit of tags
   * @param bytes of the file that tags are added from in its order, 0 where these are not known
   */
  constructor(limit: number, bytes = 0) {
    this.#limit = limit
    this.#bytes = bytes
  }

  /** Appends a tag. @throws LimitError past the limit of tags. */
  push(
    offset: number,
    size: number,
    time: number,
    kind: number,
    codec: string,
    flags: number,
    delay = 0,
  ): number {
    const row = this.length
    if (row >= this.#limit) throw new LimitError(`more than ${this.#limit} tags`)
    if (row === this.offset.length) this.#grow()
    this.offset[row] = offset
    this.size[row] = size
    this.time[row] = time
    this.delay[row] = delay
    this.kind[row] = kind
    this.codec[row] = this.#codecOf(codec)
    this.flags[row] = flags
    this.length = row + 1
    return row
  }

  codecName(row: number): string {
    return this.codecs[this.codec[row]]
  }

  /** Where the tag ends, the size behind it included. */
  end(row: number): number {
    return this.offset[row] + TAG_HEADER + this.size[row] + TRAILER
  }

  #codecOf(name: string): number {
    const known = this.codecs.indexOf(name)
    if (known >= 0) return known
    // hostile bytes name hundreds: those beyond are one
    if (this.codecs.length >= 255) return 254
    return this.codecs.push(name) - 1
  }

  #grow(): void {
    const capacity = roomFor(this.length, this.#limit, this.offset[this.length - 1], this.#bytes)
    this.offset = widened(this.offset, capacity)
    this.size = widened(this.size, capacity)
    this.time = widened(this.time, capacity)
    this.delay = widened(this.delay, capacity)
    this.kind = widened(this.kind, capacity)
    this.codec = widened(this.codec, capacity)
    this.flags = widened(this.flags, capacity)
  }
}
