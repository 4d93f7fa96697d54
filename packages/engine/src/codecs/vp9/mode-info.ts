import type { BoolDecoder } from '../bool-decoder.ts'
import { BLOCK_8X8, HEIGHT_8, LARGEST_TX, SIZE_GROUP, WIDTH_8 } from './block-sizes.ts'
import { type Blocks, DC_PRED, INTRA_FRAME, NEAREST_MV, NO_FRAME, ZERO_MV } from './blocks.ts'
import {
  LARGEST_OF_MODE,
  REFERENCE_MODE_SELECT,
  SINGLE_REFERENCE,
  TX_MODE_SELECT,
} from './compressed-header.ts'
import type { Counts } from './counts.ts'
import type { Frame } from './frame.ts'
import { KEY_UV_MODES, KEY_Y_MODES } from './key-frame-probabilities.ts'
import { MotionCandidates } from './motion-candidates.ts'
import { MotionVectors } from './motion-vectors.ts'
import type { Probabilities } from './probabilities.ts'
import {
  compoundModeContext,
  compoundReferenceContext,
  firstReferenceContext,
  secondReferenceContext,
} from './reference-contexts.ts'
import { type Area, SegmentMap } from './segment-map.ts'
import {
  COMP_MODE,
  COMP_REF,
  INTER_MODE,
  INTERP_FILTER,
  INTRA_MODE_TREE,
  IS_INTER,
  SINGLE_REF,
  SKIP,
  type Symbols,
  TX_SIZES,
  UV_MODE,
  Y_MODE,
} from './symbols.ts'

const INTRA_MODES = 10
const INTRA_NODES = INTRA_MODES - 1
/** Context of filters where a neighbour has none. */
const NO_FILTER = 3

/** Reads how a block is predicted, VP9 specification v0.6 §6.4.5 to §6.4.20. */
export class ModeInfo {
  readonly segments = new SegmentMap()
  readonly candidates: MotionCandidates
  readonly #bools: BoolDecoder
  readonly #blocks: Blocks
  readonly #probabilities: Probabilities
  readonly #counts: Counts
  readonly #vectors: MotionVectors
  #frame: Frame | undefined
  /** Numbers of the blocks above and to the left, -1 where there is none. */
  #above = -1
  #left = -1

  constructor(bools: BoolDecoder, blocks: Blocks, probabilities: Probabilities, counts: Counts) {
    this.#bools = bools
    this.#blocks = blocks
    this.#probabilities = probabilities
    this.#counts = counts
    this.candidates = new MotionCandidates(blocks)
    this.#vectors = new MotionVectors(bools, blocks, probabilities, counts, this.candidates)
  }

  beginFrame(frame: Frame, previous: Blocks | undefined): void {
    this.#frame = frame
    this.candidates.beginFrame(previous, frame.header.signBias)
    this.#vectors.beginFrame(frame.header.highPrecision)
  }

  /** Reads that of the block of this size at a place. @returns its number; -1 for what may not be */
  read(size: number, row: number, column: number, tileFrom: number): number {
    const frame = this.#frame
    if (!frame) return -1
    const blocks = this.#blocks
    const { columns, rows } = frame
    const at = row * columns + column
    this.#above = row > 0 ? blocks.at[at - columns] : -1
    this.#left = column > tileFrom ? blocks.at[at - 1] : -1
    const across = Math.min(WIDTH_8[size], columns - column)
    const down = Math.min(HEIGHT_8[size], rows - row)
    const block = blocks.add(size, row, column, across, down)
    const { intra } = frame.header
    blocks.predicted[block] = 0
    const area = { at, across, down, columns }
    const segment = intra
      ? this.segments.readIntra(this.#bools, frame.header.segments, area)
      : this.#interSegment(frame, block, area)
    blocks.skip[block] = this.#skip(frame, segment)
    if (intra) {
      this.#transform(frame, block, size, true)
      this.#setIntra(block)
      this.#keyModes(block, size)
      return block
    }
    const isInter = this.#isInter(frame, segment)
    this.#transform(frame, block, size, blocks.skip[block] === 0 || !isInter)
    if (!isInter) {
      this.#setIntra(block)
      this.#intraModes(block, size)
      return block
    }
    return this.#interModes(frame, block, size, row, column, segment) ? block : -1
  }

  #symbol(kind: Symbols, row: number): number {
    const leaf = this.#bools.leaf(kind.tree, this.#probabilities.symbols, kind.at + row * kind.nodes)
    this.#counts.symbols[kind.counts + row * kind.leaves + leaf]++
    return leaf
  }

