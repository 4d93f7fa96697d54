import { BitReader } from '../../../bytes/bit-reader.ts'
import { stopBit } from '../../nal/rbsp.ts'
import { PairRows } from './pair-rows.ts'
import {
  BARE,
  BLOCK_X,
  BLOCK_Y,
  BLOCKS,
  bareBits,
  chromaRowsOf,
  Neighbours,
  type PictureLayout,
  PREDICTED,
  type SliceReading,
  WHOLE,
} from './picture-layout.ts'
import { type InterSlice, type MotionSymbols, Prediction } from './prediction.ts'
import {
  CHROMA_TOKENS,
  CHROMA_ZEROS,
  INTER_PATTERNS,
  INTRA_PATTERNS,
  LUMA_COLUMNS,
  LUMA_TOKENS,
  type PrefixCode,
  RUN_BEFORE,
  TOTAL_ZEROS,
} from './variable-length.ts'

/** mb_type of bare samples in an I slice. */
const BARE_TYPE = 25
/** First mb_type of intra macroblocks in P and B slices. */
const P_INTRA = 5
const B_INTRA = 23
/** coded_block_pattern by code number in monochrome pictures, ITU-T H.264 (08/2021) Table 9-4. */
const PLAIN_PATTERNS = Uint8Array.of(15, 0, 7, 11, 13, 14, 3, 5, 10, 12, 1, 2, 4, 8, 6, 9)
const PLAIN_INTER_PATTERNS = Uint8Array.of(0, 1, 2, 4, 8, 3, 5, 10, 12, 15, 7, 11, 13, 14, 6, 9)
const MAX_QP_DELTA = 40
/** level_prefix beyond is only allowed in extended ranges nobody records. */
const MAX_LEVEL_PREFIX = 19

/**
 * Reads the macroblocks of slices coded with CAVLC (§7.3.5, §9.2), to see whether their bits are what they are taken for. Those
 * of P and B slices are not read in pairs.
 */
export class CavlcSliceReader implements MotionSymbols {
  readonly #bits = new BitReader(new Uint8Array(0))
  readonly #layout: PictureLayout
  readonly #near: Neighbours
  readonly #chromaRows: number
  readonly #pairs: PairRows | undefined
  readonly #prediction = new Prediction()
  readonly #readField = (): boolean => this.#bits.bit() === 1

  constructor(layout: PictureLayout) {
    this.#layout = layout
    this.#near = new Neighbours(layout.pairs ? 1 : layout.width)
    this.#chromaRows = chromaRowsOf(layout)
    this.#pairs = layout.pairs ? new PairRows(layout.width, this.#chromaRows) : undefined
  }

