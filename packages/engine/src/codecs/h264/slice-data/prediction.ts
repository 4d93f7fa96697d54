/** What reading the macroblocks of P and B slices depends on, beside the picture. */
export interface InterSlice {
  /** It is a B slice. */
  readonly bidirectional: boolean
  /** num_ref_idx_active of lists 0 and 1. */
  readonly references: readonly [number, number]
  readonly cabacInit: number
  readonly direct8x8: boolean
}

/** Reads the parts of one entropy coding that tell where a partition is predicted from; places and sizes are in 4x4 blocks. */
export interface MotionSymbols {
  /** The index into a list of so many references, at least `references` where the bits are none. */
  reference(list: number, references: number, x: number, y: number, width: number, height: number): number
  /** Both components of a vector; false where the bits are none. */
  vector(list: number, x: number, y: number, width: number, height: number): boolean
}

type Rectangle = readonly [x: number, y: number, width: number, height: number]

/** Partitions of macroblocks in 4x4 blocks, ITU-T H.264 (08/2021) Figure 6-9: whole, two rows, two columns, quarters. */
const PARTITIONS: readonly (readonly Rectangle[])[] = [
  [[0, 0, 4, 4]],
  [
    [0, 0, 4, 2],
    [0, 2, 4, 2],
  ],
  [
    [0, 0, 2, 4],
    [2, 0, 2, 4],
  ],
  [
    [0, 0, 2, 2],
    [2, 0, 2, 2],
    [0, 2, 2, 2],
    [2, 2, 2, 2],
  ],
]
const WHOLE_ONE = 0
const ROWS = 1
const COLUMNS = 2
const QUARTERS = 3

/** mb_type whose macroblock comes in quarters, Tables 7-13 and 7-14. */
const P_QUARTERS_FIRST = 4
const B_QUARTERS = 22
/** Lists of the two partitions of the B types from 4 on, two types each: bit 0 for list 0, bit 1 for list 1. */
const B_LISTS = [0x11, 0x22, 0x12, 0x21, 0x13, 0x23, 0x31, 0x32, 0x33]
const B_FIRST_HALVES = 4
/** Lists and partitions of sub_mb_type in B slices, Table 7-18. */
const SUB_LISTS = Uint8Array.of(0, 1, 2, 3, 1, 1, 2, 2, 3, 3, 1, 2, 3)
const SUB_SHAPES = Uint8Array.of(0, 0, 0, 0, 1, 2, 1, 2, 1, 2, 3, 3, 3)
/** One more than the highest sub_mb_type. */
const P_SUB_TYPES = 4

/** How one macroblock is predicted from other pictures, §7.3.5.1 and §7.3.5.2. */
export class Prediction {
  #shape = WHOLE_ONE
  /** References of quarters are not coded: all are the first. */
  #isFirst = false
  /** Lists that each partition is predicted from. */
  readonly #lists = new Uint8Array(4)
  /** How each quarter is parted. */
  readonly #parts = new Uint8Array(4)

  /** Takes mb_type; false where there is none such. Of B slices 0 is predicted directly. */
  take(type: number, bidirectional: boolean): boolean {
    const lists = this.#lists
    this.#isFirst = false
    this.#parts.fill(0)
    if (!bidirectional) {
      if (type > P_QUARTERS_FIRST) return false
      this.#shape = Math.min(type, QUARTERS)
      this.#isFirst = type === P_QUARTERS_FIRST
      lists.fill(1)
      return true
    }
    if (type > B_QUARTERS) return false
    if (type < B_FIRST_HALVES) {
      this.#shape = WHOLE_ONE
      lists[0] = type
    } else if (type < B_QUARTERS) {
      this.#shape = (type & 1) === 0 ? ROWS : COLUMNS
      const both = B_LISTS[(type - B_FIRST_HALVES) >> 1]
      lists[0] = both >> 4
      lists[1] = both & 15
    } else this.#shape = QUARTERS
    return true
  }

  get inQuarters(): boolean {
    return this.#shape === QUARTERS
  }

  /** Takes sub_mb_type of a quarter; false where there is none such. */
  takeQuarter(quarter: number, type: number, bidirectional: boolean): boolean {
    if (type >= (bidirectional ? SUB_LISTS.length : P_SUB_TYPES)) return false
    this.#lists[quarter] = bidirectional ? SUB_LISTS[type] : 1
    this.#parts[quarter] = bidirectional ? SUB_SHAPES[type] : type
    return true
  }

  /** Whether transforms may span 8x8 samples: no part is smaller. */
  allows8x8(direct8x8: boolean): boolean {
    if (this.#shape !== QUARTERS) return this.#shape !== WHOLE_ONE || this.#lists[0] > 0 || direct8x8
    return this.#parts.every((part, quarter) => part === 0 && (this.#lists[quarter] > 0 || direct8x8))
  }

  /** Reads references and vectors of all partitions; false where the bits are none. */
  read(symbols: MotionSymbols, references: InterSlice['references']): boolean {
    const partitions = PARTITIONS[this.#shape]
    for (const list of [0, 1] as const) {
      const count = references[list]
      if (count < 2 || this.#isFirst) continue
      for (const [place, [x, y, width, height]] of partitions.entries()) {
        if (((this.#lists[place] >> list) & 1) === 0) continue
        if (symbols.reference(list, count, x, y, width, height) >= count) return false
      }
    }
    for (const list of [0, 1] as const) {
      for (const [place, rectangle] of partitions.entries()) {
        if (((this.#lists[place] >> list) & 1) === 0) continue
        if (!this.#vectors(symbols, list, rectangle, this.#parts[place])) return false
      }
    }
    return true
  }

  #vectors(symbols: MotionSymbols, list: number, [x, y, width, height]: Rectangle, part: number): boolean {
    if (part === 0) return symbols.vector(list, x, y, width, height)
    // partitions of a quarter are a macroblock's at half the size
    for (const [dx, dy, w, h] of PARTITIONS[part])
      if (!symbols.vector(list, x + (dx >> 1), y + (dy >> 1), w >> 1, h >> 1)) return false
    return true
  }
}
