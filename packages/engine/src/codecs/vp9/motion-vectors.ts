import type { BoolDecoder } from '../bool-decoder.ts'
import { type Blocks, INTRA_FRAME, NEAR_MV, NEAREST_MV, NEW_MV } from './blocks.ts'
import type { Counts } from './counts.ts'
import { type MotionCandidates, vector, vectorColumn, vectorRow } from './motion-candidates.ts'
import type { Probabilities } from './probabilities.ts'
import {
  MV_BITS,
  MV_CLASS,
  MV_CLASS0_BIT,
  MV_CLASS0_FRACTION,
  MV_CLASS0_HP,
  MV_FRACTION,
  MV_HP,
  MV_JOINT,
  MV_SIGN,
  type Symbols,
} from './symbols.ts'

/** COMPANDED_MVREF_THRESH, VP9 specification v0.6 §3, in eighths of a sample: larger vectors have no eighths. */
const LARGE = 8 << 3
/** Bits of all vectors' whole samples. */
const CLASS_BITS = 10

/** Reads the vectors of blocks, §6.4.19 and §6.4.20. */
export class MotionVectors {
  readonly #bools: BoolDecoder
  readonly #blocks: Blocks
  readonly #probabilities: Probabilities
  readonly #counts: Counts
  readonly #candidates: MotionCandidates
  #highPrecision = false
  /** BestMv of both references, for the parts of one block; whether they are known. */
  readonly #best = new Int32Array(2)
  #bestKnown = false

  constructor(
    bools: BoolDecoder,
    blocks: Blocks,
    probabilities: Probabilities,
    counts: Counts,
    candidates: MotionCandidates,
  ) {
    this.#bools = bools
    this.#blocks = blocks
    this.#probabilities = probabilities
    this.#counts = counts
    this.#candidates = candidates
  }

  beginFrame(highPrecision: boolean): void {
    this.#highPrecision = highPrecision
  }

  /** Those of a block that has no parts. */
  read(block: number, mode: number): void {
    const { second, vector0, vector1 } = this.#blocks
    const isCompound = second[block] > INTRA_FRAME
    vector0[block] = this.#predicted(block, 0, mode)
    vector1[block] = isCompound ? this.#predicted(block, 1, mode) : 0
    if (mode !== NEW_MV) return
    vector0[block] = this.#readVector(vector0[block])
    if (isCompound) vector1[block] = this.#readVector(vector1[block])
  }

  #predicted(block: number, list: number, mode: number): number {
    if (mode !== NEAREST_MV && mode !== NEAR_MV && mode !== NEW_MV) return 0
    this.#candidates.find(this.#reference(block, list), -1)
    return this.#lowered(mode === NEAR_MV ? this.#candidates.near : this.#candidates.nearest)
  }

  #reference(block: number, list: number): number {
    return list === 0 ? this.#blocks.first[block] : this.#blocks.second[block]
  }

  /** The parts of a block come next. */
  beginParts(block: number): void {
    this.#bestKnown = false
    this.#blocks.partVectors.fill(0, 8 * block, 8 * block + 8)
  }

  /** Those of a part of 4x4 in the upper left of `wide` by `high` such. */
  readPart(block: number, part: number, mode: number, wide: number, high: number): void {
    const { second, partVectors } = this.#blocks
    const lists = second[block] > INTRA_FRAME ? 2 : 1
    if (mode === NEW_MV && !this.#bestKnown) {
      for (let list = 0; list < lists; list++) this.#best[list] = this.#predicted(block, list, NEW_MV)
      this.#bestKnown = true
    }
    for (let list = 0; list < lists; list++) {
      let found = 0
      if (mode === NEW_MV) found = this.#readVector(this.#best[list])
      else if (mode === NEAREST_MV || mode === NEAR_MV) found = this.#nearPart(block, part, list, mode)
      for (let y = 0; y < high; y++)
        for (let x = 0; x < wide; x++) partVectors[(4 * block + part + 2 * y + x) * 2 + list] = found
    }
  }

  /** append_sub8x8_mvs, §6.4.23. */
  #nearPart(block: number, part: number, list: number, mode: number): number {
    const { partVectors } = this.#blocks
    const candidates = this.#candidates
    const of = (other: number): number => partVectors[(4 * block + other) * 2 + list]
    if (part === 0) {
      candidates.find(this.#reference(block, list), part)
      return mode === NEAREST_MV ? candidates.nearest : candidates.near
    }
    const nearest = of(part === 3 ? 2 : 0)
    if (mode === NEAREST_MV) return nearest
    if (part === 3) {
      if (of(1) !== nearest) return of(1)
      if (of(0) !== nearest) return of(0)
    }
    candidates.find(this.#reference(block, list), part)
    if (candidates.nearest !== nearest) return candidates.nearest
    return candidates.near !== nearest ? candidates.near : 0
  }

  /** lower_mv_precision, §6.4.26: without eighths where these are not coded. */
  #lowered(value: number): number {
    if (this.#highPrecision && isSmall(value)) return value
    const even = (part: number): number => ((part & 1) === 0 ? part : part + (part > 0 ? -1 : 1))
    return vector(even(vectorRow(value)), even(vectorColumn(value)))
  }

  /** read_mv, §6.4.20: a vector by its difference to `best`. */
  #readVector(best: number): number {
    const eighths = this.#highPrecision && isSmall(best)
    const joint = this.#symbol(MV_JOINT, 0)
    const row = joint >= 2 ? this.#readPart(0, eighths) : 0
    const column = (joint & 1) === 1 ? this.#readPart(1, eighths) : 0
    return vector(vectorRow(best) + row, vectorColumn(best) + column)
  }

  /** read_mv_component, for rows (0) or columns (1). */
  #readPart(direction: number, eighths: boolean): number {
    const sign = this.#symbol(MV_SIGN, direction)
    const kind = this.#symbol(MV_CLASS, direction)
    let whole = 0
    let base = 0
    let fraction: number
    if (kind === 0) {
      whole = this.#symbol(MV_CLASS0_BIT, direction)
      fraction = this.#symbol(MV_CLASS0_FRACTION, 2 * direction + whole)
    } else {
      for (let i = 0; i < kind; i++) whole |= this.#symbol(MV_BITS, CLASS_BITS * direction + i) << i
      base = 2 << (kind + 2)
      fraction = this.#symbol(MV_FRACTION, direction)
    }
    const precision = kind === 0 ? MV_CLASS0_HP : MV_HP
    // not coded it is 1, and counts all the same: §9.3.4
    let eighth = 1
    if (eighths) eighth = this.#symbol(precision, direction)
    else this.#counts.symbols[precision.counts + 2 * direction + 1]++
    const size = base + ((whole << 3) | (fraction << 1) | eighth) + 1
    return sign === 1 ? -size : size
  }

  #symbol(kind: Symbols, row: number): number {
    const leaf = this.#bools.leaf(kind.tree, this.#probabilities.symbols, kind.at + row * kind.nodes)
    this.#counts.symbols[kind.counts + row * kind.leaves + leaf]++
    return leaf
  }
}

/** use_mv_hp. */
function isSmall(value: number): boolean {
  return Math.abs(vectorRow(value)) < LARGE && Math.abs(vectorColumn(value)) < LARGE
}
