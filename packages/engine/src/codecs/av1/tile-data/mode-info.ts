import type { IntraFrame } from '../headers/intra-frame.ts'
import {
  ANGLE,
  CFL_ALPHA,
  CFL_SIGNS,
  DELTA_LF,
  DELTA_Q,
  FILTER_MODE,
  INTRA_COPY,
  MV_BIT,
  MV_CLASS,
  MV_CLASS0_BIT,
  MV_JOINT,
  MV_SIGN,
  SKIP,
  USE_FILTER,
  UV_MODE,
  UV_MODE_CFL,
  Y_MODE,
} from '../symbols/mode-symbols.ts'
import type { SymbolDecoder } from '../symbols/symbol-decoder.ts'
import { type Block, DC, DIRECTIONAL_LAST, type Edge, FROM_LUMA, VERTICAL } from './block.ts'
import type { Palettes } from './palette.ts'
import type { SegmentMap } from './segment-map.ts'
import { BLOCK_8X8 } from './sizes.ts'

/** Intra_Mode_Context, AV1 specification (2019-01-08) §8.3.2. */
const MODE_GROUPS = [0, 1, 2, 3, 4, 4, 4, 4, 3, 0, 1, 2, 0]
const GROUPS = 5
/** Filter_Intra_Mode_To_Intra_Dir. */
const FILTER_DIRECTIONS = [0, 1, 2, 6, 0]
/** DELTA_Q_SMALL and DELTA_LF_SMALL: a difference of so much or more is told in bits. */
const SMALL = 3
const SIDE_32 = 3
const SIDE_64 = 4
const ROW_MASK = 31
const MV_BITS = 10
/** Joints of vectors of which the second and the first part is not zero. */
const ACROSS_ALONE = 1
const DOWN_ALONE = 2
const BOTH = 3
/** Units of four samples along a part that has a cdef_idx of its own. */
const CDEF_UNITS = 16

/** Reads how blocks are coded: intra_frame_mode_info, §5.11.7. */
export class ModeInfo {
  readonly #decoder: SymbolDecoder
  readonly #frame: IntraFrame
  readonly #above: Edge
  readonly #left: Edge
  readonly #palettes: Palettes
  readonly #segments: SegmentMap
  /** Parts of the superblock whose cdef_idx was read. */
  readonly #filtered = [false, false, false, false]
  #deltas = false

  constructor(
    decoder: SymbolDecoder,
    frame: IntraFrame,
    above: Edge,
    left: Edge,
    palettes: Palettes,
    segments: SegmentMap,
  ) {
    this.#decoder = decoder
    this.#frame = frame
    this.#above = above
    this.#left = left
    this.#palettes = palettes
    this.#segments = segments
  }

  beginSuperblock(): void {
    this.#filtered.fill(false)
    this.#deltas = this.#frame.deltaQuantiser
  }

