const LONGEST = 16

/** A prefix code with words of up to 16 bits, the highest bit first, as ITU-T T.81 Annex C numbers them. */
export class PrefixTable {
  /** For the next 16 bits: the length of the word they begin with, times 256, and its symbol; 0 where none does. */
  readonly #words = new Uint16Array(1 << LONGEST)
  readonly #codes = new Map<number, { readonly word: number; readonly length: number }>()

  /** @param counts words of each length from 1 on */
  constructor(counts: readonly number[], symbols: Uint8Array) {
    let [code, index] = [0, 0]
    for (let length = 1; length <= LONGEST; length++, code <<= 1) {
      for (let i = 0; i < (counts[length - 1] ?? 0); i++, code++, index++) {
        const symbol = symbols[index] ?? 0
        const shift = LONGEST - length
        this.#words.fill((length << 8) | symbol, code << shift, (code + 1) << shift)
        if (!this.#codes.has(symbol)) this.#codes.set(symbol, { word: code, length })
      }
    }
  }

  /** Length times 256 and symbol of the word that 16 bits begin with; 0 where none does. */
  look(bits: number): number {
    return this.#words[bits] ?? 0
  }

  /** The word of a symbol; undefined where it has none. */
  wordOf(symbol: number): { readonly word: number; readonly length: number } | undefined {
    return this.#codes.get(symbol)
  }
}
