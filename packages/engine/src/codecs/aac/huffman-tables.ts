import { type HuffmanBook, SCALE_FACTOR_BOOK, SPECTRUM_BOOKS, type SpectrumBook } from './huffman-books.ts'

/** Bits that index the first-level tables: 4,096 entries of two bytes keep all codes in the processor's cache. */
export const TABLE_BITS = 12
const TABLE_SIZE = 1 << TABLE_BITS

/** A table entry's low five bits count bits to skip; above them stands what was decoded. */
export const SKIP_MASK = 31
export const VALUE_SHIFT = 5

/**
 * Spectral codes for skipping: how many bits code words take, with the sign bits that belong to them. Values
 * themselves are never needed.
 */
export interface SpectrumTable {
  readonly dimension: 2 | 4
  /** By the next 12 bits: as many code words as fit them, `count << 5 | bits`; 0 when not even one does. */
  readonly several: Uint16Array
  /** By the next 12 bits: one code word, `escapes << 5 | bits`; 0 when it is longer than 12 bits. */
  readonly single: Uint16Array
  readonly long: LongCodes
}

/** Code words longer than 12 bits, decoded by comparing with the first of each length. */
export interface LongCodes {
  /** First code word of each length. */
  readonly first: Uint32Array
  /** Code words of each length. */
  readonly counts: Uint32Array
  /** What the words of each length start at in `values`. */
  readonly index: Uint32Array
  /** By order of code words: for spectra the bits that follow for signs, for scale factors the difference + 60. */
  readonly values: Uint8Array
}

const SPECTRUM_TABLES: (SpectrumTable | undefined)[] = []

/** The table of a spectral code, 1 to 11; undefined for others. It is made when it is first asked for. */
export function spectrumTable(code: number): SpectrumTable | undefined {
  const book = SPECTRUM_BOOKS[code - 1]
  if (book) SPECTRUM_TABLES[code] ??= tableOf(book)
  return SPECTRUM_TABLES[code]
}

/** Scale factor differences by the next 12 bits: `(difference + 60) << 5 | bits`; 0 when the code word is longer. */
export const SCALE_FACTOR_TABLE = table(
  SCALE_FACTOR_BOOK,
  (symbol) => symbol,
  () => 0,
)
export const SCALE_FACTOR_LONG = longCodes(SCALE_FACTOR_BOOK, (symbol) => symbol)
/** Bits of each scale factor difference's code word. */
export const SCALE_FACTOR_BITS = codeLengths(SCALE_FACTOR_BOOK)

function tableOf(book: SpectrumBook): SpectrumTable {
  const values = (symbol: number): number[] => {
    const result: number[] = []
    for (let at = 0, rest = symbol; at < book.dimension; at++, rest = Math.floor(rest / book.base)) {
      result.push(rest % book.base)
    }
    return result
  }
  const signs = (symbol: number): number =>
    book.unsigned ? values(symbol).filter((value) => value > 0).length : 0
  const escapes = (symbol: number): number =>
    book.base === 17 ? values(symbol).filter((value) => value === 16).length : 0
  const single = table(book, escapes, signs)
  return {
    dimension: book.dimension,
    single,
    several: joined(
      single,
      table(
        book,
        () => 0,
        () => 0,
      ),
    ),
    long: longCodes(book, signs),
  }
}

/** A first-level table of what `value` says of a symbol, skipping the code word and `extra` bits behind it. */
function table(
  book: HuffmanBook,
  value: (symbol: number) => number,
  extra: (symbol: number) => number,
): Uint16Array {
  const result = new Uint16Array(TABLE_SIZE)
  let at = 0
  let next = 0
  for (const [index, count] of book.counts.entries()) {
    const bits = index + 1
    if (bits > TABLE_BITS) break
    for (let word = 0; word < count; word++) {
      const symbol = book.symbols[next++]
      const span = 1 << (TABLE_BITS - bits)
      result.fill((value(symbol) << VALUE_SHIFT) | (bits + extra(symbol)), at, at + span)
      at += span
    }
  }
  return result
}

/** Chains code words of a first-level table as long as the twelve bits hold all of a code word; signs may lie behind. */
function joined(single: Uint16Array, wordBits: Uint16Array): Uint16Array {
  const result = new Uint16Array(TABLE_SIZE)
  for (let window = 0; window < TABLE_SIZE; window++) {
    let bits = 0
    let count = 0
    while (bits < TABLE_BITS) {
      const rest = (window << bits) & (TABLE_SIZE - 1)
      const word = wordBits[rest] & SKIP_MASK
      const escapes = single[rest] >> VALUE_SHIFT
      if (word === 0 || bits + word > TABLE_BITS || escapes > 0) break
      bits += single[rest] & SKIP_MASK
      count++
    }
    result[window] = (count << VALUE_SHIFT) | bits
  }
  return result
}

function longCodes(book: HuffmanBook, value: (symbol: number) => number): LongCodes {
  const lengths = book.counts.length + 1
  const first = new Uint32Array(lengths)
  const counts = new Uint32Array(lengths)
  const index = new Uint32Array(lengths)
  let code = 0
  let next = 0
  for (let bits = 1; bits < lengths; bits++) {
    code <<= 1
    first[bits] = code
    counts[bits] = book.counts[bits - 1]
    index[bits] = next
    code += counts[bits]
    next += counts[bits]
  }
  return { first, counts, index, values: Uint8Array.from(book.symbols, value) }
}

function codeLengths(book: HuffmanBook): Uint8Array {
  const result = new Uint8Array(book.symbols.length)
  let next = 0
  for (const [index, count] of book.counts.entries()) {
    for (let word = 0; word < count; word++) result[book.symbols[next++]] = index + 1
  }
  return result
}
