import type { InterFrame } from '../headers/inter-frame.ts'
import type { IntraFrame } from '../headers/intra-frame.ts'
import {
  PARTITION_8,
  PARTITION_16,
  PARTITION_32,
  PARTITION_64,
  PARTITION_128,
} from '../symbols/mode-symbols.ts'
import type { SymbolDecoder } from '../symbols/symbol-decoder.ts'
import { firstDistributions, uncounted } from '../symbols/symbols.ts'
import { Block, Edge } from './block.ts'
import { Coefficients } from './coefficients.ts'
import { InterModeInfo } from './inter-mode-info.ts'
import { ModeInfo } from './mode-info.ts'
import { MotionField } from './motion-field.ts'
import { MotionGrid } from './motion-grid.ts'
import { Palettes } from './palette.ts'
import { Residual } from './residual.ts'
import { Restoration } from './restoration.ts'
import { SegmentMap } from './segment-map.ts'
import { blockOf } from './sizes.ts'
import type { TilePlace } from './tile-place.ts'
import { TransformSizes } from './transform-sizes.ts'

/** partition, AV1 specification (2019-01-08) §6.10.4. */
const HORIZONTAL = 1
const VERTICAL = 2
const SPLIT = 3
const HORIZONTAL_A = 4
const HORIZONTAL_B = 5
const VERTICAL_A = 6
const VERTICAL_B = 7
const HORIZONTAL_4 = 8
const VERTICAL_4 = 9
const PARTITIONS = [PARTITION_8, PARTITION_8, PARTITION_16, PARTITION_32, PARTITION_64, PARTITION_128]
/** Partitions by which a block at the lower edge counts as split, and one at the right edge: §8.3.2. */
const SPLITS_DOWN = [VERTICAL, SPLIT, HORIZONTAL_A, VERTICAL_A, VERTICAL_B, VERTICAL_4]
const SPLITS_ACROSS = [HORIZONTAL, SPLIT, HORIZONTAL_A, HORIZONTAL_B, VERTICAL_A, HORIZONTAL_4]
const WHOLE = 1 << 15
const UNITS = 32
const ROW_MASK = UNITS - 1
const SIDE_128 = 5

/** Reads the blocks of the tiles of a frame that depends on no other, §5.11.2: for where they end. */
export class TileReader {
  readonly #decoder: SymbolDecoder
  readonly #frame: IntraFrame
  readonly #block = new Block()
  readonly #above: Edge
  readonly #left = new Edge(UNITS)
  readonly #palettes: Palettes
  readonly #modes: ModeInfo | InterModeInfo
  readonly segments: SegmentMap
  readonly grid: MotionGrid | undefined
  /** Distributions that each tile begins with, and those that frames which build on this one do. */
  readonly #first: Uint16Array
  learnt: Uint16Array
  readonly #sizes: TransformSizes
  readonly #coefficients: Coefficients
  readonly #residual: Residual
  readonly #restoration: Restoration
  #place: TilePlace = { fromRow: 0, toRow: 0, fromColumn: 0, toColumn: 0 }
  /** What was read may not be. */
  #broken = false