  /**
   * Reads a slice whose data begins at bit `start` of unescaped `bytes`; `most` bounds the macroblocks read, `firstMb` is counted
   * in macroblocks, pairs or not. With `inter` it is a P or B slice, without an I slice.
   */
  read(
    bytes: Uint8Array,
    start: number,
    end: number,
    firstMb: number,
    most: number,
    inter?: InterSlice,
  ): SliceReading {
    const { width, height } = this.#layout
    const total = Math.min(width * height, firstMb + most)
    const stop = stopBit(bytes.subarray(0, end))
    const bits = this.#bits
    bits.reset(bytes, start, Math.max(0, stop))
    const reading = (address: number, exact: boolean): SliceReading => ({
      macroblocks: address - firstMb,
      exact,
      bytes: (bits.position - start) >> 3,
    })
    for (let address = firstMb; address < total; address++) {
      if (inter) {
        const skipped = bits.ue()
        if (bits.overrun || skipped > total - address) return reading(address, false)
        for (const behind = address + skipped; address < behind; address++) {
          this.#enter(address, firstMb)
          this.#near.keepSkipped()
        }
        if (bits.position === stop) return reading(address, skipped > 0)
        if (address === total) return reading(address, false)
      }
      this.#enter(address, firstMb)
      this.#near.clear()
      const type = bits.ue()
      const isRight = inter ? this.#interMacroblock(inter, type) : this.#intraMacroblock(type)
      if (!isRight || bits.overrun) return reading(address, false)
      this.#pairs?.keep(this.#near, address)
      // no slice ends within a pair
      if (this.#pairs && (address & 1) === 0) continue
      if (bits.position === stop) return reading(address + 1, true)
    }
    return reading(total, false)
  }

  #enter(address: number, firstMb: number): void {
    const { width } = this.#layout
    const near = this.#near
    if (this.#pairs) this.#pairs.enter(near, address, firstMb, this.#readField)
    else {
      near.x = address % width
      near.hasLeft = near.x > 0 && address > firstMb
      near.hasAbove = address - width >= firstMb
    }
  }

  reference(_list: number, references: number): number {
    return references === 2 ? 1 - this.#bits.bit() : this.#bits.ue()
  }

  vector(): boolean {
    this.#bits.se()
    this.#bits.se()
    return !this.#bits.overrun
  }

  #interMacroblock(inter: InterSlice, type: number): boolean {
    const bits = this.#bits
    const { bidirectional } = inter
    const prediction = this.#prediction
    const firstIntra = bidirectional ? B_INTRA : P_INTRA
    if (type >= firstIntra) return this.#intraMacroblock(type - firstIntra)
    if (!prediction.take(type, bidirectional)) return false
    if (prediction.inQuarters) {
      for (let quarter = 0; quarter < 4; quarter++)
        if (!prediction.takeQuarter(quarter, bits.ue(), bidirectional)) return false
    }
    if (!prediction.read(this, inter.references)) return false
    const code = bits.ue()
    const table = this.#layout.chromaFormat === 0 ? PLAIN_INTER_PATTERNS : INTER_PATTERNS
    if (code >= table.length) return false
    const pattern = table[code]
    const allows8x8 = this.#layout.transform8x8 && (pattern & 15) > 0 && prediction.allows8x8(inter.direct8x8)
    return this.#coded(PREDICTED, pattern, allows8x8 ? bits.bit() : 0, 0)
  }

  #intraMacroblock(type: number): boolean {
    const bits = this.#bits
    if (type > BARE_TYPE) return false
    if (type === BARE_TYPE) return this.#bare()
    let kind = BLOCKS
    let pattern = 0
    let transform8x8 = 0
    if (type === 0) {
      if (this.#layout.transform8x8) transform8x8 = bits.bit()
      for (let block = transform8x8 === 1 ? 4 : 16; block > 0; block--) if (bits.bit() === 0) bits.skip(3)
    } else {
      kind = WHOLE
      pattern = (type > 12 ? 15 : 0) | ((Math.floor((type - 1) / 4) % 3) << 4)
    }
    const chroma = this.#layout.chromaFormat !== 0
    const chromaMode = chroma ? bits.ue() : 0
    if (chromaMode > 3) return false
    if (kind === BLOCKS) {
      const code = bits.ue()
      const table = chroma ? INTRA_PATTERNS : PLAIN_PATTERNS
      if (code >= table.length) return false
      pattern = table[code]
    }
    return this.#coded(kind, pattern, transform8x8, chromaMode)
  }

