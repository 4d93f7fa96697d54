import { continueGifLzw, inSubBlocks, readGifLzw } from '../../../codecs/lzw/gif-lzw.ts'
import type { Allowance } from '../../../model/allowance.ts'
import { ESTIMATED, LOST, RECOVERED } from '../../../photo/picture.ts'
import { accountOf, fillRaster, newRaster, type RasterAccount } from '../../../photo/raster.ts'
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

/** Sub-blocks that go on behind what is there of a frame: what is missing is filled from above and below, else blank. */
export function mendFrame(
  bytes: Uint8Array,
  { descriptor, segments, read, cut }: ImageBlock,
  blank: number,
  allowance: Allowance,
): { readonly data: Uint8Array; readonly account: RasterAccount } | undefined {
  const { width, height, codeSize, interlaced } = descriptor
  const count = width * height
  if (read.pixels === 0 || !allowance.take(count)) return undefined
  const stream = streamOf(bytes, segments)
  const plain = new Uint8Array(count)
  readGifLzw(stream, codeSize, count, plain)
  const raster = newRaster(width, height, 1)
  raster.pixels.fill(blank < 1 << codeSize ? blank : 0)
  const order = rowOrder(height, interlaced)
  const sure = cut ? read.pixels : read.cleared
  for (let i = 0; i < read.pixels; i++) {
    const to = order[Math.floor(i / width)] * width + (i % width)
    raster.pixels[to] = plain[i]
    raster.states[to] = i < sure ? RECOVERED : ESTIMATED
  }
  if (raster.states.includes(LOST)) fillRaster(raster, false)
  const rest = new Uint8Array(count - read.pixels)
  for (let i = read.pixels; i < count; i++)
    rest[i - read.pixels] = raster.pixels[order[Math.floor(i / width)] * width + (i % width)]
  return { data: inSubBlocks(continueGifLzw(stream, read, codeSize, rest)), account: accountOf(raster) }
}