  read(block: Block): void {
    const decoder = this.#decoder
    const { segments, copies, lossless } = this.#frame
    const leftAt = block.row & ROW_MASK
    block.skip = false
    block.segment = 0
    if (segments.enabled && segments.beforeSkip) this.#segments.read(block)
    const context =
      Number(block.hasAbove && this.#above.skip[block.column] === 1) +
      Number(block.hasLeft && this.#left.skip[leftAt] === 1)
    block.skip = segments.skipped[block.segment] || decoder.symbol(SKIP.at + 2 * context, 2) === 1
    if (segments.enabled && !segments.beforeSkip) this.#segments.read(block)
    block.lossless = lossless[block.segment]
    this.readFilters(block)
    block.colours.fill(0)
    block.filter = -1
    block.mode = DC
    block.chromaMode = DC
    block.copied = copies && decoder.symbol(INTRA_COPY.at, 2) === 1
    if (block.copied) this.#readVector()
    else {
      const above = block.hasAbove ? MODE_GROUPS[this.#above.mode[block.column]] : 0
      const left = block.hasLeft ? MODE_GROUPS[this.#left.mode[leftAt]] : 0
      this.readModes(block, leftAt, Y_MODE.at + 13 * (GROUPS * above + left))
    }
  }

  /** cdef_idx and differences of the quantiser and of filters. */
  readFilters(block: Block): void {
    this.#readCdef(block)
    this.#readDeltas(block)
  }

  /** Reads how a block is coded by itself; the distribution of its mode is the one at `modes`. */
  readModes(block: Block, leftAt: number, modes: number): void {
    const decoder = this.#decoder
    const { screenContent, filtersIntra } = this.#frame
    block.mode = decoder.symbol(modes, 13)
    this.#readAngle(block, block.mode)
    if (block.chroma) {
      const fromLuma = this.#mayComeFromLuma(block)
      block.chromaMode = fromLuma
        ? decoder.symbol(UV_MODE_CFL.at + 14 * block.mode, 14)
        : decoder.symbol(UV_MODE.at + 13 * block.mode, 13)
      if (block.chromaMode === FROM_LUMA) this.#readFromLuma()
      this.#readAngle(block, block.chromaMode)
    }
    const { wide, high } = block
    if (screenContent && block.size >= BLOCK_8X8 && wide <= SIDE_64 && high <= SIDE_64)
      this.#palettes.read(block, leftAt)
    if (!filtersIntra || block.mode !== DC || block.colours[0] > 0 || Math.max(wide, high) > SIDE_32) return
    if (decoder.symbol(USE_FILTER.at + 2 * block.size, 2) === 1)
      block.filter = FILTER_DIRECTIONS[decoder.symbol(FILTER_MODE.at, 5)]
  }

  #mayComeFromLuma({ lossless, wide, high }: Block): boolean {
    if (!lossless) return Math.max(wide, high) <= SIDE_32
    const { x, y } = this.#frame.format
    return wide <= x && high <= y
  }

  #readAngle(block: Block, mode: number): void {
    if (block.size < BLOCK_8X8 || mode < VERTICAL || mode > DIRECTIONAL_LAST) return
    this.#decoder.symbol(ANGLE.at + 7 * (mode - VERTICAL), 7)
  }

  /** read_cfl_alphas: signs of both planes, zero, below or above it, then how much. */
  #readFromLuma(): void {
    const signs = this.#decoder.symbol(CFL_SIGNS.at, 8) + 1
    const first = Math.floor(signs / 3)
    const second = signs % 3
    if (first > 0) this.#decoder.symbol(CFL_ALPHA.at + 16 * (3 * (first - 1) + second), 16)
    if (second > 0) this.#decoder.symbol(CFL_ALPHA.at + 16 * (3 * (second - 1) + first), 16)
  }

  #readCdef({ skip, row, column, across, down }: Block): void {
    const { cdefBits } = this.#frame
    if (cdefBits < 0 || skip) return
    const part = (row & CDEF_UNITS ? 2 : 0) + (column & CDEF_UNITS ? 1 : 0)
    // superblocks of 64 samples have one part
    const at = this.#frame.largeBlocks ? part : 0
    if (this.#filtered[at]) return
    this.#decoder.bits(cdefBits)
    for (let y = 0; y < Math.max(down, CDEF_UNITS); y += CDEF_UNITS)
      for (let x = 0; x < Math.max(across, CDEF_UNITS); x += CDEF_UNITS)
        this.#filtered[at + (y > 0 ? 2 : 0) + (x > 0 ? 1 : 0)] = true
  }

  /** read_delta_qindex and read_delta_lf: once in a superblock. */
  #readDeltas(block: Block): void {
    const { largeBlocks, deltaFilters } = this.#frame
    const side = largeBlocks ? 5 : 4
    const whole = block.wide === side && block.high === side
    if (this.#deltas && !(whole && block.skip)) {
      this.#readDelta(DELTA_Q.at)
      const from = deltaFilters > 1 ? 1 : 0
      for (let i = 0; i < deltaFilters; i++) this.#readDelta(DELTA_LF.at + 4 * (from + i))
    }
    this.#deltas = false
  }

  #readDelta(at: number): void {
    const decoder = this.#decoder
    let difference = decoder.symbol(at, SMALL + 1)
    if (difference === SMALL) {
      const width = decoder.bits(3) + 1
      difference = decoder.bits(width) + (1 << width) + 1
    }
    if (difference > 0) decoder.bit()
  }

  /** read_mv of a copied block: whole samples, §5.11.31. */
  #readVector(): void {
    const joint = this.#decoder.symbol(MV_JOINT.at, 4)
    if (joint === DOWN_ALONE || joint === BOTH) this.#readPart(0)
    if (joint === ACROSS_ALONE || joint === BOTH) this.#readPart(1)
  }

  #readPart(direction: number): void {
    const decoder = this.#decoder
    decoder.symbol(MV_SIGN.at + 2 * direction, 2)
    const kind = decoder.symbol(MV_CLASS.at + 11 * direction, 11)
    if (kind === 0) decoder.symbol(MV_CLASS0_BIT.at + 2 * direction, 2)
    for (let i = 0; i < kind; i++) decoder.symbol(MV_BIT.at + 2 * (MV_BITS * direction + i), 2)
  }
}
