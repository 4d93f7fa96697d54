import { BitReader } from '../../bytes/bit-reader.ts'
import { type CoefficientTable, INTER_COEFFICIENTS, INTRA_COEFFICIENTS } from '../vlc/coefficients.ts'
import { FAST_CHROMINANCE, FAST_LUMINANCE, SLOW_CHROMINANCE, SLOW_LUMINANCE } from './coefficients.ts'
import { INTRA_PATTERN, skipDc } from './macroblock-codes.ts'

/** Codings whose intra pictures can be read to their ends. */
export type ReadableCodec = 'msmpeg4v3' | 'wmv1' | 'wmv2'

const LUMINANCE: readonly CoefficientTable[] = [SLOW_LUMINANCE, FAST_LUMINANCE, INTRA_COEFFICIENTS]
const CHROMINANCE: readonly CoefficientTable[] = [SLOW_CHROMINANCE, FAST_CHROMINANCE, INTER_COEFFICIENTS]
/** Slice code of a picture in one slice. */
const ONE_SLICE = 0x17
/** Frame rate, bit rate and rounding: behind the pictures of MS-MPEG4, in the headers of Windows Media Video 7. */
const RATES_BITS = 17
/** Kilobits a second above which macroblocks of Windows Media Video 7 may have tables of their own. */
const OWN_TABLES_RATE = 50
/**
 * Of what the container says of Windows Media Video 8: bytes, and bits for pictures that are coded otherwise and for tables as
 * above.
 */
const CONFIG_BYTES = 4
const OTHER_PICTURES_BIT = 19
const OWN_TABLES_BIT = 21
/** Below this quantiser the length of escaped levels is told in three bits. */
const FINE_QUANT = 8
const LONGEST_LEVEL = 8

export function isReadable(codec: string): codec is ReadableCodec {
  return codec === 'msmpeg4v3' || codec === 'wmv1' || codec === 'wmv2'
}

interface Header {
  readonly quant: number
  /** Each macroblock with coefficients names its tables. */
  readonly ownTables: boolean
  luminance: number
  chrominance: number
  readonly dc: number
}

/** Reads intra pictures of `columns` times `rows` macroblocks. `config`: what the container says of Windows Media Video 8. */
export class IntraPictureReader {
  readonly #codec: ReadableCodec
  readonly #config: Uint8Array
  readonly #columns: number
  readonly #rows: number
  /**
   * Which blocks of brightness have coefficients: the last row of blocks above, and both of these macroblocks; one place in front
   * of each.
   */
  readonly #blocks: Uint8Array
  readonly #stride: number
  /** Bits of escaped levels and runs; 0 before the picture's first. */
  #levelBits = 0
  #runBits = 0

  constructor(codec: ReadableCodec, config: Uint8Array, columns: number, rows: number) {
    this.#codec = codec
    this.#config = config
    this.#columns = columns
    this.#rows = rows
    this.#stride = 2 * columns + 1
    this.#blocks = new Uint8Array(3 * this.#stride)
  }