  /** What is coded of a macroblock's differences. */
  #coded(kind: number, pattern: number, transform8x8: number, chromaMode: number): boolean {
    if (pattern > 0 || kind === WHOLE) {
      if (Math.abs(this.#bits.se()) > MAX_QP_DELTA) return false
      if (!this.#residual(kind, pattern)) return false
    }
    this.#near.keep(kind, pattern, transform8x8, chromaMode, 0, this.#chromaRows)
    return true
  }

  #bare(): boolean {
    const bits = this.#bits
    while (bits.position % 8 !== 0) if (bits.bit() !== 0) return false
    bits.skip(bareBits(this.#layout))
    this.#near.fill(16)
    this.#near.keep(BARE, 0x2f, 0, 0, 0, this.#chromaRows)
    return true
  }

  #residual(kind: number, pattern: number): boolean {
    const near = this.#near
    const { ownLuma, ownChroma } = near
    if (kind === WHOLE && this.#lumaBlock(0, 0, 16) < 0) return false
    for (let block = 0; block < 16; block++) {
      if (((pattern >> (block >> 2)) & 1) === 0) continue
      const bx = BLOCK_X[block]
      const by = BLOCK_Y[block]
      const count = this.#lumaBlock(bx, by, kind === WHOLE ? 15 : 16)
      if (count < 0) return false
      ownLuma[4 * by + bx] = count
    }
    const chroma = pattern >> 4
    if (chroma > 0) {
      const format = this.#layout.chromaFormat === 2 ? 2 : 1
      const most = format === 2 ? 8 : 4
      for (let plane = 0; plane < 2; plane++) {
        const token = CHROMA_TOKENS[format].read(this.#bits)
        if (token < 0 || !this.#coefficients(token, most + 1, most, CHROMA_ZEROS[format])) return false
      }
    }
    if (chroma < 2) return true
    for (let plane = 0; plane < 2; plane++) {
      const own = 8 * plane
      for (let block = 0; block < 2 * this.#chromaRows; block++) {
        const bx = block & 1
        const by = block >> 1
        const left = bx > 0 ? ownChroma[own + block - 1] : near.hasLeft ? near.leftChroma[4 * plane + by] : -1
        const above =
          by > 0 ? ownChroma[own + block - 2] : near.hasAbove ? near.chroma[4 * near.x + 2 * plane + bx] : -1
        const count = this.#block(expected(left, above), 15)
        if (count < 0) return false
        ownChroma[own + block] = count
      }
    }
    return true
  }

  #lumaBlock(bx: number, by: number, most: number): number {
    const near = this.#near
    const left = bx > 0 ? near.ownLuma[4 * by + bx - 1] : near.hasLeft ? near.leftLuma[by] : -1
    const above = by > 0 ? near.ownLuma[4 * by - 4 + bx] : near.hasAbove ? near.luma[4 * near.x + bx] : -1
    return this.#block(expected(left, above), most)
  }

  /** residual_block_cavlc with `around` coefficients expected: the number of coefficients, -1 when the bits are none. */
  #block(around: number, most: number): number {
    const bits = this.#bits
    let token: number
    if (around < 8) token = LUMA_TOKENS[around < 2 ? 0 : around < 4 ? 1 : 2].read(bits)
    else {
      const code = bits.bits(6)
      // 000011 is no coefficient; otherwise total less one, then trailing ones
      token = code === 3 ? 0 : (code & 3) * LUMA_COLUMNS + (code >> 2) + 1
      if (code !== 3 && (code & 3) > (code >> 2) + 1) return -1
    }
    if (token < 0) return -1
    return this.#coefficients(token, LUMA_COLUMNS, most, TOTAL_ZEROS) ? token % LUMA_COLUMNS : -1
  }

  #coefficients(token: number, columns: number, most: number, zeroCodes: readonly PrefixCode[]): boolean {
    const bits = this.#bits
    const total = token % columns
    const ones = (token - total) / columns
    if (total > most) return false
    if (total === 0) return true
    bits.skip(ones)
    let suffixLength = total > 10 && ones < 3 ? 1 : 0
    for (let i = ones; i < total; i++) {
      let prefix = 0
      while (bits.bit() === 0) if (++prefix > MAX_LEVEL_PREFIX || bits.overrun) return false
      let level = Math.min(15, prefix) << suffixLength
      let size = suffixLength
      if (prefix === 14 && suffixLength === 0) size = 4
      else if (prefix >= 15) size = prefix - 3
      if (size > 0) level += bits.bits(size)
      if (prefix >= 15 && suffixLength === 0) level += 15
      if (prefix >= 16) level += (1 << (prefix - 3)) - 4096
      if (i === ones && ones < 3) level += 2
      const magnitude = (level + 2) >> 1
      if (suffixLength === 0) suffixLength = 1
      if (magnitude > 3 << (suffixLength - 1) && suffixLength < 6) suffixLength++
    }
    if (total === most) return true
    let left = this.#zeros(zeroCodes, total, most)
    if (left < 0) return false
    for (let i = 1; i < total && left > 0; i++) {
      const run = RUN_BEFORE[Math.min(left, 7) - 1].read(bits)
      if (run < 0 || run > left) return false
      left -= run
    }
    return true
  }

  #zeros(codes: readonly PrefixCode[], total: number, most: number): number {
    const zeros = codes[total - 1].read(this.#bits)
    return zeros > most - total ? -1 : zeros
  }
}

/** nC of §9.2.1 from the counts to the left and above, -1 where there is no block. */
function expected(left: number, above: number): number {
  if (left >= 0 && above >= 0) return (left + above + 1) >> 1
  return left >= 0 ? left : Math.max(0, above)
}
