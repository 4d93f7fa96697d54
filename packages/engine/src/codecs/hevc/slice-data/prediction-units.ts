import type { ArithmeticDecoder } from '../../cabac/arithmetic.ts'
import * as context from './contexts.ts'

/** Facts of the header of a slice that refers to other pictures. */
export interface InterFacts {
  readonly bidirectional: boolean
  /** num_ref_idx_active of both lists. */
  readonly references0: number
  readonly references1: number
  /** mvd_l1_zero_flag */
  readonly zeroVectors1: boolean
  /** cabac_init_flag */
  readonly cabacInit: boolean
  /** MaxNumMergeCand */
  readonly mergeCandidates: number
}

/** How a coding unit is parted (§7.4.9.5): width and height of its parts in quarters of its side. */
export type Parts = readonly (readonly [width: number, height: number])[]

const WHOLE: Parts = [[4, 4]]
const HALVES: readonly Parts[] = [
  [
    [4, 2],
    [4, 2],
  ],
  [
    [2, 4],
    [2, 4],
  ],
]
/** 2NxnU, 2NxnD, nLx2N, nRx2N. */
const UNEVEN: readonly Parts[] = [
  [
    [4, 1],
    [4, 3],
  ],
  [
    [4, 3],
    [4, 1],
  ],
  [
    [1, 4],
    [3, 4],
  ],
  [
    [3, 4],
    [1, 4],
  ],
]
const QUARTERS: Parts = [
  [2, 2],
  [2, 2],
  [2, 2],
  [2, 2],
]

/** inter_pred_idc */
const BOTH = 2
/** Width and height together of the smallest parts, which refer to one picture only. */
const SMALLEST = 12
/** abs_mvd_minus2 prefixes beyond are no vector of 16 bits. */
const MAX_VECTOR_PREFIX = 16

/**
 * Reads how blocks are predicted from other pictures: part_mode of such units, prediction_unit() and mvd_coding(), §7.3.8.5 to
 * §7.3.8.9.
 */
export class PredictionUnitReader {
  readonly #engine: ArithmeticDecoder
  failed = false

  constructor(engine: ArithmeticDecoder) {
    this.#engine = engine
  }

  /** part_mode of a unit that is not intra, §9.3.3.7. `smallest`: it has the size of the smallest coding block. */
  parts(log2Size: number, smallest: boolean, uneven: boolean): Parts {
    const engine = this.#engine
    if (engine.decode(context.PART_MODE) === 1) return WHOLE
    const rows = engine.decode(context.PART_MODE_MORE) === 1
    if (smallest) {
      if (rows) return HALVES[0]
      if (log2Size === 3) return HALVES[1]
      return engine.decode(context.PART_MODE_MORE + 1) === 1 ? HALVES[1] : QUARTERS
    }
    const half = rows ? 0 : 1
    if (!uneven || engine.decode(context.PART_MODE_MORE + 2) === 1) return HALVES[half]
    return UNEVEN[2 * half + engine.bypass()]
  }

  /** merge_idx, §9.3.3: the first bin has a context. */
  mergeIndex({ mergeCandidates }: InterFacts): void {
    const most = mergeCandidates - 1
    if (most < 1 || this.#engine.decode(context.MERGE_INDEX) === 0) return
    for (let index = 1; index < most && this.#engine.bypass() === 1; ) index++
  }

  /** prediction_unit() of a unit that is not skipped. Returns merge_flag. */
  read(facts: InterFacts, width: number, height: number, depth: number): boolean {
    const engine = this.#engine
    if (engine.decode(context.MERGE) === 1) {
      this.mergeIndex(facts)
      return true
    }
    const direction = facts.bidirectional ? this.#direction(width + height, depth) : 0
    if (direction !== 1) {
      this.#reference(facts.references0)
      this.#vector()
      engine.decode(context.VECTOR_CANDIDATE)
    }
    if (direction !== 0) {
      this.#reference(facts.references1)
      if (!(facts.zeroVectors1 && direction === BOTH)) this.#vector()
      engine.decode(context.VECTOR_CANDIDATE)
    }
    return false
  }

  /** inter_pred_idc, §9.3.3.9: 0 and 1 for a list alone, `BOTH`. */
  #direction(size: number, depth: number): number {
    if (size !== SMALLEST && this.#engine.decode(context.DIRECTION + depth) === 1) return BOTH
    return this.#engine.decode(context.DIRECTION + 4)
  }

  /** ref_idx: the first two bins have contexts. */
  #reference(count: number): void {
    const most = count - 1
    for (let index = 0; index < most; index++) {
      const more = index < 2 ? this.#engine.decode(context.REFERENCE + index) : this.#engine.bypass()
      if (more === 0) return
    }
  }

  #vector(): void {
    const engine = this.#engine
    const x = engine.decode(context.VECTOR_GREATER_0)
    const y = engine.decode(context.VECTOR_GREATER_0)
    const farX = x === 1 && engine.decode(context.VECTOR_GREATER_1) === 1
    const farY = y === 1 && engine.decode(context.VECTOR_GREATER_1) === 1
    if (x === 1) this.#rest(farX)
    if (y === 1) this.#rest(farY)
  }

  /** abs_mvd_minus2, an Exp-Golomb code of order 1 (§9.3.3.5), and the sign. */
  #rest(far: boolean): void {
    const engine = this.#engine
    if (far) {
      let bits = 1
      while (engine.bypass() === 1) {
        if (++bits > MAX_VECTOR_PREFIX) {
          this.failed = true
          return
        }
      }
      while (bits-- > 0) engine.bypass()
    }
    engine.bypass()
  }
}
