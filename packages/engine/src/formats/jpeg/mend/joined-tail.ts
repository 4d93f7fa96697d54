import { isFilling } from '../../../codecs/jpeg/entropy-data.ts'
import type { McuReader } from '../../../codecs/jpeg/mcu-reader.ts'
import type { Allowance } from '../../../model/allowance.ts'

const NONE = -1

/**
 * Counts MCUs from any bit of entropy-coded data to their end, where nothing but padding may follow. Readings that begin at
 * different bits soon go on at the same ones: what was counted once is not read again.
 */
export class MovableStart {
  /** MCUs from a bit to the end, `NONE` where reading breaks. */
  readonly #counted = new Map<number, number>()
  readonly #data: Uint8Array
  readonly #end: number
  readonly #reader: McuReader
  readonly #reads: Allowance

  /** The data end in front of byte `end`; `reads` is how many MCUs may be read in all. */
  constructor(data: Uint8Array, end: number, reader: McuReader, reads: Allowance) {
    this.#data = data
    this.#end = end
    this.#reader = reader
    this.#reads = reads
  }

  /** MCUs from bit `start` to the end; undefined where they do not lead there, or nothing more may be read. */
  countFrom(start: number): number | undefined {
    const passed: number[] = []
    const differences = new Int16Array(this.#reader.blocks)
    let at = start
    let count = this.#counted.get(at)
    while (count === undefined) {
      if (isFilling(this.#data, at, this.#end)) count = 0
      else {
        passed.push(at)
        if (!this.#reads.take()) return undefined
        at = this.#reader.pass(at, differences)
        count = at < 0 ? NONE : this.#counted.get(at)
      }
    }
    for (let i = passed.length - 1; i >= 0; i--) {
      if (count !== NONE) count++
      this.#counted.set(passed[i], count)
    }
    return count === NONE ? undefined : count
  }
}

/** How many MCUs of data that break off are whole. */
export interface LastStart {
  readonly count: number
  /** The bit at which the MCU begins that is not whole any more. */
  readonly bit: number
}

/** Reads MCUs from bit `from` on up to the first that is not whole, at most `most`. */
export function lastStart(reader: McuReader, from: number, most: number): LastStart {
  const differences = new Int16Array(reader.blocks)
  let bit = from
  for (let count = 0; ; count++) {
    const next = count < most ? reader.pass(bit, differences) : NONE
    if (next < 0) return { count, bit }
    bit = next
  }
}
