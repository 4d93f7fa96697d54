import type { BoolDecoder } from '../bool-decoder.ts'
import {
  BLOCK_8X8,
  PARTITION_ABOVE,
  PARTITION_HORIZONTAL,
  PARTITION_LEFT,
  PARTITION_NONE,
  PARTITION_SIZE,
  PARTITION_SPLIT,
  PARTITION_VERTICAL,
} from './block-sizes.ts'
import { type Blocks, INTRA_FRAME } from './blocks.ts'
import { Coefficients } from './coefficients.ts'
import type { Counts } from './counts.ts'
import type { Frame } from './frame.ts'
import { KEY_PARTITIONS } from './key-frame-probabilities.ts'
import { ModeInfo } from './mode-info.ts'
import type { Probabilities } from './probabilities.ts'
import { Residual } from './residual.ts'
import { PARTITION, PARTITION_TREE } from './symbols.ts'

/** Places across and down a superblock. */
const SUPERBLOCK = 8
/** Its level: sizes are 8x8 (0) to 64x64 (3). */
const LARGEST_LEVEL = 3

/** The places of a tile, VP9 specification v0.6 §6.4.1. */
export interface TilePlaces {
  readonly fromRow: number
  readonly toRow: number
  readonly fromColumn: number
  readonly toColumn: number
}

/** Reads the blocks of tiles, §6.4: for where they end, and for what those behind them depend on. */
export class TileReader {
  readonly modes: ModeInfo
  readonly #bools: BoolDecoder
  readonly #blocks: Blocks
  readonly #probabilities: Probabilities
  readonly #counts: Counts
  readonly #residual: Residual
  /** AbovePartitionContext and LeftPartitionContext, §9.3.2. */
  #above = new Uint8Array(0)
  readonly #left = new Uint8Array(SUPERBLOCK)
  #frame: Frame | undefined
  #fromColumn = 0
  /** What was read may not be. */
  #broken = false

  constructor(bools: BoolDecoder, blocks: Blocks, probabilities: Probabilities, counts: Counts) {
    this.#bools = bools
    this.#blocks = blocks
    this.#probabilities = probabilities
    this.#counts = counts
    this.modes = new ModeInfo(bools, blocks, probabilities, counts)
    this.#residual = new Residual(blocks, new Coefficients(bools, probabilities, counts))
  }

  /** `previous` holds the blocks of the frame before where vectors may be taken from them. */
  beginFrame(frame: Frame, previous: Blocks | undefined): void {
    this.#frame = frame
    const columns = frame.columns + SUPERBLOCK
    if (this.#above.length < columns) this.#above = new Uint8Array(columns)
    else this.#above.fill(0)
    this.#blocks.begin(frame.columns, frame.rows)
    this.modes.beginFrame(frame, previous)
    this.#residual.beginFrame(frame)
  }

  /** decode_tile: reads the decoder's bytes as these places. False when they cannot be that, or end too early. */
  read(places: TilePlaces): boolean {
    const frame = this.#frame
    if (!frame || this.#bools.bool(128) !== 0) return false
    this.#broken = false
    this.#fromColumn = places.fromColumn
    this.modes.candidates.beginTile(places.fromColumn, places.toColumn)
    for (let row = places.fromRow; row < places.toRow; row += SUPERBLOCK) {
      this.#left.fill(0)
      this.#residual.beginRow()
      for (let column = places.fromColumn; column < places.toColumn; column += SUPERBLOCK) {
        this.#readPartition(frame, row, column, LARGEST_LEVEL)
        if (this.#broken || this.#bools.overrun) return false
      }
    }
    return true
  }

  /** decode_partition, §6.4.3. */
  #readPartition(frame: Frame, row: number, column: number, level: number): void {
    if (row >= frame.rows || column >= frame.columns || this.#broken) return
    const half = (1 << level) >> 1
    const hasRows = row + half < frame.rows
    const hasColumns = column + half < frame.columns
    const partition = this.#partition(frame, row, column, level, hasRows, hasColumns)
    const size = PARTITION_SIZE[4 * partition + level]
    if (level === 0 || partition === PARTITION_NONE) this.#readBlock(size, row, column)
    else if (partition === PARTITION_HORIZONTAL) {
      this.#readBlock(size, row, column)
      if (hasRows) this.#readBlock(size, row + half, column)
    } else if (partition === PARTITION_VERTICAL) {
      this.#readBlock(size, row, column)
      if (hasColumns) this.#readBlock(size, row, column + half)
    } else {
      this.#readPartition(frame, row, column, level - 1)
      this.#readPartition(frame, row, column + half, level - 1)
      this.#readPartition(frame, row + half, column, level - 1)
      this.#readPartition(frame, row + half, column + half, level - 1)
    }
    if (level > 0 && partition === PARTITION_SPLIT) return
    const left = row & (SUPERBLOCK - 1)
    for (let i = 0; i < 1 << level; i++) {
      this.#above[column + i] = PARTITION_ABOVE[size]
      this.#left[left + i] = PARTITION_LEFT[size]
    }
  }

  #partition(
    { header }: Frame,
    row: number,
    column: number,
    level: number,
    hasRows: boolean,
    hasColumns: boolean,
  ): number {
    const above = (this.#above[column] >> level) & 1
    const left = (this.#left[row & (SUPERBLOCK - 1)] >> level) & 1
    const context = 4 * level + 2 * left + above
    const probabilities = header.intra ? KEY_PARTITIONS : this.#probabilities.symbols
    const at = (header.intra ? 0 : PARTITION.at) + 3 * context
    let partition = PARTITION_SPLIT
    if (hasRows && hasColumns) partition = this.#bools.leaf(PARTITION_TREE, probabilities, at)
    else if (hasColumns)
      partition = this.#bools.bool(probabilities[at + 1]) === 1 ? PARTITION_SPLIT : PARTITION_HORIZONTAL
    else if (hasRows)
      partition = this.#bools.bool(probabilities[at + 2]) === 1 ? PARTITION_SPLIT : PARTITION_VERTICAL
    this.#counts.symbols[PARTITION.counts + PARTITION.leaves * context + partition]++
    return partition
  }

  /** decode_block, §6.4.4. */
  #readBlock(size: number, row: number, column: number): void {
    if (this.#broken) return
    const { skip, first } = this.#blocks
    const block = this.modes.read(size, row, column, this.#fromColumn)
    if (block < 0) {
      this.#broken = true
      return
    }
    if (skip[block] === 1) {
      this.#residual.skip(block, row, column)
      return
    }
    const any = this.#residual.read(block, row, column)
    // for those behind it such a block counts as skipped
    if (!any && first[block] > INTRA_FRAME && size >= BLOCK_8X8) skip[block] = 1
  }
}
