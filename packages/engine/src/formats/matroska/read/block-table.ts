import { roomFor, widened } from '../../../bytes/columns.ts'
import { LimitError } from '../../../model/errors.ts'

/** The block stands in a BlockGroup, not as a SimpleBlock. */
export const GROUPED = 1
/** A decoder can start at it: the flag of a SimpleBlock, no reference of a BlockGroup. */
export const KEY = 2
/** Its bytes are hit. */
export const HIT = 4
/** It stays out of the result. */
export const LEFT_OUT = 8
/** Its size is written anew. */
export const REWRITTEN = 16
/** Its time after its Cluster's is written anew. */
export const MOVED = 32
/** Taken out of its lace or its group: it gets a SimpleBlock, whose head is made anew; `offset` and `size` are of its frames. */
export const BARE = 64

/** Rows that a table has room for at first. */
const ROWS = 1024
/** The blocks of a file in the order in which they lie there, in columns of typed arrays: 53 bytes a block. */
export class BlockTable {
  length = 0
  /** Offset of the SimpleBlock's or BlockGroup's first byte. */
  offset = new Float64Array(ROWS)
  /** Bytes of the whole element. */
  size = new Float64Array(ROWS)
  /** Offset of the first byte behind the block's own head: of its frames, or of their lace. */
  payload = new Float64Array(ROWS)
  /** Offset behind its frames. */
  end = new Float64Array(ROWS)
  /** Number of the track, as the block says it. */
  track = new Uint16Array(ROWS)
  /** Time after its cluster's, in ticks of the TimestampScale. */
  relative = new Int16Array(ROWS)
  frames = new Uint16Array(ROWS)
  /** BlockDuration in ticks, -1 where there is none. */
  duration = new Float64Array(ROWS)
  /** Flags of the block's head as they are written. */
  head = new Uint8Array(ROWS)
  flags = new Uint8Array(ROWS)
  readonly #limit: number
  readonly #bytes: number

  /**
   * @param limit of rows
   * @param bytes of the file, 0 where these are not known
   */
  constructor(limit: number, bytes = 0) {
    this.#limit = limit
    this.#bytes = bytes
  }

  /** Appends an empty row and returns its index. @throws LimitError past the limit of rows. */
  push(): number {
    const row = this.length
    if (row >= this.#limit) throw new LimitError(`more than ${this.#limit} blocks`)
    if (row === this.offset.length) this.#grow()
    this.length = row + 1
    return row
  }

  is(row: number, flag: number): boolean {
    return (this.flags[row] & flag) !== 0
  }

  /** Makes several rows of some, all with what the one had; those behind move on. @throws LimitError past the limit of rows. */
  divide(parts: ReadonlyMap<number, number>): void {
    let from = this.length
    for (const count of parts.values()) for (let i = 1; i < count; i++) this.push()
    let to = this.length
    while (from-- > 0) for (let i = parts.get(from) ?? 1; i > 0; i--) this.#copy(from, --to)
  }

  #copy(from: number, to: number): void {
    if (from === to) return
    this.offset[to] = this.offset[from]
    this.size[to] = this.size[from]
    this.payload[to] = this.payload[from]
    this.end[to] = this.end[from]
    this.track[to] = this.track[from]
    this.relative[to] = this.relative[from]
    this.frames[to] = this.frames[from]
    this.duration[to] = this.duration[from]
    this.head[to] = this.head[from]
    this.flags[to] = this.flags[from]
  }

  #grow(): void {
    const capacity = roomFor(this.length, this.#limit, this.offset[this.length - 1], this.#bytes)
    this.offset = widened(this.offset, capacity)
    this.size = widened(this.size, capacity)
    this.payload = widened(this.payload, capacity)
    this.end = widened(this.end, capacity)
    this.track = widened(this.track, capacity)
    this.relative = widened(this.relative, capacity)
    this.frames = widened(this.frames, capacity)
    this.duration = widened(this.duration, capacity)
    this.head = widened(this.head, capacity)
    this.flags = widened(this.flags, capacity)
  }
}
