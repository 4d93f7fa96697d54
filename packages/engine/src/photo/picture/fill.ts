import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { Preview } from '../preview/preview.ts'
import { FILLED, LOST } from './picture.ts'

const BLOCK = 8
/**
 * The first coefficients across and down of a block between two neighbours whose means differ by one level, ITU-T T.81 Annex K.8.
 */
const SLOPE = 1.139
/** Rows of MCUs that are filled from one side alone: more would be invented. */
const ROWS_FROM_ONE_SIDE = 1
const NONE = -1

/** Mean levels of the blocks around lost MCUs. */
export interface KnownBlocks {
  /** Whether the MCU at a position is there. */
  known(position: number): boolean
  /** Mean level of a block of the MCU at a position that is there, by component, column and row within it. */
  mean(position: number, component: number, column: number, row: number): number
}

/** Makes up what is lost: from the preview, else between what is known above and below; what is neither is left blank. */
export class Fill {
  readonly #layout: McuLayout
  readonly #quantisation: readonly ArrayLike<number>[]
  readonly #blocks: KnownBlocks
  readonly #preview: Preview | undefined
  /** For each lost position the nearest known ones above and below in its column. */
  readonly #above: Int32Array
  readonly #below: Int32Array

  constructor(
    layout: McuLayout,
    quantisation: readonly ArrayLike<number>[],
    blocks: KnownBlocks,
    preview: Preview | undefined,
  ) {
    this.#layout = layout
    this.#quantisation = quantisation
    this.#blocks = blocks
    this.#preview = preview && preview.components >= layout.components.length ? preview : undefined
    const { mcuWide, mcuCount } = layout
    this.#above = new Int32Array(mcuCount).fill(NONE)
    this.#below = new Int32Array(mcuCount).fill(NONE)
    for (let at = 0; at < mcuCount; at++) {
      if (at >= mcuWide)
        this.#above[at] = blocks.known(at - mcuWide) ? at - mcuWide : this.#above[at - mcuWide]
    }
    for (let at = mcuCount - 1 - mcuWide; at >= 0; at--) {
      this.#below[at] = blocks.known(at + mcuWide) ? at + mcuWide : this.#below[at + mcuWide]
    }
  }

  /** What a lost MCU becomes. */
  state(position: number): number {
    if (this.#preview) return FILLED
    const above = this.#above[position]
    const below = this.#below[position]
    if (above !== NONE && below !== NONE) return FILLED
    const wide = this.#layout.mcuWide
    const rows =
      above !== NONE ? (position - above) / wide : below !== NONE ? (below - position) / wide : Infinity
    return rows <= ROWS_FROM_ONE_SIDE ? FILLED : LOST
  }

  /** Writes a lost MCU's coefficients in zigzag order. */
  write(position: number, out: Int16Array): void {
    out.fill(0)
    if (this.state(position) === LOST) return
    this.#layout.components.forEach(({ h, v, firstBlock }, component) => {
      const table = this.#quantisation[component]
      for (let row = 0; row < v; row++) {
        for (let column = 0; column < h; column++) {
          const at = (firstBlock + row * h + column) * BLOCK_COEFFICIENTS
          if (this.#preview)
            this.#fromPreview(this.#preview, position, component, column, row, table, out, at)
          else out[at] = Math.round((this.#between(position, component, column, row) * BLOCK) / table[0])
        }
      }
    })
  }

  #fromPreview(
    preview: Preview,
    position: number,
    component: number,
    column: number,
    row: number,
    table: ArrayLike<number>,
    out: Int16Array,
    at: number,
  ): void {
    const { mcuWide, mcuPixelsWide, mcuPixelsHigh, width, height, components } = this.#layout
    const blockWide = mcuPixelsWide / components[component].h / width
    const blockHigh = mcuPixelsHigh / components[component].v / height
    const x = ((position % mcuWide) * mcuPixelsWide) / width + column * blockWide
    const y = (Math.floor(position / mcuWide) * mcuPixelsHigh) / height + row * blockHigh
    const mean = (dx: number, dy: number): number =>
      preview.mean(
        component,
        x + dx * blockWide,
        y + dy * blockHigh,
        x + (dx + 1) * blockWide,
        y + (dy + 1) * blockHigh,
      )
    out[at] = Math.round((mean(0, 0) * BLOCK) / table[0])
    out[at + 1] = Math.round((SLOPE * (mean(-1, 0) - mean(1, 0))) / table[1])
    out[at + 2] = Math.round((SLOPE * (mean(0, -1) - mean(0, 1))) / table[2])
  }

  /** The level between those of the nearest blocks above and below, by distance. */
  #between(position: number, component: number, column: number, row: number): number {
    const above = this.#above[position]
    const below = this.#below[position]
    const { v } = this.#layout.components[component]
    const wide = this.#layout.mcuWide
    const upper = above === NONE ? 0 : this.#blocks.mean(above, component, column, v - 1)
    const lower = below === NONE ? 0 : this.#blocks.mean(below, component, column, 0)
    if (above === NONE) return lower
    if (below === NONE) return upper
    const fromAbove = ((position - above) / wide - 1) * v + row + 1
    const fromBelow = ((below - position) / wide) * v - row
    return (upper * fromBelow + lower * fromAbove) / (fromAbove + fromBelow)
  }
}
