import { ArithmeticDecoder } from '../../cabac/arithmetic.ts'
import { stopBit } from '../../nal/rbsp.ts'
import { CONTEXTS, startContexts } from './contexts.ts'
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
  type SliceReading,
  WHOLE,
} from './picture-layout.ts'

/** First contexts of syntax elements, ITU-T H.264 (08/2021) Table 9-34. */
const MB_TYPE = 3
const QP_DELTA = 60
const CHROMA_MODE = 64
const PREDICTED = 68
const MODE = 69
const FIELD_PAIR = 70
const PATTERN_LUMA = 73
const PATTERN_CHROMA = 77
const CODED = 85
const LEVEL = 227
const TRANSFORM = 399
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
const MAX_QP_DELTA = 40

/** Reads the macroblocks of I slices coded with CABAC (§7.3.5, §9.3), to see whether their bits are what they are taken for. */
export class CabacSliceReader {
  readonly #engine = new ArithmeticDecoder(CONTEXTS)
  readonly #layout: PictureLayout
  readonly #near: Neighbours
  readonly #chromaRows: number
  readonly #pairs: PairRows | undefined
  #fieldIndex = 0
  #mapBase = 0
  #lastBase = 0
  #hasLeft = false
  #hasAbove = false
  #x = 0
  #lastQpDelta = 0
  #failed = false

  constructor(layout: PictureLayout) {
    this.#layout = layout
    this.#near = new Neighbours(layout.pairs ? 1 : layout.width)
    this.#chromaRows = chromaRowsOf(layout)
    this.#pairs = layout.pairs ? new PairRows(layout.width, this.#chromaRows) : undefined
  }

