import type { ArithmeticDecoder } from '../../cabac/arithmetic.ts'
import type { MotionSymbols } from './prediction.ts'

/** First contexts of syntax elements, ITU-T H.264 (08/2021) Table 9-34. */
const VECTOR = [40, 47]
const REFERENCE = 54
/** References beyond are none that a slice may have. */
const MOST_REFERENCES = 32
/** Sums of both neighbours from which on a vector's first bin has another context, Table 9-39. */
const SMALL_SUM = 3
const LARGE_SUM = 32
/** Bins of a vector in front of its suffix, and the order of the suffix's Exp-Golomb code, §9.3.2.3. */
const VECTOR_PREFIX = 9
const VECTOR_ORDER = 3
const MOST_VECTOR_BITS = 16

/** Columns of a macroblock's grid: one to the left of its four. */
const GRID = 5
const FACTS = 3

/**
 * References and vectors of macroblocks coded with CABAC, and of those above and to the left, which their contexts depend on
 * (§9.3.3.1.1.6, §9.3.3.1.1.7). Facts are kept by 4x4 block: whether the reference is behind the first, and how far the vector
 * goes in both directions.
 */
export class CabacMotion implements MotionSymbols {
  readonly #engine: ArithmeticDecoder
  /** By list and fact: the macroblock's own blocks, with a row above and a column to the left. */
  readonly #grids: readonly Uint8Array[]
  readonly #above: readonly Uint8Array[]
  readonly #left: readonly Uint8Array[]
  /** By column, whether the macroblock above refers to anything; and whether the one to the left does. */
  readonly #someAbove: Uint8Array
  #someLeft = false

  /** `width` in macroblocks. */
  constructor(engine: ArithmeticDecoder, width: number) {
    this.#engine = engine
    const six = <T>(make: () => T): readonly T[] => Array.from({ length: 2 * FACTS }, make)
    this.#grids = six(() => new Uint8Array(GRID * GRID))
    this.#above = six(() => new Uint8Array(4 * width))
    this.#left = six(() => new Uint8Array(4))
    this.#someAbove = new Uint8Array(width)
  }

  /** A macroblock in column `x` begins. */
  begin(x: number, hasLeft: boolean, hasAbove: boolean): void {
    const fromAbove = hasAbove && this.#someAbove[x] === 1
    const fromLeft = hasLeft && this.#someLeft
    for (let which = 0; which < this.#grids.length; which++) {
      const grid = this.#grids[which]
      grid.fill(0)
      if (fromAbove) for (let i = 0; i < 4; i++) grid[1 + i] = this.#above[which][4 * x + i]
      if (fromLeft) for (let i = 0; i < 4; i++) grid[GRID * (1 + i)] = this.#left[which][i]
    }
  }

  /** The macroblock in column `x` is read. */
  keep(x: number): void {
    this.#someAbove[x] = 1
    this.#someLeft = true
    for (let which = 0; which < this.#grids.length; which++) {
      const grid = this.#grids[which]
      for (let i = 0; i < 4; i++) {
        this.#above[which][4 * x + i] = grid[GRID * 4 + 1 + i]
        this.#left[which][i] = grid[GRID * (1 + i) + 4]
      }
    }
  }

  /** The macroblock in column `x` is read and refers to nothing by itself. */
  keepNone(x: number): void {
    this.#someAbove[x] = 0
    this.#someLeft = false
  }

  reference(list: number, _references: number, x: number, y: number, width: number, height: number): number {
    const engine = this.#engine
    const grid = this.#grids[FACTS * list]
    const at = GRID * (y + 1) + x + 1
    let context = REFERENCE + grid[at - 1] + 2 * grid[at - GRID]
    let index = 0
    while (index < MOST_REFERENCES && engine.decode(context) === 1) {
      context = index === 0 ? REFERENCE + 4 : REFERENCE + 5
      index++
    }
    if (index > 0) fill(grid, at, width, height, 1)
    return index
  }

  vector(list: number, x: number, y: number, width: number, height: number): boolean {
    const at = GRID * (y + 1) + x + 1
    for (let component = 0; component < 2; component++) {
      const grid = this.#grids[FACTS * list + 1 + component]
      const size = this.#component(VECTOR[component], grid[at - 1] + grid[at - GRID])
      if (size < 0) return false
      // above the largest sum that matters all are alike
      fill(grid, at, width, height, Math.min(size, LARGE_SUM + 1))
    }
    return true
  }

  /** How far a vector goes in one direction; -1 where the bits are none. */
  #component(first: number, around: number): number {
    const engine = this.#engine
    const inc = around < SMALL_SUM ? 0 : around > LARGE_SUM ? 2 : 1
    if (engine.decode(first + inc) === 0) return 0
    let size = 1
    while (size < VECTOR_PREFIX && engine.decode(first + 2 + Math.min(size, 4)) === 1) size++
    if (size === VECTOR_PREFIX) {
      let order = VECTOR_ORDER
      while (engine.bypass() === 1) {
        size += 1 << order
        if (++order > MOST_VECTOR_BITS) return -1
      }
      while (order-- > 0) size += engine.bypass() << order
    }
    engine.bypass()
    return size
  }
}

function fill(grid: Uint8Array, at: number, width: number, height: number, value: number): void {
  for (let row = 0; row < height; row++) grid.fill(value, at + GRID * row, at + GRID * row + width)
}
