import type { IntraFrame } from '../headers/intra-frame.ts'
import { SEGMENT, SEGMENT_PREDICTED } from '../symbols/mode-symbols.ts'
import type { SymbolDecoder } from '../symbols/symbol-decoder.ts'
import type { Block } from './block.ts'

const UNITS = 32
const ROW_MASK = UNITS - 1
const LAST_SEGMENT = 7

/** Which segment each block of a frame is of, AV1 specification (2019-01-08) §5.11.9 and §5.11.19. */
export class SegmentMap {
  readonly #decoder: SymbolDecoder
  readonly #frame: IntraFrame
  /** By place in units of four samples; of a frame without segments empty, as those are all 0. */
  readonly map: Uint8Array
  /** The same of the frame before, where it is of the same size. */
  readonly #before: Uint8Array | undefined
  /** Whether blocks above, by column, and to the left, by row of the superblock, are of the segment of the frame before. */
  readonly #above: Uint8Array
  readonly #left = new Uint8Array(UNITS)

  constructor(decoder: SymbolDecoder, frame: IntraFrame, before: Uint8Array | undefined) {
    const { segments, columns, rows } = frame
    this.#decoder = decoder
    this.#frame = frame
    this.#before = before?.length === columns * rows ? before : undefined
    this.map = new Uint8Array(segments.enabled ? columns * rows : 0)
    this.#above = new Uint8Array(segments.predicted ? columns + UNITS : 0)
  }

  /** The map as frames that build on this one take it. */
  get kept(): Uint8Array {
    const { enabled, mapped } = this.#frame.segments
    return enabled && !mapped && this.#before ? this.#before : this.map
  }

  /** intra_segment_id. */
  read(block: Block): void {
    this.#put(block, this.#readSegment(block))
  }

  /** inter_segment_id, before or behind what tells whether the block is skipped. */
  readInter(block: Block, isBeforeSkip: boolean): void {
    const { mapped, predicted, beforeSkip } = this.#frame.segments
    if (!mapped) block.segment = this.#predicted(block)
    else if (isBeforeSkip && !beforeSkip) block.segment = 0
    else if (!isBeforeSkip && block.skip) {
      if (predicted) this.#keep(block, 0)
      this.#put(block, this.#readSegment(block))
    } else if (predicted) {
      const { row, column, hasAbove, hasLeft } = block
      const context = (hasAbove ? this.#above[column] : 0) + (hasLeft ? this.#left[row & ROW_MASK] : 0)
      const isAsBefore = this.#decoder.symbol(SEGMENT_PREDICTED.at + 2 * context, 2)
      this.#put(block, isAsBefore === 1 ? this.#predicted(block) : this.#readSegment(block))
      this.#keep(block, isAsBefore)
    } else this.#put(block, this.#readSegment(block))
  }

  /** get_segment_id: the lowest of the block's places in the frame before. */
  #predicted({ row, column, across, down }: Block): number {
    const before = this.#before
    if (!before) return 0
    const { columns, rows } = this.#frame
    const end = Math.min(column + across, columns)
    let segment = LAST_SEGMENT
    for (let y = row; y < Math.min(row + down, rows); y++)
      for (let x = column; x < end; x++) segment = Math.min(segment, before[columns * y + x])
    return segment
  }

  /** read_segment_id. */
  #readSegment(block: Block): number {
    const { columns, segments } = this.#frame
    const at = columns * block.row + block.column
    const map = this.map
    const above = block.hasAbove ? map[at - columns] : -1
    const left = block.hasLeft ? map[at - 1] : -1
    const corner = block.hasAbove && block.hasLeft ? map[at - columns - 1] : -1
    let predicted = corner === above ? above : left
    if (above < 0) predicted = Math.max(left, 0)
    else if (left < 0) predicted = above
    if (block.skip) return predicted
    let context = 0
    if (corner >= 0 && corner === above && corner === left) context = 2
    else if (corner >= 0 && (corner === above || corner === left || above === left)) context = 1
    const symbol = this.#decoder.symbol(SEGMENT.at + 8 * context, 8)
    return Math.min(Math.max(deinterleaved(symbol, predicted, segments.last + 1), 0), segments.last)
  }

  #put(block: Block, segment: number): void {
    const { columns, rows } = this.#frame
    block.segment = segment
    const end = Math.min(block.column + block.across, columns) - block.column
    for (let row = block.row; row < Math.min(block.row + block.down, rows); row++)
      this.map.fill(segment, columns * row + block.column, columns * row + block.column + end)
  }

  #keep({ row, column, across, down }: Block, isAsBefore: number): void {
    this.#above.fill(isAsBefore, column, column + across)
    const top = row & ROW_MASK
    this.#left.fill(isAsBefore, top, top + down)
  }
}

/** neg_deinterleave, §5.11.9. */
function deinterleaved(difference: number, reference: number, count: number): number {
  if (reference === 0) return difference
  if (reference >= count - 1) return count - difference - 1
  const near = reference + (difference % 2 === 1 ? (difference + 1) >> 1 : -(difference >> 1))
  if (2 * reference < count) return difference <= 2 * reference ? near : difference
  return difference <= 2 * (count - reference - 1) ? near : count - (difference + 1)
}
