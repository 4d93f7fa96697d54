/** What a code of codebook 17 stands for, SMPTE ST 2073-1:2014: coefficients that follow each other, or the end of a band. */
export interface Code {
  /** Bits of the code, and of the sign behind a magnitude. */
  readonly length: number
  /** Coefficients: 1 for a magnitude, up to 320 zeros; 0 for the end of a band. */
  readonly count: number
}

/** Codes of a magnitude, hexadecimal, by their length in bits: those of up to 115. */
const MAGNITUDES: readonly (readonly [number, string])[] = [
  [2, '2'],
  [3, '7'],
  [5, '19'],
  [6, '30 36'],
  [7, '63 6b 6f'],
  [8, 'd4 dc'],
  [9, '189 1a0 1ab'],
  [10, '310 316 354 375 377'],
  [11, '623 684 6ab 6ec'],
  [12, 'c44 c5c c5e d55 dd1 dd3 ddb'],
  [13, '188b 18bb 1aa8 1ba0 1ba4 1bb5'],
  [14, '3115 3175 317d 3553 3768'],
  [15, '6228 62e8 62f8 6aa4 6e85 6e87 6ed3'],
  [16, 'c453 c5d3 c5f3 dd08 dd0c dda4'],
  [17, '188a4 18ba5 18be5 1aa95 1aa97 1ba13 1bb4a 1bb4b'],
  [18, '31748 317c8 35528 3552c 37424 37434 37436'],
  [19, '62294 62e92 62f92 6aa52 6aa5a 6e84a 6e86a 6e86e'],
  [20, 'c452a c5d27 c5f26 d54a6 d54b6 dd096 dd0d6 dd0de'],
  [21, '188a56 18ba4d 18be4e 18be4f 1aa96e 1ba12e 1ba12f 1ba1af 1ba1bf'],
  [22, '317498 35529c 35529d 3552de 3552df 37435d 37437d'],
  [23, '62295d 62e933 6aa53d 6aa53e 6aa53f 6e86b9 6e86f8'],
  [24, 'c452b8 c5d265 d54a78 d54a79 dd0d70 dd0d71 dd0df2 dd0df3'],
]
/** Runs of zeros: length in bits, code, zeros. */
const RUNS: readonly (readonly [number, number, number])[] = [
  [1, 0, 1],
  [7, 0x69, 12],
  [8, 0xd1, 20],
  [9, 0x18a, 32],
  [10, 0x343, 60],
  [11, 0x685, 100],
  [13, 0x18bf, 180],
  [13, 0x1ba5, 320],
]
const BAND_END = 0x311_4ba3
const BAND_END_BITS = 26
/** Every other code is of a magnitude above 115 and has 25 bits, one of them 26. */
const LONG_BITS = 25

/** Bits of the codes that stand in a table by themselves. */
const SHORT_BITS = 13

const SHORT: readonly Code[] = shortCodes()
const LONGER = MAGNITUDES.filter(([length]) => length > SHORT_BITS).map(([length, codes]) => ({
  length,
  codes: new Set(numbersOf(codes)),
}))

/** The code that the highest of 32 bits begin with: every pattern of bits begins with one. */
export function codeAt(bits: number): Code {
  return SHORT[bits >>> (32 - SHORT_BITS)] ?? longCode(bits)
}

function longCode(bits: number): Code {
  for (const { length, codes } of LONGER)
    if (codes.has(bits >>> (32 - length))) return { length: length + 1, count: 1 }
  const last = bits >>> (32 - BAND_END_BITS)
  if (last === BAND_END) return { length: BAND_END_BITS, count: 0 }
  return { length: last === BAND_END - 1 ? BAND_END_BITS + 1 : LONG_BITS + 1, count: 1 }
}

function shortCodes(): Code[] {
  const table: Code[] = new Array(1 << SHORT_BITS)
  const put = (length: number, code: number, entry: Code): void => {
    const free = SHORT_BITS - length
    if (free >= 0) table.fill(entry, code << free, (code + 1) << free)
  }
  for (const [length, code, count] of RUNS) put(length, code, { length, count })
  for (const [length, codes] of MAGNITUDES)
    for (const code of numbersOf(codes)) put(length, code, { length: length + 1, count: 1 })
  return table
}

function numbersOf(codes: string): number[] {
  return codes.split(' ').map((code) => Number.parseInt(code, 16))
}