  /** Whether the bytes are one picture from the first bit to the last; undefined where they are of a kind that is not read. */
  reads(bytes: Uint8Array): boolean | undefined {
    const bits = new BitReader(bytes)
    const header = this.#header(bits)
    if (!header) return undefined
    this.#levelBits = 0
    this.#blocks.fill(0)
    for (let row = 0; row < this.#rows; row++) {
      for (let column = 0; column < this.#columns; column++)
        if (!this.#macroblock(bits, header, column)) return false
      this.#blocks.copyWithin(0, 2 * this.#stride)
    }
    const left = this.#codec === 'msmpeg4v3' && bits.left >= RATES_BITS ? bits.left - RATES_BITS : bits.left
    return left >= 0 && left < 8
  }

  #header(bits: BitReader): Header | undefined {
    if (this.#codec === 'wmv2') return this.#newestHeader(bits)
    if (bits.bits(2) !== 0) return undefined
    const quant = bits.bits(5)
    if (quant === 0 || bits.bits(5) !== ONE_SLICE) return undefined
    if (this.#codec === 'msmpeg4v3') return tablesOf(bits, quant, false)
    bits.skip(5)
    const mayOwn = bits.bits(11) > OWN_TABLES_RATE
    bits.skip(1)
    return tablesOf(bits, quant, mayOwn)
  }

  #newestHeader(bits: BitReader): Header | undefined {
    if (bits.bit() !== 0 || this.#config.length < CONFIG_BYTES) return undefined
    bits.skip(7)
    const quant = bits.bits(5)
    const flags = new BitReader(this.#config, OTHER_PICTURES_BIT)
    const isOther = flags.bit() === 1 && bits.bit() === 1
    flags.position = OWN_TABLES_BIT
    return quant === 0 || isOther ? undefined : tablesOf(bits, quant, flags.bit() === 1)
  }

  #macroblock(bits: BitReader, header: Header, column: number): boolean {
    const code = INTRA_PATTERN.read(bits)
    if (code < 0) return false
    const pattern = this.#patternOf(code, column)
    // whether AC is predicted
    bits.skip(1)
    if (header.ownTables && pattern > 0) header.luminance = header.chrominance = tableNumber(bits)
    for (let block = 0; block < 6; block++) {
      const colour = block > 3
      if (!skipDc(bits, header.dc, colour)) return false
      if (((pattern >> (5 - block)) & 1) === 0) continue
      const table = colour ? CHROMINANCE[header.chrominance] : LUMINANCE[header.luminance]
      if (!table.readBlock(bits, 1, (from, of) => this.#escape(from, of, header.quant))) return false
    }
    return !bits.overrun
  }

  /** The six bits of a macroblock's pattern, most significant first, with what its neighbours let expect. */
  #patternOf(code: number, column: number): number {
    let pattern = code & 3
    for (let block = 0; block < 4; block++) {
      const at = (1 + (block >> 1)) * this.#stride + 2 * column + (block & 1) + 1
      const [corner, above, left] = [at - this.#stride - 1, at - this.#stride, at - 1]
      const like = this.#blocks[corner] === this.#blocks[above] ? left : above
      this.#blocks[at] = ((code >> (5 - block)) & 1) ^ this.#blocks[like]
      pattern |= this.#blocks[at] << (5 - block)
    }
    return pattern
  }

  /** What follows an escape code: run, plus 64 if it is the last coefficient, or -1. */
  #escape(bits: BitReader, table: CoefficientTable, quant: number): number {
    const isOldest = this.#codec === 'msmpeg4v3'
    if (bits.bit() === 1) return table.readPlain(bits)
    if (bits.bit() === 1) return table.readLongRun(bits, isOldest ? 0 : 1)
    const last = bits.bit() * 64
    if (isOldest) {
      const run = bits.bits(6)
      bits.skip(8)
      return run + last
    }
    if (this.#levelBits === 0) {
      this.#levelBits = quant < FINE_QUANT ? fineLength(bits) : coarseLength(bits)
      this.#runBits = bits.bits(2) + 3
    }
    const run = bits.bits(this.#runBits)
    bits.skip(1 + this.#levelBits)
    return run < 64 ? run + last : -1
  }
}

function tablesOf(bits: BitReader, quant: number, mayOwn: boolean): Header {
  const ownTables = mayOwn && bits.bit() === 1
  const chrominance = ownTables ? 0 : tableNumber(bits)
  const luminance = ownTables ? 0 : tableNumber(bits)
  return { quant, ownTables, luminance, chrominance, dc: bits.bit() }
}

/** 0, 10 or 11. */
function tableNumber(bits: BitReader): number {
  return bits.bit() === 0 ? 0 : 1 + bits.bit()
}

/** Three bits, or four behind three zeros. */
function fineLength(bits: BitReader): number {
  return bits.bits(3) || LONGEST_LEVEL + bits.bit()
}

/** Two bits and one more for every zero, up to eight. */
function coarseLength(bits: BitReader): number {
  let length = 2
  while (length < LONGEST_LEVEL && bits.bit() === 0) length++
  return length
}
