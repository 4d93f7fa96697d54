import { wrapped } from '../../../syntax/pes/time-stamp.ts'

/** Rows that are remembered, a power of two. */
const MOST_ROWS = 4096
/** Heads of chains; a clock's is told by these bits of its product with an odd number whose bits are mixed. */
const CHAIN_BITS = 14
const MIXED = 0x9e3779b1
/** Rows of a chain that are looked at: more than clocks of a recording ever share. */
const MOST_LOOKS = 32

/** The last rows of a table of packs, found by their clocks. Each costs two writes: nearly none is ever looked for. */
export class ClockRows {
  /** The last row of each chain and the one in front of each of the last rows, counted from 1; 0 where there is none. */
  readonly #heads = new Uint32Array(1 << CHAIN_BITS)
  readonly #before = new Uint32Array(MOST_ROWS)
  #last = 0

  /** Adds the next row, at a clock of 33 bits. */
  add(clock: number, row: number): void {
    const chain = chainOf(clock)
    this.#before[row % MOST_ROWS] = this.#heads[chain]
    this.#last = row + 1
    this.#heads[chain] = this.#last
  }

  /** The last row at a clock, of those that are remembered; -1 without one. `dts` are the clocks of all rows, unwrapped. */
  last(clock: number, dts: Float64Array): number {
    const oldest = Math.max(0, this.#last - MOST_ROWS)
    let next = this.#heads[chainOf(clock)]
    for (let looks = 0; next > oldest && looks < MOST_LOOKS; looks++) {
      if (wrapped(dts[next - 1]) === clock) return next - 1
      next = this.#before[(next - 1) % MOST_ROWS]
    }
    return -1
  }
}

function chainOf(clock: number): number {
  return Math.imul(clock | 0, MIXED) >>> (32 - CHAIN_BITS)
}
