import type { BitReader } from '../../bytes/bit-reader.ts'
import { Vlc } from './vlc.ts'

/**
 * Transform coefficient codes by run of zeros: each line lists the codes of level 1, 2, … behind that many zeros, without
 * their sign. INTER is ITU-T H.263 (01/2005) Table 16 and ISO/IEC 14496-2:2004 Table B.17, INTRA its Table B.16.
 */
const INTER_MORE: readonly string[] = [
  '10 1111 010101 0010111 00011111 000100101 000100100 0000100001 0000100000 00000000111 00000000110 00000100000',
  '110 010100 00011110 0000001111 00000100001 000001010000',
  '1110 00011101 0000001110 000001010001',
  '01101 000100011 0000001101',
  '01100 000100010 000001010010',
  '01011 0000001100 000001010011',
  '010011 0000001011 000001010100',
  '010010 0000001010',
  '010001 0000001001',
  '010000 0000001000',
  '0010110 000001010101',
  '0010101',
  '0010100',
  '00011100',
  '00011011',
  '000100001',
  '000100000',
  '000011111',
  '000011110',
  '000011101',
  '000011100',
  '000011011',
  '000011010',
  '00000100010',
  '00000100011',
  '000001010110',
  '000001010111',
]
const INTER_LAST: readonly string[] = [
  '0111 000011001 00000000101',
  '001111 00000000100',
  '001110',
  '001101',
  '001100',
  '0010011',
  '0010010',
  '0010001',
  '0010000',
  '00011010',
  '00011001',
  '00011000',
  '00010111',
  '00010110',
  '00010101',
  '00010100',
  '00010011',
  '000011000',
  '000010111',
  '000010110',
  '000010101',
  '000010100',
  '000010011',
  '000010010',
  '000010001',
  '0000000111',
  '0000000110',
  '0000000101',
  '0000000100',
  '00000100100',
  '00000100101',
  '00000100110',
  '00000100111',
  '000001011000',
  '000001011001',
  '000001011010',
  '000001011011',
  '000001011100',
  '000001011101',
  '000001011110',
  '000001011111',
]
const INTRA_MORE: readonly string[] = [
  '10 110 1111 01101 01100 010101 010011 010010 0010111 00011111 00011110 00011101 000100101 000100100 000100011 000100001 0000100001 0000100000 0000001111 0000001110 00000000111 00000000110 00000100000 00000100001 000001010000 000001010001 000001010010',
  '1110 010100 0010110 00011100 000100000 000011111 0000001101 00000100010 000001010011 000001010101',
  '01011 0010101 000011110 0000001100 000001010110',
  '010001 00011011 000011101 0000001011',
  '010000 000100010 0000001010',
  '001101 000011100 0000001000',
  '0010010 000011011 000001010100',
  '0010100 000011010 000001010111',
  '00011001 0000001001',
  '00011000 00000100011',
  '00010111',
  '000011001',
  '000011000',
  '0000000111',
  '000001011000',
]
const INTRA_LAST: readonly string[] = [
  '0111 001100 00010110 000010111 0000000110 00000000101 00000000100 000001011001',
  '001111 000010110 0000000101',
  '001110 0000000100',
  '0010001 00000100100',
  '0010000 00000100101',
  '0010011 000001011010',
  '00010101 000001011011',
  '00010100',
  '00010011',
  '00011010',
  '000010101',
  '000010100',
  '000010011',
  '000010010',
  '000010001',
  '00000100110',
  '00000100111',
  '000001011100',
  '000001011101',
  '000001011110',
  '000001011111',
]
/** The escape code of H.263 and MPEG-4. */
const ESCAPE = '0000011'
const ESCAPE_VALUE = 1023
/** Coefficients of a block. */
export const BLOCK_SIZE = 64

