import { continueGifLzw, inSubBlocks, readGifLzw } from '../../../codecs/lzw/gif-lzw.ts'
import type { Allowance } from '../../../model/allowance.ts'
import { ESTIMATED, LOST, RECOVERED } from '../../../photo/picture/picture.ts'
import { commonest } from '../../../photo/raster/commonest.ts'
import { fillRaster } from '../../../photo/raster/fill-raster.ts'
import { accountOf, newRaster, type RasterAccount } from '../../../photo/raster/raster.ts'
import { streamOf } from '../read/blocks.ts'
import type { ImageBlock } from '../read/walk.ts'

/** The passes of an interlaced picture: first row and step, GIF89a Appendix E. */
const PASSES = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const

function rowOrder(height: number, interlaced: boolean): number[] {
  const rows: number[] = []
  for (const [first, step] of interlaced ? PASSES : ([[0, 1]] as const))
    for (let y = first; y < height; y += step) rows.push(y)
  return rows
}

/**
 * The colour of what cannot be filled, where one shows nothing, and whether a frame keeps all of its rows, or those that can be
 * read.
 */
interface Rest {
  readonly blank: number | undefined
  readonly rows: 'all' | 'read'
}

interface MendedFrame {
  readonly data: Uint8Array
  /** Rows that the data have. */
  readonly rows: number
  readonly account: RasterAccount
}

/** Sub-blocks that go on behind what is there of a frame: what is missing is filled from above and below, else blank. */
export function mendFrame(
  bytes: Uint8Array,
  { descriptor, segments, read, cut }: ImageBlock,
  rest: Rest,
  allowance: Allowance,
): MendedFrame | undefined {
  const { width, height, codeSize, interlaced } = descriptor
  const count = width * height
  if (read.pixels === 0 || !allowance.take(count)) return undefined
  const stream = streamOf(bytes, segments)
  const plain = new Uint8Array(count)
  readGifLzw(stream, codeSize, count, plain)
  const raster = newRaster(width, height, 1)
  const { blank } = rest
  raster.pixels.fill(
    blank !== undefined && blank < 1 << codeSize ? blank : commonest(plain.subarray(0, read.pixels)),
  )
  const order = rowOrder(height, interlaced)
  const sure = cut ? read.pixels : read.cleared
  for (let i = 0; i < read.pixels; i++) {
    const to = order[Math.floor(i / width)] * width + (i % width)
    raster.pixels[to] = plain[i]
    raster.states[to] = i < sure ? RECOVERED : ESTIMATED
  }
  if (raster.states.includes(LOST)) fillRaster(raster, false)
  const rows = rest.rows === 'all' ? height : Math.ceil(read.pixels / width)
  const more = new Uint8Array(rows * width - read.pixels)
  for (let i = read.pixels; i < rows * width; i++)
    more[i - read.pixels] = raster.pixels[order[Math.floor(i / width)] * width + (i % width)]
  const data = inSubBlocks(continueGifLzw(stream, read, codeSize, more))
  return { data, rows, account: accountOf(raster) }
}
