/** What reading the macroblocks of a slice depends on. */
export interface PictureLayout {
  /** Macroblocks of a row; any number at least as large as the row's when only a row is read. */
  readonly width: number
  /** Rows of macroblocks (of a field, when the slice is one's); a bound where unknown. */
  readonly height: number
  readonly transform8x8: boolean
  /** chroma_format_idc: 0 monochrome, 1 4:2:0, 2 4:2:2. */
  readonly chromaFormat: number
  readonly bitDepthLuma: number
  readonly bitDepthChroma: number
  /** The slice belongs to a field: other contexts. */
  readonly field: boolean
  /**
   * Macroblocks come in pairs, each a frame's or two fields' (MbaffFrameFlag); rows are then counted in macroblocks of frames.
   */
  readonly pairs?: boolean
}

/** How far a slice could be read. */
export interface SliceReading {
  /** Macroblocks that were read without contradiction. */
  readonly macroblocks: number
  /** The slice's last macroblock ended right where its trailing bits begin: the reading is right. */
  readonly exact: boolean
  /** Bytes of slice data that were read, what decides how long it took. */
  readonly bytes: number
}

/** Kinds of macroblocks: intra ones in blocks, as a whole, of bare samples. */
export const BLOCKS = 0
export const WHOLE = 1
export const BARE = 2
/** Predicted from other pictures: by vectors of its own, by those around it, or as these say without anything coded. */
export const PREDICTED = 3
export const DIRECT = 4
export const SKIPPED = 5

/** What later macroblocks need to know of so many earlier ones, but for their blocks. */
export class MacroblockFacts {
  readonly kind: Uint8Array
  /** Luma in the lower four bits, chroma above them. */
  readonly pattern: Uint8Array
  readonly transform8x8: Uint8Array
  readonly chromaMode: Uint8Array
  /** Bit 0 luma DC, bits 1 and 2 chroma DC. */
  readonly dc: Uint8Array

  constructor(count: number) {
    this.kind = new Uint8Array(count)
    this.pattern = new Uint8Array(count)
    this.transform8x8 = new Uint8Array(count)
    this.chromaMode = new Uint8Array(count)
    this.dc = new Uint8Array(count)
  }

  set(at: number, kind: number, pattern: number, transform8x8: number, chromaMode: number, dc: number): void {
    this.kind[at] = kind
    this.pattern[at] = pattern
    this.transform8x8[at] = transform8x8
    this.chromaMode[at] = chromaMode
    this.dc[at] = dc
  }

  /** Copies one of another's. */
  take(at: number, from: MacroblockFacts, fromAt: number): void {
    this.kind[at] = from.kind[fromAt]
    this.pattern[at] = from.pattern[fromAt]
    this.transform8x8[at] = from.transform8x8[fromAt]
    this.chromaMode[at] = from.chromaMode[fromAt]
    this.dc[at] = from.dc[fromAt]
  }
}

/**
 * What later macroblocks need to know of those above and to the left, ITU-T H.264 (08/2021) §6.4.9: by column of the macroblock
 * above; the last entry is the one to the left.
 */
export class Neighbours extends MacroblockFacts {
  /** Four coefficient counts of the lowest luma blocks a column. */
  readonly luma: Uint8Array
  /** Two of the lowest Cb blocks and two of the lowest Cr blocks a column. */
  readonly chroma: Uint8Array
  /** Counts of the blocks at the right edge of the macroblock to the left. */
  readonly leftLuma = new Uint8Array(4)
  readonly leftChroma = new Uint8Array(8)
  /** Counts in the macroblock being read, row by row. */
  readonly ownLuma = new Uint8Array(16)
  /** Cb from 0, Cr from 8: two columns, up to four rows. */
  readonly ownChroma = new Uint8Array(16)
  readonly left: number
  /** Column of the macroblock being read, and whether its slice has one to the left and above. */
  x = 0
  hasLeft = false
  hasAbove = false

  constructor(width: number) {
    super(width + 1)
    this.left = width
    this.luma = new Uint8Array(4 * width)
    this.chroma = new Uint8Array(4 * width)
  }

  /** A macroblock begins: nothing is coded of it yet. */
  clear(): void {
    this.ownLuma.fill(0)
    this.ownChroma.fill(0)
  }

  /** Bare samples count as coded throughout. */
  fill(count: number): void {
    this.ownLuma.fill(count)
    this.ownChroma.fill(count)
  }

  /** The macroblock is read: it is above and to the left of what comes. */
  keep(
    kind: number,
    pattern: number,
    transform8x8: number,
    chromaMode: number,
    dc: number,
    chromaRows: number,
  ): void {
    const { x } = this
    this.set(x, kind, pattern, transform8x8, chromaMode, dc)
    this.set(this.left, kind, pattern, transform8x8, chromaMode, dc)
    for (let i = 0; i < 4; i++) {
      this.luma[4 * x + i] = this.ownLuma[12 + i]
      this.leftLuma[i] = this.ownLuma[4 * i + 3]
    }
    for (let plane = 0; plane < 2; plane++) {
      const own = 8 * plane
      for (let i = 0; i < 2; i++)
        this.chroma[4 * x + 2 * plane + i] = this.ownChroma[own + 2 * (chromaRows - 1) + i]
      for (let row = 0; row < chromaRows; row++)
        this.leftChroma[4 * plane + row] = this.ownChroma[own + 2 * row + 1]
    }
  }

  /** Nothing of the macroblock is coded: it is read, in place of `clear` and `keep`. */
  keepSkipped(): void {
    const { x, luma, chroma } = this
    this.set(x, SKIPPED, 0, 0, 0, 0)
    this.set(this.left, SKIPPED, 0, 0, 0, 0)
    for (let i = 4 * x; i < 4 * x + 4; i++) {
      luma[i] = 0
      chroma[i] = 0
    }
    for (let i = 0; i < 4; i++) this.leftLuma[i] = 0
    for (let i = 0; i < 8; i++) this.leftChroma[i] = 0
  }
}

/** Column and row of the luma blocks in coding order, Figure 6-10. */
export const BLOCK_X = Uint8Array.of(0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3)
export const BLOCK_Y = Uint8Array.of(0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3)

/** Bits of the samples of a bare macroblock. */
export function bareBits(layout: PictureLayout): number {
  const chroma = [0, 128, 256][layout.chromaFormat] ?? 0
  return 256 * layout.bitDepthLuma + chroma * layout.bitDepthChroma
}

export function chromaRowsOf(layout: PictureLayout): number {
  return layout.chromaFormat === 2 ? 4 : 2
}
