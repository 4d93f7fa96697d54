import { BLOCK_8X8 } from './block-sizes.ts'
import { type Blocks, INTRA_FRAME } from './blocks.ts'

/** mv_ref_blocks, VP9 specification v0.6 §10.3: by size of the block, eight places, row then column, from its first one. */
const SMALL = [-1, 0, 0, -1, -1, -1, -2, 0, 0, -2, -2, -1, -1, -2, -2, -2]
// biome-ignore format: a table
const NEIGHBOURS = Int8Array.of(
  ...SMALL, ...SMALL, ...SMALL, ...SMALL,
  0, -1, -1, 0, 1, -1, -1, -1, 0, -2, -2, 0, -2, -1, -1, -2,
  -1, 0, 0, -1, -1, 1, -1, -1, -2, 0, 0, -2, -1, -2, -2, -1,
  -1, 0, 0, -1, -1, 1, 1, -1, -1, -1, -3, 0, 0, -3, -3, -3,
  0, -1, -1, 0, 2, -1, -1, -1, -1, 1, 0, -3, -3, 0, -3, -3,
  -1, 0, 0, -1, -1, 2, -1, -1, 1, -1, -3, 0, 0, -3, -3, -3,
  -1, 1, 1, -1, -1, 2, 2, -1, -1, -1, -3, 0, 0, -3, -3, -3,
  0, -1, -1, 0, 4, -1, -1, 2, -1, -1, 0, -3, -3, 0, 2, -1,
  -1, 0, 0, -1, -1, 4, 2, -1, -1, -1, -3, 0, 0, -3, -1, 2,
  -1, 3, 3, -1, -1, 4, 4, -1, -1, -1, -1, 0, 0, -1, -1, 6,
)
const COUNT = 8
/** Those that are looked at more closely. */
const NEAREST = 2
/** mode_2_counter and counter_to_context, §10.3. */
const MODE_COUNTER = Uint8Array.of(9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 0, 0, 3, 1)
const COUNTER_CONTEXT = Uint8Array.of(2, 3, 4, 1, 3, 0, 0, 0, 0, 5, 5, 0, 5, 0, 0, 0, 0, 0, 6)
/** idx_n_column_to_subblock, §10.3: which part of a neighbour lies nearest to each part, to the left and above. */
const PART_LEFT = Uint8Array.of(1, 1, 3, 3)
const PART_ABOVE = Uint8Array.of(2, 3, 2, 3)
/** How far beyond the frame vectors may point, in eighths of a sample: MV_BORDER, and a place's width. */
const BORDER = 16 << 3
const PLACE = 8 << 3

export function vector(row: number, column: number): number {
  return (row << 16) | (column & 0xffff)
}

export function vectorRow(value: number): number {
  return value >> 16
}

export function vectorColumn(value: number): number {
  return (value << 16) >> 16
}

/** The candidates for vectors around a block: motion vector prediction, §6.4.22 and following. */
export class MotionCandidates {
  /** The two found last: of the nearest, and the next that differs. */
  nearest = 0
  near = 0
  #found = 0
  readonly #blocks: Blocks
  /** Blocks of the frame before; undefined where they tell nothing. */
  #previous: Blocks | undefined
  #signBias: readonly number[] = [0, 0, 0, 0]
  /** The places of the tile. */
  #fromColumn = 0
  #toColumn = 0
  /** The block's place and size. */
  #row = 0
  #column = 0
  #across = 0
  #down = 0
  #size = 0

  constructor(blocks: Blocks) {
    this.#blocks = blocks
  }

  beginFrame(previous: Blocks | undefined, signBias: readonly number[]): void {
    this.#previous = previous
    this.#signBias = signBias
  }

  beginTile(fromColumn: number, toColumn: number): void {
    this.#fromColumn = fromColumn
    this.#toColumn = toColumn
  }

  /** The block whose candidates are asked for; `across` and `down` in places. */
  beginBlock(size: number, row: number, column: number, across: number, down: number): void {
    this.#size = size
    this.#row = row
    this.#column = column
    this.#across = across
    this.#down = down
  }

