/** intra_frame_y_mode and uv_mode, AV1 specification (2019-01-08) §6.10.16. */
export const DC = 0
export const VERTICAL = 1
export const DIRECTIONAL_LAST = 8
export const FROM_LUMA = 13

/** The block that is being read. Places and lengths are in units of four samples, sides their logarithms. */
export class Block {
  row = 0
  column = 0
  /** Its size, and its sides. */
  size = 0
  wide = 0
  high = 0
  across = 1
  down = 1
  chroma = false
  /** Whether the tile has blocks above and to the left. */
  hasAbove = false
  hasLeft = false
  skip = false
  segment = 0
  lossless = false
  /** Copied from elsewhere in the frame: use_intrabc. */
  copied = false
  mode = DC
  chromaMode = DC
  /** The direction of its filter, below 0 where it has none. */
  filter = -1
  /** Colours of its palettes, of luma and of chroma. */
  readonly colours = [0, 0]
  /** Sides of its transforms of luma; of a copied block those read last. */
  transformWide = 0
  transformHigh = 0
}

const MOST_COLOURS = 8

/** What the blocks along an edge are, for those that follow: above by column, to the left by row of the superblock. */
export class Edge {
  readonly mode: Uint8Array
  readonly skip: Uint8Array
  readonly copied: Uint8Array
  /** The side along the edge of the block, and of its transform. */
  readonly side: Uint8Array
  readonly transform: Uint8Array
  /** Of luma and chroma: numbers of colours, and the colours, eight places each. */
  readonly colours: readonly [Uint8Array, Uint8Array]
  readonly palettes: readonly [Uint16Array, Uint16Array]

  constructor(length: number) {
    this.mode = new Uint8Array(length)
    this.skip = new Uint8Array(length)
    this.copied = new Uint8Array(length)
    this.side = new Uint8Array(length)
    this.transform = new Uint8Array(length)
    this.colours = [new Uint8Array(length), new Uint8Array(length)]
    this.palettes = [new Uint16Array(MOST_COLOURS * length), new Uint16Array(MOST_COLOURS * length)]
  }

  /** Keeps a block along `[from, from + length)`; `palettes` are its colours. */
  put(block: Block, from: number, length: number, side: number, palettes: readonly Uint16Array[]): void {
    const end = from + length
    this.mode.fill(block.mode, from, end)
    this.skip.fill(Number(block.skip), from, end)
    this.copied.fill(Number(block.copied), from, end)
    this.side.fill(side, from, end)
    for (const plane of [0, 1]) {
      const count = block.colours[plane]
      this.colours[plane].fill(count, from, end)
      if (count === 0) continue
      for (let at = from; at < end && at < this.mode.length; at++)
        this.palettes[plane].set(palettes[plane].subarray(0, count), MOST_COLOURS * at)
    }
  }
}