  /**
   * Reads a slice whose data begins at byte `start` of unescaped `bytes`; `most` bounds the macroblocks read.
   * `firstMb` is counted in macroblocks, pairs or not; `sliceQp` is SliceQPY.
   */
  read(
    bytes: Uint8Array,
    start: number,
    end: number,
    firstMb: number,
    sliceQp: number,
    most: number,
  ): SliceReading {
    const { width, height, field } = this.#layout
    const total = width * height
    this.#takeField(field)
    startContexts(this.#engine.states, sliceQp)
    const engine = this.#engine
    engine.start(bytes, start, end)
    const reading = (macroblocks: number, exact: boolean): SliceReading => ({
      macroblocks,
      exact,
      bytes: (engine.position >> 3) - start,
    })
    this.#lastQpDelta = 0
    this.#failed = false
    for (let address = firstMb; address < total && address - firstMb < most; address++) {
      if (this.#pairs) this.#enterPaired(this.#pairs, address, firstMb)
      else {
        this.#x = address % width
        this.#hasLeft = this.#x > 0 && address > firstMb
        this.#hasAbove = address - width >= firstMb
      }
      this.#macroblock()
      this.#pairs?.keep(this.#near, (address >> 1) % width, address & 1)
      if (this.#failed || engine.overrun) return reading(address - firstMb, false)
      // no slice ends within a pair
      if (this.#pairs && (address & 1) === 0) continue
      if (engine.terminate() === 1) {
        return reading(address - firstMb + 1, engine.endsAt(stopBit(bytes.subarray(0, end))))
      }
    }
    return reading(Math.min(most, total - firstMb), false)
  }

  #takeField(field: boolean): void {
    this.#fieldIndex = field ? 1 : 0
    this.#mapBase = SIGNIFICANT[this.#fieldIndex]
    this.#lastBase = LAST[this.#fieldIndex]
  }

  /** Begins a macroblock of a pair: its address counts the upper one of each before its lower. */
  #enterPaired(pairs: PairRows, address: number, firstMb: number): void {
    const { width } = this.#layout
    const pair = address >> 1
    const first = firstMb >> 1
    const column = pair % width
    const lower = address & 1
    const hasLeft = column > 0 && pair > first
    const hasAbove = pair - width >= first
    if (lower === 0) {
      if (column === 0 && pair > first) pairs.next()
      const inc = pairs.fieldsAround(column, hasLeft, hasAbove)
      const field = this.#engine.decode(FIELD_PAIR + inc) === 1
      pairs.begin(column, field)
      this.#takeField(field)
    }
    this.#hasLeft = hasLeft
    this.#hasAbove = hasAbove || (lower === 1 && this.#fieldIndex === 0)
    if (hasLeft) pairs.layLeft(this.#near, column, lower)
    if (this.#hasAbove) pairs.layAbove(this.#near, column, lower)
  }

  #macroblock(): void {
    const engine = this.#engine
    const near = this.#near
    const x = this.#x
    near.clear()
    const typeInc =
      (this.#hasLeft && near.kind[near.left] !== BLOCKS ? 1 : 0) +
      (this.#hasAbove && near.kind[x] !== BLOCKS ? 1 : 0)
    let kind = BLOCKS
    let pattern = 0
    let transform8x8 = 0
    if (engine.decode(MB_TYPE + typeInc) === 1) {
      if (engine.terminate() === 1) {
        this.#bare()
        return
      }
      kind = WHOLE
      if (engine.decode(MB_TYPE + 3) === 1) pattern = 15
      if (engine.decode(MB_TYPE + 4) === 1) pattern |= 16 << engine.decode(MB_TYPE + 5)
      engine.decode(MB_TYPE + 6)
      engine.decode(MB_TYPE + 7)
    } else {
      if (this.#layout.transform8x8) {
        const inc =
          (this.#hasLeft ? near.transform8x8[near.left] : 0) + (this.#hasAbove ? near.transform8x8[x] : 0)
        transform8x8 = engine.decode(TRANSFORM + inc)
      }
      for (let block = transform8x8 === 1 ? 4 : 16; block > 0; block--) {
        if (engine.decode(PREDICTED) === 1) continue
        engine.decode(MODE)
        engine.decode(MODE)
        engine.decode(MODE)
      }
    }
    const { chromaFormat } = this.#layout
    const chromaMode = chromaFormat === 0 ? 0 : this.#chromaMode()
    if (kind === BLOCKS) pattern = this.#lumaPattern() | (chromaFormat === 0 ? 0 : this.#chromaPattern())
    let dc = 0
    if (pattern > 0 || kind === WHOLE) {
      this.#qpDelta()
      if (!this.#failed) dc = this.#residual(kind, pattern, transform8x8)
    } else this.#lastQpDelta = 0
    near.keep(x, kind, pattern, transform8x8, chromaMode, dc, this.#chromaRows)
  }

  #bare(): void {
    const near = this.#near
    this.#engine.restart(this.#engine.behind + bareBits(this.#layout) / 8)
    near.fill(1)
    near.keep(this.#x, BARE, 0x2f, 0, 0, 7, this.#chromaRows)
    this.#lastQpDelta = 0
  }

  #chromaMode(): number {
    const near = this.#near
    const inc =
      (this.#hasLeft && near.chromaMode[near.left] !== 0 ? 1 : 0) +
      (this.#hasAbove && near.chromaMode[this.#x] !== 0 ? 1 : 0)
    if (this.#engine.decode(CHROMA_MODE + inc) === 0) return 0
    if (this.#engine.decode(CHROMA_MODE + 3) === 0) return 1
    return this.#engine.decode(CHROMA_MODE + 3) === 0 ? 2 : 3
  }

  #lumaPattern(): number {
    const near = this.#near
    const left = this.#hasLeft ? near.pattern[near.left] : 15
    const above = this.#hasAbove ? near.pattern[this.#x] : 15
    const engine = this.#engine
    const zero = (bits: number, block: number): number => ((bits >> block) & 1) ^ 1
    let own = engine.decode(PATTERN_LUMA + zero(left, 1) + 2 * zero(above, 2))
    own |= engine.decode(PATTERN_LUMA + zero(own, 0) + 2 * zero(above, 3)) << 1
    own |= engine.decode(PATTERN_LUMA + zero(left, 3) + 2 * zero(own, 0)) << 2
    own |= engine.decode(PATTERN_LUMA + zero(own, 2) + 2 * zero(own, 1)) << 3
    return own
  }

  #chromaPattern(): number {
    const near = this.#near
    const left = this.#hasLeft ? near.pattern[near.left] >> 4 : 0
    const above = this.#hasAbove ? near.pattern[this.#x] >> 4 : 0
    const some = (left > 0 ? 1 : 0) + (above > 0 ? 2 : 0)
    if (this.#engine.decode(PATTERN_CHROMA + some) === 0) return 0
    const all = (left === 2 ? 1 : 0) + (above === 2 ? 2 : 0)
    return 16 << this.#engine.decode(PATTERN_CHROMA + 4 + all)
  }

  #qpDelta(): void {
    const engine = this.#engine
    let delta = 0
    let context = QP_DELTA + (this.#lastQpDelta !== 0 ? 1 : 0)
    while (engine.decode(context) === 1) {
      context = delta === 0 ? QP_DELTA + 2 : QP_DELTA + 3
      if (++delta > 2 * MAX_QP_DELTA) {
        this.#failed = true
        return
      }
    }
    this.#lastQpDelta = delta
  }

  #residual(kind: number, pattern: number, transform8x8: number): number {
    const near = this.#near
    const x = this.#x
    const { ownLuma, ownChroma } = near
    const leftDc = this.#hasLeft ? near.dc[near.left] : 7
    const aboveDc = this.#hasAbove ? near.dc[x] : 7
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
        const left = bx > 0 ? ownLuma[4 * by + bx - 1] : this.#hasLeft ? near.leftLuma[by] : 1
        const above = by > 0 ? ownLuma[4 * by - 4 + bx] : this.#hasAbove ? near.luma[4 * x + bx] : 1
        const category = kind === WHOLE ? LUMA_AC : LUMA
        const coded = this.#block(category, bit(left) + 2 * bit(above), kind === WHOLE ? 15 : 16)
        ownLuma[4 * by + bx] = coded ? 1 : 0
      }
      if (this.#failed) return dc
    }
    const chroma = pattern >> 4
    if (chroma > 0) {
      const count = this.#layout.chromaFormat === 2 ? 8 : 4
      for (let plane = 0; plane < 2; plane++) {
        const inc = ((leftDc >> (plane + 1)) & 1) + 2 * ((aboveDc >> (plane + 1)) & 1)
        if (this.#block(CHROMA_DC, inc, count)) dc |= 2 << plane
      }
    }
    if (chroma === 2) {
      for (let plane = 0; plane < 2 && !this.#failed; plane++) {
        const own = 8 * plane
        for (let block = 0; block < 2 * this.#chromaRows; block++) {
          const bx = block & 1
          const by = block >> 1
          const left =
            bx > 0 ? ownChroma[own + block - 1] : this.#hasLeft ? near.leftChroma[4 * plane + by] : 1
          const above =
            by > 0 ? ownChroma[own + block - 2] : this.#hasAbove ? near.chroma[4 * x + 2 * plane + bx] : 1
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
      if (this.#failed) return
    }
  }

  #escape(): void {
    const engine = this.#engine
    let bits = 0
    while (engine.bypass() === 1) {
      if (++bits > MAX_ESCAPE) {
        this.#failed = true
        return
      }
    }
    while (bits-- > 0) engine.bypass()
  }
}

function bit(count: number): number {
  return count > 0 ? 1 : 0
}