/** What codes stand for. */
interface Codes {
  /** Values are places in the lists below, or `ESCAPE_VALUE`. */
  readonly vlc: Vlc
  readonly last: readonly boolean[]
  readonly run: readonly number[]
  readonly level: readonly number[]
  /** Largest run by last and level. */
  readonly maxRun: readonly [number[], number[]]
}

function codesOf(more: readonly string[], last: readonly string[], escapeCode: string): Codes {
  const codes: [string, number][] = [[escapeCode, ESCAPE_VALUE]]
  const lasts: boolean[] = []
  const runs: number[] = []
  const levels: number[] = []
  const maxRun: [number[], number[]] = [[], []]
  for (const [isLast, lines] of [
    [false, more],
    [true, last],
  ] as const) {
    lines.forEach((line, run) => {
      line.split(' ').forEach((code, index) => {
        codes.push([code, runs.length])
        lasts.push(isLast)
        runs.push(run)
        levels.push(index + 1)
        const largest = maxRun[isLast ? 1 : 0]
        largest[index + 1] = Math.max(largest[index + 1] ?? 0, run)
      })
    })
  }
  return { vlc: new Vlc(codes), last: lasts, run: runs, level: levels, maxRun }
}

/**
 * A coefficient table: codes to (last, run, level), and the largest run of each level for the second escape. Made when it is
 * first read.
 */
export class CoefficientTable {
  readonly #make: () => Codes
  #made: Codes | undefined

  constructor(more: readonly string[], last: readonly string[], escapeCode = ESCAPE) {
    this.#make = () => codesOf(more, last, escapeCode)
  }

  get #codes(): Codes {
    this.#made ??= this.#make()
    return this.#made
  }

  /**
   * Reads the coefficients of a block from place `from` on. `readEscape` reads what follows the escape code and returns
   * run + 64 if it was the last coefficient, the run otherwise, or -1. False when the block overflows or a code is none.
   */
  readBlock(
    bits: BitReader,
    from: number,
    readEscape: (bits: BitReader, table: CoefficientTable) => number,
  ): boolean {
    const codes = this.#codes
    let place = from
    for (;;) {
      const value = codes.vlc.read(bits)
      if (value < 0) return false
      let run: number
      let isLast: boolean
      if (value === ESCAPE_VALUE) {
        const escaped = readEscape(bits, this)
        if (escaped < 0) return false
        run = escaped % BLOCK_SIZE
        isLast = escaped >= BLOCK_SIZE
      } else {
        run = codes.run[value]
        isLast = codes.last[value]
        bits.skip(1)
      }
      place += run + 1
      if (place > BLOCK_SIZE || bits.overrun) return false
      if (isLast) return true
    }
  }

  /** A code with its sign, where no escape may stand: run, plus 64 if it is the last coefficient, or -1. */
  readPlain(bits: BitReader): number {
    const { vlc, run, last } = this.#codes
    const value = vlc.read(bits)
    if (value < 0 || value === ESCAPE_VALUE) return -1
    bits.skip(1)
    return run[value] + (last[value] ? BLOCK_SIZE : 0)
  }

  /**
   * As `readPlain`, with the run raised by the largest run of its level plus one (ISO/IEC 14496-2:2004 §7.4.1.3, second escape);
   * `more` where it is not one more.
   */
  readLongRun(bits: BitReader, more = 1): number {
    const codes = this.#codes
    const value = codes.vlc.read(bits)
    if (value < 0 || value === ESCAPE_VALUE) return -1
    bits.skip(1)
    const isLast = codes.last[value]
    const run = codes.run[value] + (codes.maxRun[isLast ? 1 : 0][codes.level[value]] ?? 0) + more
    if (run >= BLOCK_SIZE) return -1
    return run + (isLast ? BLOCK_SIZE : 0)
  }
}

export const INTER_COEFFICIENTS: CoefficientTable = new CoefficientTable(INTER_MORE, INTER_LAST)
export const INTRA_COEFFICIENTS: CoefficientTable = new CoefficientTable(INTRA_MORE, INTRA_LAST)
