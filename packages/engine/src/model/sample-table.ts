import { roomFor, widened } from '../bytes/columns.ts'
import { LimitError } from './errors.ts'

/** Bits of `SampleTable.flags`. */
export const SAMPLE_KEY = 1
/** Part of the unit's bytes is damaged. */
export const SAMPLE_DAMAGED = 2
/** Display order starts anew at this sample. */
export const SAMPLE_RESTART = 4
/** Bytes or units were lost right before this sample. */
export const SAMPLE_AFTER_HOLE = 8
/** Its time is estimated. */
export const SAMPLE_ESTIMATED = 16
/** Leading picture that cannot be decoded when play starts at its key picture (RASL and its kin). */
export const SAMPLE_SKIPPED_LEADING = 32
/** Its own parameter sets tell another picture size than the track's. */
export const SAMPLE_OTHER_SIZE = 64
/** None of its own bytes is, but some of those that it is decoded with, which lie in units in front of it. */
export const SAMPLE_UNFED = 128

/** Rows that a table has room for at first, where its limit is not lower. */
const USUAL = 1024

/**
 * The samples of one track in decoding order, in columns of typed arrays: 45 bytes a sample, whatever the recording's
 * length. For PCM one row is a run of equal, adjacent sample frames (`count` of them).
 */
export class SampleTable {
  length = 0
  /** Byte offset in the source file. */
  offset: Float64Array<ArrayBuffer>
  /** Bytes of the row (all `count` units). */
  size: Float64Array<ArrayBuffer>
  /** Units in the row: 1, or the frames of a PCM run. */
  count: Uint32Array<ArrayBuffer>
  /** Decoding time in ticks of the track's timescale. */
  dts: Float64Array<ArrayBuffer>
  /** Composition time minus decoding time, in ticks. */
  cts: Int32Array<ArrayBuffer>
  /** Duration of the row in ticks. */
  duration: Float64Array<ArrayBuffer>
  /** Display order as the codec numbers it, see `Unit.order`. */
  order: Int32Array<ArrayBuffer>
  flags: Uint8Array<ArrayBuffer>
  readonly #limit: number
  readonly #bytes: number
  /** Rows that there ever were. */
  #written = 0

  /**
   * @param limit of rows
   * @param bytes of the file that rows are added from in its order, 0 where these are not known
   */
  constructor(limit = 16_000_000, bytes = 0) {
    this.#limit = limit
    this.#bytes = bytes
    const rows = Math.max(1, Math.min(USUAL, limit))
    this.offset = new Float64Array(rows)
    this.size = new Float64Array(rows)
    this.count = new Uint32Array(rows)
    this.dts = new Float64Array(rows)
    this.cts = new Int32Array(rows)
    this.duration = new Float64Array(rows)
    this.order = new Int32Array(rows)
    this.flags = new Uint8Array(rows)
  }

  /** Appends a row with time zero. Returns its index. @throws LimitError past the limit of rows. */
  push(offset: number, size: number, count: number, duration: number, order: number, flags: number): number {
    const row = this.length
    if (row >= this.#limit) throw new LimitError(`more than ${this.#limit} samples in one track`)
    if (row === this.offset.length) this.#grow()
    this.offset[row] = offset
    this.size[row] = size
    this.count[row] = count
    this.length = row + 1
    if (row < this.#written) {
      this.duration[row] = duration
      this.order[row] = order
      this.flags[row] = flags
      this.dts[row] = 0
      this.cts[row] = 0
      return row
    }
    // a new row is zeros: memory that nobody writes to costs nothing
    if (duration !== 0) this.duration[row] = duration
    if (order !== 0) this.order[row] = order
    if (flags !== 0) this.flags[row] = flags
    this.#written = row + 1
    return row
  }

  /** Drops the rows from `length` on. */
  truncate(length: number): void {
    if (length < this.length) this.length = length
  }

  #grow(): void {
    this.#widen(roomFor(this.length, this.#limit, this.offset[this.length - 1], this.#bytes))
  }

  /** Has room for so many rows at once, which growing takes twice the memory for; no more than the limit. */
  reserve(rows: number): void {
    const capacity = Math.min(this.#limit, rows)
    if (capacity > this.offset.length) this.#widen(capacity)
  }

  #widen(capacity: number): void {
    this.offset = widened(this.offset, capacity)
    this.size = widened(this.size, capacity)
    this.count = widened(this.count, capacity)
    this.dts = widened(this.dts, capacity)
    this.cts = widened(this.cts, capacity)
    this.duration = widened(this.duration, capacity)
    this.order = widened(this.order, capacity)
    this.flags = widened(this.flags, capacity)
  }
}
