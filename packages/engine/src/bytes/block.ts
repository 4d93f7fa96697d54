import type { ByteSource } from './source.ts'

/** Bytes of a block: large enough for few reads of what is dense. */
export const BLOCK_SIZE = 1 << 18
/** Bytes read together: systems keep files in pieces of this size. */
const PAGE_BITS = 12
const PAGES = BLOCK_SIZE >> PAGE_BITS
/** Pages read where nothing in front was: most headers, and what follows them, lie within. */
const FIRST_PAGES = 2
/**
 * Unread pages between two accesses up to which both belong to one row of accesses: to read them costs no more than another call.
 */
const GAP_PAGES = 2

/**
 * A piece of a source in memory, of which only what is needed is read: little where accesses jump from header to header, and as
 * much again as lies in front where they go on, so that what is dense comes in few reads.
 */
export class Block {
  /** The bytes at their places in the block; only those from `from` to `to` are valid. */
  readonly bytes: Uint8Array
  /** Bounds of the bytes around the last place asked for, within the block. */
  from = 0
  to = 0
  /** When it was taken last, by the count of its reader. */
  lastUse = 0
  readonly #read = new Uint8Array(PAGES)
  #end: number

  /** `length` in bytes, up to `BLOCK_SIZE`. */
  constructor(length: number) {
    this.bytes = new Uint8Array(length)
    this.#end = length
  }

  /** Forgets all bytes, to serve for another piece. */
  reset(): void {
    this.#read.fill(0)
    this.from = 0
    this.to = 0
    this.#end = this.bytes.length
  }

  /** Pages in memory in the row of accesses that reaches up to `page`; by default up to the end of the block. */
  row(page = PAGES): number {
    let count = 0
    let gap = 0
    for (let at = page - 1; at >= 0 && gap <= GAP_PAGES; at--) {
      if (this.#read[at] === 1) {
        count++
        gap = 0
      } else gap++
    }
    return count
  }

  /** True when bytes [at, until) are within what was in memory around the last place asked for. */
  holds(at: number, until: number): boolean {
    return at >= this.from && until <= this.to
  }

  /**
   * Sees to it that bytes [at, until) of the block, which begins at `start` in the source, are in memory, and sets `from` and
   * `to` around them. `before`: the row of accesses in front of the block. Where the source ends early `to` stays before `until`.
   */
  need(source: ByteSource, start: number, at: number, until: number, before: number): void {
    const read = this.#read
    const first = at >> PAGE_BITS
    const stop = Math.min((until - 1) >> PAGE_BITS, (this.#end - 1) >> PAGE_BITS) + 1
    for (let page = first; page < stop; page++) {
      if (read[page] === 0) this.#fill(source, start, page, stop, before)
    }
    let low = first
    let high = first
    while (low > 0 && read[low - 1] === 1) low--
    while (high < PAGES && read[high] === 1) high++
    this.from = low << PAGE_BITS
    this.to = Math.min(high << PAGE_BITS, this.#end)
  }

  /** Reads from `page` on, at least up to `stop` or a page that is there already. */
  #fill(source: ByteSource, start: number, page: number, stop: number, before: number): void {
    const read = this.#read
    const row = this.row(page) + (page <= GAP_PAGES ? before : 0)
    const most = Math.min(PAGES, Math.max(stop, page + Math.max(FIRST_PAGES, row)))
    let next = page + 1
    while (next < most && read[next] === 0) next++
    const from = page << PAGE_BITS
    const target = this.bytes.subarray(from, Math.min(next << PAGE_BITS, this.#end))
    const got = source.read(start + from, target)
    if (got < target.length) this.#end = from + got
    read.fill(1, page, next)
  }
}