  /** Number of the block at a neighbouring place, -1 outside of the tile. */
  #neighbour(index: number): number {
    const at = (this.#size * COUNT + index) * 2
    const row = this.#row + NEIGHBOURS[at]
    const column = this.#column + NEIGHBOURS[at + 1]
    if (row < 0 || row >= this.#blocks.rows) return -1
    if (column < this.#fromColumn || column >= this.#toColumn) return -1
    return this.#blocks.at[row * this.#blocks.columns + column]
  }

  /** Context of inter_mode. */
  modeContext(): number {
    let sum = 0
    for (let i = 0; i < NEAREST; i++) {
      const block = this.#neighbour(i)
      if (block >= 0) sum += MODE_COUNTER[this.#blocks.mode[block]]
    }
    return COUNTER_CONTEXT[sum]
  }

  /** Finds the candidates for a reference; `part` is the part of 4x4 they are for, or -1. */
  find(reference: number, part: number): void {
    this.#found = 0
    this.nearest = 0
    this.near = 0
    this.#search(reference, part)
    if (this.#found > 0) this.nearest = this.#clamped(this.nearest)
    if (this.#found > 1) this.near = this.#clamped(this.near)
    else this.near = this.#clamped(0)
    if (this.#found === 0) this.nearest = this.near
  }

  /** Takes one more candidate; true when there are enough. */
  #add(candidate: number): boolean {
    if (this.#found === 0) {
      this.nearest = candidate
      this.#found = 1
      return false
    }
    if (candidate === this.nearest) return false
    this.near = candidate
    this.#found = 2
    return true
  }

  #search(reference: number, part: number): void {
    const { first, second, vector0, vector1 } = this.#blocks
    let any = false
    for (let i = 0; i < COUNT; i++) {
      const block = this.#neighbour(i)
      if (block < 0) continue
      any = true
      const closer = part >= 0 && i < NEAREST
      if (first[block] === reference) {
        if (this.#add(closer ? this.#partVector(block, i, part, 0) : vector0[block])) return
      } else if (second[block] === reference) {
        if (this.#add(closer ? this.#partVector(block, i, part, 1) : vector1[block])) return
      }
    }
    const previous = this.#previous
    const before = previous ? previous.at[this.#row * previous.columns + this.#column] : -1
    if (previous && before >= 0) {
      if (previous.first[before] === reference) {
        if (this.#add(previous.vector0[before])) return
      } else if (previous.second[before] === reference && this.#add(previous.vector1[before])) return
    }
    if (any)
      for (let i = 0; i < COUNT; i++) {
        const block = this.#neighbour(i)
        if (block >= 0 && this.#addOthers(this.#blocks, block, reference)) return
      }
    if (previous && before >= 0) this.#addOthers(previous, before, reference)
  }

  /** A neighbour's vector, of the part that lies nearest where it has parts. */
  #partVector(block: number, index: number, part: number, list: number): number {
    const { size, vector0, vector1, partVectors } = this.#blocks
    if (size[block] >= BLOCK_8X8) return list === 0 ? vector0[block] : vector1[block]
    const isAbove = NEIGHBOURS[(this.#size * COUNT + index) * 2 + 1] === 0
    const nearest = isAbove ? PART_ABOVE[part] : PART_LEFT[part]
    return partVectors[(block * 4 + nearest) * 2 + list]
  }

  /** Takes a block's vectors to other references, turned round where these lie on the other side in time. */
  #addOthers(blocks: Blocks, block: number, reference: number): boolean {
    const first = blocks.first[block]
    const second = blocks.second[block]
    if (first <= INTRA_FRAME) return false
    if (first !== reference && this.#add(this.#turned(blocks.vector0[block], first, reference))) return true
    return (
      second > INTRA_FRAME &&
      second !== reference &&
      blocks.vector0[block] !== blocks.vector1[block] &&
      this.#add(this.#turned(blocks.vector1[block], second, reference))
    )
  }

  #turned(value: number, from: number, to: number): number {
    if (this.#signBias[from] === this.#signBias[to]) return value
    return vector(-vectorRow(value), -vectorColumn(value))
  }

  /** clamp_mv_ref, §6.4.27. */
  #clamped(value: number): number {
    const { rows, columns } = this.#blocks
    const top = -this.#row * PLACE - BORDER
    const bottom = (rows - this.#down - this.#row) * PLACE + BORDER
    const left = -this.#column * PLACE - BORDER
    const right = (columns - this.#across - this.#column) * PLACE + BORDER
    const row = Math.min(bottom, Math.max(top, vectorRow(value)))
    const column = Math.min(right, Math.max(left, vectorColumn(value)))
    return vector(row, column)
  }
}
