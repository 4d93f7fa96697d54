import { BLOCK_8X8, HEIGHT_8, WIDTH_8 } from './block-sizes.ts'
import type { Blocks } from './blocks.ts'
import type { Coefficients } from './coefficients.ts'
import type { Frame } from './frame.ts'
import { DEFAULT_SCANS, SCANS_OF_MODE } from './scans.ts'

const PLANES = 3
/** Units of 4 samples across and down a superblock. */
const SUPERBLOCK_4 = 16
/** The same in places of 8 by 8. */
const SUPERBLOCK_8 = 8
const SUPERBLOCK_SHIFT = 3

/** Reads what a block's prediction leaves, VP9 specification v0.6 §6.4.21, plane by plane. */
export class Residual {
  readonly #blocks: Blocks
  readonly #coefficients: Coefficients
  /**
   * AboveNonzeroContext and LeftNonzeroContext, §6.4.22, by plane, a bit for each unit of 4 samples across a superblock, for
   * those of a row, and down the one at hand.
   */
  #above = Array.from({ length: PLANES }, () => new Uint16Array(0))
  readonly #left = new Uint16Array(PLANES)
  #columns = 0
  #rows = 0
  #halvedAcross = 0
  #halvedDown = 0
  #lossless = false

  constructor(blocks: Blocks, coefficients: Coefficients) {
    this.#blocks = blocks
    this.#coefficients = coefficients
  }

  beginFrame({ header, colours, columns, rows }: Frame): void {
    const superblocks = Math.ceil(columns / SUPERBLOCK_8)
    if (this.#above[0].length < superblocks)
      this.#above = Array.from({ length: PLANES }, () => new Uint16Array(superblocks))
    else for (const above of this.#above) above.fill(0)
    this.#columns = columns
    this.#rows = rows
    this.#halvedAcross = colours.halvedAcross
    this.#halvedDown = colours.halvedDown
    this.#lossless = header.lossless
    this.#coefficients.beginFrame(colours.depth)
  }

  /** clear_left_context. */
  beginRow(): void {
    this.#left.fill(0)
  }

  /** The block has no coefficients. */
  skip(block: number, row: number, column: number): void {
    const size = this.#blocks.size[block]
    const superblock = column >> SUPERBLOCK_SHIFT
    for (let plane = 0; plane < PLANES; plane++) {
      const across = plane > 0 ? this.#halvedAcross : 0
      const down = plane > 0 ? this.#halvedDown : 0
      const x = ((2 * column) & (SUPERBLOCK_4 - 1)) >> across
      const y = ((2 * row) & (SUPERBLOCK_4 - 1)) >> down
      this.#above[plane][superblock] &= ~(ones((2 * WIDTH_8[size]) >> across) << x)
      this.#left[plane] &= ~(ones((2 * HEIGHT_8[size]) >> down) << y)
    }
  }

  /** Reads a block's coefficients. @returns whether there is any */
  read(block: number, row: number, column: number): boolean {
    let any = false
    for (let plane = 0; plane < PLANES; plane++) if (this.#readPlane(block, row, column, plane)) any = true
    return any
  }

  #readPlane(block: number, row: number, column: number, plane: number): boolean {
    const { size: sizes, transform: transforms, first } = this.#blocks
    const size = sizes[block]
    const across = plane > 0 ? this.#halvedAcross : 0
    const down = plane > 0 ? this.#halvedDown : 0
    const width = (2 * WIDTH_8[size]) >> across
    const height = (2 * HEIGHT_8[size]) >> down
    let transform = transforms[block]
    if (plane > 0) transform = chromaTransform(size, transform, width, height)
    const step = 1 << transform
    const x0 = ((2 * column) & (SUPERBLOCK_4 - 1)) >> across
    const y0 = ((2 * row) & (SUPERBLOCK_4 - 1)) >> down
    // units of the plane within the frame
    const right = Math.min(width, (2 * (this.#columns - column)) >> across)
    const bottom = Math.min(height, (2 * (this.#rows - row)) >> down)
    let above = this.#above[plane][column >> SUPERBLOCK_SHIFT] >> x0
    let left = this.#left[plane] >> y0
    const isInter = first[block] > 0 ? 1 : 0
    const directed = plane === 0 && isInter === 0 && !this.#lossless
    const chroma = plane > 0 ? 1 : 0
    const covered = ones(step)
    let any = false
    for (let y = 0; y < bottom; y += step)
      for (let x = 0; x < right; x += step) {
        const scan = directed
          ? SCANS_OF_MODE[this.#modeAt(block, size, x, y)][transform]
          : DEFAULT_SCANS[transform]
        const context = (((above >> x) & covered) !== 0 ? 1 : 0) + (((left >> y) & covered) !== 0 ? 1 : 0)
        const some = this.#coefficients.read(transform, chroma, isInter, scan, context)
        above &= ~(covered << x)
        left &= ~(covered << y)
        if (!some) continue
        any = true
        // what lies beyond the frame has none
        above |= (covered & ones(right - x)) << x
        left |= (covered & ones(bottom - y)) << y
      }
    this.#above[plane][column >> SUPERBLOCK_SHIFT] =
      (this.#above[plane][column >> SUPERBLOCK_SHIFT] & ones(x0)) | (above << x0)
    this.#left[plane] = (this.#left[plane] & ones(y0)) | (left << y0)
    return any
  }

  /** The mode of intra prediction of the part at units x, y. */
  #modeAt(block: number, size: number, x: number, y: number): number {
    return size < BLOCK_8X8 ? this.#blocks.parts[4 * block + 2 * y + x] : this.#blocks.mode[block]
  }
}

/** get_uv_tx_size, §6.4.22: no larger than the block in the plane, whose width and height are in units of 4. */
function chromaTransform(size: number, transform: number, width: number, height: number): number {
  if (size < BLOCK_8X8) return 0
  return Math.min(transform, 31 - Math.clz32(Math.min(width, height)))
}

/** So many bits, the lowest. */
function ones(count: number): number {
  return (1 << count) - 1
}
