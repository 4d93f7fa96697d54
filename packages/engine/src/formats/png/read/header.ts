/** What IHDR says, PNG (Third Edition) §11.2.1. */
export interface Header {
  readonly width: number
  readonly height: number
  /** Bits of a sample. */
  readonly depth: number
  readonly colour: number
  readonly interlaced: boolean
}

export const GREY = 0
export const RGB = 2
export const PALETTE = 3
export const GREY_ALPHA = 4
export const RGB_ALPHA = 6
export const HEADER_LENGTH = 13

/** Samples of a pixel by colour type. */
const SAMPLES: Readonly<Record<number, number>> = {
  [GREY]: 1,
  [RGB]: 3,
  [PALETTE]: 1,
  [GREY_ALPHA]: 2,
  [RGB_ALPHA]: 4,
}
/** Depths that a colour type allows, §11.2.1 Table 12. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  [GREY]: [8, 1, 2, 4, 16],
  [RGB]: [8, 16],
  [PALETTE]: [8, 1, 2, 4],
  [GREY_ALPHA]: [8, 16],
  [RGB_ALPHA]: [8, 16],
}

/** All pairs of colour type and depth, the commoner first. */
export const KINDS: readonly { readonly colour: number; readonly depth: number }[] = [
  RGB,
  RGB_ALPHA,
  PALETTE,
  GREY,
  GREY_ALPHA,
].flatMap((colour) => DEPTHS[colour].map((depth) => ({ colour, depth })))

/** Largest side that is believed: decoders refuse larger ones by default. */
export const LARGEST_SIDE = 1_000_000

/** Reads IHDR; undefined for what the standard does not allow. */
export function readHeader(body: Uint8Array): Header | undefined {
  if (body.length !== HEADER_LENGTH) return undefined
  const view = new DataView(body.buffer, body.byteOffset, body.length)
  const [depth, colour, compression, filter, interlace] = body.subarray(8)
  const width = view.getUint32(0)
  const height = view.getUint32(4)
  const sides = width > 0 && height > 0 && width <= LARGEST_SIDE && height <= LARGEST_SIDE
  if (!sides || !DEPTHS[colour]?.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1)
    return undefined
  return { width, height, depth, colour, interlaced: interlace === 1 }
}

/** IHDR's data. */
export function headerBytes({ width, height, depth, colour, interlaced }: Header): Uint8Array {
  const bytes = new Uint8Array(HEADER_LENGTH)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  bytes.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8)
  return bytes
}

/** Bits of a pixel. */
export function pixelBits({ depth, colour }: Pick<Header, 'depth' | 'colour'>): number {
  return depth * SAMPLES[colour]
}

const COLOUR_NAMES: Readonly<Record<number, string>> = {
  [GREY]: 'grey',
  [RGB]: 'RGB',
  [PALETTE]: 'palette',
  [GREY_ALPHA]: 'grey with alpha',
  [RGB_ALPHA]: 'RGB with alpha',
}

/** How pixels are coded, in words. */
export function layoutName({ depth, colour, interlaced }: Header): string {
  return `${COLOUR_NAMES[colour]}, ${depth} bit${depth > 1 ? 's' : ''}${interlaced ? ', interlaced' : ''}`
}
