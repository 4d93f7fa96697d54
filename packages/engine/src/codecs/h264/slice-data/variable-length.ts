import type { BitReader } from '../../../bytes/bit-reader.ts'

/**
 * A prefix code as a table by the next bits: value times 32 plus length, 0 where no code begins. It is made when it is first
 * read.
 */
export class PrefixCode {
  readonly #lengths: readonly number[]
  readonly #words: readonly number[]
  #width = 0
  #table = new Uint16Array(0)

  /** Lengths and code words by value; a length of 0 leaves the value out. */
  constructor(lengths: readonly number[], words: readonly number[]) {
    this.#lengths = lengths
    this.#words = words
  }

  /** The next value, or -1 when the bits begin no code. */
  read(bits: BitReader): number {
    if (this.#width === 0) this.#fill()
    const entry = this.#table[bits.peek(this.#width)]
    if (entry === 0) return -1
    bits.skip(entry & 31)
    return entry >> 5
  }

  #fill(): void {
    const width = Math.max(...this.#lengths)
    const table = new Uint16Array(1 << width)
    for (const [value, length] of this.#lengths.entries()) {
      if (length === 0) continue
      const spread = width - length
      table.fill((value << 5) | length, this.#words[value] << spread, (this.#words[value] + 1) << spread)
    }
    this.#table = table
    this.#width = width
  }
}

/** coeff_token by trailing ones (rows) and total coefficients (columns), ITU-T H.264 (08/2021) Table 9-5, joined row by row. */
function coefficientToken(
  lengths: readonly (readonly number[])[],
  words: readonly (readonly number[])[],
): PrefixCode {
  return new PrefixCode(lengths.flat(), words.flat())
}

/** Values of `coeff_token` codes: trailing ones times the columns of a table plus total coefficients. */
export const LUMA_COLUMNS = 17

/** By number of coefficients around: below 2, below 4, below 8. From 8 on the code has six bits of plain numbers. */
export const LUMA_TOKENS: readonly PrefixCode[] = [
  coefficientToken(
    [
      [1, 6, 8, 9, 10, 11, 13, 13, 13, 14, 14, 15, 15, 16, 16, 16, 16],
      [0, 2, 6, 8, 9, 10, 11, 13, 13, 14, 14, 15, 15, 15, 16, 16, 16],
      [0, 0, 3, 7, 8, 9, 10, 11, 13, 13, 14, 14, 15, 15, 16, 16, 16],
      [0, 0, 0, 5, 6, 7, 8, 9, 10, 11, 13, 14, 14, 15, 15, 16, 16],
    ],
    [
      [1, 5, 7, 7, 7, 7, 15, 11, 8, 15, 11, 15, 11, 15, 11, 7, 4],
      [0, 1, 4, 6, 6, 6, 6, 14, 10, 14, 10, 14, 10, 1, 14, 10, 6],
      [0, 0, 1, 5, 5, 5, 5, 5, 13, 9, 13, 9, 13, 9, 13, 9, 5],
      [0, 0, 0, 3, 3, 4, 4, 4, 4, 4, 12, 12, 8, 12, 8, 12, 8],
    ],
  ),
  coefficientToken(
    [
      [2, 6, 6, 7, 8, 8, 9, 11, 11, 12, 12, 12, 13, 13, 13, 14, 14],
      [0, 2, 5, 6, 6, 7, 8, 9, 11, 11, 12, 12, 13, 13, 14, 14, 14],
      [0, 0, 3, 6, 6, 7, 8, 9, 11, 11, 12, 12, 13, 13, 13, 14, 14],
      [0, 0, 0, 4, 4, 5, 6, 6, 7, 9, 11, 11, 12, 13, 13, 13, 14],
    ],
    [
      [3, 11, 7, 7, 7, 4, 7, 15, 11, 15, 11, 8, 15, 11, 7, 9, 7],
      [0, 2, 7, 10, 6, 6, 6, 6, 14, 10, 14, 10, 14, 10, 11, 8, 6],
      [0, 0, 3, 9, 5, 5, 5, 5, 13, 9, 13, 9, 13, 9, 6, 10, 5],
      [0, 0, 0, 5, 4, 6, 8, 4, 4, 4, 12, 8, 12, 12, 8, 1, 4],
    ],
  ),
  coefficientToken(
    [
      [4, 6, 6, 6, 7, 7, 7, 7, 8, 8, 9, 9, 9, 10, 10, 10, 10],
      [0, 4, 5, 5, 5, 5, 6, 6, 7, 8, 8, 9, 9, 9, 10, 10, 10],
      [0, 0, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 10],
      [0, 0, 0, 4, 4, 4, 4, 4, 5, 6, 7, 8, 8, 9, 10, 10, 10],
    ],
    [
      [15, 15, 11, 8, 15, 11, 9, 8, 15, 11, 15, 11, 8, 13, 9, 5, 1],
      [0, 14, 15, 12, 10, 8, 14, 10, 14, 14, 10, 14, 10, 7, 12, 8, 4],
      [0, 0, 13, 14, 11, 9, 13, 9, 13, 10, 13, 9, 13, 9, 11, 7, 3],
      [0, 0, 0, 12, 11, 10, 9, 8, 13, 12, 12, 12, 8, 12, 10, 6, 2],
    ],
  ),
]

/** Chroma DC of 4:2:0 (five columns) and of 4:2:2 (nine). */
export const CHROMA_TOKENS: Readonly<Record<1 | 2, PrefixCode>> = {
  1: coefficientToken(
    [
      [2, 6, 6, 6, 6],
      [0, 1, 6, 7, 8],
      [0, 0, 3, 7, 8],
      [0, 0, 0, 6, 7],
    ],
    [
      [1, 7, 4, 3, 2],
      [0, 1, 6, 3, 3],
      [0, 0, 1, 2, 2],
      [0, 0, 0, 5, 0],
    ],
  ),
  2: coefficientToken(
    [
      [1, 7, 7, 9, 9, 10, 11, 12, 13],
      [0, 2, 7, 7, 9, 10, 11, 12, 12],
      [0, 0, 3, 7, 7, 9, 10, 11, 12],
      [0, 0, 0, 5, 6, 7, 7, 10, 11],
    ],
    [
      [1, 15, 14, 7, 6, 7, 7, 7, 7],
      [0, 1, 13, 12, 5, 6, 6, 6, 5],
      [0, 0, 1, 11, 10, 4, 5, 5, 4],
      [0, 0, 0, 1, 1, 9, 8, 4, 4],
    ],
  ),
}

/** total_zeros by total coefficients less one, Tables 9-7 and 9-8. */
export const TOTAL_ZEROS: readonly PrefixCode[] = (
  [
    [
      [1, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 9],
      [1, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 1],
    ],
    [
      [3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 6, 6, 6, 6],
      [7, 6, 5, 4, 3, 5, 4, 3, 2, 3, 2, 3, 2, 1, 0],
    ],
    [
      [4, 3, 3, 3, 4, 4, 3, 3, 4, 5, 5, 6, 5, 6],
      [5, 7, 6, 5, 4, 3, 4, 3, 2, 3, 2, 1, 1, 0],
    ],
    [
      [5, 3, 4, 4, 3, 3, 3, 4, 3, 4, 5, 5, 5],
      [3, 7, 5, 4, 6, 5, 4, 3, 3, 2, 2, 1, 0],
    ],
    [
      [4, 4, 4, 3, 3, 3, 3, 3, 4, 5, 4, 5],
      [5, 4, 3, 7, 6, 5, 4, 3, 2, 1, 1, 0],
    ],
    [
      [6, 5, 3, 3, 3, 3, 3, 3, 4, 3, 6],
      [1, 1, 7, 6, 5, 4, 3, 2, 1, 1, 0],
    ],
    [
      [6, 5, 3, 3, 3, 2, 3, 4, 3, 6],
      [1, 1, 5, 4, 3, 3, 2, 1, 1, 0],
    ],
    [
      [6, 4, 5, 3, 2, 2, 3, 3, 6],
      [1, 1, 1, 3, 3, 2, 2, 1, 0],
    ],
    [
      [6, 6, 4, 2, 2, 3, 2, 5],
      [1, 0, 1, 3, 2, 1, 1, 1],
    ],
    [
      [5, 5, 3, 2, 2, 2, 4],
      [1, 0, 1, 3, 2, 1, 1],
    ],
    [
      [4, 4, 3, 3, 1, 3],
      [0, 1, 1, 2, 1, 3],
    ],
    [
      [4, 4, 2, 1, 3],
      [0, 1, 1, 1, 1],
    ],
    [
      [3, 3, 1, 2],
      [0, 1, 1, 1],
    ],
    [
      [2, 2, 1],
      [0, 1, 1],
    ],
    [
      [1, 1],
      [0, 1],
    ],
  ] as const
).map(([lengths, words]) => new PrefixCode(lengths, words))

/** total_zeros of chroma DC, Table 9-9, in 4:2:0 and 4:2:2. */
export const CHROMA_ZEROS: Readonly<Record<1 | 2, readonly PrefixCode[]>> = {
  1: [
    new PrefixCode([1, 2, 3, 3], [1, 1, 1, 0]),
    new PrefixCode([1, 2, 2], [1, 1, 0]),
    new PrefixCode([1, 1], [1, 0]),
  ],
  2: [
    new PrefixCode([1, 3, 3, 4, 4, 4, 5, 5], [1, 2, 3, 2, 3, 1, 1, 0]),
    new PrefixCode([3, 2, 3, 3, 3, 3, 3], [0, 1, 1, 4, 5, 6, 7]),
    new PrefixCode([3, 3, 2, 2, 3, 3], [0, 1, 1, 2, 6, 7]),
    new PrefixCode([3, 2, 2, 2, 3], [6, 0, 1, 2, 7]),
    new PrefixCode([2, 2, 2, 2], [0, 1, 2, 3]),
    new PrefixCode([2, 2, 1], [0, 1, 1]),
    new PrefixCode([1, 1], [0, 1]),
  ],
}

/** run_before by zeros left less one, seven and more alike, Table 9-10. */
export const RUN_BEFORE: readonly PrefixCode[] = [
  new PrefixCode([1, 1], [1, 0]),
  new PrefixCode([1, 2, 2], [1, 1, 0]),
  new PrefixCode([2, 2, 2, 2], [3, 2, 1, 0]),
  new PrefixCode([2, 2, 2, 3, 3], [3, 2, 1, 1, 0]),
  new PrefixCode([2, 2, 3, 3, 3, 3], [3, 2, 3, 2, 1, 0]),
  new PrefixCode([2, 3, 3, 3, 3, 3, 3], [3, 0, 1, 3, 2, 5, 4]),
  new PrefixCode(
    [3, 3, 3, 3, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    [7, 6, 5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1],
  ),
]

/** coded_block_pattern of intra macroblocks by code number, Table 9-4, chroma in the upper two bits. */
export const INTRA_PATTERNS = Uint8Array.of(
  ...[47, 31, 15, 0, 23, 27, 29, 30, 7, 11, 13, 14, 39, 43, 45, 46, 16, 3, 5, 10, 12, 19, 21, 26],
  ...[28, 35, 37, 42, 44, 1, 2, 4, 8, 17, 18, 20, 24, 6, 9, 22, 25, 32, 33, 34, 36, 40, 38, 41],
)

/** The same of macroblocks that are predicted from other pictures. */
export const INTER_PATTERNS = Uint8Array.of(
  ...[0, 16, 1, 2, 4, 8, 32, 3, 5, 10, 12, 15, 47, 7, 11, 13, 14, 6, 9, 31, 35, 37, 42, 44],
  ...[33, 34, 36, 40, 39, 43, 45, 46, 17, 18, 20, 24, 19, 21, 26, 28, 23, 27, 29, 30, 22, 25, 38, 41],
)