  #interSegment({ header }: Frame, block: number, area: Area): number {
    const { predicted } = this.#blocks
    const context =
      (this.#above >= 0 ? predicted[this.#above] : 0) + (this.#left >= 0 ? predicted[this.#left] : 0)
    const segment = this.segments.readInter(this.#bools, header.segments, area, context)
    predicted[block] = this.segments.wasPredicted ? 1 : 0
    return segment
  }

  #skip({ header, features }: Frame, segment: number): number {
    if (header.segments.enabled && features.skips[segment] === 1) return 1
    const { skip } = this.#blocks
    const context = (this.#above >= 0 ? skip[this.#above] : 0) + (this.#left >= 0 ? skip[this.#left] : 0)
    return this.#symbol(SKIP, context)
  }

  #isInter({ header, features }: Frame, segment: number): boolean {
    if (header.segments.enabled && features.references[segment] >= 0)
      return features.references[segment] !== INTRA_FRAME
    const { first } = this.#blocks
    const aboveIntra = this.#above >= 0 && first[this.#above] === INTRA_FRAME
    const leftIntra = this.#left >= 0 && first[this.#left] === INTRA_FRAME
    let context: number
    if (this.#above >= 0 && this.#left >= 0)
      context = aboveIntra && leftIntra ? 3 : Number(aboveIntra || leftIntra)
    else context = aboveIntra || leftIntra ? 2 : 0
    return this.#symbol(IS_INTER, context) === 1
  }

  /** tx_size, which the block tells itself where it `may`. */
  #transform({ compressed }: Frame, block: number, size: number, may: boolean): void {
    const { transform, skip } = this.#blocks
    const largest = LARGEST_TX[size]
    if (!may || compressed.txMode !== TX_MODE_SELECT || size < BLOCK_8X8) {
      transform[block] = Math.min(largest, LARGEST_OF_MODE[compressed.txMode])
      return
    }
    let above = this.#above >= 0 && skip[this.#above] === 0 ? transform[this.#above] : largest
    let left = this.#left >= 0 && skip[this.#left] === 0 ? transform[this.#left] : largest
    if (this.#left < 0) left = above
    if (this.#above < 0) above = left
    transform[block] = this.#symbol(TX_SIZES[largest - 1], above + left > largest ? 1 : 0)
  }

  #setIntra(block: number): void {
    const { first, second, vector0, vector1, filter } = this.#blocks
    first[block] = INTRA_FRAME
    second[block] = NO_FRAME
    vector0[block] = 0
    vector1[block] = 0
    filter[block] = 0
  }

  /** default_intra_mode and default_uv_mode of intra frames. */
  #keyModes(block: number, size: number): void {
    const { mode, parts } = this.#blocks
    const wide = size === 0 || size === 1 ? 1 : 2
    const high = size === 0 || size === 2 ? 1 : 2
    const at = 4 * block
    if (size >= BLOCK_8X8) {
      const found = this.#keyMode(this.#modeAbove(0), this.#modeLeft(0))
      mode[block] = found
    } else {
      for (let y = 0; y < 2; y += high)
        for (let x = 0; x < 2; x += wide) {
          const above = y > 0 ? parts[at + x] : this.#modeAbove(x)
          const left = x > 0 ? parts[at + 2 * y] : this.#modeLeft(y)
          this.#fillParts(block, x, y, wide, high, this.#keyMode(above, left))
        }
      mode[block] = parts[at + 3]
    }
    this.#bools.leaf(INTRA_MODE_TREE, KEY_UV_MODES, mode[block] * INTRA_NODES)
  }

