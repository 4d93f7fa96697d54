import type { LowBits } from './low-bits.ts'

export const LONGEST_CODE = 15
/** Bits that one look-up reads at most: nearly all words of encoders' codes. */
const QUICK_BITS = 10
const LENGTH_BITS = 4
/** Of a code that cannot be. */
const NONE = new Uint16Array(1)

/** A prefix code by the lengths of its words, RFC 1951 §3.2.2. */
export class PrefixCode {
  /** Symbol and length of the word that the next bits begin with; 0 where it is longer or none. */
  readonly #quick: Uint16Array
  /** Bits that a look-up reads: those of the longest word, where all are short. */
  readonly #quickBits: number
  /** Code words of each length. */
  readonly #counts = new Uint16Array(LONGEST_CODE + 1)
  /** Symbols in the order of their code words. */
  readonly #symbols: Uint16Array
  readonly #lengths: Uint8Array
  /** False when there are more words than their lengths leave room for. */
  readonly possible: boolean
  /** True when every row of bits begins with a word. */
  readonly complete: boolean
  /** Number of words. */
  readonly words: number

  constructor(lengths: Uint8Array) {
    this.#lengths = lengths
    for (const length of lengths) this.#counts[length]++
    this.#counts[0] = 0
    const starts = new Uint16Array(LONGEST_CODE + 2)
    let room = 1
    let possible = true
    let longest = 0
    for (let length = 1; length <= LONGEST_CODE; length++) {
      room = room * 2 - this.#counts[length]
      possible &&= room >= 0
      if (this.#counts[length] > 0) longest = length
      starts[length + 1] = starts[length] + this.#counts[length]
    }
    this.possible = possible
    this.complete = possible && room === 0
    this.words = starts[LONGEST_CODE + 1]
    this.#symbols = new Uint16Array(this.words)
    for (let symbol = 0; symbol < lengths.length; symbol++)
      if (lengths[symbol] > 0) this.#symbols[starts[lengths[symbol]]++] = symbol
    this.#quickBits = possible ? Math.min(longest, QUICK_BITS) : 0
    this.#quick = possible ? new Uint16Array(1 << this.#quickBits) : NONE
    if (possible) this.#fillQuick()
  }

  /** The symbol whose word comes next, −1 for a word that the code lacks. */
  read(bits: LowBits): number {
    const entry = this.#quick[bits.peek(this.#quickBits)]
    if (entry !== 0) {
      bits.skip(entry & 15)
      return entry >> LENGTH_BITS
    }
    const word = bits.peek(LONGEST_CODE)
    let code = 0
    let first = 0
    let index = 0
    for (let length = 1; length <= LONGEST_CODE; length++) {
      code = (code << 1) | ((word >> (length - 1)) & 1)
      const count = this.#counts[length]
      if (code - first < count) {
        bits.skip(length)
        return this.#symbols[index + code - first]
      }
      index += count
      first = (first + count) << 1
    }
    return -1
  }

  /** The word of a symbol, its first bit lowest, and its length; of length 0 when it has none. */
  wordOf(symbol: number): { readonly word: number; readonly length: number } {
    const length = this.#lengths[symbol] ?? 0
    if (length === 0) return { word: 0, length }
    let first = 0
    let index = 0
    for (let shorter = 1; shorter < length; shorter++) {
      first = (first + this.#counts[shorter]) << 1
      index += this.#counts[shorter]
    }
    return { word: reversed(first + this.#symbols.indexOf(symbol, index) - index, length), length }
  }

  #fillQuick(): void {
    let code = 0
    let index = 0
    for (let length = 1; length <= this.#quickBits; length++) {
      for (let i = 0; i < this.#counts[length]; i++, code++) {
        const entry = (this.#symbols[index++] << LENGTH_BITS) | length
        for (let at = reversed(code, length); at < this.#quick.length; at += 1 << length)
          this.#quick[at] = entry
      }
      code <<= 1
    }
  }
}

/** The lowest `length` bits in reverse. */
export function reversed(value: number, length: number): number {
  let result = 0
  for (let i = 0; i < length; i++) result |= ((value >> i) & 1) << (length - 1 - i)
  return result
}