  constructor(decoder: SymbolDecoder, frame: IntraFrame | InterFrame) {
    this.#decoder = decoder
    this.#frame = frame
    this.#above = new Edge(frame.columns + UNITS)
    this.#palettes = new Palettes(decoder, frame, this.#above, this.#left)
    const primary = 'references' in frame ? frame.primary : undefined
    this.#first = primary ? primary.distributions : firstDistributions(frame.quantiser)
    this.learnt = this.#first
    this.segments = new SegmentMap(decoder, frame, primary?.segmentMap)
    if ('references' in frame) {
      this.grid = new MotionGrid(frame.columns, frame.rows)
      const field = frame.projects ? new MotionField(frame) : undefined
      this.#modes = new InterModeInfo(
        ...([
          decoder,
          frame,
          this.#above,
          this.#left,
          this.#palettes,
          this.segments,
          this.grid,
          field,
          this.#block,
        ] as const),
      )
    } else this.#modes = new ModeInfo(decoder, frame, this.#above, this.#left, this.#palettes, this.segments)
    this.#sizes = new TransformSizes(decoder, frame, this.#above, this.#left)
    this.#coefficients = new Coefficients(decoder)
    this.#residual = new Residual(decoder, this.#coefficients, frame, this.#sizes)
    this.#restoration = new Restoration(decoder, frame)
  }

  /** Whether these bytes are the tile at a place: its blocks are read, and end where the bytes do. */
  read(bytes: Uint8Array, from: number, end: number, place: TilePlace, isLearnt = false): boolean {
    const decoder = this.#decoder
    const { largeBlocks, learns } = this.#frame
    decoder.begin(bytes, from, end)
    decoder.distributions = this.#first.slice()
    decoder.learns = learns
    this.#place = place
    this.#broken = false
    this.#coefficients.broken = false
    if (this.#modes instanceof InterModeInfo) this.#modes.beginTile(place)
    this.#residual.beginTile()
    this.#restoration.beginTile()
    const side = largeBlocks ? SIDE_128 : SIDE_128 - 1
    for (let row = place.fromRow; row < place.toRow; row += 1 << side) {
      this.#residual.beginRow()
      for (let column = place.fromColumn; column < place.toColumn; column += 1 << side) {
        this.#modes.beginSuperblock()
        if (!this.#frame.copies) this.#restoration.read(row, column, 1 << side)
        this.#readPartition(row, column, side)
        if (this.#broken || this.#coefficients.broken || decoder.overrun) return false
      }
    }
    if (isLearnt && !this.#frame.keepsDistributions) this.learnt = uncounted(decoder.distributions)
    return decoder.exact
  }

  /** decode_partition, §5.11.4. */
  #readPartition(row: number, column: number, side: number): void {
    const { rows, columns } = this.#frame
    if (row >= rows || column >= columns || this.#broken) return
    const half = (1 << side) >> 1
    const quarter = half >> 1
    const partition = this.#partition(row, column, side, row + half < rows, column + half < columns)
    const put = (y: number, x: number, wide: number, high: number): void =>
      this.#readBlock(row + y, column + x, wide, high)
    const less = side - 1
    if (partition === SPLIT && side > 1) {
      for (const y of [0, half]) for (const x of [0, half]) this.#readPartition(row + y, column + x, less)
    } else if (partition === 0) put(0, 0, side, side)
    else if (partition === SPLIT) for (const y of [0, half]) for (const x of [0, half]) put(y, x, less, less)
    else if (partition === HORIZONTAL) {
      put(0, 0, side, less)
      put(half, 0, side, less)
    } else if (partition === VERTICAL) {
      put(0, 0, less, side)
      put(0, half, less, side)
    } else if (partition === HORIZONTAL_A || partition === HORIZONTAL_B) {
      const [split, whole] = partition === HORIZONTAL_A ? [0, half] : [half, 0]
      if (whole === 0) put(0, 0, side, less)
      put(split, 0, less, less)
      put(split, half, less, less)
      if (whole > 0) put(half, 0, side, less)
    } else if (partition === VERTICAL_A || partition === VERTICAL_B) {
      const [split, whole] = partition === VERTICAL_A ? [0, half] : [half, 0]
      if (whole === 0) put(0, 0, less, side)
      put(0, split, less, less)
      put(half, split, less, less)
      if (whole > 0) put(0, half, less, side)
    } else if (partition === HORIZONTAL_4) for (let i = 0; i < 4; i++) put(i * quarter, 0, side, side - 2)
    else for (let i = 0; i < 4; i++) put(0, i * quarter, side - 2, side)
  }

  #partition(row: number, column: number, side: number, hasRows: boolean, hasColumns: boolean): number {
    if (!hasRows && !hasColumns) return SPLIT
    const { fromRow, fromColumn } = this.#place
    const above = row > fromRow && this.#above.side[column] < side
    const left = column > fromColumn && this.#left.side[row & ROW_MASK] < side
    const { at, values } = PARTITIONS[side]
    const context = at + values * (2 * Number(left) + Number(above))
    if (hasRows && hasColumns) return this.#decoder.symbol(context, values)
    const chance = this.#chance(context, values, hasColumns ? SPLITS_DOWN : SPLITS_ACROSS)
    if (this.#decoder.flag(chance) === 1) return SPLIT
    return hasColumns ? HORIZONTAL : VERTICAL
  }

  /** What the chances of some partitions add up to. */
  #chance(at: number, values: number, partitions: readonly number[]): number {
    const distributions = this.#decoder.distributions
    let sum = 0
    for (const partition of partitions) {
      if (partition >= values) continue
      const before = partition > 0 ? distributions[at + partition - 1] : WHOLE
      sum += before - (partition < values - 1 ? distributions[at + partition] : 0)
    }
    return sum
  }

  /** decode_block, §5.11.5. */
  #readBlock(row: number, column: number, wide: number, high: number): void {
    const { rows, columns, format } = this.#frame
    if (row >= rows || column >= columns || this.#broken) return
    const block = this.#block
    block.size = blockOf(wide, high)
    if (block.size < 0 || blockOf(Math.max(wide - format.x, 0), Math.max(high - format.y, 0)) < 0) {
      this.#broken = true
      return
    }
    Object.assign(block, { row, column, wide, high, across: 1 << wide, down: 1 << high })
    const inOther =
      (high === 0 && format.y === 1 && row % 2 === 0) || (wide === 0 && format.x === 1 && column % 2 === 0)
    block.chroma = !format.mono && !inOther
    block.hasAbove = row > this.#place.fromRow
    block.hasLeft = column > this.#place.fromColumn
    this.#modes.read(block)
    this.#palettes.readColours(block)
    this.#sizes.read(block)
    if (block.skip) this.#residual.skip(block)
    else this.#residual.read(block)
    const top = row & ROW_MASK
    this.#above.put(block, column, block.across, wide, this.#palettes.values)
    this.#left.put(block, top, block.down, high, this.#palettes.values)
  }
}
