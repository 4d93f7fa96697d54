import type { IntraFrame } from '../headers/intra-frame.ts'
import { TX_DEPTH_8, TX_DEPTH_16, TX_DEPTH_32, TX_DEPTH_64, TX_SPLIT } from '../symbols/mode-symbols.ts'
import type { SymbolDecoder } from '../symbols/symbol-decoder.ts'
import type { Block, Edge } from './block.ts'
import { LONGEST_TRANSFORM } from './sizes.ts'

/** MAX_VARTX_DEPTH, AV1 specification (2019-01-08) §3. */
const MOST_SPLITS = 2
/** Units of four samples along a superblock. */
const UNITS = 32
const ROW_MASK = UNITS - 1

/** Reads the sizes of transforms, §5.11.15 to §5.11.17. */
export class TransformSizes {
  /** Of a copied block: by unit of four samples the sides of its transform, 8 * width + height. */
  readonly copied = new Uint8Array(UNITS * UNITS)
  readonly #decoder: SymbolDecoder
  readonly #frame: IntraFrame
  readonly #above: Edge
  readonly #left: Edge

  constructor(decoder: SymbolDecoder, frame: IntraFrame, above: Edge, left: Edge) {
    this.#decoder = decoder
    this.#frame = frame
    this.#above = above
    this.#left = left
  }

  /** read_block_tx_size. */
  read(block: Block): void {
    const wide = Math.min(block.wide, LONGEST_TRANSFORM)
    const high = Math.min(block.high, LONGEST_TRANSFORM)
    const choice = this.#frame.transformsDiffer && block.size > 0 && !block.lossless
    if (choice && block.copied && !block.skip) {
      for (let y = 0; y < block.down; y += 1 << high)
        for (let x = 0; x < block.across; x += 1 << wide) this.#readTree(block, x, y, wide, high, 0)
      return
    }
    block.transformWide = block.lossless ? 0 : wide
    block.transformHigh = block.lossless ? 0 : high
    if (choice && !block.copied) this.#readDepth(block)
    this.#put(block, 0, 0, block.across, block.down, block.transformWide, block.transformHigh)
  }

  /** tx_depth: how often the largest transform is split. */
  #readDepth(block: Block): void {
    const { transformWide: wide, transformHigh: high } = block
    const context =
      Number(block.hasAbove && sideAt(this.#above, block.column) >= wide) +
      Number(block.hasLeft && sideAt(this.#left, block.row & ROW_MASK) >= high)
    const splits = Math.max(wide, high)
    const { at, values } = [TX_DEPTH_8, TX_DEPTH_8, TX_DEPTH_16, TX_DEPTH_32, TX_DEPTH_64][splits]
    for (let depth = this.#decoder.symbol(at + values * context, values); depth > 0; depth--) {
      const { transformWide, transformHigh } = block
      if (transformWide >= transformHigh && transformWide > 0) block.transformWide--
      if (transformHigh >= transformWide && transformHigh > 0) block.transformHigh--
    }
  }

  /** read_var_tx_size. */
  #readTree(block: Block, x: number, y: number, wide: number, high: number, depth: number): void {
    const row = block.row + y
    const column = block.column + x
    if (row >= this.#frame.rows || column >= this.#frame.columns) return
    const splits =
      wide + high > 0 &&
      depth < MOST_SPLITS &&
      this.#decoder.symbol(TX_SPLIT.at + 2 * this.#splitContext(block, x, y, wide, high), 2) === 1
    if (!splits) {
      block.transformWide = wide
      block.transformHigh = high
      this.#put(block, x, y, 1 << wide, 1 << high, wide, high)
      return
    }
    const nextWide = wide >= high ? Math.max(wide - 1, 0) : wide
    const nextHigh = high >= wide ? Math.max(high - 1, 0) : high
    for (let i = 0; i < 1 << high; i += 1 << nextHigh)
      for (let j = 0; j < 1 << wide; j += 1 << nextWide)
        this.#readTree(block, x + j, y + i, nextWide, nextHigh, depth + 1)
  }

  #splitContext(block: Block, x: number, y: number, wide: number, high: number): number {
    const above = this.#along(this.#above, block.column + x, y === 0, block.hasAbove) < wide
    const left = this.#along(this.#left, (block.row + y) & ROW_MASK, x === 0, block.hasLeft) < high
    const largest = Math.min(LONGEST_TRANSFORM, Math.max(block.wide, block.high))
    const smaller = Math.max(wide, high) === largest ? 0 : 3
    return smaller + 6 * (LONGEST_TRANSFORM - largest) + Number(above) + Number(left)
  }

  /** get_above_tx_width and get_left_tx_height. */
  #along(edge: Edge, at: number, atEdge: boolean, available: boolean): number {
    if (atEdge && !available) return LONGEST_TRANSFORM
    return atEdge && edge.skip[at] === 1 && edge.copied[at] === 1 ? edge.side[at] : edge.transform[at]
  }

  #put(block: Block, x: number, y: number, across: number, down: number, wide: number, high: number): void {
    const top = (block.row + y) & ROW_MASK
    this.#above.transform.fill(wide, block.column + x, block.column + x + across)
    this.#left.transform.fill(high, top, top + down)
    if (!block.copied) return
    for (let i = y; i < y + down; i++)
      this.copied.fill(8 * wide + high, UNITS * i + x, UNITS * i + x + across)
  }
}

/** How far what lies along the edge reaches, for the choice of the largest transform. */
function sideAt(edge: Edge, at: number): number {
  return edge.copied[at] === 1 ? edge.side[at] : edge.transform[at]
}
