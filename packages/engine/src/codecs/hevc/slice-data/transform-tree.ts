import type { ArithmeticDecoder } from '../../cabac/arithmetic.ts'
import type { Pps } from '../pps.ts'
import type { Sps } from '../sps.ts'
import * as context from './contexts.ts'
import type { IntraModes } from './intra-modes.ts'
import { DIAGONAL, HORIZONTAL, ResidualReader, VERTICAL } from './residual.ts'

/** cu_qp_delta_abs beyond is no quantiser. */
const MAX_QP_SUFFIX = 7

/** Reads the transform tree of a coding unit: ITU-T H.265 (08/2021) §7.3.8.8 to §7.3.8.11. */
export class TransformTree {
  readonly #engine: ArithmeticDecoder
  readonly #residual: ResidualReader
  readonly #sps: Sps
  readonly #pps: Pps
  readonly #modes: IntraModes
  #bypass = false
  /** The unit in work is predicted from other pictures: whether it has several parts. */
  #isInter = false
  #isParted = false
  #qpCoded = false
  #failed = false

  /** `modes` are those of the unit in work. */
  constructor(engine: ArithmeticDecoder, sps: Sps, pps: Pps, modes: IntraModes) {
    this.#engine = engine
    this.#sps = sps
    this.#pps = pps
    this.#modes = modes
    this.#residual = new ResidualReader(engine, pps.transformSkip, pps.signHiding)
  }

  /** Something was read that no encoder writes. */
  get failed(): boolean {
    return this.#failed || this.#residual.failed
  }

  startSlice(): void {
    this.#failed = false
    this.#residual.failed = false
  }

  /** A group of coding units begins that share a quantiser: §7.3.8.4. */
  startQuantiser(): void {
    this.#qpCoded = false
  }

  /** Reads the tree of a unit predicted from its own picture, in `four` parts or one; it may be split `maxDepth` times. */
  readIntra(log2Size: number, maxDepth: number, four: boolean, bypass: boolean): void {
    this.#isInter = false
    this.#bypass = bypass
    this.#root(log2Size, maxDepth, four)
  }

  /** Reads the tree of a unit predicted from other pictures, in parts or as a whole. */
  readInter(log2Size: number, maxDepth: number, isParted: boolean, bypass: boolean): void {
    this.#isInter = true
    this.#isParted = isParted
    this.#bypass = bypass
    this.#root(log2Size, maxDepth, false)
  }

  #root(log2Size: number, maxDepth: number, four: boolean): void {
    const chroma = this.#sps.chromaFormat === 0 ? 0 : 1
    this.#tree(log2Size, 0, 0, 0, maxDepth, four, chroma, chroma)
  }

  /** §7.3.8.8; `parentCb` and `parentCr` tell which chroma blocks of the parent are coded, a bit each. */
  #tree(
    log2Size: number,
    depth: number,
    block: number,
    part: number,
    maxDepth: number,
    four: boolean,
    parentCb: number,
    parentCr: number,
  ): void {
    const engine = this.#engine
    const { log2MinTb, log2MaxTb, chromaFormat, interTransformDepth } = this.#sps
    const parted = this.#isInter && this.#isParted && interTransformDepth === 0
    const forced = depth === 0 && (four || parted)
    let split = log2Size > log2MaxTb || forced
    if (log2Size <= log2MaxTb && log2Size > log2MinTb && depth < maxDepth && !forced)
      split = engine.decode(context.SPLIT_TRANSFORM + 5 - log2Size) === 1
    let cb = parentCb
    let cr = parentCr
    if (chromaFormat === 3 || (log2Size > 2 && chromaFormat !== 0)) {
      const two = chromaFormat === 2 && (!split || log2Size === 3)
      if (parentCb !== 0) cb = this.#codedChroma(depth, two)
      if (parentCr !== 0) cr = this.#codedChroma(depth, two)
    }
    if (split) {
      if (log2Size <= 2) {
        this.#failed = true
        return
      }
      for (let child = 0; child < 4 && !this.failed; child++) {
        const childPart = depth === 0 ? child : part
        this.#tree(log2Size - 1, depth + 1, child, childPart, maxDepth, four, cb, cr)
      }
      return
    }
    const told = !this.#isInter || depth > 0 || cb !== 0 || cr !== 0
    const luma = !told || engine.decode(context.CBF_LUMA + (depth === 0 ? 1 : 0)) === 1
    this.#leaf(log2Size, block, four ? part : 0, luma, cb, cr)
  }

  /** cbf_cb or cbf_cr, of two blocks one below the other where 4:2:2 has `two`. */
  #codedChroma(depth: number, two: boolean): number {
    const upper = this.#engine.decode(context.CBF_CHROMA + depth)
    return two ? upper | (this.#engine.decode(context.CBF_CHROMA + depth) << 1) : upper
  }

  /** §7.3.8.10; below 8x8 the subsampled chroma of four blocks comes with the last of them. */
  #leaf(log2Size: number, block: number, part: number, luma: boolean, cb: number, cr: number): void {
    if (!luma && cb === 0 && cr === 0) return
    if (this.#pps.qpDeltaDepth >= 0 && !this.#qpCoded) this.#qpDelta()
    const mode = this.#modes.luma[part]
    const bypass = this.#bypass
    const lumaScan = this.#isInter ? DIAGONAL : scanOf(mode, log2Size, 3)
    if (luma) this.#residual.read({ log2Size, component: 0, scan: lumaScan, bypass })
    const full = this.#sps.chromaFormat === 3
    if (!full && log2Size === 2 && block !== 3) return
    const log2Chroma = full ? log2Size : Math.max(2, log2Size - 1)
    const chromaMode = this.#modes.chroma[full ? part : 0]
    const scan = this.#isInter ? DIAGONAL : scanOf(chromaMode, log2Chroma, full ? 3 : 2)
    for (const [component, coded] of [cb, cr].entries())
      for (let below = coded; below !== 0; below >>= 1)
        if ((below & 1) === 1)
          this.#residual.read({ log2Size: log2Chroma, component: component + 1, scan, bypass })
  }

  #qpDelta(): void {
    const engine = this.#engine
    this.#qpCoded = true
    let value = 0
    while (value < 5 && engine.decode(context.QP_DELTA + (value === 0 ? 0 : 1)) === 1) value++
    if (value === 0) return
    if (value === 5) {
      let bits = 0
      while (engine.bypass() === 1) {
        if (++bits > MAX_QP_SUFFIX) {
          this.#failed = true
          return
        }
      }
      for (let i = 0; i < bits; i++) engine.bypass()
    }
    engine.bypass()
  }
}

/** scanIdx of §7.4.9.11: steep predictions leave coefficients in rows or columns, in blocks up to `largest` (a power of two). */
function scanOf(mode: number, log2Size: number, largest: number): number {
  if (log2Size > largest) return DIAGONAL
  if (mode >= 6 && mode <= 14) return VERTICAL
  return mode >= 22 && mode <= 30 ? HORIZONTAL : DIAGONAL
}
