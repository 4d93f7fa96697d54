import { TRANSLATION } from '../headers/global-motion.ts'
import { type InterFrame, SWITCHABLE } from '../headers/inter-frame.ts'
import { distance } from '../headers/references.ts'
import * as kinds from '../symbols/inter-symbols.ts'
import { SKIP } from '../symbols/mode-symbols.ts'
import type { SymbolDecoder } from '../symbols/symbol-decoder.ts'
import { type Block, DC, type Edge } from './block.ts'
import { ModeInfo } from './mode-info.ts'
import { MotionCandidates } from './motion-candidates.ts'
import type { MotionField } from './motion-field.ts'
import type { MotionGrid } from './motion-grid.ts'
import { hasSamples, overlaps } from './motion-neighbours.ts'
import type { Palettes } from './palette.ts'
import { ReferenceContexts } from './reference-contexts.ts'
import type { SegmentMap } from './segment-map.ts'
import { BLOCK_8X8 } from './sizes.ts'
import type { TilePlace } from './tile-place.ts'
import { addVector } from './vectors.ts'

/** YMode of blocks that are predicted from other frames, AV1 specification (2019-01-08) §6.10.22. */
const NEAREST = 13
const NEAR = 14
const GLOBAL = 15
const NEW = 16
const NEAREST_NEAREST = 17
const NEAR_NEAR = 18
const NEAR_NEW = 21
const NEW_NEAR = 22
const GLOBAL_GLOBAL = 23
const NEW_NEW = 24
/** What each of both vectors of a compound mode is, from NEAREST_NEAREST on: get_mode. */
const OF_FIRST = [NEAREST, NEAR, NEAREST, NEW, NEAR, NEW, GLOBAL, NEW]
const OF_SECOND = [NEAREST, NEAR, NEW, NEAREST, NEW, NEAR, GLOBAL, NEW]
/** Compound_Mode_Ctx_Map. */
const COMPOUND_CONTEXTS = [0, 1, 1, 1, 1, 1, 2, 3, 4, 4, 4, 4, 5, 6, 7]
/** Size_Group. */
const GROUPS = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 0, 0, 1, 1, 2, 2]
const BLOCK_32X32 = 9
const WEDGES = [3, 4, 5, 6, 7, 8, 9, 18, 19]
const LAST = 1
const ALTREF = 7

/** Reads how blocks of frames are coded that depend on others: inter_frame_mode_info, §5.11.18. */
export class InterModeInfo {
  readonly #decoder: SymbolDecoder
  readonly #frame: InterFrame
  readonly #above: Edge
  readonly #left: Edge
  readonly #modes: ModeInfo
  readonly #segments: SegmentMap
  readonly #grid: MotionGrid
  readonly #contexts = new ReferenceContexts()
  readonly #candidates: MotionCandidates
  #place: TilePlace = { fromRow: 0, toRow: 0, fromColumn: 0, toColumn: 0 }
  #first = 0
  #second = -1
  #mode = 0
  #skipMode = false
  #group = 0
  #index = 0
  readonly #filters = [0, 0]
  readonly #vectors = new Int32Array(4)

  constructor(
    decoder: SymbolDecoder,
    frame: InterFrame,
    above: Edge,
    left: Edge,
    palettes: Palettes,
    segments: SegmentMap,
    grid: MotionGrid,
    field: MotionField | undefined,
    block: Block,
  ) {
    this.#decoder = decoder
    this.#frame = frame
    this.#above = above
    this.#left = left
    this.#modes = new ModeInfo(decoder, frame, above, left, palettes, segments)
    this.#segments = segments
    this.#grid = grid
    this.#candidates = new MotionCandidates(frame, grid, field, block, this.#place)
  }

  beginTile(place: TilePlace): void {
    this.#place = place
  }

  beginSuperblock(): void {
    this.#modes.beginSuperblock()
  }

