import type { IntraFrame } from '../headers/intra-frame.ts'
import {
  COPY_TX_TYPE_2,
  COPY_TX_TYPE_12,
  COPY_TX_TYPE_16,
  INTRA_TX_TYPE_5,
  INTRA_TX_TYPE_7,
} from '../symbols/mode-symbols.ts'
import type { SymbolDecoder } from '../symbols/symbol-decoder.ts'
import type { Block } from './block.ts'
import type { Coefficients, LevelEdge } from './coefficients.ts'
import { BOTH, HORIZONTAL, VERTICAL_ONLY } from './scans.ts'
import { LONGEST_CODED } from './sizes.ts'
import type { TransformSizes } from './transform-sizes.ts'

const UNITS = 32
const UNIT_MASK = UNITS - 1
/** Units of four samples along a chunk of 64 samples. */
const CHUNK = 16
const MODES = 13
/** Sides of transforms of 16 and 32 samples. */
const SIDE_16 = 2
const SIDE_32 = 3
/** Directions of transforms that few sets have: ADST along one direction, identity along the other. */
const ADST_HORIZONTAL = 3
const ADST_VERTICAL = 4
/** Tx_Type_Intra_Inv_Set1 and those of copied blocks, AV1 specification (2019-01-08) §5.11.47, as directions. */
const INTRA_7 = [BOTH, BOTH, VERTICAL_ONLY, HORIZONTAL]
const COPY_12 = [BOTH, VERTICAL_ONLY, HORIZONTAL]
const COPY_16 = [...COPY_12, ADST_VERTICAL, ADST_HORIZONTAL, ADST_VERTICAL, ADST_HORIZONTAL]

/** Reads the transforms of blocks, §5.11.34. */
export class Residual {
  readonly #decoder: SymbolDecoder
  readonly #coefficients: Coefficients
  readonly #frame: IntraFrame
  readonly #sizes: TransformSizes
  readonly #planes: number
  readonly #above: readonly LevelEdge[]
  readonly #left: readonly LevelEdge[]
  /** Of a copied block: by unit of four samples the direction of its transform of luma. */
  readonly #directions = new Uint8Array(UNITS * UNITS)