  #keyMode(above: number, left: number): number {
    return this.#bools.leaf(INTRA_MODE_TREE, KEY_Y_MODES, (above * INTRA_MODES + left) * INTRA_NODES)
  }

  /** The intra mode above the block's part in column x, or to the left of its part in row y. */
  #modeAbove(x: number): number {
    return this.#modeOf(this.#above, 2 + x)
  }

  #modeLeft(y: number): number {
    return this.#modeOf(this.#left, 2 * y + 1)
  }

  #modeOf(block: number, part: number): number {
    const { first, size, mode, parts } = this.#blocks
    if (block < 0 || first[block] > INTRA_FRAME) return DC_PRED
    return size[block] < BLOCK_8X8 ? parts[4 * block + part] : mode[block]
  }

  #fillParts(block: number, x: number, y: number, wide: number, high: number, mode: number): void {
    const { parts } = this.#blocks
    for (let dy = 0; dy < high; dy++)
      for (let dx = 0; dx < wide; dx++) parts[4 * block + 2 * (y + dy) + x + dx] = mode
  }

  /** Of intra blocks in other frames. */
  #intraModes(block: number, size: number): void {
    const { mode, parts } = this.#blocks
    const wide = size === 0 || size === 1 ? 1 : 2
    const high = size === 0 || size === 2 ? 1 : 2
    if (size >= BLOCK_8X8) mode[block] = this.#symbol(Y_MODE, SIZE_GROUP[size])
    else {
      for (let y = 0; y < 2; y += high)
        for (let x = 0; x < 2; x += wide) this.#fillParts(block, x, y, wide, high, this.#symbol(Y_MODE, 0))
      mode[block] = parts[4 * block + 3]
    }
    this.#symbol(UV_MODE, mode[block])
  }

  /** inter_block_mode_info, §6.4.17. False for what may not be. */
  #interModes(
    frame: Frame,
    block: number,
    size: number,
    row: number,
    column: number,
    segment: number,
  ): boolean {
    const blocks = this.#blocks
    const { header, features } = frame
    this.#references(frame, block, segment)
    this.candidates.beginBlock(size, row, column, WIDTH_8[size], HEIGHT_8[size])
    const context = this.candidates.modeContext()
    if (header.segments.enabled && features.skips[segment] === 1) {
      if (size < BLOCK_8X8) return false
      blocks.mode[block] = ZERO_MV
    } else if (size >= BLOCK_8X8) blocks.mode[block] = NEAREST_MV + this.#symbol(INTER_MODE, context)
    blocks.filter[block] = header.switchableFilter ? this.#filter() : header.filter
    if (size >= BLOCK_8X8) {
      this.#vectors.read(block, blocks.mode[block])
      return true
    }
    const wide = size === 0 || size === 1 ? 1 : 2
    const high = size === 0 || size === 2 ? 1 : 2
    this.#vectors.beginParts(block)
    for (let y = 0; y < 2; y += high)
      for (let x = 0; x < 2; x += wide) {
        const mode = NEAREST_MV + this.#symbol(INTER_MODE, context)
        this.#vectors.readPart(block, 2 * y + x, mode, wide, high)
        blocks.mode[block] = mode
      }
    blocks.vector0[block] = blocks.partVectors[8 * block + 6]
    blocks.vector1[block] = blocks.partVectors[8 * block + 7]
    return true
  }

  /** ref_frames, §6.4.18. */
  #references({ header, compressed, features, compound }: Frame, block: number, segment: number): void {
    const blocks = this.#blocks
    const above = this.#above
    const left = this.#left
    blocks.second[block] = NO_FRAME
    if (header.segments.enabled && features.references[segment] >= 0) {
      blocks.first[block] = features.references[segment]
      return
    }
    let mode = compressed.referenceMode
    if (mode === REFERENCE_MODE_SELECT)
      mode = this.#symbol(COMP_MODE, compoundModeContext(blocks, above, left, compound.fixed))
    if (mode !== SINGLE_REFERENCE) {
      const which = this.#symbol(COMP_REF, compoundReferenceContext(blocks, above, left, compound))
      const variable = compound.variable[which]
      blocks.first[block] = compound.fixedIndex === 0 ? compound.fixed : variable
      blocks.second[block] = compound.fixedIndex === 0 ? variable : compound.fixed
      return
    }
    if (this.#symbol(SINGLE_REF, 2 * firstReferenceContext(blocks, above, left)) === 0) {
      blocks.first[block] = 1
      return
    }
    blocks.first[block] = 2 + this.#symbol(SINGLE_REF, 2 * secondReferenceContext(blocks, above, left) + 1)
  }

  #filter(): number {
    const above = this.#filterOf(this.#above)
    const left = this.#filterOf(this.#left)
    let context = NO_FILTER
    if (left === above || above === NO_FILTER) context = left
    else if (left === NO_FILTER) context = above
    return this.#symbol(INTERP_FILTER, context)
  }

  #filterOf(block: number): number {
    const { filter, first } = this.#blocks
    return block >= 0 && first[block] > INTRA_FRAME ? filter[block] : NO_FILTER
  }
}