  read(block: Block): void {
    const decoder = this.#decoder
    const { lossless, segments, skipReferences } = this.#frame
    const at = this.#look(block)
    block.skip = false
    block.segment = 0
    if (segments.enabled) this.#segments.readInter(block, true)
    const isSkipped = segments.skipped[block.segment]
    const isGlobal = segments.global[block.segment]
    const reference = segments.references[block.segment]
    const { columns, skipMode } = this.#grid
    const isPlain = !isSkipped && !isGlobal && reference === undefined
    this.#skipMode = false
    if (isPlain && skipReferences && block.wide > 0 && block.high > 0) {
      const context = (block.hasAbove ? skipMode[at - columns] : 0) + (block.hasLeft ? skipMode[at - 1] : 0)
      this.#skipMode = decoder.symbol(kinds.SKIP_MODE.at + 2 * context, 2) === 1
    }
    if (this.#skipMode || isSkipped) block.skip = true
    else {
      const context =
        Number(block.hasAbove && this.#above.skip[block.column] === 1) +
        Number(block.hasLeft && this.#left.skip[block.row & 31] === 1)
      block.skip = decoder.symbol(SKIP.at + 2 * context, 2) === 1
    }
    if (segments.enabled && !segments.beforeSkip) this.#segments.readInter(block, false)
    block.lossless = lossless[block.segment]
    this.#modes.readFilters(block)
    block.colours.fill(0)
    block.filter = -1
    block.mode = DC
    block.chromaMode = DC
    if (this.#skipMode) block.copied = true
    else if (reference !== undefined) block.copied = reference !== 0
    else block.copied = isGlobal || decoder.symbol(kinds.IS_INTER.at + 2 * this.#contexts.isInter, 2) === 1
    this.#group = 0
    this.#index = 1
    if (block.copied) this.#readInter(block, at)
    else {
      this.#first = 0
      this.#second = -1
      this.#modes.readModes(block, block.row & 31, kinds.MODE.at + 13 * GROUPS[block.size])
      this.#mode = block.mode
    }
    this.#put(block)
  }

  /** Looks at the blocks above and to the left; the place of this one. */
  #look(block: Block): number {
    const { columns, first, second } = this.#grid
    const at = columns * block.row + block.column
    const contexts = this.#contexts
    contexts.hasAbove = block.hasAbove
    contexts.hasLeft = block.hasLeft
    contexts.above0 = block.hasAbove ? first[at - columns] : 0
    contexts.above1 = block.hasAbove ? second[at - columns] : -1
    contexts.left0 = block.hasLeft ? first[at - 1] : 0
    contexts.left1 = block.hasLeft ? second[at - 1] : -1
    return at
  }

  #put(block: Block): void {
    const grid = this.#grid
    const end = Math.min(block.column + block.across, grid.columns)
    const bottom = Math.min(block.row + block.down, grid.rows)
    for (let row = block.row; row < bottom; row++) {
      const from = grid.columns * row + block.column
      const to = grid.columns * row + end
      grid.first.fill(this.#first, from, to)
      grid.second.fill(this.#second, from, to)
      grid.mode.fill(this.#mode, from, to)
      grid.size.fill(block.size, from, to)
      grid.group.fill(this.#group, from, to)
      grid.index.fill(this.#index, from, to)
      grid.skipMode.fill(this.#skipMode ? 1 : 0, from, to)
      if (!block.copied) continue
      for (const way of [0, 1]) grid.filters[way].fill(this.#filters[way], from, to)
      for (const [part, value] of this.#vectors.entries()) grid.vectors[part].fill(value, from, to)
    }
  }

  /** inter_block_mode_info. */
  #readInter(block: Block, at: number): void {
    this.#readReferences(block)
    const both = this.#second > 0
    const candidates = this.#candidates
    candidates.find(block, this.#place, this.#first, this.#second)
    this.#readMode(block, both)
    const mode = this.#mode
    const hasNew = mode === NEW || mode === NEW_NEW
    const hasNear = mode === NEAR || mode === NEAR_NEAR || mode === NEAR_NEW || mode === NEW_NEAR
    let index = hasNear ? 1 : 0
    if (hasNew || hasNear) {
      const from = index
      for (let i = from; i < from + 2; i++) {
        if (candidates.count <= i + 1) continue
        const more = this.#decoder.symbol(kinds.DRL_MODE.at + 2 * candidates.drlContext(i), 2)
        index = i + more
        if (more === 0) break
      }
    }
    this.#assign(both, index)
    const isMixed = this.#readInterIntra(block, both)
    const motion = this.#readMotion(block, both)
    this.#readCompoundType(block, both, at)
    this.#readFilters(block, motion, at)
    if (isMixed) this.#second = 0
  }

  #readReferences(block: Block): void {
    const { compound, segments, skipReferences } = this.#frame
    if (this.#skipMode && skipReferences) {
      this.#first = skipReferences[0]
      this.#second = skipReferences[1]
      return
    }
    const told = segments.references[block.segment]
    if (told !== undefined || this.#movesAsAll(block)) {
      this.#first = told ?? LAST
      this.#second = -1
      return
    }
    const contexts = this.#contexts
    const decoder = this.#decoder
    const decides = (
      kind: { at: number },
      each: number,
      way: number,
      one: number[],
      other: number[],
    ): boolean => decoder.symbol(kind.at + 2 * (each * contexts.compare(one, other) + way), 2) === 1
    const isCompound =
      compound &&
      block.wide > 0 &&
      block.high > 0 &&
      decoder.symbol(kinds.COMP_MODE.at + 2 * contexts.compoundMode, 2) === 1
    if (!isCompound) {
      this.#second = -1
      const single = (way: number, one: number[], other: number[]): boolean =>
        decides(kinds.SINGLE_REF, 6, way, one, other)
      if (single(0, [1, 2, 3, 4], [5, 6, 7])) {
        if (single(1, [5, 6], [7])) this.#first = 7
        else this.#first = single(5, [5], [6]) ? 6 : 5
      } else if (single(2, [1, 2], [3, 4])) this.#first = single(4, [3], [4]) ? 4 : 3
      else this.#first = single(3, [1], [2]) ? 2 : 1
      return
    }
    const twoWays = decoder.symbol(kinds.COMP_REF_TYPE.at + 2 * contexts.compoundType, 2) === 1
    if (!twoWays) {
      if (decides(kinds.UNI_COMP_REF, 3, 0, [1, 2, 3, 4], [5, 6, 7])) {
        this.#first = 5
        this.#second = 7
        return
      }
      this.#first = 1
      this.#second = 2
      if (decides(kinds.UNI_COMP_REF, 3, 1, [2], [3, 4]))
        this.#second = decides(kinds.UNI_COMP_REF, 3, 2, [3], [4]) ? 4 : 3
      return
    }
    if (decides(kinds.COMP_REF, 3, 0, [1, 2], [3, 4]))
      this.#first = decides(kinds.COMP_REF, 3, 2, [3], [4]) ? 4 : 3
    else this.#first = decides(kinds.COMP_REF, 3, 1, [1], [2]) ? 2 : 1
    if (decides(kinds.COMP_BWD_REF, 2, 0, [5, 6], [7])) this.#second = 7
    else this.#second = decides(kinds.COMP_BWD_REF, 2, 1, [5], [6]) ? 6 : 5
  }

  /** Whether a block's segment says that it is not moved but with all of its frame. */
  #movesAsAll({ segment }: Block): boolean {
    const { skipped, global } = this.#frame.segments
    return skipped[segment] || global[segment]
  }

  #readMode(block: Block, both: boolean): void {
    const decoder = this.#decoder
    const { newContext, zeroContext, referenceContext } = this.#candidates
    if (this.#skipMode) this.#mode = NEAREST_NEAREST
    else if (this.#movesAsAll(block)) this.#mode = GLOBAL
    else if (both) {
      const context = COMPOUND_CONTEXTS[5 * (referenceContext >> 1) + Math.min(newContext, 4)]
      this.#mode = NEAREST_NEAREST + decoder.symbol(kinds.COMPOUND_MODE.at + 8 * context, 8)
    } else if (decoder.symbol(kinds.NEW_MV.at + 2 * newContext, 2) === 0) this.#mode = NEW
    else if (decoder.symbol(kinds.ZERO_MV.at + 2 * zeroContext, 2) === 0) this.#mode = GLOBAL
    else this.#mode = decoder.symbol(kinds.REF_MV.at + 2 * referenceContext, 2) === 0 ? NEAREST : NEAR
  }

  /** assign_mv. */
  #assign(both: boolean, index: number): void {
    const { stack, globals, count } = this.#candidates
    for (let list = 0; list < (both ? 2 : 1); list++) {
      const mode = both ? (list === 0 ? OF_FIRST : OF_SECOND)[this.#mode - NEAREST_NEAREST] : this.#mode
      const at = mode === NEAREST || (mode === NEW && count <= 1) ? 0 : index
      for (let part = 0; part < 2; part++)
        this.#vectors[2 * list + part] =
          mode === GLOBAL ? globals[2 * list + part] : stack[4 * at + 2 * list + part]
      if (mode === NEW) addVector(this.#decoder, this.#frame, this.#vectors, 2 * list)
    }
  }

  /** read_interintra_mode: whether the block is one. */
  #readInterIntra({ size }: Block, both: boolean): boolean {
    const decoder = this.#decoder
    if (this.#skipMode || !this.#frame.sequence.mixes || both || size < BLOCK_8X8 || size > BLOCK_32X32)
      return false
    const group = GROUPS[size] - 1
    if (decoder.symbol(kinds.INTER_INTRA.at + 2 * group, 2) === 0) return false
    decoder.symbol(kinds.INTER_INTRA_MODE.at + 4 * group, 4)
    if (decoder.symbol(kinds.WEDGE_INTER_INTRA.at + 2 * size, 2) === 1)
      decoder.symbol(kinds.WEDGE_INDEX.at + 16 * size, 16)
    this.#second = 0
    return true
  }

  /** read_motion_mode: 2 for a warp of its own. */
  #readMotion(block: Block, both: boolean): number {
    const { motionModes, integer, globalTypes, warps, references, width, height } = this.#frame
    if (this.#skipMode || !motionModes || block.wide === 0 || block.high === 0) return 0
    const isGlobal = this.#mode === GLOBAL || this.#mode === GLOBAL_GLOBAL
    if (!integer && isGlobal && globalTypes[this.#first] > TRANSLATION) return 0
    if (both || this.#second === 0 || !overlaps(this.#grid, block)) return 0
    const reference = references[this.#first]
    const isScaled = reference && (reference.upscaledWidth !== width || reference.height !== height)
    if (integer || !warps || isScaled || !hasSamples(this.#grid, block, this.#place, this.#first))
      return this.#decoder.symbol(kinds.USE_OBMC.at + 2 * block.size, 2)
    return this.#decoder.symbol(kinds.MOTION_MODE.at + 3 * block.size, 3)
  }

  #readCompoundType({ size, hasAbove, hasLeft }: Block, both: boolean, at: number): void {
    if (this.#skipMode || !both) return
    const decoder = this.#decoder
    const { sequence, orderHint, orderHints, orderHintBits } = this.#frame
    const { columns, group, index } = this.#grid
    const { aboveSingle, leftSingle, above0, left0 } = this.#contexts
    const context = (values: Uint8Array, alone: number): number => {
      let sum = 0
      if (hasAbove) sum += !aboveSingle ? values[at - columns] : above0 === ALTREF ? alone : 0
      if (hasLeft) sum += !leftSingle ? values[at - 1] : left0 === ALTREF ? alone : 0
      return sum
    }
    if (sequence.masks)
      this.#group = decoder.symbol(kinds.COMP_GROUP_IDX.at + 2 * Math.min(5, context(group, 3)), 2)
    if (this.#group === 0) {
      if (!sequence.weighsDistances) return
      const away = (reference: number): number =>
        Math.abs(distance(orderHints[reference], orderHint, orderHintBits))
      const even = away(this.#first) === away(this.#second) ? 3 : 0
      this.#index = decoder.symbol(kinds.COMPOUND_IDX.at + 2 * (even + context(index, 1)), 2)
      return
    }
    const isWedge = WEDGES.includes(size) && decoder.symbol(kinds.COMPOUND_TYPE.at + 2 * size, 2) === 0
    if (isWedge) decoder.symbol(kinds.WEDGE_INDEX.at + 16 * size, 16)
    // wedge_sign or mask_type
    decoder.bit()
  }

  #readFilters({ wide, high, hasAbove, hasLeft }: Block, motion: number, at: number): void {
    const { filter, sequence, globalTypes } = this.#frame
    this.#filters.fill(filter)
    if (filter !== SWITCHABLE) return
    const large = wide > 0 && high > 0
    const moves = (reference: number): boolean => globalTypes[reference] === TRANSLATION
    let needed = !this.#skipMode && motion !== 2
    if (large && this.#mode === GLOBAL) needed &&= moves(this.#first)
    if (large && this.#mode === GLOBAL_GLOBAL) needed &&= moves(this.#first) || moves(this.#second)
    this.#filters.fill(0)
    if (!needed) return
    const { columns, filters } = this.#grid
    const { above0, above1, left0, left1 } = this.#contexts
    const first = this.#first
    for (let way = 0; way < (sequence.filtersTwice ? 2 : 1); way++) {
      const left = hasLeft && (left0 === first || left1 === first) ? filters[way][at - 1] : 3
      const above = hasAbove && (above0 === first || above1 === first) ? filters[way][at - columns] : 3
      let context = 4 * (2 * way + (this.#second > 0 ? 1 : 0))
      if (left === above) context += left
      else if (left === 3) context += above
      else context += above === 3 ? left : 3
      this.#filters[way] = this.#decoder.symbol(kinds.INTERPOLATION.at + 3 * context, 3)
    }
    if (!sequence.filtersTwice) this.#filters[1] = this.#filters[0]
  }
}
