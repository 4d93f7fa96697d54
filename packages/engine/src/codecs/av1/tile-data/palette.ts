import type { IntraFrame } from '../headers/intra-frame.ts'
import {
  COLOURS_UV,
  COLOURS_Y,
  PALETTE_SIZE_UV,
  PALETTE_SIZE_Y,
  USE_PALETTE_UV,
  USE_PALETTE_Y,
} from '../symbols/palette-symbols.ts'
import type { SymbolDecoder } from '../symbols/symbol-decoder.ts'
import type { Symbols } from '../symbols/symbols.ts'
import { type Block, DC, type Edge } from './block.ts'

const MOST_COLOURS = 8
/** A palette above is not used across rows of 64 samples. */
const CACHE_ROWS = 15
/** Palette_Color_Context, AV1 specification (2019-01-08) §9.3, by the weights of the three colours seen most around. */
const CONTEXTS = [0, 0, 0, 0, 0, 4, 3, 2, 1]
const SEEN = 3
const SEEN_WEIGHTS = [1, 2, 2]
const LONGEST_BLOCK = 64

/** Reads the palettes of blocks and the colours of their samples, §5.11.46 and §5.11.49. */
export class Palettes {
  /** Colours of the block's palettes, of luma and of the first chroma plane. */
  readonly values = [new Uint16Array(MOST_COLOURS), new Uint16Array(MOST_COLOURS)]
  readonly #decoder: SymbolDecoder
  readonly #above: Edge
  readonly #left: Edge
  readonly #frame: IntraFrame
  readonly #map = new Uint8Array(LONGEST_BLOCK * LONGEST_BLOCK)
  readonly #order = new Uint8Array(MOST_COLOURS)
  readonly #scores = new Uint8Array(MOST_COLOURS)

  constructor(decoder: SymbolDecoder, frame: IntraFrame, above: Edge, left: Edge) {
    this.#decoder = decoder
    this.#frame = frame
    this.#above = above
    this.#left = left
  }

  /** palette_mode_info. */
  read(block: Block, leftAt: number): void {
    const decoder = this.#decoder
    const size = block.wide + block.high - 2
    if (block.mode === DC) {
      const above = block.hasAbove && this.#above.colours[0][block.column] > 0
      const left = block.hasLeft && this.#left.colours[0][leftAt] > 0
      const context = 3 * size + Number(above) + Number(left)
      if (decoder.symbol(USE_PALETTE_Y.at + 2 * context, 2) === 1) {
        block.colours[0] = 2 + decoder.symbol(PALETTE_SIZE_Y.at + 7 * size, 7)
        this.#values(block, leftAt, 0)
      }
    }
    if (!block.chroma || block.chromaMode !== DC) return
    const context = Number(block.colours[0] > 0)
    if (decoder.symbol(USE_PALETTE_UV.at + 2 * context, 2) === 0) return
    block.colours[1] = 2 + decoder.symbol(PALETTE_SIZE_UV.at + 7 * size, 7)
    this.#values(block, leftAt, 1)
    this.#secondChroma(block.colours[1])
  }

  /** Colours of luma or of the first chroma plane: some from the palettes around, then one whole, then differences. */
  #values(block: Block, leftAt: number, plane: number): void {
    const decoder = this.#decoder
    const values = this.values[plane]
    const count = block.colours[plane]
    const { depth } = this.#frame.format
    let at = 0
    for (const colour of this.#around(block, leftAt, plane)) {
      if (at === count) break
      if (decoder.bit() === 1) values[at++] = colour
    }
    if (at < count) {
      values[at++] = decoder.bits(depth)
      if (at < count) {
        let width = depth - 3 + decoder.bits(2)
        // colours of luma differ
        const least = plane === 0 ? 1 : 0
        const most = (1 << depth) - 1
        for (; at < count; at++) {
          values[at] = Math.min(values[at - 1] + decoder.bits(width) + least, most)
          width = Math.min(width, ceilLog2(most + 1 - values[at] - least))
        }
      }
    }
    values.subarray(0, count).sort()
  }

  #secondChroma(count: number): void {
    const decoder = this.#decoder
    const { depth } = this.#frame.format
    if (decoder.bit() === 0) {
      for (let i = 0; i < count; i++) decoder.bits(depth)
      return
    }
    const width = depth - 4 + decoder.bits(2)
    decoder.bits(depth)
    for (let i = 1; i < count; i++) if (decoder.bits(width) > 0) decoder.bit()
  }

  /** get_palette_cache: colours of the blocks above and to the left, each once, in their order. */
  #around(block: Block, leftAt: number, plane: number): number[] {
    const { column } = block
    const usesAbove = block.hasAbove && (block.row & CACHE_ROWS) !== 0
    const above = usesAbove ? paletteOf(this.#above, column, plane) : []
    const left = block.hasLeft ? paletteOf(this.#left, leftAt, plane) : []
    return [...new Set([...above, ...left])].sort((a, b) => a - b)
  }

  /** palette_tokens. */
  readColours(block: Block): void {
    const { columns, rows, format } = this.#frame
    const width = 4 * Math.min(block.across, columns - block.column)
    const height = 4 * Math.min(block.down, rows - block.row)
    const [luma, chroma] = block.colours
    if (luma > 0) this.#colours(COLOURS_Y[luma - 2], luma, width, height)
    if (chroma === 0) return
    // chroma of a block of four samples is that of two blocks
    const wider = (4 * block.across) >> format.x < 4 ? 2 : 0
    const higher = (4 * block.down) >> format.y < 4 ? 2 : 0
    this.#colours(COLOURS_UV[chroma - 2], chroma, (width >> format.x) + wider, (height >> format.y) + higher)
  }

  #colours(kind: Symbols, count: number, width: number, height: number): void {
    const map = this.#map
    map[0] = this.#decoder.oneOf(count)
    for (let i = 1; i < width + height - 1; i++) {
      for (let x = Math.min(i, width - 1); x >= Math.max(0, i - height + 1); x--) {
        const y = i - x
        const context = this.#context(x, y, count)
        const symbol = this.#decoder.symbol(kind.at + count * context, count)
        map[LONGEST_BLOCK * y + x] = this.#order[symbol]
      }
    }
  }

  /** get_palette_color_context. */
  #context(x: number, y: number, count: number): number {
    const map = this.#map
    const order = this.#order
    const scores = this.#scores.fill(0)
    for (let i = 0; i < MOST_COLOURS; i++) order[i] = i
    const at = LONGEST_BLOCK * y + x
    if (x > 0) scores[map[at - 1]] += 2
    if (x > 0 && y > 0) scores[map[at - LONGEST_BLOCK - 1]] += 1
    if (y > 0) scores[map[at - LONGEST_BLOCK]] += 2
    let context = 0
    for (let i = 0; i < SEEN; i++) {
      let best = i
      for (let j = i + 1; j < count; j++) if (scores[j] > scores[best]) best = j
      const [score, colour] = [scores[best], order[best]]
      scores.copyWithin(i + 1, i, best)
      order.copyWithin(i + 1, i, best)
      scores[i] = score
      order[i] = colour
      context += score * SEEN_WEIGHTS[i]
    }
    return CONTEXTS[context]
  }
}

function paletteOf(edge: Edge, at: number, plane: number): Uint16Array {
  return edge.palettes[plane].subarray(MOST_COLOURS * at, MOST_COLOURS * at + edge.colours[plane][at])
}

function ceilLog2(value: number): number {
  return value < 2 ? 0 : 32 - Math.clz32(value - 1)
}
