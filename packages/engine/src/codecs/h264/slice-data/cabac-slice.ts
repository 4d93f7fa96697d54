import { ArithmeticDecoder } from '../../cabac/arithmetic.ts'
import { stopBit } from '../../nal/rbsp.ts'
import { CabacMotion } from './cabac-motion.ts'
import { CabacResidual } from './cabac-residual.ts'
import { CONTEXTS, startContexts } from './contexts.ts'
import { PairRows } from './pair-rows.ts'
import {
  BARE,
  BLOCKS,
  bareBits,
  chromaRowsOf,
  DIRECT,
  Neighbours,
  type PictureLayout,
  PREDICTED,
  SKIPPED,
  type SliceReading,
  WHOLE,
} from './picture-layout.ts'
import { type InterSlice, Prediction } from './prediction.ts'

/** First contexts of syntax elements, ITU-T H.264 (08/2021) Table 9-34. */
const MB_TYPE = 3
const SKIP = { p: 11, b: 24 }
const P_TYPE = 14
const P_QUARTER = 21
const B_TYPE = 27
const B_QUARTER = 36
const QP_DELTA = 60
const CHROMA_MODE = 64
const PREDICTED_MODE = 68
const MODE = 69
const FIELD_PAIR = 70
const PATTERN_LUMA = 73
const PATTERN_CHROMA = 77
const TRANSFORM = 399
/** Contexts of the bins of an intra mb_type behind the first, by kind of slice: I, and those with a prefix in front. */
const INTRA_BINS = Uint8Array.of(3, 4, 5, 6, 7)
const PREFIXED_BINS = Uint8Array.of(1, 2, 2, 3, 3)
const P_INTRA = 17
const B_INTRA = 32
/** The first four bins behind the prefix of B types that stand for others than numbers, Table 9-37. */
const B_INTRA_CODE = 13
const B_OTHERS: Readonly<Record<number, number>> = { 14: 11, 15: 22 }

const MAX_QP_DELTA = 40

/**
 * Reads the macroblocks of slices coded with CABAC (§7.3.5, §9.3), to see whether their bits are what they are taken for. Those
 * of P and B slices are not read in pairs.
 */
export class CabacSliceReader {
  readonly #engine = new ArithmeticDecoder(CONTEXTS)
  readonly #layout: PictureLayout
  readonly #near: Neighbours
  readonly #chromaRows: number
  readonly #pairs: PairRows | undefined
  readonly #residual: CabacResidual
  readonly #prediction = new Prediction()
  #motion: CabacMotion | undefined
  #lastQpDelta = 0
  #failed = false
  readonly #readField = (around: number): boolean => this.#engine.decode(FIELD_PAIR + around) === 1

  constructor(layout: PictureLayout) {
    this.#layout = layout
    this.#near = new Neighbours(layout.pairs ? 1 : layout.width)
    this.#chromaRows = chromaRowsOf(layout)
    this.#pairs = layout.pairs ? new PairRows(layout.width, this.#chromaRows) : undefined
    this.#residual = new CabacResidual(this.#engine, this.#near, layout)
  }

