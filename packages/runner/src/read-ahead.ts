/** Milliseconds from which on a small read came from the disk and not from the system's memory, which takes a fifth of that. */
const FROM_DISK = 0.05
/** Slow reads in a row from which on it is the disk: a single one may have waited for its turn on the processor. */
const IN_A_ROW = 2
/** Longest read that tells: longer ones make the system read ahead by themselves. */
const SMALL = 64 * 1024
const FIRST = 256 * 1024
const MOST = 4 * 1024 * 1024

/**
 * Small reads that jump forward through a file (header after header) are waited for one by one unless the system has the file in
 * memory already: it reads ahead only for those who read on. Says how many bytes to fetch behind a read because such were slow.
 */
export class ReadAhead {
  #end = -1
  #bytes = FIRST
  #slow = 0

  /** Bytes to fetch from `offset + length` on, after a read of `length` bytes at `offset` that took `milliseconds`; mostly 0. */
  after(offset: number, length: number, milliseconds: number): number {
    this.#slow = length > SMALL || milliseconds < FROM_DISK ? 0 : this.#slow + 1
    if (this.#slow < IN_A_ROW) return 0
    this.#slow = 0
    const goesOn = offset >= this.#end - SMALL && offset <= this.#end + this.#bytes
    this.#bytes = goesOn ? Math.min(MOST, this.#bytes * 2) : FIRST
    this.#end = offset + length + this.#bytes
    return this.#bytes
  }
}
