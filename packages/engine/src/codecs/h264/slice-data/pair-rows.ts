import { MacroblockFacts, type Neighbours } from './picture-layout.ts'

/** What is kept of the macroblocks in a row of pairs, each pair's upper one before its lower. */
class PairRow extends MacroblockFacts {
  readonly luma: Uint8Array
  readonly chroma: Uint8Array
  /** By pair: whether it is coded as two fields. */
  readonly field: Uint8Array

  constructor(width: number) {
    super(2 * width)
    this.luma = new Uint8Array(32 * width)
    this.chroma = new Uint8Array(32 * width)
    this.field = new Uint8Array(width)
  }
}

/** Rows of luma samples in a macroblock. */
const LUMA_ROWS = 16

/**
 * Neighbours of macroblocks in pairs that are frames or fields by turns, ITU-T H.264 (08/2021) §6.4.12.2. What lies around one is
 * laid into neighbours of a picture that is a single column wide.
 */
export class PairRows {
  readonly #width: number
  readonly #chromaRows: number
  #above: PairRow
  #row: PairRow

  /** `width` in macroblocks; `chromaRows` of 4x4 blocks in a macroblock's chroma plane. */
  constructor(width: number, chromaRows: number) {
    this.#width = width
    this.#chromaRows = chromaRows
    this.#above = new PairRow(width)
    this.#row = new PairRow(width)
  }

  /**
   * Begins the macroblock at `address`, which counts the upper one of each pair before its lower: lays what is around it into
   * `near`. At an upper one `readField` reads mb_field_decoding_flag, given how many of the pairs to the left and above are
   * fields.
   * @returns whether the pair is coded as two fields
   */
  enter(near: Neighbours, address: number, firstMb: number, readField: (around: number) => boolean): boolean {
    const pair = address >> 1
    const first = firstMb >> 1
    const column = pair % this.#width
    const lower = address & 1
    const hasLeft = column > 0 && pair > first
    const hasAbove = pair - this.#width >= first
    if (lower === 0) {
      if (column === 0 && pair > first) this.#next()
      const around = (hasLeft ? this.#row.field[column - 1] : 0) + (hasAbove ? this.#above.field[column] : 0)
      this.#row.field[column] = readField(around) ? 1 : 0
    }
    const field = this.#row.field[column] === 1
    near.hasLeft = hasLeft
    near.hasAbove = hasAbove || (lower === 1 && !field)
    if (hasLeft) this.#layLeft(near, column, lower)
    if (near.hasAbove) this.#layAbove(near, column, lower)
    return field
  }

  #next(): void {
    const above = this.#row
    this.#row = this.#above
    this.#above = above
  }

  /** Lays what is above the pair's upper or lower macroblock into `near`. The lower one of a frame lies below the upper. */
  #layAbove(near: Neighbours, column: number, lower: number): void {
    const field = this.#row.field[column] === 1
    const within = lower === 1 && !field
    const from = within ? this.#row : this.#above
    const upper = within || (lower === 0 && field && this.#above.field[column] === 1)
    const at = 2 * column + (upper ? 0 : 1)
    near.take(0, from, at)
    for (let i = 0; i < 4; i++) near.luma[i] = from.luma[16 * at + 12 + i]
    const lowest = 2 * (this.#chromaRows - 1)
    for (let plane = 0; plane < 2; plane++) {
      for (let i = 0; i < 2; i++) near.chroma[2 * plane + i] = from.chroma[16 * at + 8 * plane + lowest + i]
    }
  }

  /** Lays what is to the left of the pair's upper or lower macroblock into `near`. */
  #layLeft(near: Neighbours, column: number, lower: number): void {
    const row = this.#row
    const first = 2 * (column - 1)
    const pair = { lower, field: row.field[column] === 1, leftField: row.field[column - 1] === 1 }
    const whole = first + leftOf(pair, 0, LUMA_ROWS).lower
    near.take(near.left, row, whole)
    let pattern = row.pattern[whole] & 0xf0
    for (const half of [0, 1]) {
      const { lower: mb, y } = leftOf(pair, 8 * half, LUMA_ROWS)
      pattern |= ((row.pattern[first + mb] >> (y >> 3 === 0 ? 1 : 3)) & 1) << (2 * half + 1)
    }
    near.pattern[near.left] = pattern
    for (let block = 0; block < 4; block++) {
      const { lower: mb, y } = leftOf(pair, 4 * block, LUMA_ROWS)
      near.leftLuma[block] = row.luma[16 * (first + mb) + 4 * (y >> 2) + 3]
    }
    for (let block = 0; block < this.#chromaRows; block++) {
      const { lower: mb, y } = leftOf(pair, 4 * block, 4 * this.#chromaRows)
      for (let plane = 0; plane < 2; plane++)
        near.leftChroma[4 * plane + block] = row.chroma[16 * (first + mb) + 8 * plane + 2 * (y >> 2) + 1]
    }
  }

  /** Keeps the macroblock at `address` that was just read with `near`. */
  keep(near: Neighbours, address: number): void {
    const row = this.#row
    const at = 2 * ((address >> 1) % this.#width) + (address & 1)
    row.take(at, near, 0)
    row.luma.set(near.ownLuma, 16 * at)
    row.chroma.set(near.ownChroma, 16 * at)
  }
}

/**
 * Which macroblock of the pair to the left lies beside row `y` of a macroblock with so many `rows`, and the row in it (Table
 * 6-4).
 */
function leftOf(
  {
    lower,
    field,
    leftField,
  }: { readonly lower: number; readonly field: boolean; readonly leftField: boolean },
  y: number,
  rows: number,
): { readonly lower: number; readonly y: number } {
  if (field === leftField) return { lower, y }
  // even rows of a frame lie in the upper field
  if (!field) return { lower: 0, y: (y + lower * rows) >> 1 }
  const row = 2 * y + lower
  return row < rows ? { lower: 0, y: row } : { lower: 1, y: row - rows }
}
