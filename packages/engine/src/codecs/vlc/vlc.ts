import type { BitReader } from '../../bytes/bit-reader.ts'

const LENGTH_BITS = 5

/** A variable length code, looked up in one step: codes up to 16 bits. Values are 0 to 1023. */
export class Vlc {
  readonly #width: number
  readonly #table: Uint16Array

  /** @throws RangeError when the codes are not prefix-free: a mistake in a table. */
  constructor(codes: readonly (readonly [code: string, value: number])[]) {
    this.#width = Math.max(...codes.map(([code]) => code.length))
    this.#table = new Uint16Array(1 << this.#width)
    for (const [code, value] of codes) {
      const free = this.#width - code.length
      const first = Number.parseInt(code, 2) << free
      for (let i = first; i < first + (1 << free); i++) {
        if (this.#table[i] !== 0) throw new RangeError(`code ${code} begins or continues another one`)
        this.#table[i] = (value << LENGTH_BITS) | code.length
      }
    }
  }

  /** The next code's value, or -1 where no code stands (then nothing is consumed). */
  read(bits: BitReader): number {
    const entry = this.#table[bits.peek(this.#width)]
    if (entry === 0) {
      // the code may go on behind the end
      if (bits.left < this.#width) bits.skip(this.#width)
      return -1
    }
    bits.skip(entry & ((1 << LENGTH_BITS) - 1))
    return entry >> LENGTH_BITS
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