  /**
   * Reads a slice whose data begins at byte `start` of unescaped `bytes`; `most` bounds the macroblocks read.
   * `firstMb` is counted in macroblocks, pairs or not; `sliceQp` is SliceQPY. With `inter` it is a P or B slice, without an I
   * slice.
   */
  read(
    bytes: Uint8Array,
    start: number,
    end: number,
    firstMb: number,
    sliceQp: number,
    most: number,
    inter?: InterSlice,
  ): SliceReading {
    const { width, height, field } = this.#layout
    const near = this.#near
    const total = width * height
    this.#residual.takeField(field)
    startContexts(this.#engine.states, sliceQp, inter?.cabacInit)
    const engine = this.#engine
    engine.start(bytes, start, end)
    const reading = (macroblocks: number, exact: boolean): SliceReading => ({
      macroblocks,
      exact,
      bytes: (engine.position >> 3) - start,
    })
    if (inter) this.#motion ??= new CabacMotion(engine, width)
    this.#lastQpDelta = 0
    this.#failed = false
    this.#residual.failed = false
    for (let address = firstMb; address < total && address - firstMb < most; address++) {
      if (this.#pairs) this.#residual.takeField(this.#pairs.enter(near, address, firstMb, this.#readField))
      else {
        near.x = address % width
        near.hasLeft = near.x > 0 && address > firstMb
        near.hasAbove = address - width >= firstMb
      }
      if (inter && this.#motion) this.#interMacroblock(inter, this.#motion)
      else this.#intraMacroblock(MB_TYPE + this.#around(BLOCKS, BLOCKS), MB_TYPE, INTRA_BINS)
      this.#pairs?.keep(near, address)
      if (this.#failed || this.#residual.failed || engine.overrun) return reading(address - firstMb, false)
      // no slice ends within a pair
      if (this.#pairs && (address & 1) === 0) continue
      if (engine.terminate() === 1) {
        return reading(address - firstMb + 1, engine.endsAt(stopBit(bytes.subarray(0, end))))
      }
    }
    return reading(Math.min(most, total - firstMb), false)
  }

  /** How many of the neighbours are of no kind from `first` to `last`. */
  #around(first: number, last: number): number {
    const { kind, left, x, hasLeft, hasAbove } = this.#near
    const before = hasLeft ? kind[left] : first
    const above = hasAbove ? kind[x] : first
    return (before < first || before > last ? 1 : 0) + (above < first || above > last ? 1 : 0)
  }

  #interMacroblock(inter: InterSlice, motion: CabacMotion): void {
    const engine = this.#engine
    const near = this.#near
    const { bidirectional } = inter
    const skip = bidirectional ? SKIP.b : SKIP.p
    if (engine.decode(skip + this.#around(SKIPPED, SKIPPED)) === 1) {
      near.keepSkipped()
      motion.keepNone(near.x)
      this.#lastQpDelta = 0
      return
    }
    const type = bidirectional ? this.#bType() : this.#pType()
    if (type < 0) {
      const first = bidirectional ? B_INTRA : P_INTRA
      this.#intraMacroblock(first, first, PREFIXED_BINS)
      motion.keepNone(near.x)
      return
    }
    near.clear()
    const prediction = this.#prediction
    prediction.take(type, bidirectional)
    if (prediction.inQuarters) {
      for (let quarter = 0; quarter < 4; quarter++)
        prediction.takeQuarter(quarter, bidirectional ? this.#bQuarter() : this.#pQuarter(), bidirectional)
    }
    motion.begin(near.x, near.hasLeft, near.hasAbove)
    if (!prediction.read(motion, inter.references)) {
      this.#failed = true
      return
    }
    motion.keep(near.x)
    const pattern = this.#pattern()
    const allows8x8 = this.#layout.transform8x8 && (pattern & 15) > 0 && prediction.allows8x8(inter.direct8x8)
    const transform8x8 = allows8x8 ? this.#transform8x8() : 0
    this.#coded(bidirectional && type === 0 ? DIRECT : PREDICTED, pattern, transform8x8, 0)
  }

  /** mb_type of P slices, Table 9-37; -1 where it is an intra one. */
  #pType(): number {
    const engine = this.#engine
    if (engine.decode(P_TYPE) === 1) return -1
    if (engine.decode(P_TYPE + 1) === 0) return 3 * engine.decode(P_TYPE + 2)
    return 2 - engine.decode(P_TYPE + 3)
  }

  #bType(): number {
    const engine = this.#engine
    if (engine.decode(B_TYPE + this.#around(DIRECT, SKIPPED)) === 0) return 0
    if (engine.decode(B_TYPE + 3) === 0) return 1 + engine.decode(B_TYPE + 5)
    let code = engine.decode(B_TYPE + 4)
    for (let bin = 0; bin < 3; bin++) code = (code << 1) | engine.decode(B_TYPE + 5)
    if (code < 8) return code + 3
    if (code === B_INTRA_CODE) return -1
    return B_OTHERS[code] ?? ((code << 1) | engine.decode(B_TYPE + 5)) - 4
  }

  /** sub_mb_type of P slices, Table 9-38. */
  #pQuarter(): number {
    const engine = this.#engine
    if (engine.decode(P_QUARTER) === 1) return 0
    if (engine.decode(P_QUARTER + 1) === 0) return 1
    return engine.decode(P_QUARTER + 2) === 1 ? 2 : 3
  }

  #bQuarter(): number {
    const engine = this.#engine
    if (engine.decode(B_QUARTER) === 0) return 0
    if (engine.decode(B_QUARTER + 1) === 0) return 1 + engine.decode(B_QUARTER + 3)
    let type = 3
    if (engine.decode(B_QUARTER + 2) === 1) {
      if (engine.decode(B_QUARTER + 3) === 1) return 11 + engine.decode(B_QUARTER + 3)
      type = 7
    }
    type += 2 * engine.decode(B_QUARTER + 3)
    return type + engine.decode(B_QUARTER + 3)
  }

  /** An intra macroblock whose mb_type begins with context `first`; its further `bins` count from `base`. */
  #intraMacroblock(first: number, base: number, bins: Uint8Array): void {
    const engine = this.#engine
    this.#near.clear()
    let kind = BLOCKS
    let pattern = 0
    let transform8x8 = 0
    if (engine.decode(first) === 1) {
      if (engine.terminate() === 1) {
        this.#bare()
        return
      }
      kind = WHOLE
      if (engine.decode(base + bins[0]) === 1) pattern = 15
      if (engine.decode(base + bins[1]) === 1) pattern |= 16 << engine.decode(base + bins[2])
      engine.decode(base + bins[3])
      engine.decode(base + bins[4])
    } else {
      if (this.#layout.transform8x8) transform8x8 = this.#transform8x8()
      for (let block = transform8x8 === 1 ? 4 : 16; block > 0; block--) {
        if (engine.decode(PREDICTED_MODE) === 1) continue
        engine.decode(MODE)
        engine.decode(MODE)
        engine.decode(MODE)
      }
    }
    const chromaMode = this.#layout.chromaFormat === 0 ? 0 : this.#chromaMode()
    if (kind === BLOCKS) pattern = this.#pattern()
    this.#coded(kind, pattern, transform8x8, chromaMode)
  }

  /** What is coded of a macroblock's differences. */
  #coded(kind: number, pattern: number, transform8x8: number, chromaMode: number): void {
    let dc = 0
    if (pattern > 0 || kind === WHOLE) {
      this.#qpDelta()
      if (!this.#failed) dc = this.#residual.read(kind, pattern, transform8x8)
    } else this.#lastQpDelta = 0
    this.#near.keep(kind, pattern, transform8x8, chromaMode, dc, this.#chromaRows)
  }

  #bare(): void {
    const near = this.#near
    this.#engine.restart(this.#engine.behind + bareBits(this.#layout) / 8)
    near.fill(1)
    near.keep(BARE, 0x2f, 0, 0, 7, this.#chromaRows)
    this.#lastQpDelta = 0
  }

  #transform8x8(): number {
    const { transform8x8, left, x, hasLeft, hasAbove } = this.#near
    const inc = (hasLeft ? transform8x8[left] : 0) + (hasAbove ? transform8x8[x] : 0)
    return this.#engine.decode(TRANSFORM + inc)
  }

  #chromaMode(): number {
    const { chromaMode, left, x, hasLeft, hasAbove } = this.#near
    const inc = (hasLeft && chromaMode[left] !== 0 ? 1 : 0) + (hasAbove && chromaMode[x] !== 0 ? 1 : 0)
    if (this.#engine.decode(CHROMA_MODE + inc) === 0) return 0
    if (this.#engine.decode(CHROMA_MODE + 3) === 0) return 1
    return this.#engine.decode(CHROMA_MODE + 3) === 0 ? 2 : 3
  }

  #pattern(): number {
    return this.#lumaPattern() | (this.#layout.chromaFormat === 0 ? 0 : this.#chromaPattern())
  }

  #lumaPattern(): number {
    const near = this.#near
    const left = near.hasLeft ? near.pattern[near.left] : 15
    const above = near.hasAbove ? near.pattern[near.x] : 15
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
    const left = near.hasLeft ? near.pattern[near.left] >> 4 : 0
    const above = near.hasAbove ? near.pattern[near.x] >> 4 : 0
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
}
