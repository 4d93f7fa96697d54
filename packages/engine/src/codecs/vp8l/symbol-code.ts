import type { LowBits } from '../../bytes/deflate/low-bits.ts'
import { PrefixCode } from '../../bytes/deflate/prefix-code.ts'

/** Order in which lengths of the code for code lengths are sent, WebP Lossless Bitstream Specification §6.2.1. */
const LENGTH_ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
/** Length that is repeated where none was sent before. */
const FIRST_LENGTH = 8

/** Symbols of levels, and of lengths behind them, §5.2.2. */
export const LITERALS = 256
export const LENGTHS = 24

/** Codes of green with lengths and cache, red, blue, alpha, distance: §6.1. */
export type Group = readonly [SymbolCode, SymbolCode, SymbolCode, SymbolCode, SymbolCode]

export interface Word {
  readonly word: number
  readonly length: number
}

/** A prefix code of one kind of symbols; one that has a single symbol takes no bits. */
export class SymbolCode {
  /** One past the highest symbol. */
  readonly symbols: number
  readonly #code: PrefixCode | undefined
  readonly #symbol: number

  constructor(symbols: number, code: PrefixCode | undefined, symbol: number) {
    this.symbols = symbols
    this.#code = code
    this.#symbol = symbol
  }

  /** The next symbol, −1 where there is none. */
  read(bits: LowBits): number {
    return this.#code ? this.#code.read(bits) : this.#symbol
  }

  /** The word of a symbol, its first bit lowest; undefined where the code lacks it. */
  wordOf(symbol: number): Word | undefined {
    if (!this.#code) return symbol === this.#symbol ? { word: 0, length: 0 } : undefined
    const word = this.#code.wordOf(symbol)
    return word.length > 0 ? word : undefined
  }
}

/** Reads a prefix code for so many symbols, §6.2; undefined for one that no encoder writes. */
export function readSymbolCode(bits: LowBits, symbols: number): SymbolCode | undefined {
  const lengths = new Uint8Array(symbols)
  if (bits.take(1) === 1) {
    const count = bits.take(1) + 1
    const first = bits.take(bits.take(1) === 1 ? 8 : 1)
    const second = count === 2 ? bits.take(8) : first
    if (first >= symbols || second >= symbols) return undefined
    if (first === second) return new SymbolCode(symbols, undefined, first)
    lengths[first] = 1
    lengths[second] = 1
    return new SymbolCode(symbols, new PrefixCode(lengths), 0)
  }
  const own = new Uint8Array(LENGTH_ORDER.length)
  const sent = 4 + bits.take(4)
  if (sent > own.length) return undefined
  for (let i = 0; i < sent; i++) own[LENGTH_ORDER[i]] = bits.take(3)
  const lengthCode = codeOf(own)
  if (!lengthCode) return undefined
  let left = symbols
  if (bits.take(1) === 1) {
    left = 2 + bits.take(2 + 2 * bits.take(3))
    if (left > symbols) return undefined
  }
  let before = FIRST_LENGTH
  for (let at = 0; at < symbols && left > 0; left--) {
    const length = lengthCode.read(bits)
    if (length < 0 || bits.cut) return undefined
    if (length < 16) {
      lengths[at++] = length
      if (length > 0) before = length
      continue
    }
    const count = length === 16 ? 3 + bits.take(2) : length === 17 ? 3 + bits.take(3) : 11 + bits.take(7)
    if (at + count > symbols) return undefined
    lengths.fill(length === 16 ? before : 0, at, at + count)
    at += count
  }
  return codeOf(lengths)
}

function codeOf(lengths: Uint8Array): SymbolCode | undefined {
  const code = new PrefixCode(lengths)
  if (code.words === 1)
    return new SymbolCode(
      lengths.length,
      undefined,
      lengths.findIndex((length) => length > 0),
    )
  return code.complete ? new SymbolCode(lengths.length, code, 0) : undefined
}
