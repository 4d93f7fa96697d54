import type { ArithmeticDecoder } from '../../cabac/arithmetic.ts'
import {
  BLOCK_X,
  BLOCK_Y,
  BLOCKS,
  chromaRowsOf,
  type Neighbours,
  type PictureLayout,
  WHOLE,
} from './picture-layout.ts'

/** First contexts of syntax elements, ITU-T H.264 (08/2021) Table 9-34. */
const CODED = 85
const LEVEL = 227
const LEVEL_8X8 = 426
/** Significance of frames and of fields; 8x8 blocks have their own. */
const SIGNIFICANT = [105, 277]
const LAST = [166, 338]
const SIGNIFICANT_8X8 = [402, 436]
const LAST_8X8 = [417, 451]
/** Offsets by block category, Table 9-40: luma DC, luma AC, luma, chroma DC, chroma AC. */
const MAP_OFFSET = [0, 15, 29, 44, 47]
const LEVEL_OFFSET = [0, 10, 20, 30, 39]
const LUMA_DC = 0
const LUMA_AC = 1
const LUMA = 2
const CHROMA_DC = 3
const CHROMA_AC = 4

/** Context increments of 8x8 blocks by scanning position, Table 9-43: frames, fields, last coefficients. */
const MAP_8X8 = [
  Uint8Array.of(
    ...[0, 1, 2, 3, 4, 5, 5, 4, 4, 3, 3, 4, 4, 4, 5, 5, 4, 4, 4, 4, 3, 3, 6, 7, 7, 7, 8, 9, 10, 9, 8, 7],
    ...[7, 6, 11, 12, 13, 11, 6, 7, 8, 9, 14, 10, 9, 8, 6, 11, 12, 13, 11, 6, 9, 14, 10, 9, 11, 12, 13],
    ...[11, 14, 10, 12],
  ),
  Uint8Array.of(
    ...[0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 7, 7, 8, 4, 5, 6, 9, 10, 10, 8, 11, 12, 11, 9, 9, 10, 10, 8, 11],
    ...[12, 11, 9, 9, 10, 10, 8, 11, 12, 11, 9, 9, 10, 10, 8, 13, 13, 9, 9, 10, 10, 8, 13, 13, 9, 9, 10],
    ...[10, 14, 14, 14, 14, 14],
  ),
]
const LAST_MAP_8X8 = Uint8Array.of(
  ...[0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
  ...[3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8],
)

/** Levels stay below 2^16 at any bit depth that occurs. */
const MAX_ESCAPE = 16

/** Reads transform coefficients coded with CABAC (§7.3.5.3). */
export class CabacResidual {
  /** The bits were none. */
  failed = false
  readonly #engine: ArithmeticDecoder
  readonly #near: Neighbours
  readonly #chromaFormat: number
  readonly #chromaRows: number
  #fieldIndex = 0
  #mapBase = 0
  #lastBase = 0

  constructor(engine: ArithmeticDecoder, near: Neighbours, layout: PictureLayout) {
    this.#engine = engine
    this.#near = near
    this.#chromaFormat = layout.chromaFormat
    this.#chromaRows = chromaRowsOf(layout)
  }

  /** Coefficients of fields have contexts of their own. */
  takeField(field: boolean): void {
    this.#fieldIndex = field ? 1 : 0
    this.#mapBase = SIGNIFICANT[this.#fieldIndex]
    this.#lastBase = LAST[this.#fieldIndex]
  }

  /** Reads a macroblock's blocks; those of DC that are coded: bit 0 luma, bits 1 and 2 chroma. */
  read(kind: number, pattern: number, transform8x8: number): number {
    const near = this.#near
    const { ownLuma, ownChroma, x, hasLeft, hasAbove } = near
    // beside the slice all is taken for coded where the macroblock is intra, and else for not coded
    const beside = kind === BLOCKS || kind === WHOLE ? 1 : 0
    const leftDc = hasLeft ? near.dc[near.left] : 7 * beside
    const aboveDc = hasAbove ? near.dc[x] : 7 * beside
    let dc = 0
    if (kind === WHOLE && this.#block(LUMA_DC, (leftDc & 1) + 2 * (aboveDc & 1), 16)) dc = 1
    for (let block = 0; block < 16; block++) {
      if (((pattern >> (block >> 2)) & 1) === 0) continue
      const bx = BLOCK_X[block]
      const by = BLOCK_Y[block]
      if (transform8x8 === 1) {
        if ((block & 3) === 0) this.#coefficients8x8()
        ownLuma[4 * by + bx] = 1
      } else {
        const left = bx > 0 ? ownLuma[4 * by + bx - 1] : hasLeft ? near.leftLuma[by] : beside
        const above = by > 0 ? ownLuma[4 * by - 4 + bx] : hasAbove ? near.luma[4 * x + bx] : beside
        const category = kind === WHOLE ? LUMA_AC : LUMA
        const coded = this.#block(category, bit(left) + 2 * bit(above), kind === WHOLE ? 15 : 16)
        ownLuma[4 * by + bx] = coded ? 1 : 0
      }
      if (this.failed) return dc
    }
    const chroma = pattern >> 4
    if (chroma > 0) {
      const count = this.#chromaFormat === 2 ? 8 : 4
      for (let plane = 0; plane < 2; plane++) {
        const inc = ((leftDc >> (plane + 1)) & 1) + 2 * ((aboveDc >> (plane + 1)) & 1)
        if (this.#block(CHROMA_DC, inc, count)) dc |= 2 << plane
      }
    }
    if (chroma === 2) {
      for (let plane = 0; plane < 2 && !this.failed; plane++) {
        const own = 8 * plane
        for (let block = 0; block < 2 * this.#chromaRows; block++) {
          const bx = block & 1
          const by = block >> 1
          const left =
            bx > 0 ? ownChroma[own + block - 1] : hasLeft ? near.leftChroma[4 * plane + by] : beside
          const above =
            by > 0 ? ownChroma[own + block - 2] : hasAbove ? near.chroma[4 * x + 2 * plane + bx] : beside
          ownChroma[own + block] = this.#block(CHROMA_AC, bit(left) + 2 * bit(above), 15) ? 1 : 0
        }
      }
    }
    return dc
  }

  /** A block with its coded_block_flag, §7.3.5.3.3. */
  #block(category: number, codedInc: number, count: number): boolean {
    const engine = this.#engine
    if (engine.decode(CODED + 4 * category + codedInc) === 0) return false
    const map = this.#mapBase + MAP_OFFSET[category]
    const last = this.#lastBase + MAP_OFFSET[category]
    const dcShare = category === CHROMA_DC ? count / 4 : 0
    let found = 0
    let at = 0
    for (; at < count - 1; at++) {
      const inc = dcShare > 0 ? Math.min(Math.floor(at / dcShare), 2) : at
      if (engine.decode(map + inc) === 0) continue
      found++
      if (engine.decode(last + inc) === 1) break
    }
    if (at === count - 1) found++
    this.#levels(LEVEL + LEVEL_OFFSET[category], found, category === CHROMA_DC ? 3 : 4)
    return true
  }

  #coefficients8x8(): void {
    const engine = this.#engine
    const map = SIGNIFICANT_8X8[this.#fieldIndex]
    const last = LAST_8X8[this.#fieldIndex]
    const increments = MAP_8X8[this.#fieldIndex]
    let found = 0
    let at = 0
    for (; at < 63; at++) {
      if (engine.decode(map + increments[at]) === 0) continue
      found++
      if (engine.decode(last + LAST_MAP_8X8[at]) === 1) break
    }
    if (at === 63) found++
    this.#levels(LEVEL_8X8, found, 4)
  }

  /** coeff_abs_level_minus1 and signs, §9.3.2.3 and §9.3.3.1.3. */
  #levels(context: number, count: number, mostGreater: number): void {
    const engine = this.#engine
    let ones = 0
    let greater = 0
    for (let i = 0; i < count; i++) {
      if (engine.decode(context + (greater > 0 ? 0 : Math.min(4, 1 + ones))) === 0) ones++
      else {
        const more = context + 5 + Math.min(mostGreater, greater)
        let prefix = 1
        while (prefix < 14 && engine.decode(more) === 1) prefix++
        if (prefix === 14) this.#escape()
        greater++
      }
      engine.bypass()
      if (this.failed) return
    }
  }

  #escape(): void {
    const engine = this.#engine
    let bits = 0
    while (engine.bypass() === 1) {
      if (++bits > MAX_ESCAPE) {
        this.failed = true
        return
      }
    }
    while (bits-- > 0) engine.bypass()
  }
}

function bit(count: number): number {
  return count > 0 ? 1 : 0
}