  constructor(decoder: SymbolDecoder, coefficients: Coefficients, frame: IntraFrame, sizes: TransformSizes) {
    this.#decoder = decoder
    this.#coefficients = coefficients
    this.#frame = frame
    this.#sizes = sizes
    this.#planes = frame.format.mono ? 1 : 3
    const edges = (length: number): LevelEdge[] =>
      Array.from({ length: this.#planes }, () => ({
        levels: new Uint8Array(length),
        signs: new Uint8Array(length),
      }))
    this.#above = edges(frame.columns + UNITS)
    this.#left = edges(UNITS)
  }

  beginTile(): void {
    for (const edge of this.#above) clear(edge, 0, edge.levels.length)
  }

  beginRow(): void {
    for (const edge of this.#left) clear(edge, 0, UNITS)
  }

  /** A block without transforms: reset_block_context. */
  skip(block: Block): void {
    for (let plane = 0; plane < (block.chroma ? this.#planes : 1); plane++) {
      const [x, y] = this.#subsampling(plane)
      const column = block.column >> x
      const row = (block.row >> y) & UNIT_MASK
      clear(this.#above[plane], column, column + Math.max(block.across >> x, 1))
      clear(this.#left[plane], row, row + Math.max(block.down >> y, 1))
    }
  }

  read(block: Block): void {
    const across = Math.min(block.across, CHUNK)
    const down = Math.min(block.down, CHUNK)
    for (let y = 0; y < block.down; y += CHUNK)
      for (let x = 0; x < block.across; x += CHUNK) this.#chunk(block, x, y, across, down)
  }

  #chunk(block: Block, left: number, top: number, across: number, down: number): void {
    for (let plane = 0; plane < (block.chroma ? this.#planes : 1); plane++) {
      const [x, y] = this.#subsampling(plane)
      if (plane === 0 && block.copied && !block.lossless) {
        this.#tree(block, block.column + left, block.row + top, across, down)
        continue
      }
      let { transformWide: wide, transformHigh: high } = block
      if (block.lossless) [wide, high] = [0, 0]
      else if (plane > 0) {
        wide = Math.min(Math.max(block.wide - x, 0), LONGEST_CODED)
        high = Math.min(Math.max(block.high - y, 0), LONGEST_CODED)
      }
      const column = (block.column >> x) + (left >> x)
      const row = (block.row >> y) + (top >> y)
      for (let i = 0; i < Math.max(down >> y, 1); i += 1 << high)
        for (let j = 0; j < Math.max(across >> x, 1); j += 1 << wide)
          this.#transform(block, plane, column + j, row + i, wide, high)
    }
  }

  /** transform_tree: of luma of a copied block, at a place and with lengths in units of four samples. */
  #tree(block: Block, column: number, row: number, across: number, down: number): void {
    if (column >= this.#frame.columns || row >= this.#frame.rows) return
    const sides = this.#sizes.copied[UNITS * (row - block.row) + column - block.column]
    const wide = 31 - Math.clz32(across)
    const high = 31 - Math.clz32(down)
    if (wide <= sides >> 3 && high <= (sides & 7)) {
      this.#transform(block, 0, column, row, wide, high)
      return
    }
    const nextAcross = across >= down ? across >> 1 : across
    const nextDown = down >= across ? down >> 1 : down
    for (let y = 0; y < down; y += nextDown)
      for (let x = 0; x < across; x += nextAcross)
        this.#tree(block, column + x, row + y, nextAcross, nextDown)
  }

  #transform(block: Block, plane: number, column: number, row: number, wide: number, high: number): void {
    const [x, y] = this.#subsampling(plane)
    const columns = this.#frame.columns >> x
    const rows = this.#frame.rows >> y
    if (column >= columns || row >= rows || this.#coefficients.broken) return
    const above = this.#above[plane]
    const left = this.#left[plane]
    const right = Math.min(column + (1 << wide), columns)
    const from = row & UNIT_MASK
    const to = from + Math.min(1 << high, rows - row)
    const chroma = plane > 0 ? 1 : 0
    const coefficients = this.#coefficients
    const planeWide = Math.max(block.wide - x, 0)
    const planeHigh = Math.max(block.high - y, 0)
    const fills = planeWide === wide && planeHigh === high
    const larger = planeWide + planeHigh > wide + high
    const context =
      chroma === 0
        ? lumaContext(largest(above.levels, column, right), largest(left.levels, from, to), fills)
        : 7 + Number(any(above, column, right)) + Number(any(left, from, to)) + (larger ? 3 : 0)
    let energy = 0
    let sign = 0
    let direction = BOTH
    if (!coefficients.isZero(wide, high, context)) {
      direction =
        chroma === 0 ? this.#readDirection(block, wide, high) : this.#chroma(block, column, row, wide, high)
      const plain =
        direction === ADST_HORIZONTAL ? HORIZONTAL : direction === ADST_VERTICAL ? VERTICAL_ONLY : direction
      const signs = signContext(above.signs, column, right) + signContext(left.signs, from, to)
      coefficients.read(wide, high, chroma, plain, signs < 0 ? 1 : signs > 0 ? 2 : 0)
      energy = coefficients.energy
      sign = coefficients.sign
    }
    if (chroma === 0 && block.copied) this.#keep(direction, block, column, row, wide, high)
    above.levels.fill(energy, column, right)
    above.signs.fill(sign, column, right)
    left.levels.fill(energy, from, to)
    left.signs.fill(sign, from, to)
  }

  #keep(direction: number, block: Block, column: number, row: number, wide: number, high: number): void {
    const x = column - block.column
    for (let y = row - block.row; y < row - block.row + (1 << high); y++)
      this.#directions.fill(direction, UNITS * y + x, UNITS * y + x + (1 << wide))
  }

  /** transform_type, §5.11.47: the direction of a transform of luma. */
  #readDirection(block: Block, wide: number, high: number): number {
    const longer = Math.max(wide, high)
    const shorter = Math.min(wide, high)
    const few = this.#frame.fewTransformTypes
    const decoder = this.#decoder
    if (longer > SIDE_32 || this.#frame.segments.quantisers[block.segment] === 0) return BOTH
    if (block.copied) {
      if (few || longer === SIDE_32) decoder.symbol(COPY_TX_TYPE_2.at + 2 * shorter, 2)
      else if (shorter === SIDE_16) return COPY_12[decoder.symbol(COPY_TX_TYPE_12.at, 12)] ?? BOTH
      else return COPY_16[decoder.symbol(COPY_TX_TYPE_16.at + 16 * shorter, 16)] ?? BOTH
      return BOTH
    }
    if (longer === SIDE_32) return BOTH
    const mode = block.filter >= 0 ? block.filter : block.mode
    if (few || shorter === SIDE_16) {
      decoder.symbol(INTRA_TX_TYPE_5.at + 5 * (MODES * shorter + mode), 5)
      return BOTH
    }
    return INTRA_7[decoder.symbol(INTRA_TX_TYPE_7.at + 7 * (MODES * shorter + mode), 7)] ?? BOTH
  }

  /** compute_tx_type of chroma: that of luma where the block is copied and the set of the size has it, else of both. */
  #chroma(block: Block, column: number, row: number, wide: number, high: number): number {
    if (!block.copied || block.lossless || Math.max(wide, high) >= SIDE_32) return BOTH
    const { x, y } = this.#frame.format
    const at =
      UNITS * (Math.max(block.row, row << y) - block.row) + Math.max(block.column, column << x) - block.column
    const direction = this.#directions[at]
    if (this.#frame.fewTransformTypes) return BOTH
    return Math.min(wide, high) === SIDE_16 && direction > VERTICAL_ONLY ? BOTH : direction
  }

  #subsampling(plane: number): readonly [number, number] {
    const { x, y } = this.#frame.format
    return plane === 0 ? [0, 0] : [x, y]
  }
}

function clear({ levels, signs }: LevelEdge, from: number, to: number): void {
  levels.fill(0, from, to)
  signs.fill(0, from, to)
}

function largest(levels: Uint8Array, from: number, to: number): number {
  let most = 0
  for (let i = from; i < to; i++) if (levels[i] > most) most = levels[i]
  return most
}

function any({ levels, signs }: LevelEdge, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if ((levels[i] | signs[i]) !== 0) return true
  return false
}

/** More first coefficients above zero than below it, §8.3.2. */
function signContext(signs: Uint8Array, from: number, to: number): number {
  let sum = 0
  for (let i = from; i < to; i++) sum += signs[i] === 0 ? 0 : signs[i] === 1 ? -1 : 1
  return sum
}

/** The context of all_zero for luma, §8.3.2. */
function lumaContext(above: number, left: number, fills: boolean): number {
  if (fills) return 0
  const most = Math.max(above, left)
  const least = Math.min(above, left)
  if (most === 0) return 1
  if (least === 0) return most > 3 ? 3 : 2
  if (most <= 3) return 4
  return least <= 3 ? 5 : 6
}
