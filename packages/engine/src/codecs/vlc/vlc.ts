import type { BitReader } from '../../bytes/bit-reader.ts'

const LENGTH_BITS = 5

/**
 * A variable length code, looked up in one step: codes up to 16 bits. Values are 0 to 1023. Its table is made when it is first
 * read.
 */
export class Vlc {
  readonly #codes: readonly (readonly [code: string, value: number])[]
  #width = 0
  #table = new Uint16Array(0)

  constructor(codes: readonly (readonly [code: string, value: number])[]) {
    this.#codes = codes
  }

  /**
   * The next code's value, or -1 where no code stands (then nothing is consumed).
   * @throws RangeError when the codes are not prefix-free: a mistake in a table.
   */
  read(bits: BitReader): number {
    if (this.#width === 0) this.#fill()
    const entry = this.#table[bits.peek(this.#width)]
    if (entry === 0) {
      // the code may go on behind the end
      if (bits.left < this.#width) bits.skip(this.#width)
      return -1
    }
    bits.skip(entry & ((1 << LENGTH_BITS) - 1))
    return entry >> LENGTH_BITS
  }

  #fill(): void {
    const width = Math.max(...this.#codes.map(([code]) => code.length))
    const table = new Uint16Array(1 << width)
    for (const [code, value] of this.#codes) {
      const free = width - code.length
      const first = Number.parseInt(code, 2) << free
      for (let i = first; i < first + (1 << free); i++) {
        if (table[i] !== 0) throw new RangeError(`code ${code} begins or continues another one`)
        table[i] = (value << LENGTH_BITS) | code.length
      }
    }
    this.#table = table
    this.#width = width
  }
}

/** A code from a list in which position is value; empty places have no code. */
export function vlcOf(list: string): Vlc {
  return new Vlc(
    list
      .trim()
      .split(/\s+/)
      .map((code, value) => [code, value] as const)
      .filter(([code]) => code !== '-'),
  )
}
